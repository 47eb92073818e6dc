"""The tables of the targets: how often readings are right, asked or wrong, and how long they take.

`python -m vision.scoring.evaluation SET...` prints them for folders with truth.jsonl (lids, tables) or
labels.json (photographs); `--sheet FILE` draws the worst pictures.
"""

import argparse
import json
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from vision.calibration.kept import Calibration, save
from vision.calibration.learning import calibrate
from vision.image.arrays import Image
from vision.image.picture import PictureError, open_picture
from vision.overlay import draw_overlay
from vision.reader import read_any, read_dice
from vision.reading import ALL_SIX, DieColour, Reading, SeenDie

Truth = dict[str, Any]  # one line of a truth file: JSON, as the generator wrote it
SEEN_ENOUGH, CONTRAST_ENOUGH = 0.75, 8.0  # below them a person could not tell either
SAME_PLACE, NEAR_UNCLEAR = 0.6, 0.8  # of a die's size
SHEET_PICTURES = 24
SHEET_WIDTH = 480


class Outcome(StrEnum):
    """How an answer compares with what lies in the lid."""

    RIGHT = "right"
    ASKED = "asked"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Judged:
    """One picture, its answer and how good that was; `cost` ranks the worst."""

    path: Path
    group: str
    reading: Reading
    outcome: Outcome
    cost: int
    milliseconds: float


@dataclass(slots=True)
class Evaluated:
    """All answers of one set, and for photographs the count of dice."""

    name: str
    judged: list[Judged] = field(default_factory=list)
    dice: dict[str, Counter[str]] = field(default_factory=dict)


def expected_dice(truth: Truth) -> tuple[DieColour, ...]:
    """All six, less the locked ones."""
    tags = cast(list[str], truth.get("tags", []))
    locked = {c for tag in tags if tag.startswith("locked:") for c in tag[7:].split(",")}
    return tuple(colour for colour in ALL_SIX if colour not in locked)


def outcome_of(truth: Truth, reading: Reading) -> Outcome:
    """Right is certain and exactly so, or asked where nobody could be certain."""
    inside = [die for die in truth["dice"] if die["in_lid"]]
    complete = Counter(str(die["colour"]) for die in inside) == Counter(map(str, expected_dice(truth)))
    readable = complete and all(die.get("state", "flat") == "flat" and die["pips"] for die in inside)
    doubtful = any(
        die.get("visible", 1) < SEEN_ENOUGH or die.get("contrast", 99) < CONTRAST_ENOUGH for die in inside
    )
    if not reading.certain:
        return Outcome.ASKED if readable and not doubtful else Outcome.RIGHT
    want = Counter((str(die["colour"]), die["pips"]) for die in inside)
    got = Counter((str(die.colour), die.pips) for die in reading.dice)
    return Outcome.RIGHT if readable and got == want else Outcome.WRONG


def truths_in(folder: Path) -> list[Truth]:
    """The lines of a truth file whose pictures are there."""
    lines = (folder / "truth.jsonl").read_text().splitlines()
    truths = [cast(Truth, json.loads(line)) for line in lines if line.strip()]
    return [truth for truth in truths if (folder / truth["file"]).exists()]


def judge_lids(folder: Path) -> Evaluated:
    """Single lids, read without calibration."""
    found = Evaluated(str(folder))
    for truth in truths_in(folder):
        found.judged.append(_judged(folder / truth["file"], truth, None))
    return found


def judge_tables(folder: Path, work: Path) -> Evaluated:
    """Fixed tables: each is calibrated from its two pictures, then its throws are read."""
    found = Evaluated(str(folder))
    for table in sorted(folder.glob("table_*")):
        known = calibrated(table, work / f"{table.name}.toml")
        for truth in truths_in(table):
            if truth.get("kind") == "throw":
                found.judged.append(_judged(table / truth["file"], truth, known))
    return found


def calibrated(table: Path, out: Path) -> Calibration | None:
    """The calibration of a table, kept as the program keeps it; None if it cannot be learnt."""
    empty = open_picture(table / "empty.jpg").image
    learnt = calibrate(empty, open_picture(table / "calibrate.jpg").image)
    for problem in (*learnt.problems, *learnt.warnings):
        print(f"  {table.name}: {problem.kind} {' '.join(problem.colours)}", file=sys.stderr)  # noqa: T201 - runnable as a module
    return save(learnt.calibration, out, empty) if learnt.calibration else None


def _judged(path: Path, truth: Truth, known: Calibration | None) -> Judged:
    reading = read_dice(open_picture(path).image, expected_dice(truth), known)
    outcome = outcome_of(truth, reading)
    cost = {Outcome.WRONG: 1000, Outcome.ASKED: 100 + len(reading.problems), Outcome.RIGHT: 0}[outcome]
    group = path.parent.name if path.parent.name.startswith("table_") else str(truth["preset"])
    return Judged(path, group, reading, outcome, cost, reading.milliseconds)


def judge_photos(folder: Path) -> Evaluated:
    """Photographs of dice of any kind: matched by place."""
    found = Evaluated(str(folder))
    for entry in cast(list[Truth], json.loads((folder / "labels.json").read_text())):
        path = folder / entry["file"]
        try:
            picture = open_picture(path)
        except PictureError:
            continue
        reading = read_any(picture.image).enlarged(picture.scale)
        counts = match_photo(entry, reading.dice)
        view = str(entry.get("view", "all"))
        found.dice.setdefault(view, Counter()).update(counts)
        missed = counts["dice"] - counts["pips right"] + counts["extra"]
        outcome = Outcome.WRONG if counts["misread"] else Outcome.ASKED if missed else Outcome.RIGHT
        shown = reading.enlarged(1 / picture.scale)
        found.judged.append(Judged(path, view, shown, outcome, missed, reading.milliseconds))
    return found


def match_photo(entry: Truth, seen: Sequence[SeenDie]) -> Counter[str]:
    """Nearest first; dice labelled unclear count neither way."""
    known = [die for die in entry["dice"] if isinstance(die["pips"], int)]
    unclear = [die for die in entry["dice"] if not isinstance(die["pips"], int)]
    pairs = sorted(
        (float(np.hypot(die["x"] - s.x, die["y"] - s.y)) / die["size"], i, j)
        for i, die in enumerate(known)
        for j, s in enumerate(seen)
    )
    taken: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance < SAME_PLACE and i not in taken and j not in taken.values():
            taken[i] = j
    counts = Counter({"photos": 1, "dice": len(known), "found": len(taken)})
    for i, j in taken.items():
        counts["pips right" if seen[j].pips == known[i]["pips"] else "misread"] += 1
        if known[i]["colour"] in set(map(str, ALL_SIX)):
            counts["coloured"] += 1
            counts["colour right"] += str(seen[j].colour) == known[i]["colour"]
    for j, s in enumerate(seen):
        near = any(np.hypot(die["x"] - s.x, die["y"] - s.y) < NEAR_UNCLEAR * die["size"] for die in unclear)
        counts["extra"] += j not in taken.values() and not near
    counts["whole"] = int(counts["pips right"] == counts["dice"] and not counts["extra"])
    return counts


def lines_of(found: Evaluated) -> Iterator[str]:
    """The table of one set in words."""
    yield f"{found.name}: {len(found.judged)} pictures"
    if found.dice:
        yield from _photo_lines(found)
    else:
        yield from _lid_lines(found)
    yield from _time_lines(found)


def _lid_lines(found: Evaluated) -> Iterator[str]:
    groups: dict[str, Counter[Outcome]] = defaultdict(Counter)
    for judged in found.judged:
        groups[judged.group][judged.outcome] += 1
    total: Counter[Outcome] = sum(groups.values(), Counter())
    for group, counts in [*sorted(groups.items()), ("ALL", total)]:
        share = {outcome: 100 * counts[outcome] / max(1, counts.total()) for outcome in Outcome}
        yield (
            f"  {group:20} right {share[Outcome.RIGHT]:5.1f} %   asked {share[Outcome.ASKED]:5.1f} %"
            f"   WRONG {counts[Outcome.WRONG]}   of {counts.total()}"
        )


def _photo_lines(found: Evaluated) -> Iterator[str]:
    total: Counter[str] = sum(found.dice.values(), Counter())
    for view, counts in [*sorted(found.dice.items()), ("ALL", total)]:
        dice, coloured = max(1, counts["dice"]), max(1, counts["coloured"])
        yield (
            f"  {view:20} found {100 * counts['found'] / dice:5.1f} %"
            f"   pips right {100 * counts['pips right'] / dice:5.1f} %"
            f"   misread {100 * counts['misread'] / dice:5.1f} %"
            f"   colour right {100 * counts['colour right'] / coloured:5.1f} %"
            f"   extra {counts['extra']}   whole {counts['whole']}/{counts['photos']}"
        )


def _time_lines(found: Evaluated) -> Iterator[str]:
    times: dict[str, list[float]] = defaultdict(list)
    for judged in found.judged:
        times["total"].append(judged.milliseconds)
        for step in judged.reading.stages:
            times[step.name].append(step.milliseconds)
    for stage, values in times.items():
        middle, high = np.percentile(values, [50, 95])
        yield f"  time {stage:15} median {middle:6.1f} ms   p95 {high:6.1f} ms"


def peak_memory() -> str:
    """The most memory this process has held."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"peak memory {size / (1024 if sys.platform == 'linux' else 1024**2):.0f} MB"


def evaluate(folder: Path, work: Path) -> Evaluated:
    """A set of whatever kind its files show it to be; ValueError if it is none."""
    judge: Callable[[], Evaluated]
    if (folder / "labels.json").exists():
        judge = lambda: judge_photos(folder)  # noqa: E731 - one of three, chosen by what is there
    elif (folder / "truth.jsonl").exists():
        judge = lambda: judge_lids(folder)  # noqa: E731
    elif any(folder.glob("table_*")):
        judge = lambda: judge_tables(folder, work)  # noqa: E731
    else:
        raise ValueError(f"{folder} holds no truth.jsonl, labels.json or table_* folders")
    return judge()


def report(folders: Sequence[Path], work: Path, sheet: Path | None = None) -> str:
    """The tables of all sets, and if wanted the worst pictures drawn on one sheet."""
    lines: list[str] = []
    worst: list[Judged] = []
    for folder in folders:
        found = evaluate(folder, work)
        lines += lines_of(found)
        bad = sorted((judged for judged in found.judged if judged.cost), key=lambda judged: -judged.cost)
        worst += bad
        lines += [f"    {j.outcome:6} {j.path.name} {_reasons(j)}" for j in bad[:10]]
    lines.append(peak_memory())
    if sheet is not None and worst:
        cv2.imwrite(str(sheet), contact_sheet(sorted(worst, key=lambda judged: -judged.cost)))
    return "\n".join(lines)


def _reasons(judged: Judged) -> str:
    return "; ".join(" ".join([problem.kind, *problem.colours]) for problem in judged.reading.problems)[:160]


def contact_sheet(worst: Sequence[Judged], columns: int = 3) -> Image:
    """The worst pictures side by side, each with what was seen in it."""
    tiles = []
    for judged in worst[:SHEET_PICTURES]:
        seen = draw_overlay(open_picture(judged.path).image, judged.reading)
        height = round(SHEET_WIDTH * seen.shape[0] / seen.shape[1])
        tile = cast(Image, cv2.resize(seen, (SHEET_WIDTH, height), interpolation=cv2.INTER_AREA))
        label = f"{judged.outcome} {judged.path.parent.name}/{judged.path.name}"
        cv2.putText(tile, label, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    tallest = max(tile.shape[0] for tile in tiles)
    padded = [np.pad(tile, ((0, tallest - tile.shape[0]), (0, 0), (0, 0))) for tile in tiles]
    padded += [np.zeros_like(padded[0])] * (-len(padded) % columns)
    rows = [np.hstack(padded[i : i + columns]) for i in range(0, len(padded), columns)]
    return np.vstack(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="vision.scoring.evaluation", description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="draw the worst pictures into this PNG")
    parser.add_argument("--work", type=Path, default=Path("build"), help="where calibrations are kept")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    print(report(options.sets, options.work, options.sheet))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
