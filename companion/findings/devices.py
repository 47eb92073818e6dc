"""What cameras and pins say of themselves, known again by its shape, so that pages can word it anew.

They know no languages, and need not: their sentences stand once more in `device_languages`, where
the narrower of two shapes comes first.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

HOLE = re.compile(r"\{(\w+)\}")
_LIST = "; "


def worded(text: str, language: str) -> str:
    """In that language; as it is, if no device is known to say it."""
    for shape, words in _shapes(language).items():
        if known := shape.fullmatch(text):
            values = {name: _each(value, language) for name, value in known.groupdict().items()}
            return HOLE.sub(lambda hole: values[hole[1]], words)  # noqa: B023 - called at once
    return text


def sentences(language: str) -> Mapping[str, str]:
    """What devices say, with holes, and the words for it; none for English."""
    file = files("companion.findings").joinpath("device_languages", f"{language}.json")
    found: Mapping[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


@cache
def _shapes(language: str) -> Mapping[re.Pattern[str], str]:
    return {re.compile(_shape(pattern), re.DOTALL): words for pattern, words in sentences(language).items()}


def _shape(pattern: str) -> str:
    literal = iter(HOLE.split(pattern))
    parts = [re.escape(next(literal))]
    for name in literal:
        parts += [f"(?P<{name}>.+?)", re.escape(next(literal))]
    return "".join(parts)


def _each(text: str, language: str) -> str:
    """Several sentences in a row, each of which may hold what parts them."""
    if (whole := worded(text, language)) != text:
        return whole
    for cut in re.finditer(_LIST, text):
        first, rest = text[: cut.start()], text[cut.end() :]
        if (said := worded(first, language)) != first:
            return said + _LIST + _each(rest, language)
    return text
