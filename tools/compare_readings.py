"""Whether pictures are still read the same, to the last number: for a change that should change no reading.

    python tools/compare_readings.py read FOLDER... --out before.jsonl [--calibrated]
    python tools/compare_readings.py compare before.jsonl after.jsonl

`read` reads every picture under the folders twice: for the six dice, and for any dice. With `--calibrated` a
folder that holds empty.jpg and calibrate.jpg is learnt first, and its pictures are read with what was learnt.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2

from vision.calibration.learning import calibrate
from vision.image.picture import PictureError, open_picture
from vision.memory.calibration import Calibration
from vision.reader import read_any, read_dice
from vision.reading import Reading

ENDINGS = {".jpg", ".jpeg", ".png"}
EMPTY, DICE = "empty.jpg", "calibrate.jpg"
MOST_SHOWN = 20
Line = Mapping[str, object]


def pictures_in(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)


def calibration_of(folder: Path) -> Calibration | None:
    if not (folder / EMPTY).exists() or not (folder / DICE).exists():
        return None
    return calibrate(open_picture(folder / EMPTY).image, open_picture(folder / DICE).image).calibration


def lines_of(folders: list[Path], *, calibrated: bool) -> Iterator[Line]:
    known: dict[Path, Calibration | None] = {}
    for path in pictures_in(folders):
        try:
            image = open_picture(path).image
        except PictureError as error:
            yield {"photo": str(path), "error": str(error)}
            continue
        if calibrated and path.parent not in known:
            known[path.parent] = calibration_of(path.parent)
        yield line_of(path, "six", read_dice(image, calibration=known.get(path.parent)))
        yield line_of(path, "any", read_any(image))


def line_of(path: Path, asked: str, reading: Reading) -> Line:
    """What counts of a reading, unrounded; how long it took does not."""
    dice = [
        [str(die.colour), die.pips, die.x, die.y, die.size, die.confidence, die.corners]
        for die in reading.dice
    ]
    return {
        "photo": str(path),
        "asked": asked,
        "certain": reading.certain,
        "kinds": [[str(problem.kind), *problem.colours] for problem in reading.problems],
        "lid": reading.lid,
        "dice": dice,
    }


def compare(before: Path, after: Path) -> int:
    """How many lines differ, the first of them shown field by field."""
    one, other = _by_picture(before), _by_picture(after)
    differing = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
    for key in sorted(differing)[:MOST_SHOWN]:
        was, now = one.get(key, {}), other.get(key, {})
        print(*key)
        for field in sorted(was.keys() | now.keys()):
            if was.get(field) != now.get(field):
                print(f"  {field}: {was.get(field)}\n     now: {now.get(field)}")
    print(f"{len(one)} readings before, {len(other)} after, {len(differing)} differ")
    return len(differing)


def _by_picture(file: Path) -> Mapping[tuple[str, str], Line]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(line["photo"], line.get("asked", "")): line for line in lines}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ways = parser.add_subparsers(dest="way", required=True)
    read = ways.add_parser("read")
    read.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    read.add_argument("--out", type=Path, required=True)
    read.add_argument("--calibrated", action="store_true")
    both = ways.add_parser("compare")
    both.add_argument("files", nargs=2, type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.way == "compare":
        return 1 if compare(*options.files) else 0
    cv2.setNumThreads(1)
    with options.out.open("w", encoding="utf-8") as out:
        for line in lines_of(options.folders, calibrated=options.calibrated):
            print(json.dumps(line), file=out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
