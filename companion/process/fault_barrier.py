"""A barrier round each part that the game can do without: its faults are told, and stop nothing else."""

import logging
import time
from collections.abc import Callable, Iterable
from enum import StrEnum
from types import TracebackType
from typing import Self

HANGS_AFTER_SECONDS = 30.0  # longer than the longest sentence that is spoken
LONGEST_TEXT = 200
_log = logging.getLogger(__name__)


class BoxPart(StrEnum):
    """What shows, sounds or listens beside the phones, and what the host does now and then."""

    LAMPS = "lamps"
    BUTTONS = "buttons"
    VOICE = "voice"
    TERMINAL = "terminal"
    DICE = "dice"  # the hands at a simulated table
    GAME_CLOCK = "game-clock"  # what is due at a time: the lot's end, moving on
    COMPANY = "company"  # players of the program
    MQTT = "mqtt"
    ROUNDS = "rounds"  # set-up pages that were closed, a look that hangs


class FaultBarrier:
    """`with barrier: ...` round each call of a part, in the part's own thread: no fault gets out of it.

    A new fault is logged with its traceback; /health and the table display tell of it as long as it lasts.
    The part is tried anew with its next call.
    """

    def __init__(self, part: BoxPart, clock: Callable[[], float] = time.monotonic) -> None:
        self.part = part
        self.fault = ""  # the newest, in one line
        self.is_broken = False  # the newest call was
        self._clock = clock
        self._called_at: float | None = None

    @property
    def hanging_seconds(self) -> float:
        """How long the call under way takes, once that is too long; else 0."""
        since = self._called_at
        seconds = 0.0 if since is None else self._clock() - since
        return seconds if seconds > HANGS_AFTER_SECONDS else 0.0

    def __enter__(self) -> Self:
        self._called_at = self._clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._called_at = None
        self.is_broken = isinstance(error, Exception)
        if not isinstance(error, Exception):
            return False
        fault = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_TEXT]
        if fault != self.fault:
            _log.error("%s out of order", self.part, exc_info=error)
        self.fault = fault
        return True


def out_of_order(barriers: Iterable[FaultBarrier]) -> tuple[BoxPart, ...]:
    """The parts that do nothing at present."""
    found = {barrier.part for barrier in barriers if barrier.is_broken or barrier.hanging_seconds}
    return tuple(part for part in BoxPart if part in found)
