"""Past games: counted once and remembered, grouped in evenings, and damage stays where it is."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.game import Edition, EndedBy, Game, HouseRules, Rolled, Setup, Source
from companion.host.answers import event_of
from companion.journal.journal import Journal
from companion.past import games as games_module
from companion.past.fairness import Verdict
from companion.past.figures import DICE, GameFigures, figures_of
from companion.past.games import PastGames
from companion.past.kept import FILE
from companion.past.records import Importer, by_game, export_game
from companion.past.tally import tally
from companion.past.turns import Replay, replay
from companion.rules import Roll
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import GameDeleted, GameStarted, Snapshot, TableCleared
from companion.table.table import Command, Table
from tests.heart.test_history import a_record, play_record
from tests.journals import no_file_longer_than
from tests.random_games import any_record
from tests.tabling import NAMES, ROLL, play, sit
from tests.waiting import PATIENCE


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        sit(table)
        yield table


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every game that was played again."""
    found: list[str] = []

    def counting(record: object) -> Replay:
        found.append(str(record))
        return replay(record)  # type: ignore[arg-type]  # what it is called with

    monkeypatch.setattr(games_module, "replay", counting)
    return found


def test_a_game_comes_to_what_its_record_does(table: Table) -> None:
    record = a_record(1)
    play_record(table, record)
    (game,) = PastGames(table.journal).all()
    end = record.play()
    assert game.figures.over
    assert game.figures.counts
    assert (game.figures.ended_by, game.figures.winners) == (end.ended_by, end.winners)
    assert [player.score for player in game.figures.players] == list(end.scores)
    assert [player.misthrows for player in game.figures.players] == [s.misthrows for s in end.sheets]
    assert [player.locks for player in game.figures.players] == [len(s.locks) for s in end.sheets]
    throws = sum(sum(dice.counts[0]) for dice in game.figures.dice) // 2
    assert throws == game.figures.turns == end.number


def test_a_game_is_played_again_once_even_over_a_restart(tmp_path: Path, replays: list[str]) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        for seed in range(3):
            play_record(table, a_record(seed))
        past = PastGames(journal)
        before = list(past.all())
        assert list(past.all()) == before
        assert len(replays) == 3
    with Journal(tmp_path) as journal:
        assert [game.figures for game in PastGames(journal).all()] == [game.figures for game in before]
        assert len(replays) == 3


def test_a_game_that_went_on_is_counted_anew(table: Table, replays: list[str]) -> None:
    table.play(Command(GameStarted(Setup(NAMES))))
    past = PastGames(table.journal)
    assert [game.figures.over for game in past.all()] == [False]
    play(table, ROLL, "0 crosses R7 in 1", "0 done", "1 done", "2 done", "0 stops")
    (game,) = past.all()
    assert (game.figures.over, game.figures.ended_by, game.figures.counts) == (True, EndedBy.STOPPED, False)
    assert game.figures.players[0].score == 1
    play(table, "0 reopens 0")
    assert [game.figures.over for game in past.all()] == [False]
    assert len(replays) == 3


def test_only_the_games_of_a_page_are_played_again(table: Table, replays: list[str]) -> None:
    for seed in range(5):
        play_record(table, a_record(seed))
    past = PastGames(table.journal)
    assert [len(evening.games) for evening in past.evenings(0, 2)] == [1, 1]
    assert len(replays) == 2
    assert past.evenings_count() == 5
    assert [evening.games[0].id for evening in past.evenings(0, 2)] == list(past.ids()[:2])
    assert past.evenings(5, 2) == ()


def test_what_is_kept_is_only_a_memory(tmp_path: Path, replays: list[str]) -> None:
    with Journal(tmp_path) as journal:
        play_record(Table(journal), a_record(1))
        right = [game.figures for game in PastGames(journal).all()]
    for spoil in (b"no database at all", None):
        if spoil is not None:
            (tmp_path / FILE).write_bytes(spoil)
        else:
            with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
                database.execute("UPDATE figures SET line = '[0, {}]'")
        with Journal(tmp_path) as journal:
            assert [game.figures for game in PastGames(journal).all()] == right
    assert len(replays) == 3


def test_a_flipped_bit_of_what_is_kept_shows_no_wrong_figures_and_is_made_good(tmp_path: Path) -> None:
    """Every byte of its lines, and some of every page, in every game's figures."""
    with Journal(tmp_path) as journal:
        table = Table(journal)
        for seed in range(3):
            play_record(table, a_record(seed))
        wanted = [game.figures for game in PastGames(journal).all()]
        whole = (tmp_path / FILE).read_bytes()
        lines = whole.index(b'"over"') - 200
        places = [*range(0, len(whole), 97), *range(lines, len(whole), 5)]
        for place in places:
            flipped_bit = bytes([whole[place] ^ 1 << place % 8])
            (tmp_path / FILE).write_bytes(whole[:place] + flipped_bit + whole[place + 1 :])
            assert [game.figures for game in PastGames(journal).all()] == wanted, f"byte {place}"
        assert len(places) > 250
        assert [game.figures for game in PastGames(journal).all()] == wanted


def test_figures_of_another_game_or_of_another_end_are_counted_anew(
    tmp_path: Path, replays: list[str]
) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        for seed in range(2):
            play_record(table, a_record(seed))
        wanted = [game.figures for game in PastGames(journal).all()]
        with closing(sqlite3.connect(tmp_path / FILE)) as kept, kept:
            lines = [line for (line,) in kept.execute("SELECT line FROM figures ORDER BY game")]
            kept.execute("UPDATE figures SET line = ?", (lines[0],))  # as if copied from one to the other
        replays.clear()
        assert [game.figures for game in PastGames(journal).all()] == wanted
        assert len(replays) == 1
        with closing(sqlite3.connect(tmp_path / FILE)) as kept:
            assert [line for (line,) in kept.execute("SELECT line FROM figures ORDER BY game")] == lines


def test_who_has_no_patience_gets_what_is_counted_and_the_rest_is_counted_meanwhile(
    table: Table, replays: list[str]
) -> None:
    for seed in range(4):
        play_record(table, a_record(seed))
    past = PastGames(table.journal)
    newest = past.game(past.ids()[0])
    assert past.counted(0.0) == (newest,)
    join_counting()
    assert past.counted(0.0) == tuple(past.all())
    assert len(replays) == 4
    assert PastGames(table.journal).counted(30.0) == tuple(past.all())


def test_counting_ends_with_the_journal(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    play_record(table, a_record(1))
    past = PastGames(table.journal)
    table.journal.close()
    with caplog.at_level("INFO"):
        assert past.counted(0.0) == ()
        join_counting()
    assert "the journal was closed" in caplog.text


def join_counting() -> None:
    for thread in threading.enumerate():
        if thread.name == "counting":
            thread.join(timeout=PATIENCE)


def test_a_full_disk_forgets_and_shows_all_the_same(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        play_record(Table(journal), a_record(1))
        with no_file_longer_than(0):
            shown = [game.figures.winners for game in PastGames(journal).all()]
        assert shown == [a_record(1).play().winners]
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("line", ["", "{}", "[1]", "[1, {}]", '[1, {"over": 1}]', "[2, {}]", "null"])
def test_a_kept_line_that_is_none_is_none(line: str) -> None:
    assert GameFigures.parse(line) is None


@pytest.mark.parametrize("seed", range(4))
def test_figures_are_the_same_behind_their_line(seed: int) -> None:
    figures = figures_of(replay(any_record(seed)))
    assert GameFigures.parse(figures.write()) == figures


# --- series and deletion -------------------------------------------------------------------------------


def test_games_of_a_series_stand_together_with_its_standings(table: Table) -> None:
    for number in (1, 2, 3):
        play_record(table, a_record(number), games=3, number=number)
    play_record(table, a_record(4))
    play_record(table, a_record(5), games=2)
    past = PastGames(table.journal)
    evenings = past.evenings(0, 10)
    assert [len(evening.games) for evening in evenings] == [1, 1, 3]
    assert [evening.is_series for evening in evenings] == [True, False, True]
    series = evenings[2].series
    assert series is not None
    scores = [a_record(number).play().scores for number in (1, 2, 3)]
    assert series.results == tuple(scores)
    assert evenings[1].series is None


def test_a_game_of_a_series_that_was_stopped_and_played_again_stays_in_its_series(table: Table) -> None:
    play_record(table, a_record(1), games=2)
    table.play(Command(GameStarted(a_record(2).setup, 2, 2)))
    play(table, "0 stops")
    play_record(table, a_record(3), games=2, number=2)
    play_record(table, a_record(4), games=2)
    past = PastGames(table.journal)
    assert [len(evening.games) for evening in past.evenings(0, 10)] == [1, 3]
    series = past.evenings(1, 1)[0].series
    assert series is not None
    assert series.results == (a_record(1).play().scores, a_record(3).play().scores)


def test_a_deleted_game_leaves_list_series_and_statistics(table: Table) -> None:
    for number in (1, 2, 3):
        play_record(table, a_record(number), games=3, number=number)
    table.play(Command(TableCleared()))
    past = PastGames(table.journal)
    newest, middle, oldest = past.ids()
    before = tally(past.all())
    table.play(Command(GameDeleted(middle)))
    assert past.ids() == (newest, oldest)
    assert [[game.id for game in evening.games] for evening in past.evenings(0, 10)] == [[oldest, newest]]
    assert past.game(middle) is None
    assert past.replay(middle) is None
    assert past.entries(middle) == ()
    after = tally(past.all())
    assert (before.games, after.games) == (3, 2)
    assert after.players[0].total < before.players[0].total
    table.play(Command(GameDeleted(newest)))
    table.play(Command(GameDeleted(oldest)))
    assert past.evenings_count() == 0
    assert tally(past.all()).players == ()


# --- damage --------------------------------------------------------------------------------------------


def test_a_game_that_cannot_be_read_or_played_says_why_and_the_rest_goes_on(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table, start = Table(journal), f"game imported 5.0 {Setup(NAMES)}"
        journal.append_game(["game started by the future"])
        journal.append_game([start, ROLL, "0 dances"])
        journal.append_game([start, ROLL, "0 crosses R8 in 1"])
        play_record(table, a_record(1))
        past = PastGames(journal)
        unknown, unread, unplayed, good = past.all()
        assert (unknown.begun, unknown.figures.players) == (None, ())
        assert "entry 1 starts no game" in (unknown.figures.trouble or "")
        assert past.replay(unknown.id) is None
        assert "0 dances" in (unread.figures.trouble or "")
        assert "R8 was not rolled" in (unplayed.figures.trouble or "")
        assert (unread.figures.turns, good.figures.trouble) == (1, None)
        found = past.replay(unread.id)
        assert found is not None
        assert found.trouble is not None
        assert not any(game.figures.counts for game in (unknown, unread, unplayed))
        assert [len(evening.games) for evening in past.evenings(0, 10)] == [1, 1, 1, 1]
        counted = tally(past.all())
        assert (counted.games, counted.left_out) == (1, 3)


# --- statistics ----------------------------------------------------------------------------------------


def test_players_are_known_by_name_over_all_their_games(tmp_path: Path) -> None:
    records = [
        any_record(1, Setup(("Anna", "Ben"))),
        any_record(2, Setup(("BEN", "Cleo", "anna"), house=HouseRules(pass_by_itself=False))),
    ]
    with Journal(tmp_path) as journal:
        importer = Importer(journal)
        for record in records:
            with Journal(tmp_path / "there" / str(len(record.events))) as other:
                play_record(Table(other), record)
                (entries,) = by_game(other.entries())
                assert importer.keep(json.loads(json.dumps(export_game(entries))))
        found = {player.name: player for player in tally(PastGames(journal).all()).players}
        one, two = (record.play() for record in records)
        assert set(found) == {"anna", "BEN", "Cleo"}
        anna = found["anna"]
        assert anna.points == (one.scores[0], two.scores[2])
        assert (anna.games, anna.total, anna.average) == (2, sum(anna.points), sum(anna.points) / 2)
        assert (anna.best, anna.worst) == (max(anna.points), min(anna.points))
        assert anna.wins == (0 in one.winners) + (2 in two.winners)
        assert anna.misthrows == one.sheets[0].misthrows + two.sheets[2].misthrows
        assert found["Cleo"].games == 1


def stopped_after(table: Table, source: str, throws: int) -> None:
    """A game of so many misthrows of everybody in turn."""
    table.play(Command(GameStarted(Setup(NAMES, house=HouseRules(pass_by_itself=False)))))
    for number in range(throws):
        active = number % 3
        play(table, f"rolled W6 W6 R2 Y5 G6 B1 by {source}", "0 done", "1 done", "2 done", f"{active} done")
    play(table, "0 stops")


def test_only_dice_read_or_typed_in_are_the_real_ones_and_sources_stay_apart(table: Table) -> None:
    for source, throws in (("camera", 5), ("hand", 4), ("virtual", 3), ("simulated", 2)):
        stopped_after(table, source, throws)
    with Journal(table.journal.folder / "there") as other:
        play_record(Table(other), a_record(1))
        (entries,) = by_game(other.entries())
    Importer(table.journal).keep(json.loads(json.dumps(export_game(entries))))
    found = tally(PastGames(table.journal).all())
    there = a_record(1).play().number
    assert [(each.source, each.throws) for each in found.sources] == [
        (Source.CAMERA, 5),
        (Source.HAND, 4),
        (Source.VIRTUAL, 3),
        (Source.SIMULATED, 2),
        ("imported", there),
    ]
    assert found.throws == 9
    by_die = {each.die: each.counts for each in found.dice}
    assert list(by_die) == list(DICE)
    assert (by_die["white"], by_die["red"]) == ((0, 0, 0, 0, 0, 18), (0, 9, 0, 0, 0, 0))
    assert all(each.verdict is Verdict.TOO_FEW for each in found.dice)
    assert (found.games, found.left_out) == (1, 4)


@pytest.mark.parametrize(("simulated", "source"), [(True, Source.SIMULATED), (False, Source.CAMERA)])
def test_drawn_dice_are_kept_as_drawn_though_a_reader_read_them(simulated: bool, source: Source) -> None:
    roll = Roll.parse("W3 W4 R2 Y5 G6 B1")
    snapshot, eyes = Snapshot(game=Game.begin(Setup(NAMES))), Eyes(EyesState.READY, simulated=simulated)
    assert event_of(snapshot, roll, eyes, again=False) == Rolled(roll, source)


def test_players_are_told_in_one_edition_and_dice_in_all(table: Table) -> None:
    editions = (Edition.ORIGINAL, Edition.DELUXE, Edition.DELUXE)
    for seed, edition in enumerate(editions, 1):
        play_record(table, any_record(seed, Setup(NAMES, edition=edition)))
    past = PastGames(table.journal)
    whole, deluxe = tally(past.all()), tally(past.all(), Edition.DELUXE)
    assert whole.editions == deluxe.editions == (Edition.ORIGINAL, Edition.DELUXE)
    assert [(found.games, found.players[0].games) for found in (whole, deluxe)] == [(3, 3), (2, 2)]
    assert whole.dice == deluxe.dice
    assert tally(past.all(), Edition.ON_BOARD).players == ()


def test_no_games_are_no_statistics(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        found = tally(PastGames(journal).all())
    assert (found.games, found.players, found.throws, found.sources) == (0, (), 0, ())
    assert all(each.counts == (0,) * 6 for each in found.dice)
