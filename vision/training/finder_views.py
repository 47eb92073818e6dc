"""Random views of labelled pictures with their targets, for the finder's two networks. Knows no network."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.image.arrays import Floats, Image
from vision.networks.planes import even_out
from vision.scoring.truth import TrueDie
from vision.training.augment import carry, similarity, spoil, tilt, warp
from vision.training.finder_targets import Target, dice_target, lid_target

Matrix = NDArray[np.float64]

DICE_VIEW = (256, 256)
LARGE = 45.0  # edge in pixels from which a picture may be shown magnified
LID_VIEW = (256, 192)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture in memory with what is in it."""

    image: Image
    dice: tuple[TrueDie, ...]
    lid: Matrix | None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class View:
    """What one network sees once and should say."""

    picture: Floats
    target: Target


def dice_view(rng: Generator, shown: Labelled) -> View:
    """A window in which dice have some size the network must master."""
    width, height = DICE_VIEW
    if shown.lid is not None and shown.exact and rng.random() < 0.5:
        matrix = _straightened(rng, shown.lid)
    else:
        matrix = _anyhow(rng, shown)
    matrix = _onto_a_die(rng, shown, matrix)
    view = spoil(rng, warp(rng, shown.image, matrix, (width, height)))
    dice = [carried(die, matrix, (width, height)) for die in shown.dice]
    return View(even_out(view)[0], dice_target(dice, width, height, exact=shown.exact))


def _straightened(rng: Generator, lid: Matrix) -> Matrix:
    """The lid's floor seen square from above, as the finder does when it knows the lid."""
    corners = lid + rng.normal(0, 0.012, (4, 2)) * np.ptp(lid, axis=0).max()
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    long, short = sides[0::2].mean(), sides[1::2].mean()
    scale = 320 / max(long, short) * math.exp(rng.normal(0, 0.17))
    target = np.array([(0, 0), (long, 0), (long, short), (0, short)], np.float32) * np.float32(scale)
    straight = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    angle = rng.integers(4) * math.pi / 2 if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi)
    return similarity(1.0, float(angle), np.zeros(2), np.zeros(2)) @ straight


def _anyhow(rng: Generator, shown: Labelled) -> Matrix:
    edges = [die.size for die in shown.dice] or [float(np.exp(rng.uniform(2.5, 5)))]
    edge = float(rng.choice(edges))
    wanted = math.exp(rng.uniform(math.log(13), math.log(50)))
    if edge > LARGE and rng.random() < 0.15:  # too near: a pip is no die
        wanted = edge * rng.uniform(1.2, 3)
    matrix = similarity(wanted / edge, rng.uniform(0, 2 * math.pi), np.zeros(2), np.zeros(2))
    if rng.random() < 0.5 and shown.exact:
        size = (shown.image.shape[1], shown.image.shape[0])
        matrix = matrix @ tilt(rng, size, 0.08)
    if rng.random() < 0.5:
        matrix = np.diag((-1.0, 1.0, 1.0)) @ matrix
    return matrix


def _onto_a_die(rng: Generator, shown: Labelled, matrix: Matrix) -> Matrix:
    """Move the window so that it mostly holds a die, somewhere."""
    size = np.array(DICE_VIEW, np.float64)
    if shown.dice and rng.random() < 0.85:
        die = shown.dice[int(rng.integers(len(shown.dice)))]
        at = np.array([(die.x, die.y)])
    else:
        at = rng.uniform(0, 1, (1, 2)) * (shown.image.shape[1], shown.image.shape[0])
    move = rng.uniform(0.1, 0.9, 2) * size - carry(matrix, at)[0]
    return similarity(1.0, 0.0, np.zeros(2), move) @ matrix


def carried(die: TrueDie, matrix: Matrix, size: tuple[int, int]) -> TrueDie:
    """The die's truth in the view."""
    middle = np.array([(die.x, die.y)])
    x, y = carry(matrix, middle)[0]
    corners = None if die.corners is None else carry(matrix, die.corners)
    ring = middle + np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * die.size
    square = carry(matrix, ring) if corners is None else corners
    sides = np.linalg.norm(np.roll(square, -1, axis=0) - square, axis=1)
    edge = math.sqrt(float(sides[0::2].mean() * sides[1::2].mean()))
    seen = np.clip(square, 0, np.array(size) - 1.0)
    cut = 1.0 - min(1.0, float(np.abs(seen - square).max()) / max(edge, 1e-6))
    return replace(die, x=float(x), y=float(y), corners=corners, size=edge, visible=min(die.visible, cut))


def lid_view(rng: Generator, shown: Labelled) -> View:
    """The whole picture, turned, tilted, nearer or farther."""
    width, height = LID_VIEW
    source = np.array([shown.image.shape[1], shown.image.shape[0]], np.float64)
    scale = width / source[0] * math.exp(rng.uniform(-0.35, 0.3))
    turn = rng.uniform(0, 2 * math.pi)
    middle = source / 2 if shown.lid is None else (shown.lid.mean(0) + source / 2) / 2
    target = np.array(LID_VIEW) * rng.uniform(0.42, 0.58, 2)
    bent = tilt(rng, (shown.image.shape[1], shown.image.shape[0]), 0.08)
    matrix = similarity(scale, turn, middle, target) @ bent
    if shown.lid is not None and rng.random() < 0.5:
        matrix = _near(rng, carry(matrix, shown.lid)) @ matrix
    if rng.random() < 0.5:
        matrix = np.array([(-1.0, 0, width - 1), (0, 1, 0), (0, 0, 1)]) @ matrix
    view = spoil(rng, warp(rng, shown.image, matrix, LID_VIEW), blur=0.2)
    corners = None if shown.lid is None else carry(matrix, shown.lid)
    return View(even_out(view)[0], lid_target(corners, width, height))


def _near(rng: Generator, corners: Matrix) -> Matrix:
    """The lid fills the view, as when the first look has told where it is."""
    extent = np.ptp(corners, axis=0)
    middle = (corners.max(0) + corners.min(0)) / 2 + rng.normal(0, 0.02, 2) * extent
    fill = rng.uniform(0.68, 0.92)
    scale = fill * float(np.min(np.array(LID_VIEW) / extent))
    return similarity(scale, 0.0, middle, (np.array(LID_VIEW) - 1) / 2)


def stack(views: Sequence[View]) -> tuple[Floats, Floats, Floats]:
    """Pictures, planes and weights of a batch."""
    return (
        np.stack([view.picture for view in views]),
        np.stack([view.target.planes for view in views]),
        np.stack([view.target.weights for view in views]),
    )
