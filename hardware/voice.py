"""Speaks through espeak-ng, in its own thread, the newest first to matter. Never keeps the game waiting."""

import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from boxlid.errors import BoxlidError, Statement, StatementKind
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.view.sayings import Saying
from hardware.spoken import sentence

PROGRAM = "espeak-ng"
LOUDEST = 200  # espeak-ng's own scale; 100 is its usual loudness
WORDS_A_MINUTE = 150
MOST_WAITING = 6
LONGEST_SENTENCE_SECONDS = 20.0


class VoiceFault(StatementKind):
    """Why nothing is heard."""

    MISSING = "voice_fault.missing"
    SILENT = "voice_fault.silent"
    LATE = "voice_fault.late"
    ENDED = "voice_fault.ended"


class VoiceError(BoxlidError):
    """A sentence was not said."""


class Speaker(Protocol):
    """Says one sentence and returns when it is said. VoiceError or OSError if it cannot."""

    def __call__(self, text: str, language: str, volume: int) -> None: ...


def espeak(text: str, language: str, volume: int) -> None:
    """One sentence through the loudspeaker; the text goes by standard input, so names cannot be options."""
    amplitude = volume * LOUDEST // 100
    command = [PROGRAM, "-v", language, "-a", str(amplitude), "-s", str(WORDS_A_MINUTE), "--stdin"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=LONGEST_SENTENCE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        seconds = LONGEST_SENTENCE_SECONDS
        raise VoiceError(VoiceFault.LATE, program=PROGRAM, seconds=seconds) from None
    said = done.stderr.decode(errors="replace").strip().splitlines() or [""]
    if done.returncode or said[-1].startswith("error:"):  # without a sound card it ends with 0 all the same
        raise VoiceError(VoiceFault.ENDED, program=PROGRAM, code=done.returncode, why=said[-1])


class Voice:
    """What waits to be said is short: in a fast game the oldest is dropped, never the newest."""

    def __init__(
        self,
        language: str,
        volume: int = 80,
        complain: Callable[[Statement], None] = lambda _: None,
        speaker: Speaker = espeak,
    ) -> None:
        """`complain` hears once why nothing is heard."""
        self._language, self._volume = language, volume
        self._complain, self._speaker = complain, speaker
        self.barrier = FaultBarrier(BoxPart.VOICE)
        self._changed = threading.Condition()
        self._waiting: deque[Saying] = deque(maxlen=MOST_WAITING)
        self._is_speaking = self._is_closed = False
        self._is_on = True
        self._notice: Statement | None = None
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    @property
    def notice(self) -> Statement | None:
        """Why nothing is heard, None while all is well."""
        with self._changed:
            return self._notice

    def say(self, what: Sequence[Saying]) -> None:
        """Say these next; returns at once."""
        with self._changed:
            if self._is_on:
                self._waiting.extend(what)
                self._changed.notify_all()

    def speak_in(self, language: str) -> None:
        """From the next sentence on."""
        with self._changed:
            self._language = language

    def switch(self, on: bool) -> None:
        with self._changed:
            self._is_on = on
            if not on:
                self._waiting.clear()
                self._changed.notify_all()

    def wait_until_silent(self, timeout: float) -> bool:
        """Whether all was said in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_speaking, timeout)

    def close(self) -> None:
        """Silent after the present sentence; does not wait for it."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        while (saying := self._next()) is not None:
            problem = None
            with self.barrier:
                problem = self._speak(saying)
            with self._changed:
                self._is_speaking = False
                is_news = problem is not None and self._notice is None
                self._notice = problem
                self._changed.notify_all()
            if is_news and problem is not None:
                self._complain(problem)

    def _next(self) -> Saying | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if self._is_closed:
                return None
            self._is_speaking = True
            return self._waiting.popleft()

    def _speak(self, saying: Saying) -> Statement | None:
        """Why it could not be said, None if it was."""
        try:
            self._speaker(sentence(saying, self._language), self._language, self._volume)
        except FileNotFoundError:
            return Statement(VoiceFault.MISSING, {"program": PROGRAM})
        except VoiceError as error:
            return Statement(VoiceFault.SILENT, {"reason": error.statement, "program": PROGRAM})
        except OSError as error:
            return Statement(VoiceFault.SILENT, {"reason": str(error), "program": PROGRAM})
        return None
