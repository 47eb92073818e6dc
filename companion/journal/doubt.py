"""What may be missing from a journal that is sound in itself, and in no other file either."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class DoubtKind(StrEnum):
    """What is known of it."""

    LOST = "lost"  # the disk had said that so many more entries were kept
    OTHER = "other"  # not the journal that was used here last
    UNKNOWN = "unknown"  # what would tell is gone


@dataclass(frozen=True, slots=True)
class Doubt:
    """Told until somebody decides that it is right so."""

    kind: DoubtKind
    entries: int = 0  # that are lost

    def __str__(self) -> str:
        return f"{self.kind} {self.entries}"

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self | None:
        match words:
            case [kind, entries] if kind in tuple(DoubtKind):
                return cls(DoubtKind(kind), int(entries))
            case _:
                return None

    def after(self, before: Self | None) -> Self:
        """This doubt, and an earlier one that nobody decided on: entries that are lost add up."""
        lost = before.entries if before is not None and self.kind is DoubtKind.LOST else 0
        return type(self)(self.kind, self.entries + lost)
