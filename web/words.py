"""The languages of the pages: one JSON file each under web/languages, which a translator adds to."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DEFAULT = "en"
_LETTER = "letter."
_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Catalogue:
    """All words of one language."""

    language: str
    texts: Mapping[str, str]

    @property
    def name(self) -> str:
        """The language's own name for itself."""
        return self.texts["language.name"]

    @property
    def letters(self) -> Mapping[str, str]:
        """What stands for a colour where there is little room, by the colour's name."""
        return {key.removeprefix(_LETTER): text for key, text in self.part(_LETTER).items()}

    def say(self, key: str, **values: object) -> str:
        """The words for a key with its holes filled; an unknown key is a fault of the program."""
        return _HOLE.sub(lambda hole: str(values[hole[1]]), self.texts[key])

    def part(self, *beginnings: str) -> dict[str, str]:
        """The words a page's script needs."""
        return {key: text for key, text in self.texts.items() if key.startswith(beginnings)}


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language there is a file for, English first."""
    found = {}
    folder = files("web").joinpath("languages")
    for file in sorted(folder.iterdir(), key=lambda file: (file.name != f"{DEFAULT}.json", file.name)):
        if file.name.endswith(".json"):
            language = file.name.removesuffix(".json")
            found[language] = Catalogue(language, json.loads(file.read_text(encoding="utf-8")))
    return found


def holes(text: str) -> frozenset[str]:
    return frozenset(_HOLE.findall(text))


def choose(cookie: str | None, accepted: str | None, default: str) -> Catalogue:
    """What the phone chose, else the first language its browser accepts, else the table's."""
    known = catalogues()
    if cookie is not None and cookie in known:
        return known[cookie]
    for language in _accepted(accepted or ""):
        if language in known:
            return known[language]
    return known.get(default, known[DEFAULT])


def _accepted(header: str) -> list[str]:
    ranked = []
    for place, part in enumerate(header.split(",")):
        name, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        if weight > 0:
            ranked.append((-weight, place, name.partition("-")[0].strip().lower()))
    return [name for _, _, name in sorted(ranked)]
