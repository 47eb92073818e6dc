"""Filmed throws against their truth: is each change told, when, and are the dice read? Knows no game.

    python -m vision.scoring.sequences FOLDER...

Each FOLDER, or each folder in it, holds pictures and a truth.jsonl with `file`, `t`, `state` (empty, moving,
still), `hand` and, of the last line at least, the dice.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from vision.cameras.steady import Steady
from vision.cameras.video import Filmed
from vision.image.picture import open_picture
from vision.reader import read_dice
from vision.reading import Reading
from vision.scoring.outcomes import Outcome, outcome_of
from vision.scoring.truth import TrueScene, rendered_lines, rendered_scene
from vision.watching import Change, State, Watching

Line = Mapping[str, Any]
STILL = "still"  # the truth's word for dice at rest


def changes_of(folder: Path, truths: Sequence[Line], scene: TrueScene) -> Iterator[Change]:
    watching = Watching(lambda image: read_dice(image, scene.expected), Steady())
    for truth in truths:
        if change := watching.take_in(Filmed(open_picture(folder / truth["file"]), float(truth["t"]))):
            yield change
    if change := watching.end():
        yield change


def judged(truths: Sequence[Line], scene: TrueScene, changes: Sequence[Change]) -> Counter[str]:
    """How many pictures of each state were told right, and how the readings were."""
    counts: Counter[str] = Counter()
    for truth in truths:
        told = [change for change in changes if change.at <= truth["t"]]
        wanted = _wanted(truth)
        counts[f"{wanted} pictures"] += 1
        counts[f"{wanted} right"] += bool(told) and _fits(told[-1].state, wanted)
        counts["rest told while dice move"] += bool(told) and truth["state"] == "moving" and _rests(told[-1])
    readings = [change.reading for change in changes if change.reading is not None]
    counts["rests told"] += len(readings)
    for reading in readings:
        counts[f"readings {outcome_of(scene, reading)}"] += 1
    for change in changes[-1:]:
        first = next(float(truth["t"]) for truth in truths if truth["state"] == STILL)
        counts["milliseconds from still to rest"] += round(1000 * (change.at - first))
    return counts


def _wanted(truth: Line) -> State:
    if truth["state"] == STILL:
        return State.REST
    return State.HAND if truth.get("hand") else State(truth["state"])


def _fits(told: State, wanted: State) -> bool:
    """A hand that throws moves dice: either word is right for it."""
    return told is wanted or (wanted is State.HAND and told is State.MOVING)


def _rests(change: Change) -> bool:
    return change.state in {State.REST, State.EMPTY}


def folders_in(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        inner = sorted(path.parent for path in folder.glob("*/truth.jsonl"))
        yield from inner or [folder]


def lines_of(folders: Sequence[Path]) -> Iterator[str]:
    total: Counter[str] = Counter()
    for folder in folders_in(folders):
        truths = list(rendered_lines(folder))
        scene = rendered_scene(folder, truths[-1])
        changes = list(changes_of(folder, truths, scene))
        total += judged(truths, scene, changes)
        total["sequences"] += 1
        total["sequences in which the hand is told"] += any(change.state is State.HAND for change in changes)
        told = ", ".join(f"{change.at:.1f} {change.state}" for change in changes)
        yield f"{folder.name}: {told}; {_dice(changes[-1].reading) if changes else 'nothing told'}"
    for state in State:
        yield f"{state}: {total[f'{state} right']} of {total[f'{state} pictures']} pictures told right"
    for outcome in Outcome:
        yield f"readings {outcome}: {total[f'readings {outcome}']} of {total['rests told']}"
    yield f"rest told while dice move: {total['rest told while dice move']} pictures"
    hands = total["sequences in which the hand is told"]
    yield f"the hand is told in {hands} of {total['sequences']} sequences"
    late = total["milliseconds from still to rest"] / max(1, total["sequences"])
    yield f"rest is told {late:.0f} ms after the first still picture"


def _dice(reading: Reading | None) -> str:
    if reading is None:
        return "no rest at the end"
    dice = " ".join(sorted(f"{die.colour}-{die.pips}" for die in reading.dice))
    return dice if reading.certain else f"not sure: {dice}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="vision.scoring.sequences", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    for line in lines_of(options.folders):
        print(line, flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
