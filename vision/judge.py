"""From faces that were looked at to an answer: certain, or what to do, in words. Sees no pixels."""

from collections import Counter
from collections.abc import Sequence
from math import hypot

import numpy as np

from vision.colour import Assignment
from vision.face import HARDLY_A_DIE, ON_ANOTHER, SMALLEST, SURE, Face
from vision.flatness import FLAT
from vision.pips import Array
from vision.reading import Corners, DieColour, Problem, ProblemKind, SeenDie

COLOUR_SURE = 0.8
A_DIE = 0.5  # chance above which a place holds a die
PERHAPS_A_DIE = 0.25  # above it, the lid may hold a die more than was counted
STRONG = 0.85
ALL_PLAIN, FAINT = 0.9, 0.55  # dice beside which so faint a face is none
ODD_SIZE = 1.2  # all dice are one size: a face so much larger is none of theirs
SMALLEST_PLAIN, PLAIN = 0.75, 0.95  # the least size of what is plainly a die
ENOUGH = 3  # dice that tell the size
NEAREST = 0.8  # edges between the middles of two dice
ONE_DIE = 0.74  # edges between the middles of bodies, below which two faces are a die's top and its side

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def apart(faces: Sequence[Face]) -> list[Face]:
    """Of faces nearer to each other than two dice can lie, the likelier: a die's side is not another die."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.is_die * (1 - 0.5 * f.network.chances[6])):
        if not any(_too_near(face, other) for other in kept):
            kept.append(face)
    return kept


def _too_near(face: Face, other: Face) -> bool:
    """Whether two faces are nearer than those of two dice, or the dice behind them are one."""
    size = min(face.size, other.size)
    return hypot(face.x - other.x, face.y - other.y) < NEAREST * size or of_one_die(face, other)


def of_one_die(face: Face, other: Face) -> bool:
    """Whether the dice behind two faces are one: from top and side the way leads to the same middle."""
    one, same = face.top.middle_of_die, other.top.middle_of_die
    return hypot(one[0] - same[0], one[1] - same[1]) < ONE_DIE * min(face.size, other.size)


def of_one_size(faces: Sequence[Face], wanted: int) -> list[Face]:
    """The faces without those that are much larger or smaller: dice printed on the floor, or a die's side.

    Where too few would be left, the likeliest of the small ones stay: glare hides a rim, and a die is wanted.
    Prints of about the dice's size go where all that are wanted are there without them.
    """
    fit = [f for f in faces if _least_size(f) < f.stand.size < ODD_SIZE]
    solid = [f for f in fit if not f.is_printed]
    fit = solid if sum(f.is_die > STRONG for f in solid) >= wanted else fit
    likely = sum(f.is_die > A_DIE for f in fit)
    if likely < ENOUGH:
        return list(faces)
    small = [f for f in faces if SMALLEST_PLAIN < f.stand.size <= SMALLEST and A_DIE < f.is_die < PLAIN]
    small.sort(key=lambda f: -f.is_die)
    return fit + small[: max(0, wanted - likely)]


def _least_size(face: Face) -> float:
    return SMALLEST if face.is_die < PLAIN else SMALLEST_PLAIN


def counted(faces: Sequence[Face], wanted: int) -> tuple[list[Face], list[Face]]:
    """The faces that are dice, and those that might be one die more.

    Where a die is wanted and only a doubtful one is left, that one is asked for: glare hides pips, not dice.
    """
    ordered = sorted(faces, key=lambda f: -f.is_die * (1 + f.lies_flat))
    found, more = ordered[:wanted], ordered[wanted:]
    if len(found) == wanted and all(f.is_die > ALL_PLAIN for f in found):
        # beside so many plain dice, what is faint and cannot be read is a print on the floor
        more = [f for f in more if max(f.is_die, f.confidence) > FAINT]
    found = [f for f in found if f.is_die > HARDLY_A_DIE]
    extra = [f for f in more if f.is_die > A_DIE]
    return found + extra, [f for f in more if PERHAPS_A_DIE < f.is_die <= A_DIE]


def seen_dice(faces: Sequence[Face], colours: Assignment) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(
            colour,
            face.pips,
            face.x,
            face.y,
            face.size,
            round(min(face.confidence, chance, face.lies_flat if face.lies_flat < FLAT else 1.0), 4),
            _corners(face.corners),
        )
        for face, colour, chance in zip(faces, colours.colours, colours.chances, strict=True)
    )


def _corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def problems_of(
    faces: Sequence[Face], doubtful: Sequence[Face], colours: Assignment, expected: Sequence[DieColour]
) -> tuple[Problem, ...]:
    """Everything that keeps the reading from being certain, the gravest first; empty if nothing does."""
    problems = [*_counted(colours, expected)]
    if not problems and doubtful:
        text = "Look at the lid: something in it may be one more die."
        problems.append(Problem(ProblemKind.DIE_EXTRA, text))
    problems += _lying(faces, colours)
    problems += _read(faces, colours)
    if not problems:
        problems += _coloured(colours)
    return tuple(problems)


def named(colour: DieColour, count: int = 1) -> str:
    return f"{NUMBERS[min(count, 10)]} {colour} {'die' if count == 1 else 'dice'}"


def _counted(colours: Assignment, expected: Sequence[DieColour]) -> list[Problem]:
    found, wanted = Counter(colours.colours), Counter(expected)
    problems = []
    for colour in sorted(found - wanted):
        if wanted[colour] == 0:
            text = f"Take the {colour} die out of the lid: {colour} is not in play."
            problems.append(Problem(ProblemKind.DIE_NOT_IN_PLAY, text, colour))
        else:
            text = f"Take a {colour} die out of the lid: {named(colour, wanted[colour])} expected,"
            text += f" {NUMBERS[min(found[colour], 10)]} seen."
            problems.append(Problem(ProblemKind.DIE_EXTRA, text, colour))
    for colour in sorted(wanted - found):
        text = f"Look for the {colour} die: {named(colour, wanted[colour])} expected,"
        text += f" {NUMBERS[found[colour]] if found[colour] else 'none'} seen in the lid."
        problems.append(Problem(ProblemKind.DIE_MISSING, text, colour))
    return problems


def _lying(faces: Sequence[Face], colours: Assignment) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if face.lies_flat < FLAT:
            text = f"Lay the {colour} die flat: it seems to lean."
            problems.append(Problem(ProblemKind.DIE_LEANS, text, colour))
        elif face.stand.size > ON_ANOTHER:
            text = f"Look at the {colour} die: it may lie on another one."
            problems.append(Problem(ProblemKind.DIE_STACKED, text, colour))
    return problems


def _read(faces: Sequence[Face], colours: Assignment) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if face.lies_flat >= FLAT and face.confidence < SURE:
            text = f"Tap the number of the {colour} die: it shows {_perhaps(face)}, but that is not sure."
            problems.append(Problem(ProblemKind.PIPS_DOUBTFUL, text, colour))
    return problems


def _perhaps(face: Face) -> str:
    chances = np.array(face.network.chances[:6]) + np.array(face.votes)
    if face.spots.pips:
        chances[face.spots.pips - 1] += 1
    first, second = (int(i) + 1 for i in np.argsort(-chances)[:2])
    return f"{first} or {second}" if chances[second - 1] > 0.15 * chances[first - 1] else f"perhaps {first}"


def _coloured(colours: Assignment) -> list[Problem]:
    doubtful = [c for c, chance in zip(colours.colours, colours.chances, strict=True) if chance < COLOUR_SURE]
    if not doubtful:
        return []
    names = list(dict.fromkeys(str(c) for c in doubtful))
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    text = f"Say which die is which: {listed} cannot be told apart for sure in this light."
    return [Problem(ProblemKind.COLOUR_DOUBTFUL, text, doubtful[0])]
