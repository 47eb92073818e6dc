"""A language is there as a whole: pages, voice, checks and settings know the same ones."""

import re

import pytest

from companion.settings.config import Language, SpokenLanguage
from companion.words import PLURAL, Catalogue, catalogues
from tests.third_language import LANGUAGE, RULES


def test_the_settings_name_every_language_of_the_pages() -> None:
    assert {str(language) for language in Language} == set(catalogues())


def test_the_voice_speaks_every_language_of_the_pages() -> None:
    assert {str(language) for language in SpokenLanguage} - {"table"} == set(catalogues())


@pytest.mark.parametrize(
    ("language", "key", "values", "said"),
    [
        ("en", "head.last_turns", {"n": 1}, "Last round: 1 turn left"),
        ("en", "head.last_turns", {"n": 2}, "Last round: 2 turns left"),
        ("de", "head.last_turns", {"n": 1}, "Letzte Runde: noch 1 Zug"),
        ("de", "head.last_turns", {"n": 3}, "Letzte Runde: noch 3 Züge"),
        ("en", "said.closed", {"row": "the red row"}, "The red row is closed."),
        ("de", "said.closed", {"row": "die rote Reihe"}, "Die rote Reihe ist abgeschlossen."),
        ("en", "banner.closes_short", {"name": "anna", "row": "the red row"}, "anna closes the red row!"),
        ("en", "banner.lost", {"n": 1, "cells": "the red 7"}, "The red 7 no longer fits: choose again."),
        ("en", "banner.lost", {"n": 2, "cells": "a and b"}, "A and b no longer fit: choose again."),
    ],
)
def test_one_is_said_as_one_and_a_sentence_begins_with_a_capital(
    language: str, key: str, values: dict[str, object], said: str
) -> None:
    assert catalogues()[language].say(key, **values) == said


def test_no_sentence_of_the_pages_begins_with_a_small_letter() -> None:
    """A sentence is what ends with a full stop or a call; a name stands as its owner wrote it."""
    names = ("{name}", "{names}", "{die}", "{what}", "{side}", "{why}")
    for words in catalogues().values():
        for key, text in words.each():
            begins_with_name = text.startswith(names) or key.startswith(
                ("boards.file_", "error.too-many-tries", "broker.", "found.")
            )
            if text.endswith((".", "!", "?")) and not begins_with_name:
                assert not text[0].islower(), key
                assert not re.match(r"\{[a-z]", text) or text.startswith("{n}"), key


@pytest.mark.parametrize("word", ["aktive Spieler", "Farbreihe", "abschließen", "ausgelassen", "Fehlwurf"])
def test_the_german_help_uses_the_words_of_the_rule_book(word: str) -> None:
    helped = " ".join(text for key, text in catalogues()["de"].each() if key.startswith("help."))
    assert word in helped


def test_german_closes_rows_with_the_word_of_the_rule_book() -> None:
    """Rows are abgeschlossen; only boxes, pages and menus are closed."""
    for key, text in catalogues()["de"].each():
        about_rows = re.search(r"Reihe|Schloss", text)
        if about_rows:
            assert not re.search(r"\b(schließt|schließen|geschlossen)\b(?!.*\bab\b)", text), key


@pytest.mark.parametrize(
    ("number", "form"),
    [
        (0, "other"),
        (1, "one"),
        (2, "few"),
        (4, "few"),
        (5, "other"),
        (12, "other"),
        (22, "few"),
        (112, "other"),
    ],
)
def test_a_third_language_says_by_data_which_form_a_number_takes(number: int, form: str) -> None:
    texts = {PLURAL: RULES, "eggs": {"one": "one", "few": "few", "other": "other"}, "hens": {"other": "{n}"}}
    words = Catalogue(LANGUAGE, texts)
    assert words.say("eggs", n=number) == form
    assert words.say("hens", n=number) == str(number)
