"""One table of a TOML file, read key by key: checked values out, mistakes noted. Knows no settings."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass
class Section:
    """Asked for each key it may hold. A bad value is noted and the default goes on: all are found at once."""

    name: str
    values: Mapping[str, object]
    problems: list[str]
    known: list[str] = field(default_factory=list)

    def section(self, key: str) -> "Section":
        """The table of that name inside this one; an absent one is empty."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            self.refuse(key, f"a table [{self._path(key)}]")
            value = {}
        return Section(self._path(key), value, self.problems)

    def switch(self, key: str, default: bool) -> bool:
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        self.refuse(key, "true or false")
        return default

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        value = self._take(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.refuse(key, f"a whole number from {least} to {most}")
        return default

    def number(self, key: str, default: float, least: float, most: float) -> float:
        value = self._take(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        self.refuse(key, f"a number from {least:g} to {most:g}")
        return default

    def choice(self, key: str, default: Choice) -> Choice:
        value, kind = self._take(key, default), type(default)
        if isinstance(value, str) and value in tuple(kind):
            return kind(value)
        self.refuse(key, one_of(tuple(kind)))
        return default

    def text(self, key: str, default: str) -> str:
        value = self._take(key, default)
        if isinstance(value, str) and (value.isprintable() or not value):
            return value
        self.refuse(key, "a text in quotes")
        return default

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self._take(key, list(default))
        if isinstance(value, list) and all(isinstance(entry, str) and entry for entry in value):
            return tuple(value)
        self.refuse(key, 'a list of texts such as ["boxlid.local"]')
        return default

    def has(self, key: str) -> bool:
        self._know(key)
        return key in self.values

    def raw(self, key: str) -> object:
        """The value as it stands, for what has a shape of its own."""
        return self._take(key, None)

    def refuse(self, key: str, allowed: str) -> None:
        """Note what the value is and what it may be."""
        self.problems.append(f"{self._path(key)} = {shown(self.values.get(key))}: allowed is {allowed}")

    def close(self) -> None:
        """Every key nobody asked for is a mistake, most often a misspelling."""
        for key in self.values:
            if key not in self.known:
                near = difflib.get_close_matches(key, self.known, 1)
                hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(self.known)}"
                self.problems.append(f"{self._path(key)} = {shown(self.values[key])}: no such key; {hint}")

    def _take(self, key: str, default: object) -> object:
        self._know(key)
        return self.values.get(key, default)

    def _know(self, key: str) -> None:
        if key not in self.known:
            self.known.append(key)

    def _path(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def one_of(words: Sequence[str]) -> str:
    return " or ".join(f'"{word}"' for word in words)


def shown(value: object) -> str:
    """The value as the file has it, near enough to be found there."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case dict():
            return "{ " + ", ".join(f"{key} = {shown(entry)}" for key, entry in value.items()) + " }"
        case list():
            return "[" + ", ".join(shown(entry) for entry in value) + "]"
        case _:
            return str(value)
