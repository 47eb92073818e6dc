"""Sources read one after the other, by as many processes as wanted; the worst of each told and kept.

It tells as it goes, and what it has so far when it is stopped.
"""

import multiprocessing
import resource
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
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
from vision.scoring.sources import Part, Source

SHEET_PICTURES, SHEET_WIDTH = 24, 480
WORST_TOLD = 10
TELL_EVERY = 1000  # readings
LOOK_SECONDS = 0.5  # how often it is seen whether somebody stops it


def peak_memory() -> str:
    """The most memory that a process of this run has held."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    size = max(resource.getrusage(who).ru_maxrss for who in whose)
    return f"peak memory {size / (1024 if sys.platform == 'linux' else 1024**2):.0f} MB"


@dataclass(slots=True)
class Gathered:
    """The answers of one source, as they come."""

    source: Source
    parts: dict[int, JudgedPart] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        return len(self.parts) == len(self.source.parts)

    @property
    def found(self) -> list[Evaluated]:
        """As it is and spoilt, in the order of the pictures."""
        name, photographs = self.source.name, self.source.photographs
        plain, spoilt = Evaluated(name, photographs), Evaluated(f"{name}, spoilt", photographs)
        for _, part in sorted(self.parts.items()):
            plain.judged += part.plain
            spoilt.judged += part.spoilt
        return [found for found in (plain, spoilt) if found.judged]


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
        gathered = [Gathered(source) for source in sources]
        with _stopped_by_hand() as stop:
            for task, part in _judged(sources, self.spoilings, self.jobs, stop):
                of = gathered[task.source]
                of.parts[task.part] = part
                yield from self._counted(of.source, part)
                if of.is_whole:
                    yield from self._source_lines(of)
        if stop.is_set():
            for of in gathered:
                yield from () if of.is_whole else self._source_lines(of)
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

    def _source_lines(self, gathered: Gathered) -> Iterator[str]:
        for found in gathered.found:
            yield from lines_of(found)
            yield from self._worst_of(found)

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


@dataclass(frozen=True, slots=True)
class Task:
    """One part of one source, by their numbers."""

    source: int
    part: int


def _judged(
    sources: Sequence[Source], spoilings: int, jobs: int, stop: threading.Event
) -> Iterator[tuple[Task, JudgedPart]]:
    """The answers of all parts as they come; those of several processes are the same."""
    tasks = [Task(i, j) for i, source in enumerate(sources) for j in range(len(source.parts))]
    asked = [(sources[t.source].parts[t.part], sources[t.source].photographs, spoilings) for t in tasks]
    if jobs > 1:
        yield from _by_processes(dict(zip(tasks, asked, strict=True)), jobs, stop)
        return
    for task, call in zip(tasks, asked, strict=True):
        if stop.is_set():
            return
        yield task, judged_part(*call)


def _by_processes(
    asked: Mapping[Task, tuple[Part, bool, int]], jobs: int, stop: threading.Event
) -> Iterator[tuple[Task, JudgedPart]]:
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)
    try:
        running = {pool.submit(judged_part, *call): task for task, call in asked.items()}
        while running and not stop.is_set():
            done, _ = wait(running, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()
        if stop.is_set():
            for process in multiprocessing.active_children():
                process.terminate()  # what they read now would take minutes more
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
