"""How well readings are: right, asked, wrong, what they cost, and the curve over the limit of certainty.

`boxlid bench sight` prints it for pictures drawn on the spot, the project's own and folders of anybody's.
"""

import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast
from zlib import crc32

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.overlay import draw_overlay
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
from vision.scoring.sources import Shot, Source
from vision.scoring.spoiling import spoilt
from vision.scoring.truth import TrueScene

SHEET_PICTURES, SHEET_WIDTH = 24, 480
WORST_TOLD = 10


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


def evaluate(source: Source, spoilings: int = 0) -> list[Evaluated]:
    """The source as it is, and, if wanted, each picture so many times spoilt on purpose."""
    plain = Evaluated(source.name, source.photographs)
    bad = Evaluated(f"{source.name}, spoilt", source.photographs)
    for shot in source.shots:
        judge = judge_photograph if source.photographs else judge_lid
        plain.judged.append(judge(shot))
        for turn in range(spoilings if shot.scene.exact else 0):
            rng = np.random.default_rng(crc32(f"{shot.scene.path.name} {turn}".encode()))
            worse = spoilt(shot.image, _as_read(shot), rng, fixed=shot.known is not None)
            again = judge_lid(Shot(worse.image, worse.scene, shot.known))
            bad.judged.append(replace(again, name=f"{again.name}#{turn}", group=worse.way))
    return [found for found in (plain, bad) if found.judged]


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


def peak_memory() -> str:
    """The most memory this process has held."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"peak memory {size / (1024 if sys.platform == 'linux' else 1024**2):.0f} MB"


@dataclass(slots=True)
class Report:
    """Sources evaluated one after the other; the worst of each are told and may be drawn."""

    spoilings: int = 0
    readings: int = 0
    wrong: int = 0
    misled: int = 0
    worst: list[Judged] = field(default_factory=list)

    def lines(self, sources: Iterable[Source]) -> Iterator[str]:
        for source in sources:
            for found in evaluate(source, self.spoilings):
                yield from lines_of(found)
                bad = sorted((judged for judged in found.judged if judged.cost), key=lambda j: -j.cost)
                kept = [judged for judged in bad if judged.image is not None]
                told = bad[: max(WORST_TOLD, len(kept))]
                yield from (f"    {_fault(j)} {j.name} {_reasons(j)}" for j in told)
                self.worst += kept
                if not found.photographs:
                    self.readings += len(found.judged)
                    self.wrong += found.wrong
                    self.misled += found.misled
        bound = 100 * upper_bound(self.wrong, self.readings) if self.readings else 100.0
        yield (
            f"{self.readings} readings of throws: certain and wrong {self.wrong}, at most {bound:.3f} %"
            f" (95 %); dice listed wrong and unmarked {self.misled}"
        )
        yield peak_memory()

    def keep(self, folder: Path) -> int:
        """Write the pictures that were read wrong, each as it was and with what was seen; how many."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, judged in enumerate(self.worst):
            if judged.image is not None:
                cv2.imwrite(str(folder / f"{number:03d}.png"), judged.image)
        if self.worst:
            cv2.imwrite(str(folder / "sheet.png"), contact_sheet(self.worst))
        return len(self.worst)


def _fault(judged: Judged) -> str:
    return "misled" if judged.misled else str(judged.outcome)


def _reasons(judged: Judged) -> str:
    said = "; ".join(" ".join([problem.kind, *problem.colours]) for problem in judged.reading.problems)
    return f"({judged.group}) {said}"[:160]


def contact_sheet(worst: Sequence[Judged], columns: int = 3) -> Image:
    """The worst pictures side by side, each with what was seen in it."""
    tiles = []
    for judged in worst[:SHEET_PICTURES]:
        if judged.image is None:
            continue
        seen = draw_overlay(judged.image, judged.reading)
        height = round(SHEET_WIDTH * seen.shape[0] / seen.shape[1])
        tile = cast(Image, cv2.resize(seen, (SHEET_WIDTH, height), interpolation=cv2.INTER_AREA))
        label = f"{_fault(judged)} {judged.name} {judged.group}"
        cv2.putText(tile, label, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    tallest = max(tile.shape[0] for tile in tiles)
    padded = [np.pad(tile, ((0, tallest - tile.shape[0]), (0, 0), (0, 0))) for tile in tiles]
    padded += [np.zeros_like(padded[0])] * (-len(padded) % columns)
    rows = [np.hstack(padded[i : i + columns]) for i in range(0, len(padded), columns)]
    return np.vstack(rows)
