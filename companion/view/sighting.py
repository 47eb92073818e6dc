"""What the page "what did the camera see" and the host tell each other. Knows no pixels, no files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.table.eyes import Notice, ShownDie


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the camera saw last. `id` is of this look and no other."""

    id: str
    certain: bool
    milliseconds: int
    expected: tuple[str, ...]
    dice: tuple[ShownDie, ...]
    problems: tuple[Notice, ...]
    width: int
    height: int
    near_width: int  # of the part that the picture shows: the lid, if one was seen
    near_height: int
    learnt: bool  # the table was set up, and the report holds how
    simulated: bool
    taught: int = 0  # rolls that taught the table the colours of its dice


class ReportError(Exception):
    """A report was not kept: a kind to word, and English words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class WhatWasSeen(Protocol):
    """The last look at the lid; every answer is None once another look took its place."""

    def last(self) -> Sighting | None: ...

    def picture(self, identity: str, letters: Mapping[str, str]) -> bytes | None:
        """The lid with what was read drawn on it, as JPEG; dice are labelled with their colours' letters."""
        ...

    def die(self, identity: str, name: str) -> bytes | None:
        """One die cut out, as JPEG."""
        ...

    def forget(self) -> None:
        """What rolls taught is forgotten, the calibration stays. ReportError."""
        ...

    def report(self, identity: str) -> bytes | None:
        """Picture and reading as a zip. Nothing is written to disk."""
        ...

    def keep(self, identity: str) -> str | None:
        """Write the report into the state folder, since its owner asked for it; where it is. ReportError."""
        ...
