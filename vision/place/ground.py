"""Whether dice lie on one ground: where no edge is seen between them, some may lie on something else."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.pips import Array, edge_of
from vision.image.arrays import Image, Numbers

WAYS = 16  # round a die in which its ground is looked at
AWAY, ASIDE = (1.25, 1.45, 1.65), (-0.1, 0.1)  # edges from its middle, and radians beside each way
COVERED = 1.0  # edges from another die's middle: that is its side or its shadow
LEAST_SEEN = 3  # of the six looks each way, and of the ways
EVEN_LIGHT = 0.5  # what a difference in lightness counts: shadows fall on any ground
ALIKE_WAYS = 35.0  # per cent of the ways that must be alike: the rest may be dice, shadows, lines
ANOTHER = 3.0  # CIELAB: round dice on one ground it stays below in nine of ten pictures, on two it is 4 to 30


def groups_of(image: Image, faces: Sequence[Array]) -> list[list[int]]:
    """The dice, given by the corners of their tops, by what they lie on; the largest group first."""
    smooth = cv2.GaussianBlur(image, (0, 0), 2).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.float32)
    grounds = [_round(lab, face, faces) for face in faces]
    left, groups = list(range(len(faces))), []
    while left:
        group = [left.pop(0)]
        for one in group:  # it grows while it is gone through
            near = [other for other in left if _apart(grounds[one], grounds[other]) < ANOTHER]
            group += near
            left = [other for other in left if other not in near]
        groups.append(sorted(group))
    return sorted(groups, key=len, reverse=True)


def _round(lab: Array, face: Array, faces: Sequence[Array]) -> Numbers:
    """The ground's colour each way round a die, without what lies there."""
    middles = np.array([other.mean(0) for other in faces])
    angles = np.arange(WAYS)[:, None] * 2 * np.pi / WAYS + np.array(ASIDE)
    ways = np.stack([np.cos(angles), np.sin(angles)], -1)[:, :, None] * np.array(AWAY)[:, None]
    edge = edge_of(face)
    places = face.mean(0) + edge * ways.reshape(WAYS, -1, 2)
    free = np.linalg.norm(places[:, :, None] - middles, axis=3).min(2) > COVERED * edge
    height, width = lab.shape[:2]
    free &= (places >= 0).all(2) & (places <= (width - 1, height - 1)).all(2)
    columns, rows = np.clip(np.round(places), 0, (width - 1, height - 1)).astype(int).transpose(2, 0, 1)
    seen = [
        np.median(lab[r[f], c[f]], axis=0)
        for r, c, f in zip(rows, columns, free, strict=True)
        if f.sum() >= LEAST_SEEN
    ]
    return np.array(seen, np.float64).reshape(-1, 3) * (EVEN_LIGHT, 1, 1)


def _apart(one: Numbers, other: Numbers) -> float:
    """How different two grounds are, CIELAB; 0 where too little of one is seen."""
    if min(len(one), len(other)) < LEAST_SEEN:
        return 0.0
    away = np.linalg.norm(one[:, None] - other, axis=2)
    return float(max(np.percentile(away.min(1), ALIKE_WAYS), np.percentile(away.min(0), ALIKE_WAYS)))
