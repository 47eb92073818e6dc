"""One picture in, one reading out: lid, places, faces, colours, judgement, each timed. Knows no game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

from vision.colour.bodies import Assignment, assign, measure_body, measure_rim, name_alone
from vision.colour.known import assign_known, assign_taught
from vision.dice.closer import looked_at_closely, read_closely
from vision.dice.face import Face
from vision.dice.finder import BESIDE_FLOOR, GLANCED_EDGE, Candidate, find_dice, find_more, find_of_size
from vision.dice.looks import look_for
from vision.dice.overlapping import apart
from vision.dice.shade import lighter_pips
from vision.dice.standing import Scene, stands
from vision.dice.tops import put_right
from vision.image.arrays import Image
from vision.image.conditions import fault_of
from vision.judgement.judge import (
    COLOUR_SURE,
    Play,
    counted,
    of_one_size,
    problems_of,
    seen_dice,
    usual_size,
)
from vision.judgement.taught import surer
from vision.memory.calibration import Calibration, is_complete
from vision.place.aligning import align
from vision.place.difference import Difference
from vision.place.ground import groups_of
from vision.place.lid import Lid, find_lid
from vision.reading import ALL_SIX, DieColour, Leaning, Problem, ProblemKind, Reading, Stage

MOST_FACES = 24  # places looked at more closely in a lid
MOST_ANYWHERE = 80  # and in a picture of any kind
ANYWHERE, SEEN = 0.65, 0.32  # outside a lid rivets and specks are many


class _Clock:
    def __init__(self) -> None:
        self.start = perf_counter()
        self.stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.stages.append(Stage(name, round(1000 * (perf_counter() - start), 3)))

    def timed(self, reading: Reading) -> Reading:
        total = round(1000 * (perf_counter() - self.start), 3)
        return replace(reading, milliseconds=total, stages=tuple(self.stages))


_NOTHING = Problem(ProblemKind.NO_LID)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is seen of the dice, in a place or in the whole picture."""

    place: Lid | None
    faces: tuple[Face, ...]
    more: tuple[Face, ...]  # what may be dice too
    colours: Assignment

    @property
    def inside(self) -> Counter[DieColour]:
        return Counter(self.colours.colours)


def read_dice(
    image: Image,
    expected: Sequence[DieColour] = ALL_SIX,
    calibration: Calibration | None = None,
    leaning: Leaning = Leaning.AS_IT_LIES,
) -> Reading:
    """The dice in play; certain only if they are exactly the expected ones, each read for sure.

    Where they lie in something, a lid, a tray, a mat, those outside do not count; else all do.
    """
    clock = _Clock()
    height, width = image.shape[:2]
    known = calibration.scaled(width, height) if calibration is not None else None
    with clock.stage("place"):
        taught = align(image, known) if known is not None else None
        everywhere = known is not None and known.lid is None
        place = taught or (None if everywhere else find_lid(image))
    seen = _seen(image, place, expected, known, clock)
    apart_from_others: tuple[int, ...] = ()
    if taught is None and place is not None and Counter(expected) - seen.inside:
        with clock.stage("beside"):
            everywhere_found = _found_beside(image, seen, known)
        if everywhere_found:
            whole = _seen(image, None, expected, known, clock, everywhere_found)
            seen, apart_from_others = _all_round(seen, whole)
    if known is None and seen.place is None:
        others = groups_of(image, [face.corners for face in seen.faces])[1:]
        apart_from_others = tuple(i for group in others for i in group)
    play = Play(expected, leaning)
    problems = problems_of(seen.faces, seen.more, seen.colours, play, apart_from_others)
    if seen.place is None and not seen.faces:
        problems = (_NOTHING,)
    fault = fault_of(image) if problems else None
    if fault is not None:
        problems = (fault, *problems)
    dice = seen_dice(seen.faces, seen.colours, play, apart_from_others)
    corners = None if seen.place is None else seen.place.corners
    return clock.timed(Reading(not problems, dice, problems, corners))


def _found_beside(image: Image, inside: _Seen, known: Calibration | None) -> Sequence[Candidate]:
    """What the whole picture shows, if some of it may be a die beside the place."""
    assert inside.place is not None
    usual = usual_size(inside.faces)
    found = find_dice(image) if usual is None else find_of_size(image, usual, GLANCED_EDGE)
    beside = [c for c in found if not inside.place.contains(c.x, c.y, BESIDE_FLOOR * c.size)]
    if known is not None:
        return found if beside else ()
    likely = look_for(image, [c for c in beside if c.score > SEEN])
    return found if any(face.is_die > ANYWHERE for face in likely) else ()


def _all_round(inside: _Seen, whole: _Seen) -> tuple[_Seen, tuple[int, ...]]:
    """Where a place holds too few dice: all that the picture shows, and which of them lie outside."""
    assert inside.place is not None
    lie_in = [inside.place.contains(face.x, face.y, BESIDE_FLOOR * face.size) for face in whole.faces]
    outside = tuple(i for i, lies_in in enumerate(lie_in) if not lies_in)
    if not outside:
        return inside, ()
    if len(outside) == len(whole.faces):  # what was taken for their place is none
        return whole, ()
    return replace(whole, place=inside.place), outside


def _seen(
    image: Image,
    place: Lid | None,
    expected: Sequence[DieColour],
    known: Calibration | None,
    clock: _Clock,
    found: Sequence[Candidate] = (),
) -> _Seen:
    """What is seen in the place, or in the whole picture, where something may have been found before."""
    with clock.stage("candidates"):
        edge = known.die_edge if known is not None else None
        candidates = found or find_dice(image, place, edge)
        if place is not None and len(candidates) < len(expected):
            candidates = find_more(image, place, tuple(candidates), edge)
        if place is None and known is None:
            candidates = tuple(c for c in candidates if c.score > SEEN)
        candidates = candidates[: MOST_ANYWHERE if place is None else MOST_FACES]
    with clock.stage("pips"):
        faces = faces_at(image, candidates, place, known, len(expected))
    certainly, perhaps = counted(faces, len(expected))
    with clock.stage("colour"):
        colours = colours_of(image, certainly, expected, known)
    return _Seen(place, tuple(certainly), tuple(perhaps), colours)


def faces_at(
    image: Image, candidates: Sequence[Candidate], lid: Lid | None, known: Calibration | None, wanted: int
) -> list[Face]:
    """The candidates that may be dice in the place, each looked at as closely as it takes."""
    faces = put_right(image, lid, look_for(image, candidates))
    if known is not None:  # what looks like a die and was there in the empty lid is none
        new = Difference.at_table(image, known, lid)
        faces = [face for face in faces if new.shows(face.corners, face.is_die)]
    elif lid is None:
        faces = [face for face in faces if face.is_die > ANYWHERE]
    outline = None if lid is None else lid.corners
    scene = Scene(image.shape[:2], outline, known.tilt if known is not None else None)
    first = standing(apart(faces), scene)
    closely = looked_at_closely(image, first)
    if closely is not first:  # how one stands follows from all of them
        closely = standing(closely, scene)
    faces = of_one_size(closely, wanted)
    if len(faces) < len(closely):
        faces = standing(faces, scene)
    return read_closely(image, faces)


def read_any(image: Image) -> Reading:
    """Every six-sided die in the picture, of any colour, in a lid or not."""
    clock = _Clock()
    with clock.stage("candidates"):
        candidates = [c for c in find_dice(image)[:MOST_ANYWHERE] if c.score > SEEN]
    with clock.stage("pips"):
        faces = apart([f for f in look_for(image, candidates) if f.is_die > ANYWHERE])
        faces = read_closely(image, faces)
    with clock.stage("colour"):
        names = tuple(_named_alone(image, face) for face in faces)
    dice = seen_dice(faces, Assignment(names, (1.0,) * len(names), True))
    problems = [Problem(ProblemKind.PIPS_DOUBTFUL, (die.colour,)) for die in dice if die.doubtful]
    if not dice:
        problems.append(Problem(ProblemKind.NO_DICE))
    return clock.timed(Reading(not problems, dice, tuple(problems)))


def standing(faces: Sequence[Face], scene: Scene) -> list[Face]:
    """The same faces, each with how it stands among the others."""
    found = stands([face.top for face in faces], scene)
    return [replace(face, stand=stand) for face, stand in zip(faces, found, strict=True)]


def colours_of(
    image: Image, faces: Sequence[Face], expected: Sequence[DieColour], known: Calibration | None
) -> Assignment:
    """All dice given their colours together; more dice than a full set are named one by one."""
    if len(faces) > len(ALL_SIX):
        names = tuple(_named_alone(image, face) for face in faces)
        return Assignment(names, (0.5,) * len(names), False)
    rims = [replace(measure_rim(image, f.whole), pips=lighter_pips(image, f.corners, f.pips)) for f in faces]
    if known is not None and is_complete(known.samples):
        first = assign_known(rims, expected, known.samples)
        if not known.taught or first.chance >= COLOUR_SURE:
            return first
        rolls = [roll.dice for roll in known.taught]
        return surer(first, assign_taught(rims, expected, known.samples, rolls))
    return assign(rims, expected)


def _named_alone(image: Image, face: Face) -> DieColour:
    pips = lighter_pips(image, face.corners, face.pips)
    return name_alone(replace(measure_body(image, face.corners), pips=pips))
