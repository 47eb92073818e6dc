"""All words for people: one JSON file a language under companion/languages, which a translator adds to."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DEFAULT = "en"
_LETTER = "letter."
_HOLE = re.compile(r"\{(\w+)\}")
ONE = ".one"  # `key.one` is said instead of `key` where its {n} is 1


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
        """The words for a key with its holes filled; an unknown key is a fault of the program.

        A hole with a capital begins a sentence: `{Row} is closed.` makes "The red row is closed." of its row.
        """
        one = str(values.get("n")) == "1" and self.texts.get(key + ONE)
        return _HOLE.sub(lambda hole: _filled(hole[1], values), one or self.texts[key])

    def problem(self, kind: str, colours: Sequence[str] = (), where: str = "notice") -> str:
        """What is wrong with lid or camera and what to do, in the words of that place if it has its own."""
        own = f"{where}.{kind}"
        die = f"die_is.{colours[0]}" if colours else ""
        return self.say(
            own if own in self.texts else f"notice.{kind}",
            die=self.texts.get(die, self.texts["die_is.any"]),
            dice=self.listed([self.texts.get(f"die_it.{each}", each) for each in dict.fromkeys(colours)]),
        )

    def listed(self, names: Sequence[str]) -> str:
        return self.say("and", a=", ".join(names[:-1]), b=names[-1]) if names[1:] else "".join(names)

    def sheet(self, name: str) -> str:
        """A printed sheet's name: `mixx-a` is Mixx A in every language."""
        return self.texts.get(f"lobby.{name}", name.replace("-", " ").title())

    def part(self, *beginnings: str) -> dict[str, str]:
        """The words a page's script needs."""
        return {key: text for key, text in self.texts.items() if key.startswith(beginnings)}


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language there is a file for, English first."""
    found = {}
    folder = files("companion").joinpath("languages")
    for file in sorted(folder.iterdir(), key=lambda file: (file.name != f"{DEFAULT}.json", file.name)):
        if file.name.endswith(".json"):
            language = file.name.removesuffix(".json")
            found[language] = Catalogue(language, json.loads(file.read_text(encoding="utf-8")))
    return found


def _filled(hole: str, values: Mapping[str, object]) -> str:
    if hole in values:
        return str(values[hole])
    text = str(values[hole[0].lower() + hole[1:]])
    return text[:1].upper() + text[1:]


def holes(text: str) -> frozenset[str]:
    """What a text has filled in, whether it begins a sentence or not."""
    return frozenset(hole[0].lower() + hole[1:] for hole in _HOLE.findall(text))
