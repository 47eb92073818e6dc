"""Fits the odds by which vision/flatness.py takes a die for leaning: what its signs count.

    python -m vision.training.odds --renders DIR [DIR ...]

The networks must not have learnt from these pictures. Prints the weights for vision/flatness.py, then for
several limits what a fit without the same pictures would ask about and what it would miss.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.finder import find_dice
from vision.flatness import signs_of_leaning
from vision.lid import find_lid
from vision.reader import MOST_FACES, faces_at
from vision.reading import ALL_SIX
from vision.training.data import load

SHOWN = 0.75  # of a flat die's face
NEAR = 0.6  # of a die's edge: a face so near is the die's
ROUNDS, KEPT_SMALL = 60, 1e-2
PARTS = 10


@dataclass(frozen=True)
class Seen:
    """The signs of one die, and whether it leans."""

    picture: int
    signs: tuple[float, ...]
    leans: bool


def dice_in(number, scene):
    """The flat and the leaning dice of a picture that the reader sees."""
    image = scene.picture()
    lid = find_lid(image)
    if lid is None:
        return
    faces = faces_at(image, find_dice(image, lid)[:MOST_FACES], lid, None, len(ALL_SIX))
    for die in scene.dice:
        leans = die.state == "cocked"
        if not die.in_lid or not faces or not (leans or (die.state == "flat" and die.visible >= SHOWN)):
            continue
        face = min(faces, key=lambda f: np.hypot(f.x - die.x, f.y - die.y))
        if np.hypot(face.x - die.x, face.y - die.y) < NEAR * face.size:
            yield Seen(number, signs_of_leaning(face.stand, face.lean), leans)


def fitted(signs, leans):
    """Logistic regression: the weights of the signs, and a constant last."""
    known = np.column_stack([signs, np.ones(len(signs))])
    weights = np.zeros(known.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(known @ weights, -30, 30)))
        bend = chance * (1 - chance) + 1e-9
        slope = known.T @ (leans - chance) - KEPT_SMALL * weights
        weights += np.linalg.solve((known.T * bend) @ known + KEPT_SMALL * np.eye(len(weights)), slope)
    return weights


def main():
    parser = argparse.ArgumentParser(description="Fits the odds that a die leans.")
    parser.add_argument("--renders", nargs="+", type=Path, required=True, help="folders with truth.jsonl")
    parser.add_argument("--all", action="store_true", help="not only each tenth")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    scenes = [s for folder in options.renders for s in load(folder) if options.all or s.held_back]
    seen = [die for number, scene in enumerate(scenes) for die in dice_in(number, scene)]
    signs, leans = np.array([s.signs for s in seen]), np.array([s.leans for s in seen])
    part = np.array([s.picture % PARTS for s in seen])
    print(f"{len(scenes)} pictures, {leans.sum()} leaning dice, {(~leans).sum()} flat ones")
    print("LEANING =", tuple(float(w) for w in fitted(signs, leans).round(2)))
    odds = np.zeros(len(seen))
    for p in range(PARTS):
        weights = fitted(signs[part != p], leans[part != p])
        odds[part == p] = signs[part == p] @ weights[:-1] + weights[-1]
    for limit in np.arange(-2, 3.1, 0.5):
        asked, missed = (~leans & (odds > limit)).sum(), (leans & (odds <= limit)).sum()
        print(f"above {limit:4.1f}: {asked} flat dice asked about, {missed} leaning ones missed")


if __name__ == "__main__":
    main()
