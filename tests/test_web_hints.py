"""Hints: for one's own seat alone, where the table plays with them, true, and in the phone's language."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.game import Crossed, Hints, HouseRules, SheetCorrected
from companion.play.judgement import WeightsError
from companion.rules import Cell, Sheet
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


R12_ENDS = ("R6 R7 R8 R9 R10 R11 Y2 Y3 Y4 Y5 Y6 Y12", "G11 G10 G9 G8 G7 G6 B11 B10 B9 B8 B7 B6")


@pytest.mark.parametrize(
    ("house", "wanted"),
    [
        (ASKED, "It ends the game while you are 22 points ahead."),
        (replace(ASKED, scores_hidden=True), "It closes the red row: the number and the lock are 15 points."),
    ],
    ids=["open", "hidden"],
)
def test_where_scores_are_hidden_no_hint_tells_who_is_ahead(
    tmp_path: Path, house: HouseRules, wanted: str
) -> None:
    here = stand(tmp_path)
    here.start(2, house=house)
    for seat, sheet in enumerate(R12_ENDS):
        here.play(SheetCorrected(0, seat, Sheet.parse(sheet)))
    here.roll("W6 W6 R1 G5 B5")
    assert here.phone(0).get("/api/hints/0").get_json()["text"] == f"The red 12. {wanted}"


def test_a_judgement_that_cannot_be_read_is_said(table: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(*_: object) -> None:
        raise WeightsError("the weights cannot be read")

    monkeypatch.setattr("companion.play.advice.judgement", unread)
    answer = table.phone(0).get("/api/hints/0")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "no-judgement")


def test_a_sheet_that_was_never_learnt_is_said_to_be_estimated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("companion.play.advice", "companion.view.hints"):
        monkeypatch.setattr(f"{module}.weights_of", lambda _: None)
    here = stand(tmp_path)
    here.start(2, house=ASKED)
    here.roll("W6 W6 R1 Y1 G5 B5")
    text = here.phone(0).get("/api/hints/0").get_json()["text"]
    assert text.endswith(" This sheet was never learnt: it is an estimate.")


def test_who_has_nothing_to_decide_gets_none(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2, house=ASKED)
    answer = here.phone(0).get("/api/hints/0")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "no-decision")
