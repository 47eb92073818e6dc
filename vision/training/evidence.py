"""One row of evidence for each die, and a monotone model of it held against the rules of today.

    python -m vision.training.evidence FOLDER... [--throws 60] [--spoilt 4]

Every folder and the simulated table are a source. For each of them the model is fitted on all others; its
weights are never negative, so that a louder doubt never helps. It prints how many wrong numbers the rules and
the model are sure of where both are sure of equally many right ones. Nothing here decides a reading.
"""

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock
from zlib import crc32

import cv2
import numpy as np

from vision import reader
from vision.dice.face import SURE, Face
from vision.judgement.judge import seen_dice
from vision.scoring.outcomes import SAME_PLACE
from vision.scoring.sources import Source, simulated, sources_in
from vision.scoring.spoiling import spoilt

SIGNS = (
    "network", "is a face", "finder", "closer", "no closer look asked", "spots", "other spots",
    "no spots", "is a die", "size", "is a one",
)  # fmt: skip
DENIAL_COUNTS = 3.0  # a wrong number against a right one, while learning
ROUNDS, STEP, SHRINKING = 1500, 0.5, 1e-3


@dataclass(frozen=True, slots=True)
class Row:
    """What was seen of one die, whether the rules were sure of its number, and whether it was right."""

    source: str
    signs: tuple[float, ...]
    sure: bool
    right: bool


def logit(chance: float) -> float:
    chance = min(max(float(chance), 1e-3), 1 - 1e-3)
    return math.log(chance / (1 - chance))


def signs_of(face: Face) -> tuple[float, ...]:
    """All that speaks for its number, each the larger the better."""
    i, spots = face.pips - 1, face.spots
    agree, none = spots.pips == face.pips, spots.pips == 0
    fits = math.sqrt(spots.confidence)
    return (
        logit(face.network.chances[i] / max(sum(face.network.chances[:6]), 1e-6)),
        logit(1 - face.network.chances[6]),
        logit(face.votes[i]),
        0.0 if face.closer is None else logit(face.closer.chances[i]),
        float(face.closer is None),
        fits if agree else 0.0,
        0.0 if agree or none else -fits,
        -float(none),
        logit(face.is_die),
        -abs(math.log(max(face.stand.size, 0.3))),
        -float(face.pips == 1),
    )


def rows_of(source: Source, spoilings: int) -> Iterator[Row]:
    """Every die that was listed where one lies whose number is known."""
    for shot in source.shots:
        yield from _rows(source, shot.image, shot.scene, shot.known, shot.scale)
        for turn in range(spoilings if shot.scene.exact else 0):
            rng = np.random.default_rng(crc32(f"{shot.scene.path.name} {turn}".encode()))
            worse = spoilt(shot.image, shot.scene, rng, fixed=shot.known is not None)
            yield from _rows(source, worse.image, worse.scene, shot.known, 1.0)


def _rows(source, image, scene, known, scale):
    heard = []

    def listening(faces, *rest):
        heard[:] = faces
        return seen_dice(faces, *rest)

    with mock.patch.object(reader, "seen_dice", listening):
        if source.photographs:
            reader.read_any(image)
        else:
            reader.read_dice(image, scene.expected, known)
    for face in heard:
        x, y, size = face.x * scale, face.y * scale, face.size * scale
        near = [d for d in scene.dice if math.hypot(d.x - x, d.y - y) < SAME_PLACE * size]
        if near and near[0].number:
            right = near[0].number == face.pips
            yield Row(source.name, signs_of(face), face.confidence >= SURE, right)


def fitted(signs: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights of a logistic model, none of them negative, and what stands beside them."""
    spread = signs.std(0) + 1e-6
    scaled = signs / spread
    weights, beside = np.zeros(signs.shape[1]), 0.0
    counts = np.where(right, 1.0, DENIAL_COUNTS)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-(scaled @ weights + beside)))
        off = counts * (chance - right) / len(right)
        weights = np.maximum(weights - STEP * (scaled.T @ off + SHRINKING * weights), 0)
        beside -= STEP * float(off.sum())
    return weights / spread, beside


def told(rows: Sequence[Row]) -> Iterator[str]:
    """Rules and model, each source judged by a model that never saw it."""
    signs = np.array([row.signs for row in rows])
    right, sure = (np.array([getattr(row, name) for row in rows]) for name in ("right", "sure"))
    source = np.array([row.source for row in rows])
    scores = np.zeros(len(rows))
    for name in sorted(set(source)):
        weights, beside = fitted(signs[source != name], right[source != name])
        scores[source == name] = signs[source == name] @ weights + beside
    for name in (*sorted(set(source)), "ALL"):
        mine = source == name if name != "ALL" else np.ones(len(rows), bool)
        many = int((sure & right & mine).sum())
        limit = np.sort(scores[right & mine])[::-1][max(0, many - 1)]
        by_rules, by_model = ((taken & ~right & mine).sum() for taken in (sure, scores >= limit))
        yield f"{name}: {mine.sum()} dice, {many} sure and right; sure and wrong {by_rules}, model {by_model}"
    weights, beside = fitted(signs, right)
    shown = ", ".join(f"{sign} {weight:.2f}" for sign, weight in zip(SIGNS, weights, strict=True))
    yield f"weights: {shown}; beside {beside:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="vision.training.evidence", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--throws", type=int, default=60, help="of the simulated table")
    parser.add_argument("--spoilt", type=int, default=4, help="how often each picture is spoilt")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as work:
        sources = [simulated(options.throws)] if options.throws else []
        sources += [source for folder in options.folders for source in sources_in(folder, Path(work))]
        rows = [row for source in sources for row in rows_of(source, options.spoilt)]
    print("\n".join(told(rows)))


if __name__ == "__main__":
    main()
