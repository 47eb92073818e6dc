"""A mistake in what was sent: its kind, where, what was wanted and got. Has no words and reads nothing."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from boxlid.errors import BoxlidError, Statement, StatementKind, statement
from boxlid.fields.annotations import LARGEST

_LONGEST_SHOWN = 60
_LONGEST_KEY = 40
_MOST_SHOWN = 6  # items of a list
_FIELD = re.compile(r"\w+")
_MOST_TOLD = 3  # mistakes, where there is one line for all


class MistakeKind(StatementKind):
    """How a field is not as it should be."""

    WRONG = "mistake.wrong"
    WHOLE = "mistake.whole"  # not a field: all of it
    MISSING = "mistake.missing"
    UNKNOWN = "mistake.unknown"  # no such field
    MISSPELT = "mistake.misspelt"  # neither, but one that is nearly called so
    ALL = "mistake.all"
    SOME = "mistake.some"  # of many


class FieldWanted(StatementKind):
    """What may stand in a field."""

    OBJECT = "wanted.object"
    TEXT = "wanted.text"
    TEXT_FROM_TO = "wanted.text_from_to"
    WHOLE = "wanted.whole"
    NUMBER = "wanted.number"
    SWITCH = "wanted.switch"
    WORD = "wanted.word"
    ONE_OF = "wanted.one_of"
    LIST = "wanted.list"
    LIST_OF = "wanted.list_of"
    LIST_UP_TO = "wanted.list_up_to"
    LIST_FROM_TO = "wanted.list_from_to"
    KEYS = "wanted.keys"
    ANY_TEXT = "wanted.any_text"
    ANY_WHOLE = "wanted.any_whole"
    ANY_NUMBER = "wanted.any_number"
    ANYTHING = "wanted.anything"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One field that cannot be read; `key` is the way to it, empty for the whole."""

    kind: MistakeKind
    key: str
    got: str
    wanted: Statement

    @property
    def statement(self) -> Statement:
        if self.key:
            return statement(self.kind, name=self.key, got=self.got, wanted=self.wanted)
        return statement(MistakeKind.WHOLE, got=self.got, wanted=self.wanted)


class FieldsError(BoxlidError):
    """What was sent or written down cannot be read: every mistake in it."""

    def __init__(self, *mistakes: Mistake) -> None:
        told = [each.statement for each in mistakes[:_MOST_TOLD]]
        super().__init__(MistakeKind.ALL if len(told) == len(mistakes) else MistakeKind.SOME, mistakes=told)
        self.mistakes = mistakes


def one_of(words: Sequence[object]) -> Statement:
    """A choice of words."""
    *others, last = map(_single, words)
    if not others:
        return statement(FieldWanted.WORD, word=last)
    return statement(FieldWanted.ONE_OF, words=", ".join(others), last=last)


@dataclass(frozen=True, slots=True)
class Clash:
    """A field of a value that was read, and does not go with others; `got` if the field does not say it."""

    name: str
    wanted: Statement
    got: object = None
    others: tuple[str, ...] = ()

    @property
    def fields(self) -> frozenset[str]:
        """All that it is about: `seat_lamps[2]` is of the field `seat_lamps`."""
        return frozenset(_FIELD.match(name)[0] for name in (self.name, *self.others))  # type: ignore[index]


@runtime_checkable
class WithClashes(Protocol):
    """A dataclass that knows more than its annotations say: how its fields go together."""

    def clashes(self) -> Iterable[Clash]: ...


def shown(value: object) -> str:
    """What was got, in short and as a file would have it: whoever sent it has the rest."""
    match value:
        case dict() if value:
            few = itertools.islice(value.items(), _MOST_SHOWN)
            text = "{ " + ", ".join(f"{short(key)} = {_single(each)}" for key, each in few) + " }"
        case list() | tuple():
            text = "[" + ", ".join(_single(each) for each in value[:_MOST_SHOWN]) + "]"
        case _:
            text = _single(value)
    return short(text, _LONGEST_SHOWN)


def _single(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{short(value, _LONGEST_SHOWN)}"'
        case int() if abs(value) > LARGEST:
            return "9999…"  # its digits cannot even be written
        case dict():
            return "{…}" if value else "{}"
        case list() | tuple():
            return "[…]" if value else "[]"
        case _:
            return str(value)


def short(value: object, longest: int = _LONGEST_KEY) -> str:
    """As it may stand in a line: printable, and no longer than that."""
    text = str(value)[: longest + 1]
    plain = "".join(letter if letter.isprintable() else "�" for letter in text)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"
