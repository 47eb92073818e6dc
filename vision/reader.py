"""One picture in, one reading out: lid, places, faces, colours, judgement, each timed. Knows no game."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

from vision.aligning import align
from vision.calibration import Calibration, is_complete
from vision.camera import Image
from vision.closer import looked_at_closely, read_closely
from vision.colour import Assignment, assign, measure_body, measure_rim, name_alone
from vision.conditions import fault_of
from vision.difference import Difference
from vision.face import SURE, Face
from vision.finder import Candidate, find_dice, find_more
from vision.judge import apart, counted, of_one_size, problems_of, seen_dice
from vision.known_colours import assign_known
from vision.lid import Lid, find_lid
from vision.looks import look_at
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, Stage
from vision.shade import lighter_pips
from vision.standing import Scene, stands
from vision.tops import put_right

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


def read_dice(
    image: Image, expected: Sequence[DieColour] = ALL_SIX, calibration: Calibration | None = None
) -> Reading:
    """The dice in the lid; certain only if they are exactly the expected ones, flat, each read for sure."""
    clock = _Clock()
    height, width = image.shape[:2]
    known = calibration.scaled(width, height) if calibration is not None else None
    with clock.stage("lid"):
        # at a calibrated table the lid is known, also where somebody bumped it
        lid = (align(image, known) if known is not None else None) or find_lid(image)
    if lid is None:
        return clock.timed(Reading(False, (), (fault_of(image) or _no_lid(),)))
    with clock.stage("candidates"):
        edge = known.die_edge if known is not None else None
        candidates = find_dice(image, lid, edge)
        if len(candidates) < len(expected):
            candidates = find_more(image, lid, candidates, edge)
        candidates = candidates[:MOST_FACES]
    with clock.stage("pips"):
        faces = faces_at(image, candidates, lid, known, len(expected))
    certainly, perhaps = counted(faces, len(expected))
    with clock.stage("colour"):
        colours = colours_of(image, certainly, expected, known)
    problems = problems_of(certainly, perhaps, colours, expected)
    fault = fault_of(image) if problems else None
    if fault is not None:
        problems = (fault, *problems)
    dice = seen_dice(certainly, colours)
    return clock.timed(Reading(not problems, dice, problems, lid.corners))


def faces_at(
    image: Image, candidates: Sequence[Candidate], lid: Lid, known: Calibration | None, wanted: int
) -> list[Face]:
    """The candidates that may be dice in the lid, each looked at as closely as it takes."""
    faces = put_right(image, lid, look_at(image, candidates))
    if known is not None:  # what looks like a die and was there in the empty lid is none
        new = Difference.at_table(image, known, lid)
        faces = [face for face in faces if new.shows(face.corners, face.is_die)]
    scene = Scene(image.shape[:2], lid.corners, known.tilt if known is not None else None)
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
        candidates = find_dice(image)[:MOST_ANYWHERE]
    with clock.stage("pips"):
        faces = apart([f for f in look_at(image, candidates) if f.is_die > ANYWHERE and f.score > SEEN])
        faces = read_closely(image, faces)
    with clock.stage("colour"):
        names = tuple(_named_alone(image, face) for face in faces)
    dice = seen_dice(faces, Assignment(names, (1.0,) * len(names), True))
    unsure = sum(d.confidence < SURE for d in dice)
    problems = []
    if not dice:
        problems.append(Problem(ProblemKind.DIE_MISSING, "Show the dice to the camera: none is seen."))
    elif unsure:
        text = f"Look at the dice: {unsure} of {len(dice)} cannot be read for sure."
        problems.append(Problem(ProblemKind.PIPS_DOUBTFUL, text))
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
        return assign_known(rims, expected, known.samples)
    return assign(rims, expected)


def _named_alone(image: Image, face: Face) -> DieColour:
    pips = lighter_pips(image, face.corners, face.pips)
    return name_alone(replace(measure_body(image, face.corners), pips=pips))


def _no_lid() -> Problem:
    return Problem(ProblemKind.NO_LID, "Point the camera at the lid: no lid is seen in the picture.")


def vote(readings: Sequence[Reading]) -> Reading:
    """Several frames of dice lying still: certain only if enough are and none of those denies another."""
    if not readings:
        text = "Look at the camera: no picture came from it."
        return Reading(False, (), (Problem(ProblemKind.NO_PICTURE, text),))
    certain = [r for r in readings if r.certain]
    answers = {tuple(sorted((d.colour, d.pips) for d in r.dice)) for r in certain}
    if len(answers) > 1:
        text = "Tap the numbers of the dice: two looks at the lid gave different answers."
        doubt = Problem(ProblemKind.PIPS_DOUBTFUL, text)
        return replace(certain[-1], certain=False, problems=(doubt,))
    unsure = [r for r in readings if not r.certain]
    if len(certain) >= len(unsure):
        return max(certain, key=lambda r: min((d.confidence for d in r.dice), default=0.0))
    return min(unsure, key=lambda r: (len(r.problems), -sum(d.confidence for d in r.dice)))
