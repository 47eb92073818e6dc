"""Reads a mapping into a frozen dataclass by its annotations; every mistake is found at once. Knows no rules.

For each type a reader is put together once; a `where` is the way to what is read, as a chain of keys.
"""

import difflib
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from dataclasses import Field as DataclassField
from dataclasses import dataclass as plain_dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from boxlid.errors import Statement, StatementKind, statement
from boxlid.fields.annotations import FLAT, LARGEST, As, Before, Between, Length, OneOf, Only, Said, Which
from boxlid.fields.mistakes import (
    FieldsError,
    FieldWanted,
    Mistake,
    MistakeKind,
    WithClashes,
    short,
    shown,
)
from boxlid.fields.plain import (
    BAD,
    PLAIN,
    Reader,
    Where,
    enumeration,
    list_wanted,
    number,
    one_of_words,
    text,
    way,
    wrong,
)

T = TypeVar("T")
_HIDDEN = "…"


def read(kind: type[T], value: object, where: str = "", *, others: bool = False) -> T:
    """The value as that dataclass; FieldsError tells every mistake. `others`: unknown keys are left alone."""
    return cast(T, _read(kind, value, where, others))


def read_value(annotation: object, value: object, where: str) -> Any:
    """One value by its annotation, not only a dataclass."""
    return _read(annotation, value, where, False)


def as_far_as_read(kind: type[T], value: object, mistakes: list[Mistake]) -> T | None:
    """The value with defaults for what is wrong, each mistake noted; None where there is no default."""
    found = reader_of(kind, others=False)(value, None, mistakes)
    return None if found is BAD else cast(T, found)


def _read(annotation: object, value: object, where: str, others: bool) -> object:
    mistakes: list[Mistake] = []
    found = reader_of(annotation, others=others)(value, (None, where) if where else None, mistakes)
    if mistakes:
        raise FieldsError(*mistakes)
    return found


# --- what a type is read by --------------------------------------------------------------------------------


def reader_of(annotation: Any, *, others: bool) -> Reader:  # Any: whatever an annotation is
    """`others`: keys that no dataclass knows are left alone."""
    return _reader_of(annotation, others)


@cache
def _reader_of(annotation: object, others: bool) -> Reader:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:], others)
    if origin in (Union, types.UnionType):
        return _either(parts, others)
    if origin is tuple:
        return _tuple(parts, None, others)
    if origin is Literal:
        return one_of_words(parts)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return enumeration(annotation)
    if isinstance(annotation, type) and is_dataclass(annotation):
        return _object(annotation, others)
    if annotation in PLAIN:
        return PLAIN[annotation]
    raise TypeError(f"nothing reads {annotation}")


def _annotated(inner: object, marks: tuple[object, ...], others: bool) -> Reader:
    for place, mark in enumerate(marks):
        rest = (*marks[:place], *marks[place + 1 :])
        if isinstance(mark, As):
            return _sent_as(mark, reader_of(mark.sent, others=others))
        if isinstance(mark, Before):
            return _rewritten(mark, _annotated(inner, rest, others))
        if isinstance(mark, Which):
            return _chosen(mark, type(None) in get_args(inner), others)
    marks = marks[::-1]  # what is said last counts: an alias is made narrower by what stands round it
    limits = next((mark for mark in marks if isinstance(mark, Between)), None)
    length = next((mark for mark in marks if isinstance(mark, Length)), None)
    said = next((mark.wanted for mark in marks if isinstance(mark, Said)), None)
    only = [mark for mark in marks if isinstance(mark, Only)]
    words = next((mark.words for mark in marks if isinstance(mark, OneOf)), ())
    if words:
        found = one_of_words(words)
    elif limits is not None:
        found = number(inner, limits, said)
    elif length is not None:
        parts = get_args(inner)
        found = text(length, said) if inner is str else _renamed(_tuple(parts, length, others), said)
    else:
        found = _renamed(reader_of(inner, others=others), said)
    for mark in only:
        found = _tested(found, mark)
    return found


def _renamed(inner: Reader, said: StatementKind | None) -> Reader:
    if said is None:
        return inner

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        told = len(mistakes)
        found = inner(value, where, mistakes)
        if found is BAD and len(mistakes) == told + 1 and mistakes[-1].key == way(where):
            values = {**mistakes[-1].wanted.values, "name": way(where)}
            mistakes[-1] = replace(mistakes[-1], wanted=Statement(said, values))
        return found

    return read


def _tested(inner: Reader, mark: Only) -> Reader:
    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        found = inner(value, where, mistakes)
        if found is BAD or mark.test(found):
            return found
        return wrong(value, where, mistakes, Statement(mark.wanted, mark.values))

    return read


def _rewritten(mark: Before, inner: Reader) -> Reader:
    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        try:
            meant = mark.make(value)
        except ValueError:
            return wrong(value, where, mistakes, statement(mark.wanted or FieldWanted.ANYTHING))
        return inner(meant, where, mistakes)

    return read


def _chosen(mark: Which, may_be_none: bool, others: bool) -> Reader:
    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        if value is None and may_be_none:
            return None
        if not isinstance(value, dict):
            return wrong(value, where, mistakes, statement(FieldWanted.OBJECT))
        return reader_of(mark.choose(value), others=others)(value, where, mistakes)

    return read


def _sent_as(mark: As, inner: Reader) -> Reader:
    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        found = inner(value, where, mistakes)
        if found is BAD:
            return BAD
        try:
            return mark.make(found)
        except ValueError:
            return wrong(value, where, mistakes, Statement(mark.wanted or FieldWanted.ANYTHING, mark.values))

    return read


def _either(parts: tuple[object, ...], others: bool) -> Reader:
    """The first of several types that takes the value; nothing, if that is one of them."""
    may_be_none = type(None) in parts
    readers = [reader_of(part, others=others) for part in parts if part is not type(None)]
    first, rest = readers[0], readers[1:]

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        if value is None and may_be_none:
            return None
        told = len(mistakes)
        found = first(value, where, mistakes)
        for each in rest:
            if found is not BAD:
                return found
            again: list[Mistake] = []
            found = each(value, where, again)
            if found is not BAD:
                del mistakes[told:]
        return found

    return read


def _tuple(parts: tuple[object, ...], length: Length | None, others: bool) -> Reader:
    if parts[1:] != (Ellipsis,):
        length = Length(len(parts), len(parts))
    items = [reader_of(part, others=others) for part in parts if part is not Ellipsis]
    least, most = (length.least, length.most) if length else (0, LARGEST)
    many = items if len(items) > 1 else None
    one = items[0]
    wanted = list_wanted(length)

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        if not isinstance(value, list) or not least <= len(value) <= most:
            return wrong(value, where, mistakes, wanted)
        found, told = [], len(mistakes)
        for place, each in enumerate(value):
            reader = many[place] if many else one
            found.append(reader(each, (where, place + 1), mistakes))
        return BAD if len(mistakes) > told else tuple(found)

    return read


# --- dataclasses -------------------------------------------------------------------------------------------


@plain_dataclass(frozen=True, slots=True)
class _Key:
    """One field of a dataclass."""

    name: str
    read: Reader
    has_default: bool
    is_secret: bool  # what stands there is told to nobody: a field that is not in the repr either
    flat: tuple[str, ...] | None  # the keys of a dataclass whose fields stand among the others


def keys_of(kind: Any) -> tuple[str, ...]:  # Any: a dataclass
    """What may stand in that object."""
    return tuple(name for key in _plan(kind, others=False) for name in key.flat or (key.name,))


@cache
def _plan(kind: Any, *, others: bool) -> tuple[_Key, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_key(each, hints[each.name], others) for each in fields(kind) if each.init)


def _key(field: DataclassField[Any], annotation: object, others: bool) -> _Key:
    has_default = field.default is not MISSING or field.default_factory is not MISSING
    if FLAT in getattr(annotation, "__metadata__", ()):
        inner = get_args(annotation)[0]
        return _Key(field.name, reader_of(inner, others=True), has_default, False, keys_of(inner))
    return _Key(field.name, reader_of(annotation, others=others), has_default, not field.repr, None)


def _object(kind: type, others: bool) -> Reader:
    is_checked = issubclass(kind, WithClashes)  # slow to ask of each value
    known = None if others else frozenset(keys_of(kind))
    return _Object(kind, _plan(kind, others=others), known, is_checked).read


@plain_dataclass(frozen=True)
class _Object:
    """Reads the objects of one dataclass."""

    kind: type
    plan: tuple[_Key, ...]
    known: frozenset[str] | None  # None: what else stands there is left alone
    is_checked: bool

    def read(self, value: object, where: Where, mistakes: list[Mistake]) -> object:
        if not isinstance(value, dict):
            return wrong(value, where, mistakes, statement(FieldWanted.OBJECT))
        found, whole = dict[str, object](), True
        bad = set[str]()
        for key in self.plan:
            if key.flat is None and key.name not in value:
                whole = whole and (key.has_default or _missing(key, (where, key.name), mistakes))
                continue
            each = _one(key, value, where, mistakes)
            if each is not BAD:
                found[key.name] = each
            else:
                whole = whole and key.has_default
                bad.add(key.name)
        if self.known is not None and not self.known.issuperset(value):
            note_unknown(value, keys_of(self.kind), where, mistakes)
        if not whole:
            return BAD
        made = self.kind(**found)
        if self.is_checked:
            self._check(made, bad, value, where, mistakes)
        return made

    def _check(
        self,
        made: Any,  # a WithClashes
        bad: set[str],
        value: Mapping[str, object],
        where: Where,
        mistakes: list[Mistake],
    ) -> None:
        """What does not go together; a field that is wrong by itself clashes with nothing."""
        secret = {key.name for key in self.plan if key.is_secret}
        for each in made.clashes():
            if each.fields.isdisjoint(bad):
                got = value.get(each.name, getattr(made, each.name, None)) if each.got is None else each.got
                told = _HIDDEN if each.name in secret else shown(got)
                mistakes.append(Mistake(MistakeKind.WRONG, way((where, each.name)), told, each.wanted))


def _one(key: _Key, value: Mapping[str, object], where: Where, mistakes: list[Mistake]) -> object:
    if key.flat is not None:
        return key.read(value, where, mistakes)
    told = len(mistakes)
    found = key.read(value[key.name], (where, key.name), mistakes)
    if key.is_secret:
        mistakes[told:] = [replace(each, got=_HIDDEN) for each in mistakes[told:]]
    return found


def _missing(key: _Key, where: Where, mistakes: list[Mistake]) -> bool:
    told = len(mistakes)
    key.read(None, where, mistakes)
    wanted = mistakes[told].wanted if len(mistakes) > told else statement(FieldWanted.ANYTHING)
    del mistakes[told:]
    mistakes.append(Mistake(MistakeKind.MISSING, way(where), shown(None), wanted))
    return False


def note_unknown(
    value: Mapping[str, object], known: tuple[str, ...], where: Where, mistakes: list[Mistake]
) -> None:
    """A key that nobody knows is most often a misspelling."""
    for key in [key for key in value if key not in known]:
        near = difflib.get_close_matches(short(key), known, 1)
        kind = MistakeKind.MISSPELT if near else MistakeKind.UNKNOWN
        wanted = statement(FieldWanted.KEYS, keys=near[0] if near else ", ".join(known))
        mistakes.append(Mistake(kind, way((where, key)), shown(value[key]), wanted))
