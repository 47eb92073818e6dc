"""All words for people: one JSON file a language under companion/languages, which a translator adds to."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from boxlid.errors import BoxlidError, Statement, Value

DEFAULT = "en"
FOLDER = files("companion").joinpath("languages")
PLURAL = "language.plural"  # which form a number takes: a regular expression each for its digits
OTHER = "other"  # the form of all numbers that none of these matches
_LETTER = "letter."
_HOLE = re.compile(r"\{(\w+)\}")

Text = str | Mapping[str, str]  # a text, or its forms for numbers


@dataclass(frozen=True)
class Catalogue:
    """All words of one language."""

    language: str
    texts: Mapping[str, Text]

    @property
    def name(self) -> str:
        """The language's own name for itself."""
        return self.plain("language.name")

    @property
    def letters(self) -> Mapping[str, str]:
        """What stands for a colour where there is little room, by the colour's name."""
        return {key.removeprefix(_LETTER): text for key, text in self.each() if key.startswith(_LETTER)}

    def say(self, key: str, /, **values: object) -> str:
        """The words for a key with its holes filled; an unknown key is a fault of the program.

        A hole with a capital begins a sentence: `{Row} is closed.` makes "The red row is closed." of its row.
        """
        return _HOLE.sub(lambda hole: _filled(hole[1], values), self._text(key, values.get("n")))

    def plain(self, key: str, otherwise: str = "") -> str:
        """A text without forms, as it stands; `otherwise` if there is none."""
        text = self.texts.get(key, otherwise)
        return text if isinstance(text, str) else otherwise

    def word(self, said: Statement | BoxlidError) -> str:
        """A statement in words, with all that is in it."""
        found = said.statement if isinstance(said, BoxlidError) else said
        return self.say(found.kind, **{name: self._value(value) for name, value in found.values.items()})

    def named(self, name: Statement | str) -> str:
        """What we call something, in words; what it calls itself, as it is."""
        return name if isinstance(name, str) else self.word(name)

    def form(self, number: object) -> str:
        """Which form of a text that number takes: `one`, `other`, or what else the language has."""
        rules = self.texts[PLURAL]
        assert not isinstance(rules, str)
        return next((form for form, digits in rules.items() if re.fullmatch(digits, str(number))), OTHER)

    def problem(self, kind: str, colours: Sequence[str] = (), where: str = "notice") -> str:
        """What is wrong with lid or camera and what to do, in the words of that place if it has its own."""
        own = f"{where}.{kind}"
        die = f"die_is.{colours[0]}" if colours else ""
        return self.say(
            own if own in self.texts else f"notice.{kind}",
            die=self.plain(die, self.plain("die_is.any")),
            dice=self.listed([self.plain(f"die_it.{each}", each) for each in dict.fromkeys(colours)]),
        )

    def listed(self, names: Sequence[str]) -> str:
        return self.say("and", a=", ".join(names[:-1]), b=names[-1]) if names[1:] else "".join(names)

    def sheet(self, name: str) -> str:
        """A printed sheet's name: `mixx-a` is Mixx A in every language."""
        return self.plain(f"lobby.{name}", name.replace("-", " ").title())

    def part(self, *beginnings: str) -> dict[str, Text]:
        """The words a page's script needs, and which forms numbers take."""
        return {key: text for key, text in self.texts.items() if key.startswith((PLURAL, *beginnings))}

    def each(self) -> Iterator[tuple[str, str]]:
        """Every text with its key, each form for itself."""
        for key, text in self.texts.items():
            if key != PLURAL:
                yield from ((key, form) for form in ([text] if isinstance(text, str) else text.values()))

    def _text(self, key: str, number: object) -> str:
        text = self.texts[key]
        if isinstance(text, str):
            return text
        return text.get(self.form(number), text[OTHER])

    def _value(self, value: Value) -> object:
        if isinstance(value, Statement):
            return self.word(value)
        if isinstance(value, float):
            return f"{value:g}".replace(".", self.plain("number.point", "."))
        if isinstance(value, str | int | PurePath):
            return value
        return "; ".join(map(self.word, value))


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """Every language there is a file for, English first."""
    found = {}
    for file in sorted(FOLDER.iterdir(), key=lambda file: (file.name != f"{DEFAULT}.json", file.name)):
        if file.name.endswith(".json"):
            language = file.name.removesuffix(".json")
            found[language] = Catalogue(language, json.loads(file.read_text(encoding="utf-8")))
    return found


def english(said: Statement | BoxlidError) -> str:
    """For logs and the command line."""
    return catalogues()[DEFAULT].word(said)


def _filled(hole: str, values: Mapping[str, object]) -> str:
    if hole in values:
        return str(values[hole])
    text = str(values[hole[0].lower() + hole[1:]])
    return text[:1].upper() + text[1:]


def holes(text: str) -> frozenset[str]:
    """What a text has filled in, whether it begins a sentence or not."""
    return frozenset(hole[0].lower() + hole[1:] for hole in _HOLE.findall(text))
