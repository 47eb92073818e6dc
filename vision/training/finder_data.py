"""What to learn from and what to hold out; exact places for photographs with boxes. Knows no torch."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.dice.finder import Candidate, find_dice
from vision.networks import network
from vision.scoring.truth import TrueDie, TrueScene

HELD_OUT_EVERY = 10  # of the renders: each is a scene of its own
RUNS = 8  # photographs taken one after the other belong together; the last run is held out


def held_out(scenes: Sequence[TrueScene]) -> tuple[list[TrueScene], list[TrueScene]]:
    """Scenes to learn from, and scenes only to look at."""
    learn = [scene for index, scene in enumerate(scenes) if index % HELD_OUT_EVERY]
    return learn, list(scenes[::HELD_OUT_EVERY])


def held_out_runs(scenes: Sequence[TrueScene]) -> tuple[list[TrueScene], list[TrueScene]]:
    """The same for photographs, whose names tell when they were taken."""
    ordered = sorted(scenes, key=lambda scene: scene.path.name)
    cut = len(ordered) - len(ordered) // RUNS
    return ordered[:cut], ordered[cut:]


def placed_exactly(scenes: Sequence[TrueScene], weights: Path) -> list[TrueScene]:
    """Boxes replaced by the faces that a network finds in them, where it also reads the labelled pips.

    A box lies round the whole die, sides included, so its middle is not the face's. Boxes without
    such a face are left out of account.
    """
    network.WEIGHTS = weights.parent
    network.network.cache_clear()
    told = [_placed(scene) for scene in scenes]
    faces = sum(die.corners is not None for scene in told for die in scene.dice)
    print(f"{faces} of {sum(len(scene.dice) for scene in told)} photographed dice placed exactly", flush=True)
    return told


def _placed(scene: TrueScene) -> TrueScene:
    found = find_dice(scene.picture())
    return replace(scene, dice=tuple(_matched(die, found) for die in scene.dice), exact=True)


def _matched(die: TrueDie, found: Sequence[Candidate]) -> TrueDie:
    for seen in found:
        near = math.hypot(seen.x - die.x, seen.y - die.y) < 0.35 * die.size
        alike = 0.4 < seen.size / die.size < 1.0
        if near and alike and seen.score > 0.25 and seen.likeliest == die.pips and seen.flat > 0.5:
            corners = np.array(seen.corners, np.float64)
            return replace(die, x=seen.x, y=seen.y, size=seen.size, corners=corners)
    return replace(die, state="unclear")
