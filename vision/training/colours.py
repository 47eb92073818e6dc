"""Fits the colours of dice beside white ones: python -m vision.training.colours --renders DIR --out FILE."""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

from vision.colour import against_white, light_of, measure_rim, pair_of
from vision.finder import find_dice
from vision.lid import Lid
from vision.pips import read_faces
from vision.reader import places_of, scaled
from vision.training.data import load

NEAR = 0.4  # of a die's edge
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
                bodies.append((die.colour, measure_rim(image, near[0]).numbers))
        yield bodies


def fitted(points, floor=0.01):
    points = np.array(points)
    return {
        "middle": np.median(points, 0).round(4).tolist(),
        "covariance": (np.cov(points.T) + np.eye(3) * floor).round(5).tolist(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", nargs="+", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    points = defaultdict(list)
    for folder in options.renders:
        for bodies in measured(folder):
            if Counter(c for c, _ in bodies)["white"] != 2:
                continue
            one, other = (b for c, b in bodies if c == "white")
            white = np.sqrt(one * other) + 1e-4
            points["pair"] += [pair_of(one, other), pair_of(other, one)]
            points["light"].append(light_of(white))
            for colour, body in bodies:
                if colour != "white":
                    points[colour].append(against_white(body, white))
    heaps = {name: fitted(p, FLOOR.get(name, 0.01)) for name, p in sorted(points.items())}
    options.out.write_text(json.dumps({"heaps": heaps}, indent=1) + "\n", encoding="utf-8")
    print({name: len(p) for name, p in points.items()})


if __name__ == "__main__":
    main()
