"""What is to be said, as a kind and values, and the one tree of errors that carries it. Has no words.

The words stand in companion/languages; whoever shows a message words it, in the language of who looks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import Union

Value = Union[str, float, PurePath, "Statement", Sequence["Statement"]]


class StatementKind(StrEnum):
    """What can be said: each room has an enumeration of its own, whose values are keys of the catalogue."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One kind with what fills its holes; a value may be a statement, or several, each worded for itself."""

    kind: StatementKind
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        """For a developer who meets it in a traceback; people get words."""
        values = ", ".join(f"{name}={_plain(value)}" for name, value in self.values.items())
        return f"{self.kind}({values})"


class BoxlidError(Exception):
    """Something could not be: its kind, and what was wanted and got as values."""

    def __init__(self, kind: StatementKind, /, **values: Value) -> None:
        self.statement = Statement(kind, values)
        super().__init__(str(self.statement))

    @property
    def kind(self) -> StatementKind:
        return self.statement.kind


def statement(kind: StatementKind, /, **values: Value) -> Statement:
    return Statement(kind, values)


def _plain(value: Value) -> str:
    if isinstance(value, str | int | float | PurePath | Statement):
        return str(value)
    return "; ".join(map(str, value))
