"""The review of a past game: counted beside the play, kept, shown on its page, and gone out with its file."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.game.games import differences
from companion.journal.journal import Journal
from companion.past import reviews
from companion.past.kept import KeptLines
from companion.past.records import Importer
from companion.past.reviewed import ReviewedGame
from tests.past_pages import ids, text_of, told, with_past_games
from tests.waiting import until
from tests.web_table import Stand, stand


@pytest.fixture
def past(tmp_path: Path) -> Stand:
    return with_past_games(tmp_path)


def reviewed(here: Stand, game: int) -> dict[str, object]:
    """Its review, once it is there."""
    assert until(lambda: told(here.display(), f"/api/history/{game}/review")["review"] is not None)
    found: dict[str, object] = told(here.display(), f"/api/history/{game}/review")["review"]
    return found


def test_a_page_that_is_opened_first_says_that_it_is_counted_and_then_shows_it(past: Stand) -> None:
    game = ids(past)[0]
    before = text_of(past.display(), f"/history/{game}")
    assert 'id="review-share"' in before
    found = reviewed(past, game)
    page = text_of(past.display(), f"/history/{game}")
    assert "The moments that decided" in page
    assert "Chances of winning, in percent" in page
    assert 'id="review-share"' not in page
    moments = found["moments"]
    assert isinstance(moments, list)
    assert page.count('<li><a href="#turn-') == len(moments) == 3


def test_a_review_is_kept_for_that_end_of_the_game_and_not_made_again(
    past: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ids(past)[0]
    found = reviewed(past, game)

    def never(*_: object) -> None:
        pytest.fail("it was made again")

    monkeypatch.setattr(reviews, "review", never)
    past.table.journal.close()
    again = stand(past.table.journal.folder)
    assert told(again.display(), f"/api/history/{game}/review")["review"] == found


def test_a_kept_review_of_another_end_or_with_a_flipped_bit_is_made_again(past: Stand) -> None:
    game = ids(past)[0]
    found = reviewed(past, game)
    kept = KeptLines(past.table.journal.folder, "reviews")
    kept.write(game, "another end", "[1,{}]")
    assert reviewed(past, game) == found


def test_a_kept_line_of_another_version_is_no_review() -> None:
    assert ReviewedGame.parse('[1, {"players": []}]') is None
    assert ReviewedGame.parse("[") is None


def test_nothing_of_it_is_told_before_the_game_is_over(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    here.roll("W3 W4 R2 Y5 G6 B1")
    game = here.table.snapshot.game_id
    answer = here.phone(0).get(f"/api/history/{game}/review")
    assert (answer.status_code, answer.get_json()["error"]) == (409, "still-played")
    assert 'id="review' not in text_of(here.phone(0), f"/history/{game}")


def test_a_strangers_phone_sees_no_review(past: Stand) -> None:
    assert past.phone().get(f"/api/history/{ids(past)[0]}/review").status_code == 403


def test_the_file_of_a_game_has_its_review_and_is_imported_again(past: Stand, tmp_path: Path) -> None:
    game = ids(past)[0]
    record = json.loads(text_of(past.display(), f"/history/{game}.jsonl"))
    assert record["review"] == reviewed(past, game)
    assert next(differences(record), None) is None
    with Journal(tmp_path / "elsewhere") as journal:
        assert Importer(journal).keep(record)


def test_the_export_of_the_journal_has_the_reviews_that_are_kept(
    past: Stand, capsys: pytest.CaptureFixture[str]
) -> None:
    found = reviewed(past, ids(past)[0])
    assert main(["export", "--state", str(past.table.journal.folder)]) == 0
    said = capsys.readouterr()
    games = [json.loads(line) for line in said.out.splitlines()]
    assert [game.get("review") for game in games] == [None, None, found]
    assert said.err == "boxlid export: 2 of 3 games have no review yet; --reviews makes them first\n"


def test_the_export_makes_the_reviews_that_are_missing_and_keeps_them(
    past: Stand, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(past.table.journal.folder)
    assert main(["export", "--reviews", "--state", folder]) == 0
    said = capsys.readouterr()
    made = [json.loads(line)["review"] for line in said.out.splitlines()]
    assert [len(review["players"]) for review in made] == [3, 3, 3]
    assert said.err == "".join(f"boxlid export: game {number} was reviewed\n" for number in (1, 2, 3))
    assert main(["export", "--state", folder]) == 0
    again = capsys.readouterr()
    assert (again.out, again.err) == (said.out, "")


def test_it_says_it_in_german_with_german_numbers(past: Stand) -> None:
    game = ids(past)[0]
    reviewed(past, game)
    answer = past.display().get(f"/history/{game}", headers={"Accept-Language": "de"})
    page = answer.get_data(as_text=True)
    assert "Die Momente, die entschieden" in page
    assert "Verlust je Entscheidung" in page
