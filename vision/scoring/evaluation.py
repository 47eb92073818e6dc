"""How well readings are: right, asked, wrong, what they cost, and the curve over the limit of certainty.

`boxlid bench sight` prints it for pictures drawn on the spot, the project's own and folders of anybody's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np

from vision.image.arrays import Image
from vision.reader import read_any, read_dice
from vision.reading import Reading
from vision.scoring.curve import CurvePoint, points_of, upper_bound
from vision.scoring.outcomes import (
    Claim,
    Outcome,
    claim_of,
    doubted_in_vain,
    match_photo,
    misled_by,
    outcome_of,
    taps_of,
)
from vision.scoring.sources import Part, Shot
from vision.scoring.spoiling import spoilt
from vision.scoring.truth import TrueScene


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture, its answer and how good that was; the picture itself only where it was read wrong."""

    name: str
    group: str
    reading: Reading
    outcome: Outcome
    claims: tuple[Claim, ...]
    taps: int | None = None
    misled: int = 0
    in_vain: int = 0
    dice: Counter[str] = field(default_factory=Counter)  # of photographs
    image: Image | None = None

    @property
    def cost(self) -> int:
        """What ranks the worst."""
        wrong = 1000 * (self.outcome is Outcome.WRONG) + 500 * self.misled
        return wrong + (10 + (self.taps or 0) if self.outcome is Outcome.ASKED else 0)


@dataclass(slots=True)
class Evaluated:
    """All answers of one source."""

    name: str
    photographs: bool = False
    judged: list[Judged] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        return sum(judged.outcome is Outcome.WRONG for judged in self.judged)

    @property
    def misled(self) -> int:
        return sum(judged.misled for judged in self.judged)


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """The answers of a part of a source, plain and spoilt."""

    plain: list[Judged]
    spoilt: list[Judged]


def judged_part(part: Part, photographs: bool, spoilings: int) -> JudgedPart:
    """Every picture of it, and each so many times spoilt."""
    done = JudgedPart([], [])
    for shot in part():
        done.plain.append(judge_photograph(shot) if photographs else judge_lid(shot))
        for turn in range(spoilings if shot.scene.exact else 0):
            rng = np.random.default_rng(crc32(f"{shot.scene.path.name} {turn}".encode()))
            worse = spoilt(shot.image, _as_read(shot), rng, fixed=shot.known is not None)
            again = judge_lid(Shot(worse.image, worse.scene, shot.known))
            done.spoilt.append(replace(again, name=f"{again.name}#{turn}", group=worse.way))
    return done


def _as_read(shot: Shot) -> TrueScene:
    """The truth in pixels of the picture that is read."""
    by = 1 / shot.scale
    dice = tuple(
        replace(
            d, x=d.x * by, y=d.y * by, size=d.size * by, corners=None if d.corners is None else d.corners * by
        )
        for d in shot.scene.dice
    )
    return replace(shot.scene, dice=dice)


def judge_lid(shot: Shot) -> Judged:
    """A throw of the dice in play, in a place or not."""
    reading = read_dice(shot.image, shot.scene.expected, shot.known)
    told = reading.enlarged(shot.scale)
    outcome, misled = outcome_of(shot.scene, told), misled_by(shot.scene, told)
    return Judged(
        shot.scene.path.name,
        shot.scene.group,
        reading,
        outcome,
        (claim_of(shot.scene, told),),
        taps_of(shot.scene, told),
        misled,
        doubted_in_vain(shot.scene, told),
        image=shot.image if outcome is Outcome.WRONG or misled else None,
    )


def judge_photograph(shot: Shot) -> Judged:
    """Dice of any kind, matched by place."""
    reading = read_any(shot.image)
    matched = match_photo(shot.scene, reading.enlarged(shot.scale).dice)
    counts = matched.counts
    missed = counts["dice"] - counts["pips right"] + counts["extra"]
    outcome = Outcome.WRONG if counts["misled"] else Outcome.ASKED if missed else Outcome.RIGHT
    return Judged(
        shot.scene.path.name,
        shot.scene.group,
        reading,
        outcome,
        matched.claims,
        dice=counts,
        image=shot.image if outcome is Outcome.WRONG else None,
    )


# ---------------------------------------------------------------- in words


def lines_of(found: Evaluated) -> Iterator[str]:
    """One source in words: groups, all of it, the curve, time."""
    yield f"{found.name}: {len(found.judged)} pictures"
    yield from _photo_lines(found) if found.photographs else _lid_lines(found)
    yield from _curve_lines([claim for judged in found.judged for claim in judged.claims])
    yield _time_line(found)


def _lid_lines(found: Evaluated) -> Iterator[str]:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for judged in found.judged:
        groups[judged.group].append(judged)
    yield from (_lid_line(group, groups[group]) for group in sorted(groups) if len(groups) > 1)
    yield _lid_line("ALL", found.judged)
    bound = 100 * upper_bound(found.wrong, len(found.judged))
    vain, doubted = sum(j.in_vain for j in found.judged), sum(_doubted(j) for j in found.judged)
    yield (
        f"  certain and wrong {found.wrong} of {len(found.judged)}, at most {bound:.2f} % (95 %)"
        f"   doubtful dice that were right {vain} of {doubted}"
    )


def _doubted(judged: Judged) -> int:
    return 0 if judged.reading.certain else sum(die.doubtful for die in judged.reading.dice)


def _lid_line(name: str, judged: Sequence[Judged]) -> str:
    counts = Counter(j.outcome for j in judged)
    share = {outcome: 100 * counts[outcome] / max(1, len(judged)) for outcome in Outcome}
    taps = [j.taps for j in judged if j.taps is not None]
    return (
        f"  {name:20} right {share[Outcome.RIGHT]:5.1f} %   asked {share[Outcome.ASKED]:5.1f} %"
        f"   WRONG {counts[Outcome.WRONG]}   taps {sum(taps) / max(1, len(taps)):.2f} a roll"
        f"   misled {sum(j.misled for j in judged)}   of {len(judged)}"
    )


def _photo_lines(found: Evaluated) -> Iterator[str]:
    views: dict[str, Counter[str]] = defaultdict(Counter)
    for judged in found.judged:
        views[judged.group].update(judged.dice)
    total: Counter[str] = sum(views.values(), Counter())
    for view, counts in [*sorted(views.items()), ("ALL", total)]:
        dice, coloured = max(1, counts["dice"]), max(1, counts["coloured"])
        yield (
            f"  {view:20} found {100 * counts['found'] / dice:5.1f} %"
            f"   pips right {100 * counts['pips right'] / dice:5.1f} %"
            f"   misread {100 * counts['misread'] / dice:5.1f} % ({counts['misled']} unmarked)"
            f"   colour right {100 * counts['colour right'] / coloured:5.1f} %"
            f"   extra {counts['extra']}   whole {counts['whole']}/{counts['photos']}"
        )


def _curve_lines(claims: Sequence[Claim]) -> Iterator[str]:
    """What would come of other limits: asked, wrong, and how many could be wrong beyond what was seen."""
    rows: list[tuple[str, list[str]]] = [
        ("limit", []),
        ("asked %", []),
        ("wrong", []),
        ("wrong %, at most", []),
    ]
    for point in points_of(claims):
        for (_, cells), value in zip(rows, _cells(point), strict=True):
            cells.append(value)
    if claims:
        yield from (f"  {name:17}" + "".join(f"{cell:>8}" for cell in cells) for name, cells in rows)


def _cells(point: CurvePoint) -> tuple[str, str, str, str]:
    return (
        f"{point.limit:.2f}",
        f"{100 * point.share_asked:.1f}",
        str(point.wrong),
        f"{100 * point.wrong_at_most:.2f}",
    )


def _time_line(found: Evaluated) -> str:
    times: dict[str, list[float]] = defaultdict(list)
    for judged in found.judged:
        times["all"].append(judged.reading.milliseconds)
        for step in judged.reading.stages:
            times[step.name].append(step.milliseconds)
    told = ", ".join(f"{name} {np.median(v):.1f}/{max(v):.0f}" for name, v in times.items())
    return f"  milliseconds, median/worst: {told}"
