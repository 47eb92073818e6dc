"""What a table tells a broker: what its display shows, nothing sealed or hidden, unique ids."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import (
    Crossed,
    Edition,
    Event,
    Game,
    Moved,
    Phase,
    Setup,
    TookBack,
    parse_event,
)
from companion.mqtt.happenings import fields_of, happenings, started
from companion.mqtt.payloads import MOST_BYTES, StatePayload, in_full, written
from companion.mqtt.showing import KnownGame, Stamp, state_of
from companion.mqtt.topics import Topics, box_of, is_name, is_prefix, safe_name
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from tests.random_games import any_record, any_setup
from tests.tabling import NAMES, ROLL, playing

KNOWN = KnownGame("abc:7", "2026-11-20T18:00:00.000+00:00", "abc:7")
STAMP = Stamp("run", 1)
HOLDER = "5ec2e70fa9d0"


def begun(setup: Setup) -> Snapshot:
    snapshot = Snapshot()
    for name, mark in zip(setup.players, Mark, strict=False):
        snapshot = snapshot.after(SeatTaken(name, mark, HOLDER + name), 1)
    return snapshot.after(GameStarted(setup), 7)


def state(snapshot: Snapshot) -> StatePayload:
    return state_of(snapshot, STAMP, KNOWN if snapshot.game else None)


def steps(seed: int) -> Iterator[tuple[Snapshot, Event, Snapshot]]:
    """A random game of any kind, event by event."""
    record = any_record(seed, any_setup(random.Random(seed)))
    snapshot = begun(record.setup)
    for number, event in enumerate(record.events, 8):
        after = snapshot.after(event, number)
        yield snapshot, event, after
        snapshot = after


def told(before: Game, event: Event, after: Game) -> list[dict[str, object]]:
    return [
        json.loads(in_full("kitchen", **fields_of(happening)))
        for happening in happenings(before, event, after)
    ]


def game_of(snapshot: Snapshot) -> Game:
    assert snapshot.game is not None
    return snapshot.game


# --- what is not told --------------------------------------------------------------------------------------


def without_words_of_deciding(shown: StatePayload) -> StatePayload:
    players = tuple(replace(player, deciding=False) for player in shown.players)
    return replace(shown, deciding=(), announced=(), players=players)


@pytest.mark.parametrize("seed", range(30))
def test_a_choice_changes_no_message_before_its_action_has_closed(seed: int) -> None:
    choices = 0
    for before, event, after in steps(seed):
        if isinstance(event, Crossed | Moved | TookBack) and game_of(before).phase is game_of(after).phase:
            choices += 1
            assert without_words_of_deciding(state(before)) == without_words_of_deciding(state(after))
            assert list(happenings(game_of(before), event, game_of(after))) == []
    assert choices


@pytest.mark.parametrize("seed", range(30))
def test_what_a_cross_closes_is_told_as_it_is_announced_at_the_table_and_not_which_cell(seed: int) -> None:
    for _, event, after in steps(seed):
        game = game_of(after)
        announced = tuple((each.seat, each.colour) for each in state(after).announced)
        assert announced == game.announced
        if isinstance(event, Crossed) and game.phase in (Phase.FIRST, Phase.SECOND) and game.turn:
            assert f'"{event.cell}"' not in written("kitchen", state(after)).decode()


@pytest.mark.parametrize("seed", range(20))
def test_hidden_scores_are_told_when_the_game_is_over_and_not_before(seed: int) -> None:
    for _, _, after in steps(seed):
        shown, hides = state(after), game_of(after).setup.house.scores_hidden
        scores = tuple(player.score for player in shown.players)
        if hides and shown.phase != "over":
            assert set(scores) == {None}
        else:
            assert scores == game_of(after).scores
        assert shown.scores_hidden is hides


@pytest.mark.parametrize("seed", range(20))
def test_points_are_in_no_event_but_the_last(seed: int) -> None:
    for before, event, after in steps(seed):
        for happening in happenings(game_of(before), event, game_of(after)):
            if {"score", "scores", "points"} & set(fields_of(happening)):
                assert game_of(after).phase is Phase.OVER


def test_no_message_holds_a_secret_of_a_phone() -> None:
    snapshot = begun(Setup(NAMES))
    assert HOLDER in repr(snapshot)
    assert HOLDER not in written("kitchen", state(snapshot)).decode()
    assert HOLDER not in written("kitchen", state(replace(snapshot, game=None, game_id=None))).decode()


def test_a_message_of_the_longest_names_is_no_longer_than_is_promised() -> None:
    names = tuple(letter * 24 for letter in "😀🎲🎉🎯")
    setup = Setup(names, edition=Edition.ON_BOARD, board=house_board().front)
    snapshot = begun(setup)
    assert len(written("k" * 40, state(snapshot))) < MOST_BYTES
    assert len(in_full("k" * 40, **fields_of(started(game_of(snapshot))))) < MOST_BYTES


# --- what is told ------------------------------------------------------------------------------------------


def test_the_lobby_tells_who_sits_there() -> None:
    snapshot = Snapshot().after(SeatTaken("Anna", Mark.STAR, None), 1)
    told_of = json.loads(written("kitchen", state_of(snapshot, STAMP, None)))
    assert (told_of["version"], told_of["box"], told_of["phase"]) == (1, "kitchen", "lobby")
    assert [(player["name"], player["score"]) for player in told_of["players"]] == [("Anna", None)]
    assert told_of["game"] is None


def test_the_state_of_a_roll_is_what_the_display_shows(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "0 crosses R7 in 1") as table:
        shown = state(table.snapshot)
        assert (shown.phase, shown.white_sum, shown.active, shown.deciding) == ("first", 7, 0, (0, 1, 2))
        assert [(die.colour, die.pips) for die in shown.dice][:3] == [("white", 3), ("white", 4), ("red", 2)]
        assert [player.active for player in shown.players] == [True, False, False]


def happened(table: Table, *lines: str) -> list[dict[str, object]]:
    found = []
    for line in lines:
        before = table.snapshot.game
        event = parse_event(line)
        after = table.play(Command(event)).game
        assert before is not None
        assert after is not None
        found += told(before, event, after)
    return found


def kinds(found: list[dict[str, object]]) -> list[object]:
    return [each["kind"] for each in found]


def test_crosses_are_told_together_when_their_action_closes(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        assert kinds(happened(table, ROLL)) == ["roll"]
        assert happened(table, "0 crosses R7 in 1", "1 crosses G7 in 1", "0 done", "1 done") == []
        found = happened(table, "2 done")
        assert [(each["player"], each["cell"], each["colour"], each["number"]) for each in found] == [
            ("Anna", "R7", "red", 7),
            ("Ben", "G7", "green", 7),
        ]


def test_a_misthrow_is_told_with_how_many_there_are(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "0 done", "1 done", "2 done") as table:
        found = happened(table, "0 done")
        assert [(each["kind"], each["player"], each["misthrows"]) for each in found] == [
            ("misthrow", "Anna", 1)
        ]


def test_a_closed_row_is_told_with_all_who_locked_it_and_two_end_the_game(tmp_path: Path) -> None:
    full = ("0 corrects sheet 0 R2 R3 R4 R5 R6 G12 G11 G10 G9 G8", "0 corrects sheet 1 R2 R3 R4 R5 R6")
    rolled = "rolled W6 W6 R2 Y5 G6 B1 by camera"
    with playing(tmp_path, *full, rolled) as table:
        happened(table, "0 crosses R12 in 1", "1 crosses R12 in 1", "0 done", "1 done")
        found = happened(table, "2 done")
        assert kinds(found) == ["cross", "cross", "row-closed"]
        assert (found[2]["colour"], found[2]["seats"], found[2]["players"]) == (
            "red",
            [0, 1],
            ["Anna", "Ben"],
        )
        stopped = happened(table, "0 stops")
        assert kinds(stopped) == ["game-over"]
        assert (stopped[0]["ended_by"], stopped[0]["winners"]) == ("stopped", [])


def test_a_correction_is_told_as_one_and_crosses_of_it_are_nobodys(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL) as table:
        found = happened(table, "1 corrects sheet 0 R2 R3")
        assert [(each["kind"], each["what"], each["seat"]) for each in found] == [("correction", "sheet", 1)]
        found = happened(table, "0 corrects dice W1 W1 R2 Y5 G6 B1")
        assert kinds(found) == ["correction", "roll"]
        assert found[1]["white_sum"] == 2
        found = happened(table, "0 done", "1 done", "2 done", "0 done", "0 reopens 0")
        assert kinds(found) == ["misthrow", "correction"]


def test_who_sits_out_is_told(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        found = happened(table, "0 says 1 sits out", "0 says 1 is back", "1 says 2 plays no more")
        assert [(each["kind"], each["player"]) for each in found] == [
            ("sits-out", "Ben"),
            ("back", "Ben"),
            ("plays-no-more", "Cleo"),
        ]


@pytest.mark.parametrize("seed", range(20))
def test_every_cross_and_misthrow_of_a_game_is_told_once(seed: int) -> None:
    crosses, misthrows, last = list[object](), 0, None
    for before, event, after in steps(seed):
        for each in told(game_of(before), event, game_of(after)):
            crosses += [(each["seat"], each["cell"])] if each["kind"] == "cross" else []
            misthrows += each["kind"] == "misthrow"
        last = game_of(after)
    assert last is not None
    assert sorted(map(str, crosses)) == sorted(
        str((seat, str(cell))) for seat, sheet in enumerate(last.sheets) for cell in sheet.cells
    )
    assert misthrows == sum(sheet.misthrows for sheet in last.sheets)


# --- names and topics --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "box"),
    [
        ("boxlid", "boxlid"),
        ("Küche.fritz.box", "kuche"),
        ("Spiel Tisch+#/1", "spiel-tisch-1"),
        ("club", "box-club"),
        ("", "box"),
        ("-_-", "box"),
        ("x" * 70, "x" * 40),
        ("日本", "box"),
    ],
)
def test_a_host_name_becomes_a_name_that_is_safe_in_topics(host: str, box: str) -> None:
    assert safe_name(host) == box
    assert is_name(box)


@pytest.mark.parametrize(
    "name", ["", "club", "Kitchen", "a/b", "+", "#", "a b", "$sys", "x" * 41, "-a", "a\n"]
)
def test_other_names_are_refused(name: str) -> None:
    assert not is_name(name)


def test_prefixes_are_words_with_slashes() -> None:
    assert all(map(is_prefix, ["boxlid", "home/games", "a_b-C/1"]))
    assert not any(map(is_prefix, ["", "/a", "a/", "a//b", "a/+", "#", "ä", "x" * 101, "a\n"]))


def test_a_topic_tells_its_box_and_strangers_topics_none() -> None:
    topics = Topics("home/games", "kitchen")
    assert box_of("home/games", topics.state) == ("kitchen", "state")
    assert box_of("home/games", topics.lamp("seat1")) == ("kitchen", "lamp/seat1")
    strange = [topics.ask, "home/games", "home/games/", "home/games/kitchen", "other/kitchen/state", "x"]
    assert {box_of("home/games", topic) for topic in strange} == {None}
