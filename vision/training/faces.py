"""Trains the small network that reads a face.

    python -m vision.training.faces --renders DIR --tray DIR --out vision/weights/faces.onnx

Input: crops as vision/pips.py takes them. Output: six pips and "not the top face of a die, or nobody can
tell", then where the face really lies in the crop, and the way to the die's foot. It learns no colours:
channels are mixed and inverted. Every tenth render and whole hours of the tray are held back and scored.
"""

import argparse
import copy
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.halves import halved
from vision.pips import CROP, normalised
from vision.training.facecrops import PLACES, batch, disturbed
from vision.training.facedata import NOT_A_FACE, TRAY, load

WIDTHS = (3, 16, 24, 32, 40, 40)
SHRINKS = (0, 2, 4)  # after which convolutions the picture is halved
NARROW, HIDDEN = 24, 32
CLASSES = 7
WEIGHTS = (4.0, 4.0, 4.0, 0.5, 0.5, 8.0, 8.0)  # of what the network says of places
SURE = 0.9


class FaceNet(nn.Module):
    """Six convolutions and two layers: 57,000 numbers."""

    def __init__(self):
        super().__init__()
        layers = []
        for i, (a, b) in enumerate(pairwise(WIDTHS)):
            layers += [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
            if i in SHRINKS:
                layers += [nn.MaxPool2d(2)]
        layers += [nn.Conv2d(WIDTHS[-1], NARROW, 1), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.hidden = nn.Linear(NARROW * (CROP // 8) ** 2, HIDDEN)
        self.head = nn.Linear(HIDDEN, CLASSES + PLACES)

    def forward(self, x):
        return self._said(self.body(x))

    def _said(self, seen):
        return self.head(torch.relu(self.hidden(torch.flatten(seen, 1))))

    def learning(self, x):
        """The same, half as precise in the body and twice as fast."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            seen = self.body(x.to(memory_format=torch.channels_last))
        return self._said(seen.float().contiguous())


def loss_of(out, labels, places):
    loss = nn.functional.cross_entropy(out[:, :CLASSES], labels)
    away = out[:, CLASSES:] - places
    away = torch.where(torch.isnan(away), torch.zeros_like(away), away)
    known = int((~torch.isnan(places[:, 0])).sum())
    away = away * torch.tensor(WEIGHTS)
    apart = nn.functional.smooth_l1_loss(away, torch.zeros_like(away), beta=0.2, reduction="sum")
    return loss + apart / (max(1, known) * PLACES)


class Held:
    """Held-back samples of one kind, and how well the network does on them."""

    def __init__(self, name, patches):
        even = np.full(len(patches), 1 / len(patches))
        crops, labels, self.places = batch(patches, np.random.default_rng(5), 2 * len(patches), even)
        self.name, self.crops = name, torch.from_numpy(normalised(crops))
        self.labels = torch.from_numpy(labels)

    def answers(self, net):
        net.eval()
        with torch.no_grad():
            out = net(self.crops)
        net.train()
        return out

    def score(self, net):
        out = self.answers(net)
        logits, truth = out[:, :CLASSES], self.labels
        said, sure = logits.argmax(1), logits.softmax(1).max(1).values
        face = truth < NOT_A_FACE
        right = (said == truth).float()
        wrong = (said != truth) & (said < NOT_A_FACE)
        away = np.abs(out.numpy()[:, CLASSES:] - self.places)[~np.isnan(self.places[:, 0])]
        apart = np.nanmean(away[:, [0, 1, 2, 5, 6]], 0).round(3) if len(away) else "unknown"
        return (
            f"{self.name}: faces right {100 * right[face].mean():.2f} %, misread {int((wrong & face).sum())}"
            f" of {int(face.sum())}; others right {100 * right[~face].mean():.2f} %, taken for a face"
            f" {int((wrong & ~face).sum())} of {int((~face).sum())}; wrong and sure"
            f" {int((wrong & (sure > SURE)).sum())}; place off by {apart}"
        )


def temperature(net, held):
    """By how much the network's logits must be divided for its chances to be true of what is held back."""
    logits = torch.cat([h.answers(net)[:, :CLASSES] for h in held])
    truth = torch.cat([h.labels for h in held])
    tried = np.arange(0.6, 3.0, 0.05)
    return float(min(tried, key=lambda t: float(nn.functional.cross_entropy(logits / t, truth))))


def _take_over(net, kept):
    """What an earlier run learned, as far as the network still has the same shape."""
    own = net.state_dict()
    net.load_state_dict({name: kept[name] if _alike(kept, own, name) else own[name] for name in own})


def _alike(kept, own, name):
    return name in kept and kept[name].shape == own[name].shape


def train(options):
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    known = [p for p in load(options.renders, options.tray) if p.label >= 0]
    patches = [p for p in known if not p.held_back]
    kept = [p for p in known if p.held_back]
    held = [Held("renders", [p for p in kept if p.source != TRAY])]
    if options.tray:
        held.append(Held("tray", [p for p in kept if p.source == TRAY]))
    weights = np.array([0.7 if p.label == NOT_A_FACE else 1.0 for p in patches])
    net = FaceNet()
    print(
        f"{len(patches)} patches, {len(kept)} held back, {sum(p.numel() for p in net.parameters())} numbers"
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=2e-3)
    steps = options.steps
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, total_steps=steps, pct_start=0.1)
    start = time.monotonic()
    for step in range(1, steps + 1):
        crops, labels, places = batch(patches, rng, options.batch, weights / weights.sum())
        loss = loss_of(
            net.learning(torch.from_numpy(disturbed(crops, rng))),
            torch.from_numpy(labels),
            torch.from_numpy(places),
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 500 == 0 or step == steps:
            print(f"{step} steps, {time.monotonic() - start:.0f} s, loss {loss.item():.3f}", flush=True)
            for h in held:
                print(f"  {h.score(net)}", flush=True)
            export(net, options.out, temperature(net, held))
            if options.state is not None:
                torch.save(net.state_dict(), options.state)
    return net


def export(net, out, divisor):
    """Plain operations only, so that OpenCV 4.6 to 5.0 read it; chances are made true."""
    net = copy.deepcopy(net).to(memory_format=torch.contiguous_format).eval()
    layers = []
    for layer in net.body:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = nn.utils.fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    with torch.no_grad():
        net.head.weight[:CLASSES] /= divisor
        net.head.bias[:CLASSES] /= divisor
    plain = nn.Sequential(*layers, nn.Flatten(), net.hidden, nn.ReLU(), net.head).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        plain,
        (torch.zeros(1, 3, CROP, CROP),),
        str(out),
        input_names=["crops"],
        output_names=["faces"],
        dynamic_axes={"crops": {0: "n"}, "faces": {0: "n"}},
        opset_version=12,
        dynamo=False,
    )
    out.write_bytes(halved(out.read_bytes()))
    print(f"  chances divided by {divisor:.2f}; wrote {out}, {out.stat().st_size} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Trains the network that reads faces.")
    parser.add_argument("--renders", nargs="+", type=Path, required=True, help="folders with truth.jsonl")
    parser.add_argument("--tray", type=Path, help="folder with labels.json")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/faces.onnx"))
    parser.add_argument("--state", type=Path, help="a checkpoint to go on from and to keep")
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
