"""From faces that were looked at to an answer: certain, or what is in its way. Sees no pixels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vision.colour.bodies import Assignment
from vision.dice.face import HARDLY_A_DIE, ON_ANOTHER, SMALLEST, SURE, Face
from vision.dice.flatness import FLAT
from vision.dice.overlapping import A_DIE
from vision.dice.pips import Array
from vision.reading import Corners, DieColour, Leaning, Problem, ProblemKind, SeenDie

COLOUR_SURE = 0.8
PERHAPS_A_DIE = 0.25  # above it, the lid may hold a die more than was counted
STRONG = 0.85
ALL_PLAIN, FAINT = 0.9, 0.55  # dice beside which so faint a face is none
ODD_SIZE = 1.2  # all dice are one size: a face so much larger is none of theirs
SMALLEST_PLAIN, PLAIN = 0.75, 0.95  # the least size of what is plainly a die
ENOUGH = 3  # dice that tell the size
TELL_A_SIZE = 2  # dice whose size others are looked for in


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


def usual_size(faces: Sequence[Face]) -> float | None:
    """The edge of those that are dice; None where too few are to tell."""
    sizes = sorted(face.size for face in faces if face.is_die > A_DIE)
    return sizes[len(sizes) // 2] if len(sizes) >= TELL_A_SIZE else None


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


@dataclass(frozen=True, slots=True)
class Play:
    """The dice in play, None if that is not known, and the table's rule for those that lean."""

    expected: Sequence[DieColour] | None
    leaning: Leaning = Leaning.AS_IT_LIES

    @property
    def dice(self) -> Sequence[DieColour]:
        return self.expected or ()


ANY = Play(None)


def seen_dice(
    faces: Sequence[Face], colours: Assignment, play: Play = ANY, apart: Sequence[int] = ()
) -> tuple[SeenDie, ...]:
    """The dice as they are told.

    Where more of a colour are seen than there can be, one of them is another die: nobody knows which. Those
    that lie `apart` from the others may not count.
    """
    surplus = Counter() if play.expected is None else Counter(colours.colours) - Counter(play.expected)
    return tuple(
        SeenDie(
            colour,
            face.pips,
            face.x,
            face.y,
            face.size,
            round(min(face.confidence, chance, face.lies_flat if face.lies_flat < FLAT else 1.0), 4),
            _corners(face.corners),
            doubtful=_is_doubtful(face, chance, play.leaning) or colour in surplus or i in apart,
        )
        for i, (face, colour, chance) in enumerate(zip(faces, colours.colours, colours.chances, strict=True))
    )


def _is_doubtful(face: Face, chance: float, rule: Leaning) -> bool:
    """Whether a person has to say what it shows; `chance` is that of its colour."""
    lies_badly = face.leans(rule) or face.stand.size > ON_ANOTHER
    return lies_badly or face.confidence < SURE or chance < COLOUR_SURE


def _corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def problems_of(
    faces: Sequence[Face], more: Sequence[Face], colours: Assignment, play: Play, apart: Sequence[int] = ()
) -> tuple[Problem, ...]:
    """Everything that keeps the reading from being certain, the gravest first; empty if nothing does.

    `more` may be dice too, and those that lie `apart` from the others may not count.
    """
    problems = [*_counted(colours, play.expected or ())]
    if not problems and apart:
        problems.append(
            Problem(ProblemKind.DIE_APART, tuple(dict.fromkeys(colours.colours[i] for i in apart)))
        )
    if not problems and more:
        problems.append(Problem(ProblemKind.DIE_EXTRA))
    problems += _lying(faces, colours, play.leaning)
    problems += _read(faces, colours, play.leaning)
    if not problems:
        problems += _coloured(colours)
    return tuple(problems)


def _counted(colours: Assignment, expected: Sequence[DieColour]) -> list[Problem]:
    found, wanted = Counter(colours.colours), Counter(expected)
    problems = []
    for colour in sorted(found - wanted):
        kind = ProblemKind.DIE_EXTRA if wanted[colour] else ProblemKind.DIE_NOT_IN_PLAY
        problems.append(Problem(kind, (colour,)))
    problems += [Problem(ProblemKind.DIE_MISSING, (colour,)) for colour in sorted(wanted - found)]
    return problems


def _lying(faces: Sequence[Face], colours: Assignment, rule: Leaning) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if face.leans(rule):
            problems.append(Problem(ProblemKind.DIE_LEANS, (colour,)))
        elif face.stand.size > ON_ANOTHER:
            problems.append(Problem(ProblemKind.DIE_STACKED, (colour,)))
    return problems


def _read(faces: Sequence[Face], colours: Assignment, rule: Leaning) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if not face.leans(rule) and face.confidence < SURE:
            problems.append(Problem(ProblemKind.PIPS_DOUBTFUL, (colour,)))
    return problems


def _coloured(colours: Assignment) -> list[Problem]:
    doubtful = [c for c, chance in zip(colours.colours, colours.chances, strict=True) if chance < COLOUR_SURE]
    if not doubtful:
        return []
    return [Problem(ProblemKind.COLOUR_DOUBTFUL, tuple(dict.fromkeys(doubtful)))]
