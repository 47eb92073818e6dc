"""Values drawn by the annotations that the reader goes by: what may be sent, and what may only just not."""

import random
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from boxlid.fields import As, Between, Kinds, Length, OneOf, Written

Json = dict[str, object]
_LETTERS = "abcXYZ 019-_äß☃R"


def drawn(annotation: object, rng: random.Random) -> object:
    """A value that may stand there, often at its limits."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:], rng)
    if origin in (Union, types.UnionType):
        return drawn(rng.choice([part for part in parts if part is not type(None)]), rng)
    if origin is Literal:
        return rng.choice(parts)
    if origin is tuple:
        return [drawn(parts[0], rng) for _ in range(rng.randrange(4))]
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return str(rng.choice(list(annotation)))
    if isinstance(annotation, type) and is_dataclass(annotation):
        return drawn_object(annotation, rng)
    if annotation is bool:
        return rng.random() < 0.5
    raise TypeError(f"nothing draws {annotation}")


def _annotated(inner: object, marks: tuple[object, ...], rng: random.Random) -> object:
    for mark in reversed(marks):
        match mark:
            case As(sent, _, _, _):
                return drawn(sent, rng)
            case OneOf(words):
                return rng.choice(words)
            case Written(_, example):
                return example
            case Between(least, most):
                whole = rng.choice((int(least), int(most), rng.randint(int(least), int(most))))
                return whole if inner is int else rng.uniform(least, most)
            case Length(least, most):
                return _of_length(inner, rng.choice((least, min(most, least + 5), most)), rng)
            case _:
                pass
    return drawn(inner, rng)


def _of_length(inner: object, length: int, rng: random.Random) -> object:
    if inner is str:
        return "".join(rng.choice(_LETTERS) for _ in range(length))
    return [drawn(get_args(inner)[0], rng) for _ in range(length)]


def nearly(annotation: object, rng: random.Random) -> object:
    """A value that is just outside: one too many, a word misspelt, another type."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _nearly_annotated(parts[0], parts[1:], rng)
    if origin in (Union, types.UnionType):
        return nearly(rng.choice([part for part in parts if part is not type(None)]), rng)
    if origin is Literal or (isinstance(annotation, type) and issubclass(annotation, StrEnum)):
        return misspelt(str(drawn(annotation, rng)), rng)
    return rng.choice((0, 1, "true", [], {}, 0.5))


def _nearly_annotated(inner: object, marks: tuple[object, ...], rng: random.Random) -> object:
    for mark in reversed(marks):
        match mark:
            case As(sent, _, _, _):
                return nearly(sent, rng)
            case OneOf(words):
                return misspelt(rng.choice(words), rng)
            case Written(_, example):
                return misspelt(example, rng)
            case Between(least, most):
                beside = [least - 1, most + 1, least + 0.5, str(least)]
                return rng.choice(beside[:2] if inner is float else beside)
            case Length(least, most):
                return _of_length(inner, rng.choice((most + 1, least - 1 if least else most + 2)), rng)
            case _:
                pass
    return nearly(inner, rng)


def misspelt(word: str, rng: random.Random) -> str:
    """The word with another letter where people have one: `at once` for `at-once`."""
    found = [word.replace("-", " "), word.replace(" ", "  "), word.upper(), word + "s", word[:-1] + "?"]
    return rng.choice([each for each in found if each != word])


def drawn_object(kind: type, rng: random.Random, share: float = 0.5) -> Json:
    """All that the object needs, and some of what it may have."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: drawn(hints[field.name], rng)
        for field in fields(kind)
        if _is_needed(field) or rng.random() < share
    }


def _is_needed(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def drawn_kind(kinds: Kinds[Any, Any], word: str, rng: random.Random) -> Json:
    """An object of that kind as it may be sent."""
    own, common = drawn_object(kinds.of[word], rng), drawn_object(kinds.common, rng, 0.2)
    return {kinds.tag: word, **common, **own}


def spoilt(kinds: Kinds[Any, Any], sent: Mapping[str, object], rng: random.Random) -> Json:
    """The same with one field just outside of what may stand there, left out, or called otherwise."""
    word, found = str(sent.get(kinds.tag)), dict(sent)
    kind = kinds.of.get(word)
    if kind is None or rng.random() < 0.1:
        return {**found, kinds.tag: misspelt(word or "x", rng)}
    hints = get_type_hints(kinds.common, include_extras=True) | get_type_hints(kind, include_extras=True)
    name = rng.choice(list(hints))
    if rng.random() < 0.1:
        return {**found, misspelt(name, rng): drawn(hints[name], rng)}
    return {**found, name: nearly(hints[name], rng)}
