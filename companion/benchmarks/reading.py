"""How long a picture takes to read, on one core in processor time: the shortest of three times counts."""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2

from companion.benchmarks.figure import Figure, at_most, plain
from vision.image.arrays import Image
from vision.image.picture import decoded, open_picture
from vision.reader import read_dice
from vision.reading import Reading

USUAL, LARGE = 1024, 4000  # pixels along: of a camera over a table, and of a phone's 12 megapixels
ENDING = ".jpg"
TIMES = 3
MOST_LARGE = 12  # pictures
AIM, AIM_WORST, AIM_LARGE = 20, 150, 120  # milliseconds


def figures(folders: Sequence[Path]) -> Iterator[Figure]:
    """Of all pictures below the folders: whole readings, their stages, and pictures of a phone's size."""
    cv2.setNumThreads(1)
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix == ENDING)
    if not files:
        return
    pictures = [_so_long(open_picture(path).image, USUAL) for path in files]
    read_dice(pictures[0])  # loads the networks
    took = [_shortest(partial(read_dice, picture)) for picture in pictures]
    whole = [milliseconds for milliseconds, _ in took]
    yield plain("pictures", len(pictures), "")
    yield at_most(f"{USUAL} pixels along, median", statistics.median(whole), AIM, "ms")
    yield at_most(f"{USUAL} pixels along, worst", max(whole), AIM_WORST, "ms")
    stages: dict[str, list[float]] = defaultdict(list)
    for milliseconds, reading in took:
        busy = milliseconds / reading.milliseconds  # the rest of the time the core was somebody else's
        for stage in reading.stages:
            stages[stage.name].append(busy * stage.milliseconds)
    for name, found in stages.items():
        yield plain(f"of it {name}, median of {len(found)}", statistics.median(found), "ms")
    large = [_as_photograph(picture) for picture in pictures[:: max(1, len(pictures) // MOST_LARGE)]]
    long = [_shortest(partial(_opened, sent))[0] for sent in large]
    yield at_most("12 megapixels, opened and read, median", statistics.median(long), AIM_LARGE, "ms")


def _opened(content: bytes) -> Reading:
    return read_dice(decoded(content).image)


def _shortest(read: Callable[[], Reading]) -> tuple[float, Reading]:
    """Milliseconds of processor time, and that reading."""
    found = []
    for _ in range(TIMES):
        start = time.thread_time()
        reading = read()
        found.append((1000 * (time.thread_time() - start), reading))
    return min(found, key=lambda one: one[0])


def _so_long(image: Image, pixels: int) -> Image:
    factor = pixels / max(image.shape[:2])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    sized = image if factor == 1 else cv2.resize(image, None, fx=factor, fy=factor, interpolation=how)
    return sized.astype("uint8", copy=False)


def _as_photograph(image: Image) -> bytes:
    return cv2.imencode(ENDING, _so_long(image, LARGE))[1].tobytes()
