"""Trains the small network that sees whether a die leans, and where its foot is.

    python -m vision.training.leaning --renders DIR --out vision/weights/leaning.onnx

It looks where the reader sees faces, so finder.onnx and faces.onnx come first. Input: crops as
vision/dice/leaning.py takes them, a die with its surroundings. Output: the way from the middle of the face
to the middle of the opposite one, in edges, how far that may be off, and how likely the die leans. Some dice
are drawn by the simulated table's painter, standing and leaning at all angles; the others are rendered lids.
"""

import argparse
import math
import pickle
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.dice.leaning import CROP, SPAN
from vision.dice.pips import crop_square, normalised, steps_at
from vision.training.crop_learning import CropNet, Lesson, add_options, convolutions, export, learn
from vision.training.leaning_dice import EDGE, drawn_patches, render_patches

WIDTHS = (3, 24, 32, 48, 48, 56)
SHRINKS = (0, 1, 3)
HIDDEN = 24
SAID = 4  # right and down to the foot, logarithm of how far that may be off, logit of leaning
LEANING_SHARE = 0.4  # of a batch
DRAWN_SHARE = 0.3
FOUND_SHARE = 0.7  # of the crops are taken where the reader saw the face
TAILS = 4.0  # of the t distribution that feet stray by


def lean_net():
    """Five convolutions and two layers: 120,000 numbers."""
    flat = WIDTHS[-1] * (CROP // 8) ** 2
    return CropNet(convolutions(WIDTHS, SHRINKS), nn.Linear(flat, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SAID))


def view_of_patch(patch, rng):
    """One crop, as a finder's face would cut it, and the way to the foot in edges of the square cut."""
    if patch.found is not None and rng.random() < FOUND_SHARE:
        corners = np.roll(patch.found, rng.integers(4), axis=0) + rng.normal(0, 0.02 * EDGE, 2)
        corners = corners + rng.normal(0, 0.01 * EDGE, (4, 2))
    else:
        corners = _disturbed_square(patch, rng)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), crop_square(CROP, SPAN))
    crop = cv2.warpPerspective(patch.image, matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    foot = steps_at(matrix, *corners.mean(0)) @ patch.foot * SPAN / CROP
    if rng.random() < 0.5:
        crop, foot = np.ascontiguousarray(crop[:, ::-1]), foot * (-1, 1)
    return crop, foot


def _disturbed_square(patch, rng):
    wobble = 0.12 if patch.leans else 0.06
    centre = patch.corners.mean(0) + rng.normal(0, wobble * EDGE, 2)
    side = patch.corners[1] - patch.corners[0]
    angle = math.atan2(side[1], side[0]) + rng.integers(4) * math.pi / 2 + rng.normal(0, 0.1)
    size = EDGE * math.exp(rng.normal(0.0, 0.07))
    c, s = math.cos(angle) * size / 2, math.sin(angle) * size / 2
    ring = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(centre[0] + a * c - b * s, centre[1] + a * s + b * c) for a, b in ring])


def disturbed(crop, rng):
    """Other colours, light, noise and blur: it must see shapes."""
    x = crop.astype(np.float32)
    if rng.random() < 0.8:
        mix = np.eye(3)[rng.permutation(3)] if rng.random() < 0.5 else rng.dirichlet((0.6, 0.6, 0.6), 3)
        x = x @ mix.T.astype(np.float32)
    if rng.random() < 0.3:
        x = 255 - x
    ramp = np.linspace(-1, 1, CROP, dtype=np.float32) * rng.normal(0, 0.15)
    x = x * (rng.uniform(0.6, 1.15) + (ramp[:, None] if rng.random() < 0.5 else ramp[None, :]))[..., None]
    if rng.random() < 0.4:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.4))
    if rng.random() < 0.25:  # seen from farther away
        small = int(CROP * rng.uniform(0.45, 0.85))
        x = cv2.resize(cv2.resize(x, (small, small), interpolation=cv2.INTER_AREA), (CROP, CROP))
    x += rng.normal(0, rng.uniform(0, 7), x.shape)
    return np.clip(x, 0, 255).astype(np.uint8)


def batch(patches, rng, count, chances):
    chosen = rng.choice(len(patches), count, p=chances)
    crops, feet = zip(*(view_of_patch(patches[i], rng) for i in chosen), strict=True)
    crops = np.stack([disturbed(crop, rng) for crop in crops])
    leans = np.array([patches[i].leans for i in chosen], np.float32)
    tensors = normalised(list(crops)), np.array(feet, np.float32), leans
    return tuple(torch.from_numpy(t) for t in tensors)


def loss_of(out, feet, leans):
    """How unlikely the feet are, as far off as the network says they may be; and the leaning."""
    known = ~torch.isnan(feet[:, 0])
    spread = out[known, 2].clamp(-5, 1)
    squared = ((out[known, :2] - feet[known]) ** 2).sum(1) * torch.exp(-2 * spread)
    feet_cost = (2 * spread + (TAILS + 2) / 2 * torch.log1p(squared / TAILS)).mean()
    return feet_cost + nn.functional.binary_cross_entropy_with_logits(out[:, 3], leans)


def chances_of(patches):
    """Leaning dice are rare, rendered ones very: how often each is taken."""
    leaning = np.array([p.leans for p in patches])
    rendered = np.array([p.rendered for p in patches])
    chances = np.zeros(len(patches))
    for leans, share in ((True, LEANING_SHARE), (False, 1 - LEANING_SHARE)):
        for drawn, part in ((True, DRAWN_SHARE), (False, 1 - DRAWN_SHARE)):
            some = (leaning == leans) & (rendered != drawn)
            chances[some] = share * part / max(1, some.sum())
    return chances / chances.sum()


def dice_of(options):
    if options.keep is not None and options.keep.exists():
        return pickle.loads(options.keep.read_bytes())
    start = time.monotonic()
    drawn = drawn_patches(options.tables, options.pictures, 5000)
    rendered = [patch for folder in options.renders for patch in render_patches(folder)]
    print(
        f"{len(drawn)} drawn, {len(rendered)} rendered dice in {time.monotonic() - start:.0f} s", flush=True
    )
    if options.keep is not None:
        options.keep.write_bytes(pickle.dumps(drawn + rendered))
    return drawn + rendered


def train(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    dice = dice_of(options)
    patches = [p for p in dice if not p.held_back]
    kept = [p for p in dice if p.held_back]
    chances = chances_of(patches)

    def look(net):
        export(net, options.out, CROP)
        score(net, "drawn", [p for p in kept if not p.rendered])
        score(net, "rendered", [p for p in kept if p.rendered])

    def samples():
        return batch(patches, rng, options.batch, chances)

    learn(lean_net(), Lesson(samples, loss_of, look), options)


def score(net, name, patches):
    """How far feet are off, and how leaning dice part from standing ones."""
    if not patches:
        return
    rng = np.random.default_rng(7)
    views = [view_of_patch(patch, rng) for patch in patches]
    out = net(torch.from_numpy(normalised([crop for crop, _ in views]))).numpy()
    feet, leans = np.array([foot for _, foot in views]), np.array([p.leans for p in patches])
    off = np.linalg.norm(out[:, :2] - feet, axis=1)
    for what, some in (("standing", ~leans), ("leaning", leans)):
        if some.any():
            away = np.nanpercentile(off[some], [50, 90, 99]).round(3)
            sure = np.nanpercentile(off[some] / np.exp(out[some, 2]), [50, 90, 99]).round(1)
            logits = np.percentile(out[some, 3], [1, 5, 50, 95, 99]).round(1)
            print(
                f"  {name:9} {what:9} {some.sum():5} foot off {away}, as told {sure}; says {logits}",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description="Trains the network that sees leaning dice.")
    parser.add_argument("--renders", nargs="*", type=Path, default=[], help="folders with truth.jsonl")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/leaning.onnx"))
    parser.add_argument("--tables", type=int, default=100, help="simulated tables to draw")
    parser.add_argument("--pictures", type=int, default=8, help="throws on each")
    parser.add_argument("--keep", type=Path, help="a file of our own that keeps the dice between runs")
    add_options(parser, steps=7000, batch=96, rate=3e-3)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
