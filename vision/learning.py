"""Learns a fixed table from two pictures, the empty lid and the six dice; says in words what is wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from vision.aligning import has_moved
from vision.calibration import Calibration, CameraLock, DieSample, Lab, closest_pair
from vision.camera import Image
from vision.colour import Assignment, Numbers, measure_rim, shown
from vision.difference import Difference
from vision.face import HARDLY_A_DIE, Face
from vision.finder import find_dice
from vision.judge import A_DIE, COLOUR_SURE, apart, counted, seen_dice
from vision.lid import Lid, search_lid
from vision.looks import look_at
from vision.pips import Array, one_heap, rectified
from vision.reader import MOST_FACES, colours_of
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading
from vision.standing import Scene, tilt_of
from vision.tops import put_right

COLOURS_APART = 4.0  # CIELAB, lightness counted half: it changes with the hour
COVERED = 1.7  # edges: so near to a die its shadow changes what is printed beside it
ALIKE = 15.0  # CIELAB: bodies that may be one die's
ASTRAY = 0.06  # of the lid's longer side: two looks at one corner are not so far apart
DICE_ALONG = 12.0  # the lid's longer side, where no die tells the scale
EVEN_SIZES = 0.35  # all dice are one size: how much one may differ from what the others say
CROP, SPAN = 36, 0.92


@dataclass(frozen=True, slots=True)
class Learnt:
    """What two pictures taught: a calibration, or the problems in its way; warnings stop nothing."""

    calibration: Calibration | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    reading: Reading | None = None  # what was seen in the picture of the dice, for the overlay


def calibrate(
    empty: Image, dice: Image, lock: CameraLock | None = None, known_lid: Lid | None = None
) -> Learnt:
    """Learn lid, scale and colours from the empty lid and six dice lying flat in it, anywhere.

    `known_lid` is one whose corners a person has put right; it is believed.
    """
    if empty.shape != dice.shape:
        return _refused(ProblemKind.LID_MOVED, "Take both pictures with the same camera: their sizes differ.")
    lid, with_dice = known_lid or search_lid(empty), known_lid or search_lid(dice)
    if lid is None or with_dice is None:
        which = "empty lid" if lid is None else "dice"
        text = f"Point the camera at the lid: no lid is seen in the picture of the {which}."
        return _refused(ProblemKind.NO_LID, text)
    before, seen = like_dice(empty, lid), _faces(dice, with_dice)
    new = Difference.between(empty, dice, with_dice, _usual_edge([*seen, *before], lid))
    faces = _dice_among(seen, new)
    colours = colours_of(dice, faces, ALL_SIX, None)
    reading = Reading(False, seen_dice(faces, colours), (), with_dice.corners)
    problems = _problems(faces, colours)
    edge = _edge_at(faces, lid) if len(faces) >= 3 else 0.0
    if (before or not problems) and has_moved(empty, dice, lid.corners):
        text = "Take both pictures again: the lid moved between them."
        problems = (Problem(ProblemKind.LID_MOVED, text),)
    elif any(_was_a_die(face, faces, new, (empty, dice)) for face in before):
        problems = (_NOT_EMPTY,)
    elif before and any(problem.kind is ProblemKind.DIE_MISSING for problem in problems):
        problems = (*problems, _NOT_EMPTY)  # a die that lies where it lay before is not new
    if problems:
        return Learnt(None, problems, (), reading)
    height, width = empty.shape[:2]
    samples = _samples(dice, faces, colours)
    corners = tuple((float(x), float(y)) for x, y in _corners_of(lid, with_dice))
    calibration = Calibration(
        width,
        height,
        (corners[0], corners[1], corners[2], corners[3]),
        edge,
        samples,
        lock,
        tilt=tilt_of([face.top for face in faces], Scene((height, width), with_dice.corners)),
    )
    return Learnt(calibration, (), warnings_about(samples), replace(reading, certain=True))


_NOT_EMPTY = Problem(
    ProblemKind.LID_NOT_EMPTY, "Take all dice out of the lid for the first picture, if one lay there."
)


def _refused(kind: ProblemKind, text: str) -> Learnt:
    return Learnt(None, (Problem(kind, text),))


def _faces(image: Image, lid: Lid) -> list[Face]:
    return apart(put_right(image, lid, look_at(image, find_dice(image, lid)[:MOST_FACES])))


def like_dice(empty: Image, lid: Lid | None = None) -> list[Face]:
    """What looks like dice in a lid that should be empty: dice left there, or the lid's print."""
    lid = lid or search_lid(empty)
    return [face for face in _faces(empty, lid) if face.is_die > A_DIE] if lid is not None else []


def _dice_among(faces: Sequence[Face], new: Difference) -> list[Face]:
    """The likeliest faces, at most six, that were not there when the lid was empty."""
    likely = [face for face in faces if face.is_die > HARDLY_A_DIE and new.shows(face.corners, face.is_die)]
    sure, _ = counted(likely, len(ALL_SIX))
    return sure[: len(ALL_SIX)]


def _was_a_die(before: Face, dice: Sequence[Face], new: Difference, pictures: tuple[Image, Image]) -> bool:
    """Whether what looked like a die is gone, and not under another die: then it was one, and no print."""
    near = [die for die in dice if np.hypot(before.x - die.x, before.y - die.y) < COVERED * die.size]
    if not new.shows(before.corners):
        return False
    return not near or any(_are_alike(before, die, pictures) for die in near)


def _are_alike(before: Face, die: Face, pictures: tuple[Image, Image]) -> bool:
    """Whether it is the same die, pushed a little."""
    (one, _), (other, _) = (
        measure_colours(image, face.corners) for image, face in zip(pictures, (before, die), strict=True)
    )
    return before.pips == die.pips and one.distance(other) < ALIKE


def _usual_edge(faces: Sequence[Face], lid: Lid) -> float:
    return float(np.median([face.size for face in faces])) if faces else max(lid.sides) / DICE_ALONG


def _problems(faces: Sequence[Face], colours: Assignment) -> tuple[Problem, ...]:
    """What keeps the six dice from being learnt: one too few, two that cannot be told apart."""
    found, wanted = Counter(colours.colours), Counter(ALL_SIX)
    if found != wanted:
        missing = ", ".join(sorted((wanted - found).elements())) or "none"
        surplus = ", ".join(sorted((found - wanted).elements())) or "none"
        text = f"Put just the six dice into the lid, flat and apart: missing {missing}, too many {surplus}."
        kind = ProblemKind.DIE_MISSING if wanted - found else ProblemKind.DIE_EXTRA
        return (Problem(kind, text),)
    sizes = np.array([face.size for face in faces])
    expected = _plane([(f.x, f.y) for f in faces], sizes)
    odd = np.abs(sizes / expected - 1)
    if odd.max() > EVEN_SIZES:
        colour = colours.colours[int(odd.argmax())]
        text = f"Lay the {colour} die flat and apart from the others: its size does not fit theirs."
        return (Problem(ProblemKind.DIE_LEANS, text, colour),)
    doubtful = sorted(
        {c for c, chance in zip(colours.colours, colours.chances, strict=True) if chance < COLOUR_SURE}
    )
    if doubtful:
        listed = " and ".join(doubtful)
        text = f"Change the lamp or lock white balance: {listed} cannot be told apart for sure in this light."
        return (Problem(ProblemKind.COLOUR_DOUBTFUL, text, doubtful[0]),)
    return ()


def _plane(places: Sequence[tuple[float, float]], sizes: Array) -> Array:
    """Sizes as a plane over the picture, each point held against what the others say."""
    points = np.column_stack([np.ones(len(places)), np.array(places, float)])
    expected = np.empty(len(places))
    for i in range(len(places)):
        rest = np.arange(len(places)) != i
        if rest.sum() < 4:
            expected[i] = float(np.median(sizes))
            continue
        # five points and three unknowns: a weak pull towards "all alike" keeps a line of dice from tilting it
        scale = np.array([1.0, 1e-3, 1e-3]) * float(np.abs(points).max())
        pull = np.diag([0.0, 1.0, 1.0]) * scale
        mean = float(sizes[rest].mean())
        a = np.vstack([points[rest] - [0, *points[rest, 1:].mean(0)], pull])
        b = np.concatenate([sizes[rest] - mean, np.zeros(3)])
        fit = np.linalg.lstsq(a, b, rcond=None)[0]
        expected[i] = mean + float((points[i] - [0, *points[rest, 1:].mean(0)]) @ fit)
    return cast(Array, expected)


def _edge_at(faces: Sequence[Face], lid: Lid) -> float:
    """The edge of a top face in the middle of the lid."""
    x, y = (float(v) for v in lid.points.mean(axis=0))
    places = np.array([(face.x - x, face.y - y) for face in faces])
    sizes = np.array([face.size for face in faces])
    level = np.column_stack([np.ones(len(faces)), places])
    fit = np.linalg.lstsq(level, sizes, rcond=None)[0]
    edge, usual = float(fit[0]), float(np.median(sizes))
    return edge if 0.8 < edge / usual < 1.25 else usual


def _corners_of(lid: Lid, with_dice: Lid) -> Array:
    """Two measurements of the same corners are better than one, unless one of them went astray."""
    again = _matched(with_dice, lid)
    if np.linalg.norm(again - lid.points, axis=1).max() > ASTRAY * max(lid.sides):
        return cast(Array, lid.points if lid.score >= with_dice.score else again)
    return cast(Array, (lid.points + again) / 2)


def _matched(lid: Lid, other: Lid) -> Array:
    """The lid's corners in the order of the other's."""
    points = lid.points
    turned = [np.roll(points, turn, axis=0) for turn in range(4)]
    return cast(Array, min(turned, key=lambda ring: float(np.abs(ring - other.points).sum())))


def _samples(image: Image, faces: Sequence[Face], colours: Assignment) -> tuple[DieSample, ...]:
    measured = {}
    for i, (face, colour) in enumerate(zip(faces, colours.colours, strict=True)):
        body, pip = measure_colours(image, face.corners)
        measured[i] = DieSample(colour, body, pip)
    order = list(dict.fromkeys(ALL_SIX))
    return tuple(sorted(measured.values(), key=lambda sample: order.index(sample.colour)))


def measure_colours(image: Image, corners: Array) -> tuple[Lab, Lab]:
    """The colours of the body, as reading measures it, and of the pips: the heap not between the sites."""
    crop, _ = rectified(image, corners, CROP, SPAN)
    axis = (np.arange(CROP) - (CROP - 1) / 2) / CROP * SPAN
    u, v = np.meshgrid(axis, axis)
    face = (np.maximum(np.abs(u), np.abs(v)) < 0.44) & (np.hypot(u, v) < 0.53)
    sites = [(x * 0.25, y * 0.25) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    between = (np.min([np.hypot(u - x, v - y) for x, y in sites], axis=0) > 0.115)[face]
    pixels = crop[face].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(pixels[None], cv2.COLOR_BGR2Lab)[0], np.float32)
    above = one_heap(lab)
    is_pip = above != (float(above[between].mean()) > 0.5)
    return _lab(shown(measure_rim(image, corners).numbers)), _lab(np.median(pixels[is_pip], axis=0)[::-1])


def _lab(red_green_blue: Numbers) -> Lab:
    """A colour as a picture shows it, 0 to 1."""
    pixel = np.asarray(red_green_blue, np.float32)[None, None, ::-1]
    lightness, a, b = (float(v) for v in cv2.cvtColor(np.ascontiguousarray(pixel), cv2.COLOR_BGR2Lab)[0, 0])
    return Lab(lightness, a, b)


def warnings_about(samples: tuple[DieSample, ...]) -> tuple[Problem, ...]:
    """Colours that this lamp makes hard to tell apart."""
    distance, one, other = closest_pair(samples, lightness=0.5)
    if distance >= COLOURS_APART:
        return ()
    names = [_the(one.colour), _the(other.colour)]
    text = (
        f"{names[0].capitalize()} and {names[1]} look alike under this lamp: {distance:.1f} apart,"
        f" {COLOURS_APART:.0f} needed; try another lamp or lock white balance."
    )
    return (Problem(ProblemKind.COLOUR_DOUBTFUL, text, other.colour),)


def _the(colour: DieColour) -> str:
    return "the two white dice" if colour is DieColour.WHITE else f"the {colour} one"
