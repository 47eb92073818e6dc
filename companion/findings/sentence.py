"""A sentence in English that remembers how it was made, so that pages can say it in another language."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Self

from companion.findings.devices import HOLE, worded


class Sentence(str):
    """The English text; `pattern` is what it was made from, with holes, and `values` fill them.

    Texts of other parts are one hole: what a camera says of itself is known by its shape, the rest stays.
    """

    pattern: str
    values: Mapping[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        made = super().__new__(cls, _filled(pattern, values))
        made.pattern, made.values = pattern, values
        return made

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # copies are plain texts

    def said_in(self, language: str) -> str:
        """In that language, as far as there are words for it."""
        values = {name: worded(str(value), language) for name, value in self.values.items()}
        return _filled(translations(language).get(self.pattern, self.pattern), values)


def said(text: str, language: str) -> str:
    return text.said_in(language) if isinstance(text, Sentence) else text


@cache
def translations(language: str) -> Mapping[str, str]:
    """What there is for a language: English patterns and their translation, none for English."""
    file = files("companion.findings").joinpath("languages", f"{language}.json")
    found: Mapping[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def _filled(pattern: str, values: Mapping[str, object]) -> str:
    return HOLE.sub(lambda hole: str(values[hole[1]]), pattern)
