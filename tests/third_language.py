"""A third language whose numbers take three forms, as those of Polish or Russian do, for tests."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion import words
from companion.words import OTHER, PLURAL, Text

LANGUAGE = "pl"  # browsers have to know it
FEW = "few: "
RULES = {"one": "1", "few": "(.*[^1])?[2-4]"}


def spoken(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on there is that language beside the others; `forgotten` has to be called in the end."""
    for file in words.FOLDER.iterdir():
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    english: Mapping[str, Text] = json.loads((folder / "en.json").read_text(encoding="utf-8"))
    own = {key: _forms(text) for key, text in english.items()}
    file = folder / f"{LANGUAGE}.json"
    file.write_text(json.dumps({**own, PLURAL: RULES, "language.name": "Polski"}), encoding="utf-8")
    monkeypatch.setattr(words, "FOLDER", folder)
    words.catalogues.cache_clear()


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    words.catalogues.cache_clear()


def _forms(text: Text) -> Text:
    return text if isinstance(text, str) or OTHER not in text else {**text, "few": FEW + text[OTHER]}
