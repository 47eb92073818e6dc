"""The finder's networks as PyTorch modules and their way into ONNX. Knows no pictures and no labels."""

import itertools
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from vision.networks.planes import DICE_PLANES, LID_PLANES, DicePlane, LidPlane


class Block(nn.Sequential):
    """Convolution, normalisation (folded away on export), ReLU."""

    def __init__(self, inside: int, outside: int, stride: int = 1, kernel: int = 3) -> None:
        super().__init__(
            nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
        )


class Hourglass(nn.Module):
    """Down to a sixteenth (or further) for context, back up to a quarter for places."""

    def __init__(self, stem: int, widths: tuple[int, ...], head: int, planes: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(Block(3, stem, 2), Block(stem, widths[0], 2), Block(widths[0], widths[0]))
        self.down = nn.ModuleList(
            nn.Sequential(Block(a, b, 2), Block(b, b)) for a, b in itertools.pairwise(widths)
        )
        self.lift = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in itertools.pairwise(widths))
        self.mix = nn.ModuleList(Block(a, a) for a in widths[1:-1])
        self.head = nn.Sequential(Block(widths[0], head), nn.Conv2d(head, planes, 1))

    def forward(self, picture: Tensor) -> Tensor:
        levels = [self.stem(picture)]
        for down in self.down:
            levels.append(down(levels[-1]))
        x = levels.pop()
        for index in range(len(self.lift) - 1, -1, -1):
            x = torch.relu(self.lift[index](x) + levels[index])
            if index:
                x = self.mix[index - 1](x)
        return self.head(x)


def dice_network() -> Hourglass:
    network = Hourglass(16, (32, 48, 48), 40, DICE_PLANES)
    nn.init.constant_(network.head[-1].bias[DicePlane.HEAT], -4.0)
    return network


def lid_network() -> Hourglass:
    network = Hourglass(8, (16, 24, 24, 24), 16, LID_PLANES)
    nn.init.constant_(network.head[-1].bias[LidPlane.CORNER], -4.0)
    return network


def export(network: nn.Module, path: Path, width: int, height: int) -> None:
    """Write the network as ONNX that cv2.dnn reads from OpenCV 4.6 on, for any size its strides divide."""
    network.eval()
    example = torch.zeros(1, 3, height, width)
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network,
        (example,),
        str(path),
        opset_version=11,
        input_names=["picture"],
        output_names=["planes"],
        dynamo=False,
    )
    _inline_shared_weights(path)


def _inline_shared_weights(path: Path) -> None:
    """Equal weights are stored once behind an Identity node, which OpenCV 4.6 refuses: copy them out."""
    model = onnx.load(str(path))
    stored = {weights.name: weights for weights in model.graph.initializer}
    for node in [n for n in model.graph.node if n.op_type == "Identity" and n.input[0] in stored]:
        copy = model.graph.initializer.add()
        copy.CopyFrom(stored[node.input[0]])
        copy.name = node.output[0]
        model.graph.node.remove(node)
    onnx.save(model, str(path))


def weight_count(network: nn.Module) -> int:
    return sum(parameter.numel() for parameter in network.parameters())
