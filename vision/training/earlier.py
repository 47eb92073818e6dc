"""Lets a network begin with what an earlier one learnt, as far as layers are alike. Knows no dice."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.halves import whole


def begin_with(net, path, crops):
    """Takes over the layers of an exported network that are of the same shape.

    An exported convolution has its normalisation in its weights. It is taken out again, so that of these
    crops the network says at first what the earlier one said.
    """
    graph = onnx.load_from_string(whole(path.read_bytes())).graph
    known = {kept.name: torch.from_numpy(np.array(numpy_helper.to_array(kept))) for kept in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in {"Conv", "Gemm"}]
    layers = [[known[name] for name in node.input[1:]] for node in nodes]
    body = [layer for layer in net.body if isinstance(layer, nn.Conv2d)]
    head = [layer for layer in net.head if isinstance(layer, nn.Linear)]
    with torch.no_grad():
        taken = _take_body(net.body, layers[: len(body)], crops)
        for layer, (weight, bias) in zip(head, layers[len(body) :], strict=True):
            if layer.weight.shape == weight.shape:
                layer.weight.copy_(weight)
                layer.bias.copy_(bias)
                taken += 1
    print(f"{taken} of {len(layers)} layers begin as in {path}", flush=True)


def _take_body(body, layers, crops):
    taken, left = 0, iter(layers)
    for at, layer in enumerate(body):
        if isinstance(layer, nn.Conv2d):
            weight, bias = next(left)
            if layer.weight.shape != weight.shape:
                return taken
            layer.weight.copy_(weight)
            taken += 1
            if layer.bias is not None:
                layer.bias.copy_(bias)
            else:
                _normalise_as_before(body[at + 1], layer(crops), bias)
        crops = layer(crops) if not isinstance(layer, nn.BatchNorm2d) else layer.eval()(crops)
        layer.train()
    return taken


def _normalise_as_before(norm, seen, bias):
    """What normalisation takes away, given back by it: only the bias is left."""
    mean, spread = seen.mean((0, 2, 3)), seen.var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.copy_(mean + bias)
