"""A phone's photograph of the dice: the bytes that came, and what is special about such a picture."""

import threading
from typing import Protocol

from companion.host.answers import notice_of
from companion.table.eyes import Notice
from vision.image.arrays import Image
from vision.image.picture import PictureError, decoded, size_in_header
from vision.reading import Problem, ProblemKind
from web import Photographed

WAITING_SECONDS = 10.0  # behind the photographs of others, each of which takes less than a second
MOST_PIXELS = 64_000_000  # a phone's own at full size has 50 million; more would fill a small Pi's memory
# What these ask for at a lid under a camera is no answer to a photograph.
SAID_OF_PHOTOGRAPHS = {
    ProblemKind.NO_LID: "photo-no-dice",
    ProblemKind.NO_DICE: "photo-no-dice",
    ProblemKind.DIE_MISSING: "photo-die-missing",
    ProblemKind.DIE_EXTRA: "photo-die-extra",
    ProblemKind.DIE_NOT_IN_PLAY: "photo-die-not-in-play",
    ProblemKind.TOO_DARK: "photo-too-dark",
    ProblemKind.BLINDED: "photo-blinded",
    ProblemKind.OUT_OF_FOCUS: "photo-out-of-focus",
}
_HEIF = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis")


class Looks(Protocol):
    """The looker, as far as a photograph needs it."""

    @property
    def is_busy(self) -> bool: ...

    def read_photograph(self, image: Image) -> bool: ...


class Photographs:
    """Takes one photograph a player; one after the other they are told by the one thread that looks."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._mutex = threading.Lock()
        self._sending: set[int] = set()
        self._next = threading.Lock()  # a picture while it is opened takes memory

    def take(self, content: bytes, seat: int) -> Photographed:
        """Read it for the roll that is waited for; comes back once everybody was told what was seen."""
        with self._mutex:
            if seat in self._sending:
                return Photographed.BUSY
            self._sending.add(seat)
        try:
            return self._in_turn(content)
        finally:
            with self._mutex:
                self._sending.remove(seat)

    def _in_turn(self, content: bytes) -> Photographed:
        """Another player's, which came first, is waited for: it may have left a die to ask for."""
        if not self._next.acquire(timeout=WAITING_SECONDS):
            return Photographed.BUSY
        try:
            found = opened(content)
            if isinstance(found, Photographed):
                return found
            if self._looks.read_photograph(found):
                return Photographed.READ
            return Photographed.BUSY if self._looks.is_busy else Photographed.UNWANTED
        finally:
            self._next.release()


def opened(content: bytes) -> Image | Photographed:
    """The picture upright and small enough; or what it is instead, by its header before it is decoded."""
    if content[4:8] == b"ftyp" and content[8:12] in _HEIF:
        return Photographed.HEIC
    size = size_in_header(content)
    if size is None:
        return Photographed.NO_PICTURE
    if size[0] * size[1] > MOST_PIXELS:
        return Photographed.TOO_LARGE
    try:
        return decoded(content).image
    except PictureError:
        return Photographed.NO_PICTURE


def notice_of_photograph(problem: Problem) -> Notice:
    """In words about a photograph, where the lid has others."""
    kind = SAID_OF_PHOTOGRAPHS.get(problem.kind)
    return notice_of(problem) if kind is None else Notice(kind, problem.colours)
