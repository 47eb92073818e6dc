"""Sources read one after the other, by as many processes as wanted; the worst of each told and kept.

It tells as it goes, and what it has so far when it is stopped.
"""

import multiprocessing
import resource
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import cast

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.overlay import draw_overlay
from vision.scoring.curve import upper_bound
from vision.scoring.evaluation import Evaluated, Judged, JudgedPart, judged_part, lines_of
from vision.scoring.sources import Source

SHEET_PICTURES, SHEET_WIDTH = 24, 480
WORST_TOLD = 10
TELL_EVERY = 1000  # readings


def peak_memory() -> str:
    """The most memory that a process of this run has held."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    size = max(resource.getrusage(who).ru_maxrss for who in whose)
    return f"peak memory {size / (1024 if sys.platform == 'linux' else 1024**2):.0f} MB"


@dataclass(slots=True)
class Gathered:
    """The answers of one source, as they come."""

    source: Source
    plain: Evaluated = field(init=False)
    spoilt: Evaluated = field(init=False)

    def __post_init__(self) -> None:
        name, photographs = self.source.name, self.source.photographs
        self.plain, self.spoilt = Evaluated(name, photographs), Evaluated(f"{name}, spoilt", photographs)

    def add(self, part: JudgedPart) -> None:
        self.plain.judged += part.plain
        self.spoilt.judged += part.spoilt

    @property
    def found(self) -> list[Evaluated]:
        return [found for found in (self.plain, self.spoilt) if found.judged]


@dataclass(slots=True)
class Report:
    """What was read in sources, and how much of it was wrong."""

    spoilings: int = 0
    jobs: int = 1
    readings: int = 0
    wrong: int = 0
    misled: int = 0
    worst: list[Judged] = field(default_factory=list)

    def lines(self, sources: Sequence[Source]) -> Iterator[str]:
        with _stopped_by_hand() as stop, _judged(sources, self.spoilings, self.jobs) as answers:
            for source in sources:
                gathered = Gathered(source)
                for _ in source.parts:
                    if stop.is_set():
                        break
                    part = next(answers)
                    gathered.add(part)
                    yield from self._counted(source, part)
                for found in gathered.found:
                    yield from lines_of(found)
                    yield from self._worst_of(found)
        if stop.is_set():
            yield "stopped by hand: this is what was read until then"
        yield self._in_sum()
        yield peak_memory()

    def _counted(self, source: Source, part: JudgedPart) -> Iterator[str]:
        """Count it; now and then how all stands."""
        if source.photographs:
            return
        before = self.readings
        judged = [*part.plain, *part.spoilt]
        told = Evaluated(source.name, judged=judged)
        self.readings += len(judged)
        self.wrong += told.wrong
        self.misled += told.misled
        if before // TELL_EVERY < self.readings // TELL_EVERY:
            yield f"so far {self._in_sum()}"

    def _in_sum(self) -> str:
        bound = 100 * upper_bound(self.wrong, self.readings) if self.readings else 100.0
        return (
            f"{self.readings} readings of throws: certain and wrong {self.wrong}, at most {bound:.3f} %"
            f" (95 %); dice listed wrong and unmarked {self.misled}"
        )

    def _worst_of(self, found: Evaluated) -> Iterator[str]:
        bad = sorted((judged for judged in found.judged if judged.cost), key=lambda j: -j.cost)
        kept = [judged for judged in bad if judged.image is not None]
        self.worst += kept
        yield from (f"    {_fault(j)} {j.name} {_reasons(j)}" for j in bad[: max(WORST_TOLD, len(kept))])

    def keep(self, folder: Path) -> int:
        """Write the pictures that were read wrong, each as it was and with what was seen; how many."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, judged in enumerate(self.worst):
            if judged.image is not None:
                cv2.imwrite(str(folder / f"{number:03d}.png"), judged.image)
        if self.worst:
            cv2.imwrite(str(folder / "sheet.png"), contact_sheet(self.worst))
        return len(self.worst)


@contextmanager
def _judged(sources: Sequence[Source], spoilings: int, jobs: int) -> Iterator[Iterator[JudgedPart]]:
    """The answers of all parts in their order; those of several processes are the same."""
    parts = [part for source in sources for part in source.parts]
    photographs = [source.photographs for source in sources for _ in source.parts]
    turns = [spoilings] * len(parts)
    if jobs < 2:
        yield map(judged_part, parts, photographs, turns)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)
    try:
        yield pool.map(judged_part, parts, photographs, turns)
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Of a process: it is stopped by the first one alone, and leaves the other processors to others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)


@contextmanager
def _stopped_by_hand() -> Iterator[threading.Event]:
    """Set by Ctrl+C, which ends the reading and not the report."""
    stop = threading.Event()

    def stopped(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = signal.signal(signal.SIGINT, stopped)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


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
