"""Lets a network begin with what an earlier one learnt, as far as layers are alike. Knows no dice."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

LAYERS = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear)
OPERATIONS = {"Conv", "ConvTranspose", "Gemm"}


def begin_with(net, path, pictures):
    """Takes over the layers of an exported network that are of the same shape, in the order they run.

    An exported convolution has its normalisation in its weights. It is taken out again, so that of these
    pictures the network says at first what the earlier one said.
    """
    graph = onnx.load(str(path)).graph
    known = {kept.name: torch.from_numpy(np.array(numpy_helper.to_array(kept))) for kept in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in OPERATIONS]
    begun = _Begun([[known[name] for name in node.input[1:]] for node in nodes])
    hooks = [module.register_forward_pre_hook(begun.take) for module in net.modules()]
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()
    net.train()
    print(f"{begun.taken} of {len(nodes)} layers begin as in {path}", flush=True)


class _Begun:
    """Hands out the earlier network's layers while the new one runs for the first time."""

    def __init__(self, layers):
        self.layers = iter(layers)
        self.taken = 0
        self.bias = None  # of a convolution whose normalisation comes next

    def take(self, module, inputs):
        if isinstance(module, LAYERS):
            weight, bias = next(self.layers)
            self.bias = None
            if module.weight.shape == weight.shape:
                module.weight.copy_(weight)
                self.taken += 1
                if module.bias is None:
                    self.bias = bias
                else:
                    module.bias.copy_(bias)
        elif isinstance(module, nn.BatchNorm2d) and self.bias is not None:
            _normalise_as_before(module.eval(), inputs[0], self.bias)


def _normalise_as_before(norm, seen, bias):
    """What normalisation takes away, given back by it: only the bias is left."""
    mean, spread = seen.mean((0, 2, 3)), seen.var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.copy_(mean + bias)
