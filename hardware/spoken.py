"""The words of what is said aloud, in every language there is a file for. Makes no sound."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from companion.view.sayings import Saying

_HOLE = re.compile(r"\{(\w+)\}")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The words of one language: a JSON file as the pages have them."""
    text = files("hardware").joinpath("languages", f"{language}.json").read_text(encoding="utf-8")
    words: Mapping[str, str] = json.loads(text)
    return words


def sentence(saying: Saying, language: str) -> str:
    """The saying in that language."""
    words = catalogue(language)
    values = {
        "name": saying.names[0] if saying.names else "",
        "names": _listed(saying.names, words["and"]),
        "row": words[f"row.{saying.colour}"] if saying.colour else "",
        "cell": _filled(words[f"cell.{saying.colour}"], {"number": str(saying.number)})
        if saying.colour
        else "",
        "die": words[f"die.{saying.colour}"] if saying.colour else "",
        "sum": str(saying.number),
        "points": str(saying.number),
    }
    one = words.get(f"say.{saying.kind}.one") if saying.number == 1 else None
    text = _filled(one or words[f"say.{saying.kind}"], values)
    return text[:1].upper() + text[1:]


def _listed(names: tuple[str, ...], pattern: str) -> str:
    if len(names) < 2:
        return "".join(names)
    return _filled(pattern, {"first": ", ".join(names[:-1]), "last": names[-1]})


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda hole: values[hole[1]], text)
