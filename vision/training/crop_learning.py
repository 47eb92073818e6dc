"""The loop in which networks that look at crops learn, and their way into ONNX. Knows no dice."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import torch
from torch import nn

from vision.training.earlier import begin_with


def convolutions(widths, shrinks):
    """Convolutions one after the other; after those named the picture is halved."""
    layers = []
    for i, (a, b) in enumerate(pairwise(widths)):
        layers += [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
        if i in shrinks:
            layers += [nn.MaxPool2d(2)]
    return layers


class CropNet(nn.Module):
    """Convolutions, then whole layers that say what is in the crop."""

    def __init__(self, body, *head):
        super().__init__()
        self.body = nn.Sequential(*body)
        self.head = nn.Sequential(nn.Flatten(), *head)

    def forward(self, x):
        return self.head(self.body(x))

    def learning(self, x):
        """The same, half as precise in the body and twice as fast where the processor knows such numbers."""
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_halves_are_fast()):
            seen = self.body(x.to(memory_format=torch.channels_last))
        return self.head(seen.float().contiguous())


@cache
def _halves_are_fast():
    """Processors without such numbers take twice as long for them as for whole ones."""
    known = Path("/proc/cpuinfo")
    return known.exists() and "bf16" in known.read_text()


@dataclass(frozen=True)
class Lesson:
    """What one network learns: samples without end, what an answer costs, and what to do now and then."""

    samples: Callable[[], tuple[torch.Tensor, ...]]  # crops first, then what the cost needs
    cost: Callable[..., torch.Tensor]
    look: Callable[[nn.Module], None]  # scores and keeps the network


def learn(net, lesson, options):
    """So many steps of AdamW, the rate rising and falling once."""
    print(f"{sum(p.numel() for p in net.parameters())} numbers", flush=True)
    if options.start is not None:
        begin_with(net, options.start, lesson.samples()[0])
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=2e-3)
    steps = options.steps
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, total_steps=steps, pct_start=0.12)
    start = time.monotonic()
    for step in range(1, steps + 1):
        crops, *truth = lesson.samples()
        loss = lesson.cost(net.learning(crops), *truth)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % options.tell == 0 or step == steps:
            print(f"{step} steps, {time.monotonic() - start:.0f} s, loss {loss.item():.3f}", flush=True)
            net.eval()
            with torch.no_grad():
                lesson.look(net)
            net.train()
    return net


def export(net: CropNet, out: Path, size: int, divisors=None):
    """Plain operations only, so that OpenCV 4.6 to 5.0 read it.

    `divisors`, one for each number the network says, make chances true.
    """
    net = copy.deepcopy(net).to(memory_format=torch.contiguous_format).eval()
    layers = []
    for layer in net.body:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = nn.utils.fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    if divisors is not None:
        with torch.no_grad():
            net.head[-1].weight /= divisors[:, None]
            net.head[-1].bias /= divisors
    plain = nn.Sequential(*layers, *net.head).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        plain,
        (torch.zeros(1, 3, size, size),),
        str(out),
        input_names=["crops"],
        output_names=["said"],
        dynamic_axes={"crops": {0: "n"}, "said": {0: "n"}},
        opset_version=12,
        dynamo=False,
    )
    print(f"  wrote {out}, {out.stat().st_size} bytes", flush=True)


def add_options(parser, steps, batch, rate):
    """The options that all of them have."""
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--tell", type=int, default=500, help="steps between two looks")
    parser.add_argument("--start", type=Path, help="an earlier network's weights to begin with")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
