"""Learns a fixed table from two pictures, without and with the six dice; says in words what is wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import log
from typing import cast

import cv2
import numpy as np

from vision.colour.bodies import Assignment, measure_rim, shown
from vision.dice.face import HARDLY_A_DIE, Face
from vision.dice.finder import find_dice
from vision.dice.looks import look_at
from vision.dice.overlapping import A_DIE, apart
from vision.dice.pips import Array, one_heap, rectified
from vision.dice.standing import Scene, lens_of, tilt_of
from vision.dice.tops import put_right
from vision.image.arrays import Image, Numbers
from vision.image.conditions import shows_something
from vision.judgement.judge import COLOUR_SURE, counted, seen_dice
from vision.memory.calibration import Calibration, CameraLock, DieSample, Lab, closest_pair
from vision.place.aligning import has_moved
from vision.place.difference import Difference
from vision.place.ground import groups_of
from vision.place.lid import Lid, search_lid
from vision.reader import MOST_ANYWHERE, MOST_FACES, colours_of
from vision.reading import ALL_SIX, Outline, Problem, ProblemKind, Reading

COLOURS_APART = 4.0  # CIELAB, lightness counted half: it changes with the hour
COVERED = 1.7  # edges: so near to a die its shadow changes what is printed beside it
ALIKE = 15.0  # CIELAB: bodies that may be one die's
ASTRAY = 0.06  # of the lid's longer side: two looks at one corner are not so far apart
DICE_ALONG = 12.0  # the lid's longer side, where no die tells the scale
SAME_SIZE = 1.3  # times larger or smaller: what looks like a die and is no such is none of these
EVEN_SIZES = 0.35  # all dice are one size: how much one may differ from what the others say
CROP, SPAN = 36, 0.92


class Outside(StrEnum):
    """What becomes of a place that holds fewer dice than the picture shows."""

    DROPPED = "dropped"  # one that was found: all that the picture shows counts, with a warning
    ASKED = "asked"  # nothing is learnt until somebody has decided
    KEPT = "kept"  # somebody has: dice outside it are learnt too, and count no more afterwards


@dataclass(frozen=True, slots=True)
class Learnt:
    """What two pictures taught: a calibration, or the problems in its way; warnings stop nothing."""

    calibration: Calibration | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    reading: Reading | None = None  # what was seen in the picture of the dice, for the overlay


def calibrate(
    empty: Image,
    dice: Image,
    lock: CameraLock | None = None,
    taught: Lid | None = None,
    everywhere: bool = False,
    outside: Outside = Outside.DROPPED,
) -> Learnt:
    """Learn place, scale and colours from the place without dice and with six lying flat in it, anywhere.

    `taught` is a place whose corners a person has put right; it is believed. `everywhere`: all that the
    picture shows is the place. Without either it is looked for; where none is seen, the whole picture counts.
    `outside` says what becomes of a place beside which dice lie; one that was taught is never dropped.
    """
    if empty.shape != dice.shape:
        return _refused(ProblemKind.SIZES_DIFFER)
    if not (shows_something(empty) and shows_something(dice)):
        return _refused(ProblemKind.NO_PICTURE)
    place = taught or (None if everywhere else _place_in(empty, dice))
    look = _Look.at(empty, dice, place)
    doubts: tuple[Problem, ...] = ()
    if look.problems and place is not None and (taught is None or outside is not Outside.DROPPED):
        whole = _Look.at(empty, dice, None)
        if not whole.problems and (outside is Outside.KEPT or _lie_on_one_ground(dice, whole.faces)):
            match outside:
                case Outside.DROPPED:  # what was taken for their place does not hold the dice
                    look, doubts = whole, (_DOUBTED,)
                case Outside.ASKED:
                    return Learnt(None, (_DOUBTED,), (), whole.reading)
                case Outside.KEPT:
                    look = replace(whole, place=place)
    problems = look.problems
    if (look.before or not problems) and has_moved(empty, dice, _corners_or_frame(look.place, empty)):
        problems = (Problem(ProblemKind.LID_MOVED),)
    elif look.was_not_empty:
        problems = (_NOT_EMPTY,)
    elif look.before and any(problem.kind is ProblemKind.DIE_MISSING for problem in problems):
        problems = (*problems, _NOT_EMPTY)  # a die that lies where it lay before is not new
    if problems:
        return Learnt(None, problems, (), look.reading)
    height, width = empty.shape[:2]
    samples = _samples(dice, look.faces, look.colours)
    corners = None if look.place is None else look.place.corners
    tops, scene = [face.top for face in look.faces], Scene((height, width), corners)
    calibration = Calibration(
        width,
        height,
        corners,
        _edge_at(look.faces, _corners_or_frame(look.place, empty)),
        samples,
        lock,
        tilt=tilt_of(tops, scene),
        lens=lens_of(tops, scene),
    )
    return Learnt(calibration, (), (*doubts, *warnings_about(samples)), replace(look.reading, certain=True))


@dataclass(frozen=True, slots=True)
class _Look:
    """What both pictures show in a place, or wherever."""

    place: Lid | None
    before: tuple[Face, ...]  # what looked like dice when there were none
    faces: tuple[Face, ...]
    colours: Assignment
    was_not_empty: bool

    @classmethod
    def at(cls, empty: Image, dice: Image, place: Lid | None) -> "_Look":
        before, seen = like_dice(empty, place), _faces(dice, place)
        new = Difference.between(empty, dice, place, _usual_edge([*seen, *before], place, empty))
        faces = _dice_among(seen, new)
        before = [face for face in before if _is_of_their_size(face, faces)]
        gone = any(_was_a_die(face, faces, new, (empty, dice)) for face in before)
        return cls(place, tuple(before), tuple(faces), colours_of(dice, faces, ALL_SIX, None), gone)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return _problems(self.faces, self.colours)

    @property
    def reading(self) -> Reading:
        corners = None if self.place is None else self.place.corners
        return Reading(False, seen_dice(self.faces, self.colours), (), corners)


def _lie_on_one_ground(image: Image, faces: Sequence[Face]) -> bool:
    return len(groups_of(image, [face.corners for face in faces])) == 1


def _place_in(empty: Image, dice: Image) -> Lid | None:
    """What the dice lie in, as both pictures show it, or the one in which it is seen."""
    lid, with_dice = search_lid(empty), search_lid(dice)
    if lid is None or with_dice is None:
        return lid or with_dice
    if len(lid.corners) == len(with_dice.corners) == 4:
        return replace(lid, corners=tuple((float(x), float(y)) for x, y in _corners_of(lid, with_dice)))
    return max((lid, with_dice), key=lambda place: place.score)


def _corners_or_frame(place: Lid | None, image: Image) -> Outline:
    height, width = image.shape[:2]
    return (
        ((0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)) if place is None else place.corners
    )


_DOUBTED = Problem(ProblemKind.DIE_APART)
_NOT_EMPTY = Problem(ProblemKind.LID_NOT_EMPTY)


def _refused(kind: ProblemKind) -> Learnt:
    return Learnt(None, (Problem(kind),))


def _faces(image: Image, place: Lid | None) -> list[Face]:
    most = MOST_ANYWHERE if place is None else MOST_FACES
    return apart(put_right(image, place, look_at(image, find_dice(image, place)[:most])))


def like_dice(empty: Image, place: Lid | None) -> list[Face]:
    """What looks like dice where none should be: dice left there, or a print."""
    return [face for face in _faces(empty, place) if face.is_die > A_DIE]


def _is_of_their_size(face: Face, dice: Sequence[Face]) -> bool:
    """Whether it may be one of those dice: prints are as large as they like."""
    return not dice or abs(log(face.size / float(np.median([die.size for die in dice])))) < log(SAME_SIZE)


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


def _usual_edge(faces: Sequence[Face], place: Lid | None, image: Image) -> float:
    long = max(place.sides) if place is not None else max(image.shape[:2])
    return float(np.median([face.size for face in faces])) if faces else long / DICE_ALONG


def _problems(faces: Sequence[Face], colours: Assignment) -> tuple[Problem, ...]:
    """What keeps the six dice from being learnt: one too few, two that cannot be told apart."""
    found, wanted = Counter(colours.colours), Counter(ALL_SIX)
    if missing := sorted((wanted - found).elements()):
        return (Problem(ProblemKind.DIE_MISSING, tuple(missing)),)
    if surplus := sorted((found - wanted).elements()):
        return (Problem(ProblemKind.DIE_EXTRA, tuple(surplus)),)
    sizes = np.array([face.size for face in faces])
    expected = _plane([(f.x, f.y) for f in faces], sizes)
    odd = np.abs(sizes / expected - 1)
    if odd.max() > EVEN_SIZES:
        return (Problem(ProblemKind.DIE_LEANS, (colours.colours[int(odd.argmax())],)),)
    doubtful = sorted(
        {c for c, chance in zip(colours.colours, colours.chances, strict=True) if chance < COLOUR_SURE}
    )
    if doubtful:
        return (Problem(ProblemKind.COLOUR_DOUBTFUL, tuple(doubtful)),)
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


def _edge_at(faces: Sequence[Face], corners: Outline) -> float:
    """The edge of a top face in the middle of the place."""
    x, y = (float(v) for v in np.array(corners).mean(axis=0))
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
    pips = pixels[is_pip] if is_pip.any() else pixels  # a face without any tells nothing of them
    return _lab(shown(measure_rim(image, corners).numbers)), _lab(np.median(pips, axis=0)[::-1])


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
    return (Problem(ProblemKind.COLOURS_ALIKE, (one.colour, other.colour)),)
