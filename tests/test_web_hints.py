"""Hints: for one's own seat alone, where the table plays with them, true, and in the phone's language."""

from pathlib import Path

import pytest

from companion.game import Crossed, Hints, HouseRules
from companion.rules import Cell
from tests.web_table import Stand, stand

DICE = "W1 W1 R5 Y5 G6 B1"
ASKED = HouseRules(hints=Hints.ASKED)


@pytest.fixture
def table(tmp_path: Path) -> Stand:
    here = stand(tmp_path)
    here.start(2, house=ASKED)
    here.roll(DICE)
    return here


def test_a_phone_hears_what_to_cross_and_why(table: Stand) -> None:
    answer = table.phone(0).get("/api/hints/0").get_json()
    assert answer["moment"] == table.table.snapshot.moment
    assert (answer["seat"], answer["action"], answer["space"]) == (0, 1, None)
    assert answer["cell"] in ("R2", "Y2")
    assert answer["text"].startswith("The red 2. " if answer["cell"] == "R2" else "The yellow 2. ")


def test_it_is_said_in_the_language_of_the_phone(table: Stand) -> None:
    answer = table.phone(1).get("/api/hints/1", headers={"Accept-Language": "de"}).get_json()
    assert answer["text"].startswith("Die ")


@pytest.mark.parametrize("seat", ["1", "2", "99", "-1", "x", "\u0663"])
def test_nobody_asks_for_another_seat(table: Stand, seat: str) -> None:
    answer = table.phone(0).get(f"/api/hints/{seat}")
    assert (answer.status_code, answer.get_json()["error"]) == (403, "no-seat")


def test_what_others_have_chosen_changes_no_hint(table: Stand) -> None:
    before = table.phone(0).get("/api/hints/0").get_json()
    table.play(Crossed(1, Cell.parse("R2")))
    assert table.phone(0).get("/api/hints/0").get_json() == before


def test_a_table_without_hints_gives_none(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    here.roll(DICE)
    answer = here.phone(0).get("/api/hints/0")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "no-hints")


def test_who_has_nothing_to_decide_gets_none(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2, house=ASKED)
    answer = here.phone(0).get("/api/hints/0")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "no-decision")
