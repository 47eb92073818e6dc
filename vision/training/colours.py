"""Fits the colours of dice beside white ones: python -m vision.training.colours --renders DIR --out FILE."""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

from vision.colour.bodies import PALETTE, against_white, light_of, measure_rim, pair_of, shade_of
from vision.dice.finder import find_dice
from vision.dice.looks import places_of, scaled
from vision.dice.pips import read_faces
from vision.dice.shade import lighter_pips
from vision.place.lid import Lid
from vision.scoring.truth import load

NEAR = 0.4  # of a die's edge
SHADES = 3
EITHER_WAY = 0.06  # of all dice: sets of a kind that was never seen
FLOOR = {"pair": 0.003, "light": 0.01}


def measured(folder):
    """For each picture the dice in the lid: colour, and body measured where the reader sees the face."""
    for scene in load(folder):
        image = scene.picture()
        ring = [(float(x), float(y)) for x, y in scene.lid]
        small, places = places_of(image, find_dice(image, Lid((ring[0], ring[1], ring[2], ring[3]))))
        seen = [scaled(face.corners, small, image) for face in read_faces(small, places)]
        bodies = []
        for die in scene.dice:
            if not (die.in_lid and die.flat and die.visible > 0.8 and die.contrast > 5):
                continue
            near = [c for c in seen if np.linalg.norm(c.mean(0) - (die.x, die.y)) < NEAR * die.size]
            if near:
                shade = shade_of(lighter_pips(image, near[0], die.pips))
                bodies.append((die.colour, measure_rim(image, near[0]).numbers, shade))
        yield bodies


def fitted(points, floor=0.01):
    points = np.array(points)
    return {
        "middle": np.median(points, 0).round(4).tolist(),
        "covariance": (np.cov(points.T) + np.eye(3) * floor).round(5).tolist(),
    }


def shares(counts):
    """How often pips are dark, light, hard to say; none of them never."""
    seen = np.array([counts[shade] for shade in range(SHADES)]) / counts.total()
    return ((1 - EITHER_WAY) * seen + EITHER_WAY / SHADES).round(4).tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", nargs="+", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    points, shades = defaultdict(list), defaultdict(Counter)
    for folder in options.renders:
        for bodies in measured(folder):
            for colour, _, shade in bodies:
                shades[colour][shade] += 1
            if Counter(c for c, _, _ in bodies)["white"] != 2:
                continue
            one, other = (b for c, b, _ in bodies if c == "white")
            white = np.sqrt(one * other) + 1e-4
            points["pair"] += [pair_of(one, other), pair_of(other, one)]
            points["light"].append(light_of(white))
            for colour, body, _ in bodies:
                if colour != "white":
                    points[colour].append(against_white(body, white))
    heaps = {name: fitted(p, FLOOR.get(name, 0.01)) for name, p in sorted(points.items())}
    pips = {str(c): shares(shades[c]) for c in PALETTE}
    options.out.write_text(json.dumps({"heaps": heaps, "pips": pips}, indent=1) + "\n", encoding="utf-8")
    print({name: len(p) for name, p in points.items()}, pips)


if __name__ == "__main__":
    main()
