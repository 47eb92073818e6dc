"""What confirmed rolls are worth: evenings of ten throws under a light that changes, with and without them.

    python -m vision.scoring.teaching [--simulated N] [--first SEED] [--lamp …] [--strength X] FOLDER...

Each FOLDER, or each folder in it, is a fixed table: empty.jpg, calibrate.jpg, throws and a truth.jsonl. The
light of an evening goes from that of the calibration to the lamp's, a tenth more with each throw.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.calibration.learning import calibrate
from vision.calibration.teaching import TeachingError, labelled, measured
from vision.cameras.clock import StepClock
from vision.colour.bodies import linear, shown
from vision.image.arrays import Image
from vision.image.picture import open_picture
from vision.memory.calibration import TaughtRoll, save
from vision.memory.taught import Taught
from vision.reader import read_dice
from vision.reading import DieColour, Reading
from vision.scoring.outcomes import Outcome, misled_by, outcome_of, taps_of
from vision.scoring.sources import AT_REST, DICE, EMPTY, drawn_scene
from vision.scoring.truth import TrueScene, load
from vision.simulation.table import SimulatedCamera, SimulatedTable

THROWS = 10
BETWEEN = 120.0  # seconds from throw to throw
LAMPS = {  # logarithms by which red, green and blue change
    "none": (0.0, 0.0, 0.0),
    "bulb": (0.25, -0.2, -0.9),  # from daylight to a lamp of 2,700 kelvin, white balance held
    "dim": (-1.35, -1.8, -2.5),  # the same, and four times darker
    "party": (0.1, -1.4, 0.2),  # a purple one
}
COUNTED = ("wrong", "misled", "colours asked")
_LINEAR = linear(np.arange(256) / 255).astype(np.float32)


@dataclass(frozen=True, slots=True)
class TaughtThrow:
    """One picture of an evening and what lies there."""

    image: Image
    scene: TrueScene


@dataclass(frozen=True, slots=True)
class TaughtEvening:
    """A table with its calibration pictures and its throws."""

    name: str
    empty: Image
    dice: Image
    throws: Iterator[TaughtThrow]


def lit(image: Image, change: Sequence[float]) -> Image:
    """The picture under another light; logarithms of red, green and blue."""
    gains = np.exp(np.array(change[::-1], np.float32))
    return np.rint(shown(np.asarray(_LINEAR[image] * gains, np.float64)) * 255).astype(np.uint8)


def simulated(seed: int) -> TaughtEvening:
    table = SimulatedTable(seed, clock=StepClock())
    camera = SimulatedCamera(table)
    camera.open()
    empty = camera.frame().image
    table.lay_out()
    return TaughtEvening(f"simulated {seed}", empty, camera.frame().image, _thrown(table, camera, seed))


def _thrown(table: SimulatedTable, camera: SimulatedCamera, seed: int) -> Iterator[TaughtThrow]:
    for number in range(THROWS):
        table.throw(odd=False)
        table.clock.wait(AT_REST)
        yield TaughtThrow(camera.frame().image, drawn_scene(table, f"{seed}-{number}"))


def filmed(folder: Path) -> TaughtEvening:
    scenes = [scene for scene in load(folder) if scene.kind == "throw"][:THROWS]
    throws = (TaughtThrow(open_picture(scene.path).image, scene) for scene in scenes)
    pictures = [open_picture(folder / name).image for name in (EMPTY, DICE)]
    return TaughtEvening(folder.name, pictures[0], pictures[1], throws)


def played(evening: TaughtEvening, lamp: Sequence[float], work: Path) -> Counter[str] | None:
    """Every throw read twice, untaught and taught; None if the table cannot be calibrated."""
    learnt = calibrate(evening.empty, evening.dice).calibration
    if learnt is None:
        return None
    plain = save(learnt, work / "calibration.toml", evening.empty)
    counts: Counter[str] = Counter()
    taught = Taught()
    for number, throw in enumerate(evening.throws):
        image = lit(throw.image, [(number + 1) / THROWS * change for change in lamp])
        known = replace(plain, taught=taught.rolls)
        before = read_dice(image, throw.scene.expected, plain)
        after = read_dice(image, throw.scene.expected, known) if taught.rolls else before
        half = "first" if number < THROWS // 2 else "second"
        for how, reading in (("untaught", before), ("taught", after)):
            counts += _counted(f"{how} {half}", throw.scene, reading)
        counts["changed"] += _answer(before) != _answer(after)
        counts["right made wrong"] += _is_worse(throw.scene, before, after)
        taught, is_taught = _and_this(taught, image, after, throw.scene, BETWEEN * number)
        counts["rolls that taught"] += is_taught
    return counts


def _counted(which: str, scene: TrueScene, reading: Reading) -> Counter[str]:
    taps = taps_of(scene, reading)
    counts = Counter({f"{which} taps": taps or 0, f"{which} rolls": int(taps is not None)})
    counts[f"{which} wrong"] += outcome_of(scene, reading) is Outcome.WRONG
    counts[f"{which} misled"] += misled_by(scene, reading)
    counts[f"{which} colours asked"] += any("colour" in problem.kind for problem in reading.problems)
    return counts


def _answer(reading: Reading) -> object:
    return reading.certain, sorted((die.colour, die.pips, die.doubtful) for die in reading.dice)


def _is_worse(scene: TrueScene, before: Reading, after: Reading) -> bool:
    was, now = outcome_of(scene, before), outcome_of(scene, after)
    return now is Outcome.WRONG and was is not Outcome.WRONG


def _and_this(
    taught: Taught, image: Image, reading: Reading, scene: TrueScene, now: float
) -> tuple[Taught, bool]:
    """As the companion does once players let a roll stand."""
    confirmed = [(DieColour(str(die.colour)), die.number or 0) for die in scene.inside]
    try:
        dice = labelled(reading.dice, confirmed)
    except TeachingError:
        return taught, False
    return taught.and_one(TaughtRoll(now, measured(image, dice))), True


def lines_of(evenings: Iterator[TaughtEvening], lamp: str, strength: float) -> Iterator[str]:
    total: Counter[str] = Counter()
    change = [strength * part for part in LAMPS[lamp]]
    with tempfile.TemporaryDirectory() as work:
        for evening in evenings:
            counts = played(evening, change, Path(work))
            total["tables"] += counts is not None
            total["not calibrated"] += counts is None
            total += counts or Counter()
    yield f"lamp {lamp} x {strength:g}: {total['tables']} tables, {total['not calibrated']} not calibrated"
    yield from (_line(how, total) for how in ("untaught", "taught"))
    yield (
        f"  {total['rolls that taught']} rolls taught, {total['changed']} readings changed,"
        f" {total['right made wrong']} made wrong"
    )


def _line(how: str, total: Counter[str]) -> str:
    parts = [f"{how} {half}" for half in ("first", "second")]
    first, second = (total[f"{part} taps"] / max(1, total[f"{part} rolls"]) for part in parts)
    counts = {what: sum(total[f"{part} {what}"] for part in parts) for what in COUNTED}
    others = ", ".join(f"{what} {count}" for what, count in counts.items())
    return f"  {how:9} taps a roll {first:.3f} in throws 1 to 5, {second:.3f} in 6 to 10; {others}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="vision.scoring.teaching", description=str(__doc__).splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--simulated", type=int, default=0, metavar="N", help="simulated tables")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="of the first of them")
    parser.add_argument("--lamp", choices=LAMPS, default="bulb")
    parser.add_argument("--strength", type=float, default=1.0, metavar="X")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    tables = [path for folder in options.folders for path in sorted(folder.glob("table_*")) or [folder]]
    drawn = (simulated(options.first + number) for number in range(options.simulated))
    evenings = (evening for some in (map(filmed, tables), drawn) for evening in some)
    for line in lines_of(evenings, options.lamp, options.strength):
        print(line, flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
