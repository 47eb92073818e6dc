"""Reads plain values: numbers, texts, switches, words; notes a mistake and answers BAD. Knows no objects."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from boxlid.errors import Statement, StatementKind, statement
from boxlid.fields.annotations import LARGEST, Between, Length
from boxlid.fields.mistakes import FieldWanted, Mistake, MistakeKind, one_of, short, shown

Where = tuple[Any, str | int] | None  # the way here: what it is in, and its key there
Reader = Callable[[object, Where, list[Mistake]], Any]  # Any: the value, or BAD once a mistake is noted
BAD = object()


def way(where: Where) -> str:
    """`panel.seat_lamps[2].pin`: items are counted from 1."""
    if where is None:
        return ""
    before, key = where
    if isinstance(key, int):
        return f"{way(before)}[{key}]"
    return f"{way(before)}.{short(key)}" if before else short(key)


def wrong(value: object, where: Where, mistakes: list[Mistake], wanted: Statement) -> object:
    mistakes.append(Mistake(MistakeKind.WRONG, way(where), shown(value), wanted))
    return BAD


def one_of_words(words: tuple[object, ...]) -> Reader:
    wanted = one_of(words)

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        for word in words:
            if value == word and type(value) is type(word):
                return word
        return wrong(value, where, mistakes, wanted)

    return read


def enumeration(kind: type[StrEnum]) -> Reader:
    members = {str(each): each for each in kind}
    wanted = one_of(tuple(members))

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        found = members.get(value) if isinstance(value, str) else None
        return wrong(value, where, mistakes, wanted) if found is None else found

    return read


def list_wanted(length: Length | None) -> Statement:
    if length is None:
        return statement(FieldWanted.LIST)
    if length.least == length.most:
        return statement(FieldWanted.LIST_OF, n=length.most)
    return within(FieldWanted.LIST_UP_TO if length.least == 0 else FieldWanted.LIST_FROM_TO, length)


def within(kind: StatementKind, limits: Length | Between) -> Statement:
    return statement(kind, least=limits.least, most=limits.most)


def number(kind: object, limits: Between, said: StatementKind | None) -> Reader:
    is_whole = kind is int
    wanted = within(said or (FieldWanted.WHOLE if is_whole else FieldWanted.NUMBER), limits)
    least, most = limits.least, limits.most

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        if type(value) is int and least <= value <= most:
            return value if is_whole else float(value)
        if type(value) is float and least <= value <= most and (not is_whole or value.is_integer()):
            return int(value) if is_whole else value
        return wrong(value, where, mistakes, wanted)

    return read


def text(length: Length, said: StatementKind | None) -> Reader:
    wanted = within(said or (FieldWanted.TEXT if length.least == 0 else FieldWanted.TEXT_FROM_TO), length)

    def read(value: object, where: Where, mistakes: list[Mistake]) -> object:
        if isinstance(value, str) and length.least <= len(value) <= length.most:
            return value
        return wrong(value, where, mistakes, wanted)

    return read


def switch(value: object, where: Where, mistakes: list[Mistake]) -> object:
    return value if isinstance(value, bool) else wrong(value, where, mistakes, statement(FieldWanted.SWITCH))


def _any_text(value: object, where: Where, mistakes: list[Mistake]) -> object:
    return value if isinstance(value, str) else wrong(value, where, mistakes, statement(FieldWanted.ANY_TEXT))


_ANY = Between(-LARGEST, LARGEST)
PLAIN: Mapping[object, Reader] = {  # without limits: for what we wrote ourselves
    bool: switch,
    int: number(int, _ANY, FieldWanted.ANY_WHOLE),
    float: number(float, _ANY, FieldWanted.ANY_NUMBER),
    str: _any_text,
}
