"""History: the games of the past, and games out and in as records that lose nothing."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.game import HouseRules, Setup
from companion.game.fields import is_utf8
from companion.game.games import game_json
from companion.game.record import Record
from companion.journal.journal import Journal
from companion.past.records import Importer, begun, by_game, export_game, read_record, record_of
from companion.rules import NotationError
from companion.table.snapshot import GameDeleted, GameStarted, TableCleared
from companion.table.table import Command, Table
from tests.random_games import any_record
from tests.tabling import NAMES, ROLL, sit

VECTORS = Path(__file__).parent.parent / "vectors" / "games.jsonl"
EVENING = datetime(2026, 11, 18, 20, 15, tzinfo=UTC).timestamp()


def play_record(table: Table, record: Record, games: int = 1, number: int = 1) -> None:
    if not table.snapshot.seats:
        sit(table, *record.setup.players)
    table.play(Command(GameStarted(record.setup, games, number)))
    for event in record.events:
        table.play(Command(event))


def a_record(seed: int) -> Record:
    return any_record(seed, Setup(NAMES, seed % 3, house=HouseRules(pass_by_itself=seed % 2 == 0)))


@pytest.mark.parametrize("at", [-1e18, 1e18])
def test_a_mad_clock_gives_a_date_all_the_same(tmp_path: Path, at: float) -> None:
    with Journal(tmp_path, clock=lambda: at) as journal:
        journal.append(f"game started 1 1 {Setup(NAMES)}", starts_game=True)
        assert begun(journal.entries()[0]).date.year in (1, 9999)


def test_the_first_entry_tells_series_players_and_when(tmp_path: Path) -> None:
    with Journal(tmp_path, clock=lambda: EVENING) as journal:
        table = Table(journal)
        play_record(table, a_record(1), games=2)
        play_record(table, a_record(2), games=2, number=2)
        one, two = [begun(entries[0]) for entries in by_game(journal.entries())]
        assert one.date == datetime(2026, 11, 18, 20, 15, tzinfo=UTC)
        assert (one.setup.players, one.imported) == (NAMES, False)
        assert [(game.number, game.games) for game in (one, two)] == [(1, 2), (2, 2)]


def test_a_deleted_game_is_not_exported_and_may_be_imported_again(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        play_record(table, a_record(1))
        table.play(Command(TableCleared()))
        (entries,) = by_game(journal.entries())
        value = json.loads(json.dumps(export_game(entries)))
        table.play(Command(GameDeleted(entries[0].id)))
        assert by_game(journal.entries()) == []
        assert Importer(journal).keep(value)
        assert len(by_game(journal.entries())) == 1


def test_what_goes_out_comes_in_again_event_by_event_and_only_once(tmp_path: Path) -> None:
    records = [a_record(seed) for seed in range(3)]
    with Journal(tmp_path / "here", clock=lambda: EVENING) as journal:
        table = Table(journal)
        for record in records:
            play_record(table, record)
        texts = [json.dumps(export_game(game)) for game in by_game(journal.entries())]
        assert not any(Importer(journal).keep(json.loads(text)) for text in texts)  # they were played here
    with Journal(tmp_path / "there", clock=lambda: 0.0) as journal:
        importer = Importer(journal)
        assert all(importer.keep(json.loads(text)) for text in texts)
        assert not any(importer.keep(json.loads(text)) for text in texts)
        assert not Importer(journal).keep(json.loads(texts[0]))
        assert [record_of(game) for game in by_game(journal.entries())] == records
        assert [json.dumps(export_game(game)) for game in by_game(journal.entries())] == texts
        assert all(
            begun(game[0]).imported and begun(game[0]).date.year == 2026
            for game in by_game(journal.entries())
        )
        assert Table(journal).snapshot.game is None


def test_records_of_turns_alone_come_in_too(tmp_path: Path) -> None:
    told = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    with Journal(tmp_path) as journal:
        importer = Importer(journal)
        assert all(importer.keep(value) for value in told)
        for value, entries in zip(told, by_game(journal.entries()), strict=True):
            mine = game_json(record_of(entries))
            assert mine["final_scores"] == value["final_scores"]
            assert mine["ended_by"] == value["ended_by"]
            assert len(list(mine["turns"])) == len(value["turns"])  # type: ignore[call-overload]  # JSON


def one_record(**changes: object) -> object:
    return json.loads(json.dumps({**game_json(a_record(1)), **changes}))


@pytest.mark.parametrize(
    ("value", "refusal"),
    [
        (one_record(final_scores=[1, 2, 3]), "the record and the rules part: final_scores"),
        (one_record(date="yesterday"), "a date is such as 2026-11-18T20:15:00.00:00, got 'yesterday'"),
        (one_record(date=5), "the date of a game is a text"),
        (json.loads(json.dumps(game_json(Record(Setup(NAMES))))), "a finished game is wanted"),
        ([], "a game is an object"),
    ],
)
def test_what_is_no_finished_game_by_the_rules_is_refused_and_not_kept(
    tmp_path: Path, value: object, refusal: str
) -> None:
    with Journal(tmp_path) as journal:
        with pytest.raises(NotationError, match=refusal):
            Importer(journal).keep(value)
        assert journal.entries() == ()


def test_a_date_without_a_zone_is_taken_as_utc(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        assert Importer(journal).keep(one_record(date="2020-01-02T03:04:05"))
        assert begun(journal.entries()[0]).date == datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_entries_that_make_no_game_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        start = f"game started 1 1 {Setup(NAMES)}"
        journal.append_game([start, ROLL, "table cleared", "0 done"])
        journal.append_game(["table cleared"])
        broken, none = by_game(journal.entries())
        with pytest.raises(NotationError, match="entry 3 is 'table cleared'"):
            record_of(broken)
        assert len(read_record(broken).record.events) == 1
        with pytest.raises(NotationError, match="a game begins with its start, entry 5 is 'table cleared'"):
            begun(none[0])
        assert Importer(journal).keep(one_record())  # what cannot be read is in nobody's way


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        ("", True),
        ("Zoë 🎲", True),
        ({"a": [1, None, True, "é"]}, True),
        ("\ud83c", False),
        ("\ud83c\udfb2", False),  # two halves that no escape of JSON would leave beside each other
        ([{"a": [["b\udfff"]]}], False),
        ({"\ud800": 1}, False),
    ],
)
def test_a_json_value_is_text_only_if_all_its_characters_are_whole(value: object, whole: bool) -> None:
    assert is_utf8(value) is whole
