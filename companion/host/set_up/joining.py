"""Where the set-up of a table is kept, and the cameras there are to choose from."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.host.set_up.progress import FOLDER, Progress, ProgressError, keep, load
from companion.view.setting_up import Step
from companion.words import english
from vision.cameras.found import FoundCamera

LOOK_AGAIN_SECONDS = 10.0


class Remembered:
    """Which cameras there are, looked for now and then: pages ask each second, libcamera takes long."""

    def __init__(
        self, find: Callable[[], tuple[FoundCamera, ...]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find = find
        self._clock = clock
        self._mutex = threading.Lock()
        self._found: tuple[FoundCamera, ...] = ()
        self._looked_at = -math.inf

    def __call__(self) -> tuple[FoundCamera, ...]:
        with self._mutex:
            if self._clock() - self._looked_at > LOOK_AGAIN_SECONDS:
                self._found, self._looked_at = self._find(), self._clock()
            return self._found


def home_of(state: Path, simulated: str | None) -> Path:
    """Where a table's calibration is. Each simulated table has a place of its own: its lid is another one."""
    return state if simulated is None else state / f"simulated-{simulated}"


def progress_in(home: Path, notes: list[str]) -> Progress:
    """How far the set-up came; with a note, and from the beginning, if that cannot be read."""
    try:
        return load(home / FOLDER)
    except ProgressError as error:
        notes.append(f"{english(error)}.")
        return Progress()


def remember_camera(home: Path, setting: str) -> None:
    """For the next start of the real table, whose set-up is another one than that of the simulated table."""
    before = progress_in(home, [])
    keep(replace(before.without(Step.CAMERA), camera=setting), home / FOLDER)
