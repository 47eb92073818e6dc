"""One picture in, one reading out: lid, places, faces, colours, judgement, each timed. Knows no game."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

import numpy as np

from vision.aligning import align
from vision.calibration import Calibration, is_complete
from vision.camera import Image
from vision.colour import Assignment, assign, measure_body, measure_rim, name_alone
from vision.conditions import fault_of
from vision.difference import Difference
from vision.finder import BESIDE_FLOOR, Candidate, find_dice, find_more
from vision.judge import (
    A_DIE,
    NEAREST,
    SURE,
    WRONG_WAY,
    Face,
    apart,
    counted,
    of_one_die,
    of_one_size,
    problems_of,
    seen_dice,
)
from vision.known_colours import assign_known
from vision.leaning import look_at_lean
from vision.lid import Lid, find_lid
from vision.pips import CLOSER, GLANCE, Array, edge_of, read_faces, shrunk, together, without_glare
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, Stage
from vision.shade import lighter_pips
from vision.spots import read_spots
from vision.standing import LONG, Scene, stands

MOST_FACES = 24  # places looked at more closely in a lid
MOST_ANYWHERE = 80  # and in a picture of any kind
ANYWHERE, SEEN = 0.65, 0.32  # outside a lid rivets and specks are many
SHARP = 1.3  # pixels of the picture that the network is shown for each of its own
UNDECIDED = 0.1  # chance of leaning, or of lying flat, above which a closer look is taken
LARGE = 1.08  # against the other dice: so large a face may lie on another die, or is seen badly
NO_FACE, A_FACE = 0.3, 0.1  # chance that a place shows none: so much asks for another place, so little is one
SEVERAL, SLANTED = 2, 0.12  # dice whose sides are seen, so many edges of them
MAY_BE_ONE = 0.3  # the finder's chance
UP, LEAST_UP = (0.3, 0.6, 0.9), 0.15  # edges: where a top is looked for, and how far up it is at least
MOST_UP, MOST_UP_A_SIDE = 0.85, 1.15  # at most, from half a side and from a whole one
NO_VOTE, HARDLY_TOLD = (0.0,) * 6, 0.85  # what stands for the finder's word on a face it did not see
SLIPPED = 0.55  # edges: a second look so far beside the first sees something else
MOVED = 0.4  # of an edge: a face that the network moves farther was none


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
        names = tuple(name_alone(measure_body(image, f.corners)) for f in faces)
    dice = seen_dice(faces, Assignment(names, (1.0,) * len(names), True))
    unsure = sum(d.confidence < SURE for d in dice)
    problems = []
    if not dice:
        problems.append(Problem(ProblemKind.DIE_MISSING, "Show the dice to the camera: none is seen."))
    elif unsure:
        text = f"Look at the dice: {unsure} of {len(dice)} cannot be read for sure."
        problems.append(Problem(ProblemKind.PIPS_DOUBTFUL, text))
    return clock.timed(Reading(not problems, dice, tuple(problems)))


def look_at(image: Image, candidates: Sequence[Candidate]) -> list[Face]:
    """Both readings of every candidate, at the place to which the network's first look moves it."""
    small, places = places_of(image, candidates)
    faces = []
    seen = zip(candidates, places, read_faces(small, places), look_at_lean(small, places), strict=True)
    for candidate, place, network, lean in seen:
        corners = scaled(_moved(place, network.corners), small, image)
        x, y = (float(v) for v in corners.mean(0))
        spots = read_spots(image, corners)
        size = edge_of(corners)
        faces.append(
            Face(x, y, size, corners, candidate.score, candidate.pips, candidate.flat, network, spots, lean)
        )
    return faces


def put_right(image: Image, lid: Lid, faces: list[Face]) -> list[Face]:
    """The faces, those taken half on a die's top and half on its side, or on its side, moved up to the top.

    From a slant all dice show their sides the same way, so the top lies the other way.
    """
    plain = [face for face in faces if not _may_straddle(face)]
    way = np.median([face.lean.foot for face in plain], axis=0) if len(plain) >= SEVERAL else np.zeros(2)
    steep = float(np.hypot(*way))
    if steep < SLANTED:
        return faces
    up = np.asarray(-way / steep, np.float32)
    sides = [steep > LONG and float(np.dot(face.lean.foot, up)) > WRONG_WAY for face in faces]
    tops = [face for face, side in zip(faces, sides, strict=True) if not side and not _may_straddle(face)]
    put = []
    for face, side in zip(faces, sides, strict=True):
        if side and any(top.is_die > A_DIE and of_one_die(top, face) for top in tops):
            continue  # its top was found too
        doubtful = face.score > MAY_BE_ONE and (side or _may_straddle(face))
        farthest = MOST_UP_A_SIDE if side else MOST_UP
        put.append((_top_above(image, lid, face, up, tops, farthest) if doubtful else None) or face)
    return put


def _top_above(
    image: Image, lid: Lid, face: Face, up: Array, others: Sequence[Face], farthest: float
) -> Face | None:
    """The top of the die whose side was taken for it, if it is seen."""
    steps = [step for step in UP if step < farthest]
    tried = look_at(image, [_higher(face, step * up) for step in steps])
    best = min(tried, key=lambda top: top.network.chances[6])
    plain = best.network.chances[6] < A_FACE
    return best if plain and _may_be_its_top(best, face, up, lid, others, farthest) else None


def _may_straddle(face: Face) -> bool:
    return face.network.chances[6] > NO_FACE


def _higher(face: Face, step: Array) -> Candidate:
    """The finder's vote was for a face that is none, and so was what it said of its lying flat."""
    higher = _elsewhere(face, face.corners + np.float32(face.size) * step)
    return replace(higher, flat=min(face.flat, HARDLY_TOLD))


def _elsewhere(face: Face, place: Array) -> Candidate:
    """The face at a place of which the finder said nothing."""
    (x, y), (a, b, c, d) = place.mean(0), ((float(x), float(y)) for x, y in place)
    return Candidate(float(x), float(y), face.size, (a, b, c, d), face.score, NO_VOTE, face.flat)


def _may_be_its_top(
    top: Face, face: Face, up: Array, lid: Lid, others: Sequence[Face], farthest: float
) -> bool:
    """Whether it lies above the face, in the lid, and is nobody else's top."""
    alone = all(np.hypot(top.x - other.x, top.y - other.y) > NEAREST * top.size for other in others)
    return (
        alone and _is_above(top, face, up, farthest) and lid.contains(top.x, top.y, BESIDE_FLOOR * top.size)
    )


def _is_above(top: Face, face: Face, up: Array, farthest: float) -> bool:
    higher = float(np.dot((top.x - face.x, top.y - face.y), up)) / face.size
    return higher > LEAST_UP and float(np.hypot(top.x - face.x, top.y - face.y)) / face.size < farthest


def places_of(image: Image, candidates: Sequence[Candidate]) -> tuple[Image, list[Array]]:
    """The picture as small as the networks need it, and the candidates' faces in it, after a first look."""
    small, places = _small(image, [np.array(c.corners, np.float32) for c in candidates])
    first = read_faces(small, places, turns=1)
    return small, [_moved(p, f.corners) for p, f in zip(places, first, strict=True)]


def _small(image: Image, places: list[Array], pixels: float = GLANCE.face) -> tuple[Image, list[Array]]:
    """Where dice are large, the picture made smaller: the networks see no more of them."""
    usual = float(np.median([edge_of(place) for place in places])) if places else 1.0
    factor = SHARP * pixels / usual
    if factor >= 1:
        return image, places
    small, _ = shrunk(image, places[0], factor)
    return small, [scaled(place, image, small) for place in places]


def looked_at_closely(image: Image, faces: list[Face]) -> list[Face]:
    """The faces, those that may lean or lie on another looked at from more sides; the same list if none may.

    Small steps of a face's corners count for that, so they are taken from the larger network.
    """
    doubtful = [i for i, face in enumerate(faces) if _is_undecided(face)]
    if not doubtful:
        return faces
    looked = list(faces)
    small, places = _small(image, [faces[i].corners for i in doubtful], CLOSER.face)
    for i, place, seen in zip(doubtful, places, read_faces(small, places, eye=CLOSER), strict=True):
        if seen.pips:
            looked[i] = _placed(faces[i], scaled(_moved(place, seen.corners), small, image))
    small, places = _small(image, [looked[i].corners for i in doubtful])
    for i, lean in zip(doubtful, look_at_lean(small, places, closely=True), strict=True):
        looked[i] = replace(looked[i], lean=lean)
    return looked


def _is_undecided(face: Face) -> bool:
    return UNDECIDED < face.lies_flat < 1 - UNDECIDED or face.stand.size > LARGE


def _placed(face: Face, corners: Array) -> Face:
    """The face with corners seen better; what was read on it stays."""
    x, y = (float(v) for v in corners.mean(0))
    return replace(face, x=x, y=y, size=edge_of(corners), corners=corners)


def read_closely(image: Image, faces: list[Face]) -> list[Face]:
    """The faces, the doubtful ones read by the larger network too.

    Where doubt stays, they are read once more at the place where that network sees them.
    """
    read = _by_closer(image, faces, [i for i, face in enumerate(faces) if face.is_doubtful])
    torn = [i for i, face in enumerate(read) if face.closer is not None and face.confidence < SURE]
    again = _seen_there(image, [read[i] for i in torn])
    for i, face in zip(torn, _by_closer(image, again, range(len(again))), strict=True):
        others = [*read[:i], *read[i + 1 :]]
        if face.confidence > read[i].confidence and _is_same_face(face, read[i], others):
            read[i] = face
    return read


def _is_same_face(again: Face, first: Face, others: Sequence[Face]) -> bool:
    """Whether a second look did not slip to a neighbour, and the larger network read nothing else before."""
    away = float(np.hypot(again.x - first.x, again.y - first.y)) / first.size
    alone = all(np.hypot(again.x - o.x, again.y - o.y) > NEAREST * again.size for o in others)
    before = first.closer.pips if first.closer is not None else 0
    return away < SLIPPED and alone and before in {0, again.pips}


def _by_closer(image: Image, faces: list[Face], which: Sequence[int]) -> list[Face]:
    """The faces, some of them read by the larger network too, and by both without glare."""
    read = list(faces)
    small, places = _small(image, [faces[i].corners for i in which], CLOSER.face)
    for i, place, plain in zip(which, places, read_faces(small, places, eye=CLOSER), strict=True):
        there = scaled(_moved(place, plain.corners), small, image)
        dark = without_glare(small, place)
        (dimmed,), (glance,) = read_faces(dark, [place], eye=CLOSER), read_faces(dark, [place])
        read[i] = replace(faces[i], closer=replace(together(plain, dimmed), corners=there), dimmed=glance)
    return read


def _seen_there(image: Image, faces: Sequence[Face]) -> list[Face]:
    """The faces where the larger network sees them; what the finder said holds, and how each stands."""
    places = [face.corners if face.closer is None else face.closer.corners for face in faces]
    seen = look_at(image, [_elsewhere(*pair) for pair in zip(faces, places, strict=True)])
    return [
        replace(there, votes=face.votes, lean=face.lean, stand=face.stand)
        for there, face in zip(seen, faces, strict=True)
    ]


def scaled(corners: Array, image: Image, other: Image) -> Array:
    """Corners in one picture as corners in the same picture at another size."""
    across, down = other.shape[1] / image.shape[1], other.shape[0] / image.shape[0]
    return np.asarray((corners + 0.5) * (across, down) - 0.5, np.float32)


def standing(faces: Sequence[Face], scene: Scene) -> list[Face]:
    """The same faces, each with how it stands among the others."""
    found = stands([face.top for face in faces], scene)
    return [replace(face, stand=stand) for face, stand in zip(faces, found, strict=True)]


def _moved(place: Array, seen: Array) -> Array:
    """Where the network saw the face, unless that is somewhere else or of another size."""
    edge = edge_of(place)
    size = edge_of(seen) / edge
    away = float(np.hypot(*(seen.mean(0) - place.mean(0)))) / edge
    return seen if away < MOVED and 0.7 < size < 1.4 else place


def colours_of(
    image: Image, faces: Sequence[Face], expected: Sequence[DieColour], known: Calibration | None
) -> Assignment:
    """All dice given their colours together; more dice than a full set are named one by one."""
    if len(faces) > len(ALL_SIX):
        names = tuple(name_alone(measure_body(image, f.corners)) for f in faces)
        return Assignment(names, (0.5,) * len(names), False)
    rims = [replace(measure_rim(image, f.whole), pips=lighter_pips(image, f.corners, f.pips)) for f in faces]
    if known is not None and is_complete(known.samples):
        return assign_known(rims, expected, known.samples)
    return assign(rims, expected)


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
