"""One picture in, one reading out: lid, places, faces, colours, judgement, each timed. Knows no game.

Any picture that OpenCV opens will do; here one of the simulated table:

    >>> from vision.cameras.clock import StepClock
    >>> from vision.reader import read_dice
    >>> from vision.simulation.table import SimulatedTable
    >>> clock = StepClock()
    >>> table = SimulatedTable(3, clock=clock)
    >>> table.throw()
    >>> clock.wait(5)
    >>> reading = read_dice(table.picture())
    >>> reading.certain
    True
    >>> [f"{die.colour} {die.pips}" for die in reading.dice if die.colour == "white"]
    ['white 2', 'white 1']
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from vision.colour.bodies import Assignment, assign, measure_body, measure_rim, name_alone
from vision.colour.known import assign_known, assign_taught
from vision.dice.aside import Aside, lean_of
from vision.dice.closer import looked_at_closely, read_closely
from vision.dice.face import Face
from vision.dice.finder import BESIDE_FLOOR, GLANCED_EDGE, Candidate, find_dice, find_more, find_of_size
from vision.dice.looks import look_for
from vision.dice.overlapping import apart
from vision.dice.shade import lighter_pips
from vision.dice.standing import Scene, stands
from vision.dice.tops import put_right, without_sides
from vision.image.arrays import Image
from vision.image.conditions import fault_of
from vision.image.overhead import Overhead, overhead
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
from vision.judgement.voting import is_decided, vote
from vision.memory.calibration import Calibration, is_complete
from vision.place.aligning import align
from vision.place.difference import Difference
from vision.place.ground import groups_of
from vision.place.lid import Lid, find_lid
from vision.reading import ALL_SIX, DieColour, Leaning, Point, Problem, ProblemKind, Reading, Stage

MOST_FACES = 24  # places looked at more closely in a lid
MOST_ANYWHERE = 80  # and in a picture of any kind
ANYWHERE, SEEN = 0.65, 0.32  # outside a lid rivets and specks are many
# how much more the camera leans than it seemed, and how many pixels a die's edge is long
LOOKS_FROM_ABOVE = ((1.0, 36.0), (0.93, 32.0), (1.05, 34.0))
ROUND_DICE, BESIDE_DICE = 7.0, 3.0  # edges round the dice in which a place is looked for, or more of them
LONGEST = 1600  # pixels of such a view


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


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known before a look: the table as learnt, a die's edge, and of views from above the camera."""

    known: Calibration | None = None
    edge: float | None = None
    above: tuple[Point, float] | None = None


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
    play = Play(expected, leaning)
    seen, reading = _look(image, _Table(known, None if known is None else known.die_edge), play, clock)
    if known is None and (not reading.certain or seen.place is None):
        with clock.stage("aside"):
            reading = _from_aside(image, seen, reading, play)
    return clock.timed(reading)


def _look(image: Image, table: _Table, play: Play, clock: _Clock) -> tuple[_Seen, Reading]:
    """What one look at a picture shows."""
    known = table.known
    with clock.stage("place"):
        taught = align(image, known) if known is not None else None
        everywhere = known is not None and known.lid is None
        place = taught or (None if everywhere else find_lid(image))
    seen = _seen(image, place, play.dice, table, clock)
    apart_from_others: tuple[int, ...] = ()
    if taught is None and place is not None and Counter(play.dice) - seen.inside:
        with clock.stage("beside"):
            everywhere_found = _found_beside(image, seen, known)
        if everywhere_found:
            whole = _seen(image, None, play.dice, table, clock, everywhere_found)
            seen, apart_from_others = _all_round(seen, whole)
    if known is None and seen.place is None:
        others = groups_of(image, [face.corners for face in seen.faces])[1:]
        apart_from_others = tuple(i for group in others for i in group)
    problems = problems_of(seen.faces, seen.more, seen.colours, play, apart_from_others)
    if seen.place is None and not seen.faces:
        problems = (_NOTHING,)
    fault = fault_of(image) if problems else None
    if fault is not None:
        problems = (fault, *problems)
    dice = seen_dice(seen.faces, seen.colours, play, apart_from_others)
    corners = None if seen.place is None else seen.place.corners
    return seen, Reading(not problems, dice, problems, corners)


def _from_aside(image: Image, seen: _Seen, plain: Reading, play: Play) -> Reading:
    """The reading of a picture taken from far aside: looks at the table from above, until two agree.

    From nearer by it stays as it is. A certain one is only doubted: what dice lie in may be seen from above.
    """
    aside = lean_of(image, (*seen.faces, *seen.more), len(play.dice))
    if aside is None:
        return plain
    looks: list[Reading] = []
    for steeper, pixels in LOOKS_FROM_ABOVE:
        look = _from_above(image, aside, (steeper, pixels), play)
        if look is not None:
            looks.append(look)
        if is_decided(looks) or (plain.certain and looks):
            break
    if plain.certain:
        beside = any(look.place is not None and _lie_beside(look) for look in looks)
        return looks[0] if beside else plain
    return vote(looks) if looks else plain


def _lie_beside(look: Reading) -> bool:
    return any(problem.kind in (ProblemKind.DIE_APART, ProblemKind.DIE_MISSING) for problem in look.problems)


def _from_above(image: Image, aside: Aside, how: tuple[float, float], play: Play) -> Reading | None:
    """What is seen from above if the camera leans a little more or less than it seemed, in the picture."""
    view = _view(image, aside, how, ROUND_DICE)
    if view is None:
        return None
    table = _Table(None, how[1], (view.below, view.focal))
    _, look = _look(view.of(image), table, play, _Clock())
    return _back(look, view)


def _view(image: Image, aside: Aside, how: tuple[float, float], around: float) -> Overhead | None:
    steeper, pixels = how
    lean = (aside.lean[0] * steeper, aside.lean[1] * steeper)
    view = overhead(image.shape, lean, aside.places, (aside.edge, pixels), around)
    return None if view is None or max(view.size) > LONGEST else view


def _back(reading: Reading, view: Overhead) -> Reading:
    """What was seen in the view from above, in the picture."""

    def in_picture(x: float, y: float) -> Point:
        there = view.back(np.array([(x, y)]))[0]
        return float(there[0]), float(there[1])

    return reading.carried(in_picture)


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
    table: _Table,
    clock: _Clock,
    found: Sequence[Candidate] = (),
) -> _Seen:
    """What is seen in the place, or in the whole picture, where something may have been found before."""
    known, edge = table.known, table.edge
    with clock.stage("candidates"):
        candidates = found or find_dice(image, place, edge)
        if place is not None and len(candidates) < len(expected):
            candidates = find_more(image, place, tuple(candidates), edge)
        if place is None and known is None:
            candidates = tuple(c for c in candidates if c.score > SEEN)
        candidates = candidates[: MOST_ANYWHERE if place is None else MOST_FACES]
    with clock.stage("pips"):
        faces = faces_at(image, candidates, place, table, len(expected))
    certainly, perhaps = counted(faces, len(expected))
    with clock.stage("colour"):
        colours = colours_of(image, certainly, expected, known)
    return _Seen(place, tuple(certainly), tuple(perhaps), colours)


def faces_at(
    image: Image, candidates: Sequence[Candidate], lid: Lid | None, table: _Table, wanted: int
) -> list[Face]:
    """The candidates that may be dice in the place, each looked at as closely as it takes."""
    known = table.known
    faces = put_right(image, lid, look_for(image, candidates))
    if known is not None:  # what looks like a die and was there in the empty lid is none
        new = Difference.at_table(image, known, lid)
        faces = [face for face in faces if new.shows(face.corners, face.is_die)]
    elif lid is None:
        faces = [face for face in faces if face.is_die > ANYWHERE]
    outline = None if lid is None else lid.corners
    tilt, lens = (known.tilt, known.lens) if known is not None else (None, None)
    scene = Scene(image.shape[:2], outline, tilt, table.above, lens)
    first = without_sides(standing(apart(faces), scene), table.above)
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
    with clock.stage("aside"):
        aside = lean_of(image, faces, len(faces))
        view = None if aside is None else _view(image, aside, LOOKS_FROM_ABOVE[0], BESIDE_DICE)
    if view is None:
        return clock.timed(_told_of_any(image, faces, clock))
    with clock.stage("pips"):
        above = view.of(image)
        candidates = [c for c in find_of_size(above, LOOKS_FROM_ABOVE[0][1]) if c.score > SEEN]
        faces = [f for f in look_for(above, candidates[:MOST_ANYWHERE]) if f.is_die > ANYWHERE]
        scene = Scene(above.shape[:2], above=(view.below, view.focal))
        faces = without_sides(standing(apart(faces), scene), scene.above)
    return clock.timed(_back(_told_of_any(above, faces, clock), view))


def _told_of_any(image: Image, faces: list[Face], clock: _Clock) -> Reading:
    """What these faces show, of any colour."""
    with clock.stage("pips"):
        faces = read_closely(image, faces)
    with clock.stage("colour"):
        names = tuple(_named_alone(image, face) for face in faces)
    dice = seen_dice(faces, Assignment(names, (1.0,) * len(names), True))
    problems = [Problem(ProblemKind.PIPS_DOUBTFUL, (die.colour,)) for die in dice if die.doubtful]
    if not dice:
        problems.append(Problem(ProblemKind.NO_DICE))
    return Reading(not problems, dice, tuple(problems))


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
