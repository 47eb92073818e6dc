"""Reading SQLite's write-ahead log before SQLite does, which drops all behind a broken frame in silence.

A transaction is on disk, acknowledged, before the next one is written. So a whole transaction behind a broken
one was never a power cut: the log was damaged later. One broken transaction at the very end may be either.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from operator import mul
from pathlib import Path
from typing import NamedTuple, Self

LOG_HEAD, FRAME_HEAD = 32, 24  # bytes of the log's header, and of each frame's before its page
_LITTLE, _BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF


class Wal(Enum):
    """What a write-ahead log holds."""

    EMPTY = auto()
    WHOLE = auto()  # every transaction, up to where the file or its present use ends
    TORN = auto()  # the last transaction is there and cannot be read
    BROKEN = auto()  # a transaction cannot be read, and others stand behind it


class Sum(NamedTuple):
    """SQLite's running checksum."""

    first: int
    second: int


class Weights(NamedTuple):
    """What each word adds to the halves of the checksum: Fibonacci numbers, as one half feeds the other."""

    first: tuple[int, ...]
    second: tuple[int, ...]

    @classmethod
    def of(cls, words: int) -> Self:
        numbers = [0, 1]
        while len(numbers) < words + 2:
            numbers.append((numbers[-1] + numbers[-2]) & _WORD)
        return cls(tuple(numbers[words::-1]), tuple(numbers[words + 1 : 0 : -1]))

    def sum(self, before: Sum, words: tuple[int, ...]) -> Sum:
        row = (before.second, words[0] + before.first, *words[1:])
        return Sum(sum(map(mul, row, self.first)) & _WORD, sum(map(mul, row, self.second)) & _WORD)


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame: a page, and whether a transaction ends with it."""

    commits: bool
    salts: tuple[int, int]  # of the log's present use; frames of an earlier one have others
    stored: Sum
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Log:
    """A log whose header is sound."""

    data: bytes
    order: str
    page: int
    salts: tuple[int, int]
    start: Sum
    weights: Weights

    @classmethod
    def read(cls, data: bytes) -> Self | None:
        """The log; None if its header is not what was written."""
        magic, _, page, _, salt1, salt2, first, second = struct.unpack_from(">8I", data)
        order = {_LITTLE: "<", _BIG: ">"}.get(magic)
        if order is None:
            return None
        if Weights.of(6).sum(Sum(0, 0), struct.unpack_from(f"{order}6I", data)) != (first, second):
            return None
        return cls(data, order, page, (salt1, salt2), Sum(first, second), Weights.of(2 + page // 4))

    def frames(self) -> Iterator[_Frame]:
        """The complete frames; a piece of one where the file ends is left out."""
        length = FRAME_HEAD + self.page
        for at in range(LOG_HEAD, len(self.data) - length + 1, length):
            _, size, salt1, salt2, first, second = struct.unpack_from(">6I", self.data, at)
            words = struct.unpack_from(f"{self.order}2I", self.data, at)
            words += struct.unpack_from(f"{self.order}{self.page // 4}I", self.data, at + FRAME_HEAD)
            yield _Frame(size != 0, (salt1, salt2), Sum(first, second), words)

    def judge(self) -> Wal:
        frames = list(self.frames())
        before = self.start
        for place, frame in enumerate(frames):
            behind = self.weights.sum(before, frame.words)
            if frame.salts != self.salts or frame.stored != behind:
                return self._judge_from(frames[place:], behind)
            before = behind
        return Wal.WHOLE if frames else Wal.EMPTY

    def _judge_from(self, frames: list[_Frame], behind: Sum) -> Wal:
        """The first of these frames is broken, or a leftover; `behind` is its checksum as it stands."""
        broken, *rest = frames
        # Whether it is of the log's present use, not left of an earlier one; a flip hits one of the two.
        trace = broken.stored == behind or broken.salts == self.salts
        commits = int(broken.commits and trace)
        starts = (broken.stored, behind)  # whichever of the two was not hit
        for frame in rest:
            if frame.commits and frame.salts == self.salts:
                commits += any(self.weights.sum(start, frame.words) == frame.stored for start in starts)
            starts = (frame.stored, frame.stored)
        if commits >= 2:
            return Wal.BROKEN
        return Wal.TORN if commits or trace else Wal.WHOLE


def scan(path: Path) -> Wal:
    """What the log holds; EMPTY if there is none."""
    if path.exists() and not path.is_file():  # a pipe would be waited for
        return Wal.BROKEN
    data = path.read_bytes() if path.exists() else b""
    if len(data) < LOG_HEAD or not any(data):
        return Wal.EMPTY
    log = _Log.read(data)
    return Wal.BROKEN if log is None else log.judge()
