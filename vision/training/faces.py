"""Trains the small networks that read a face.

    python -m vision.training.faces --renders DIR --tray DIR --out vision/weights/faces.onnx
    python -m vision.training.faces --eye closer --renders DIR --tray DIR --out vision/weights/closer.onnx

The second, for doubtful faces, is larger, sees finer crops and learns from many that mirror a lamp.

Input: crops as vision/dice/pips.py takes them. Output: six pips and "not the top face of a die, or nobody can
tell", then where the face really lies in the crop, and the way to the die's foot. It learns no colours:
channels are mixed and inverted. Every tenth render and whole hours of the tray are held back and scored.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.dice.pips import CLASSES, CLOSER, GLANCE, Eye, normalised
from vision.training.crop_learning import CropNet, Lesson, add_options, convolutions, export, learn
from vision.training.facecrops import PLACES, batch, disturbed
from vision.training.facedata import NOT_A_FACE, TRAY, load

SHRINKS = (0, 2, 4)  # after which convolutions the picture is halved
NARROW, HIDDEN = 24, 32
WEIGHTS = (4.0, 4.0, 4.0, 0.5, 0.5, 8.0, 8.0)  # of what the network says of places
SURE = 0.9
BESIDE = 0.25  # of the crops that are scored


@dataclass(frozen=True)
class Pupil:
    """What one of the networks is like, and what it is shown."""

    eye: Eye
    widths: tuple[int, ...]
    beside: float  # of the crops lie beside a face
    no_face: float  # how often a place without a face is taken, for each time that a face is
    veils: float  # of the crops mirror a lamp
    dimmed: float  # of the crops are darkened as the reader does where a lamp is mirrored
    steps: int


PUPILS = {
    "glance": Pupil(
        GLANCE, (3, 16, 24, 32, 40, 40), beside=0.25, no_face=0.7, veils=0.0, dimmed=0.0, steps=9000
    ),
    "closer": Pupil(
        CLOSER, (3, 24, 32, 48, 64, 64), beside=0.06, no_face=0.25, veils=0.35, dimmed=0.35, steps=6000
    ),
}


def face_net(pupil):
    """Six convolutions and two layers: 57,000 numbers, or 126,000."""
    body = convolutions(pupil.widths, SHRINKS)
    body += [nn.Conv2d(pupil.widths[-1], NARROW, 1), nn.ReLU()]
    seen = NARROW * (pupil.eye.crop // 8) ** 2
    return CropNet(body, nn.Linear(seen, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CLASSES + PLACES))


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

    def __init__(self, name, patches, eye):
        even = np.full(len(patches), 1 / len(patches))
        rng = np.random.default_rng(5)
        samples = batch(patches, rng, 2 * len(patches), even, eye, BESIDE)
        self.name, self.places = name, np.stack([s.place for s in samples])
        self.crops = torch.from_numpy(normalised([s.crop for s in samples]))
        self.labels = torch.tensor([s.label for s in samples])

    def score(self, net):
        out = net(self.crops)
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
    logits = torch.cat([net(h.crops)[:, :CLASSES] for h in held])
    truth = torch.cat([h.labels for h in held])
    tried = np.arange(0.6, 3.0, 0.05)
    return float(min(tried, key=lambda t: float(nn.functional.cross_entropy(logits / t, truth))))


def train(options):
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    known = [p for p in load(options.renders, options.tray) if p.label >= 0]
    patches = [p for p in known if not p.held_back]
    kept = [p for p in known if p.held_back]
    print(f"{len(patches)} patches, {len(kept)} held back", flush=True)
    pupil = PUPILS[options.eye]
    held = [Held("renders", [p for p in kept if p.source != TRAY], pupil.eye)]
    if options.tray:
        held.append(Held("tray", [p for p in kept if p.source == TRAY], pupil.eye))
    weights = np.array([pupil.no_face if p.label == NOT_A_FACE else 1.0 for p in patches])
    chances = weights / weights.sum()

    def samples():
        taken = batch(patches, rng, options.batch, chances, pupil.eye, pupil.beside)
        crops = torch.from_numpy(disturbed(taken, rng, pupil.veils, pupil.dimmed))
        places = torch.from_numpy(np.stack([s.place for s in taken]))
        return crops, torch.tensor([s.label for s in taken]), places

    def look(net):
        for h in held:
            print(f"  {h.score(net)}", flush=True)
        divisor = temperature(net, held)
        print(f"  chances divided by {divisor:.2f}")
        export(net, options.out, pupil.eye.crop, torch.tensor([divisor] * CLASSES + [1.0] * PLACES))

    learn(face_net(pupil), Lesson(samples, loss_of, look), options)


def main():
    parser = argparse.ArgumentParser(description="Trains the network that reads faces.")
    parser.add_argument("--renders", nargs="+", type=Path, required=True, help="folders with truth.jsonl")
    parser.add_argument("--tray", type=Path, help="folder with labels.json")
    parser.add_argument("--eye", choices=PUPILS, default="glance")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/faces.onnx"))
    add_options(parser, steps=None, batch=128, rate=4e-3)
    options = parser.parse_args()
    options.steps = options.steps or PUPILS[options.eye].steps
    train(options)


if __name__ == "__main__":
    main()
