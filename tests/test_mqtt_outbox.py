"""From the journal to messages: every result until it is acknowledged, events while they are news."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.game import PaperEnded, Setup, write_event
from companion.game.record import Record
from companion.journal.journal import Journal
from companion.mqtt.outbox import LATE_SECONDS, MOST_ASKED, Item, Outbox
from companion.mqtt.position import FILE
from companion.mqtt.results import id_of
from companion.mqtt.topics import Topics
from companion.mqtt.walk import Walk
from companion.rules import Sheet
from companion.table.snapshot import GameDeleted, GameStarted, Imported, TableCleared, write_line
from companion.table.table import Command, Table
from tests.random_games import any_record, any_setup
from tests.tabling import NAMES, ROLL, Clock, play, playing, sit

TOPICS = Topics("boxlid", "kitchen")
Message = dict[str, Any]  # Any: JSON


def keep(journal: Journal, record: Record, number: int = 1, games: int = 1) -> int:
    """The game in the journal, as a table keeps it."""
    start = journal.append(write_line(GameStarted(record.setup, games, number)), starts_game=True)
    for event in record.events:
        journal.append(write_event(event), game=start.id)
    return start.id


def a_game(seed: int) -> Record:
    return any_record(seed, any_setup(random.Random(seed)))


def opened(journal: Journal, clock: Clock | None = None) -> Outbox:
    """Of a table that has been told all from its beginning."""
    return Outbox(journal, TOPICS, clock or Clock(journal.now()))


def from_the_start(folder: Path) -> None:
    """As after a first start with an empty journal."""
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text('{"entry": 0, "chain": "boxlid"}')


def all_of(outbox: Outbox) -> list[Item]:
    found = []
    while (item := outbox.next()) is not None:
        found.append(item)
    return found


def read(item: Item) -> Message:
    value = json.loads(item.letter.payload)
    assert isinstance(value, dict)
    assert (value["version"], value["box"]) == (1, "kitchen")
    return value


def results(items: list[Item]) -> list[Message]:
    found = [read(item) for item in items if item.letter.is_result]
    assert {item.letter.topic for item in items if item.letter.is_result} <= {TOPICS.result}
    return found


# --- results -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_a_result_has_names_points_and_places_as_the_game_counts_them(seed: int, tmp_path: Path) -> None:
    record = a_game(seed)
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        number = keep(journal, record)
        (found,) = results(all_of(opened(journal)))
        start = journal.entry(number)
        assert start is not None
        assert (found["id"], found["revision"]) == (id_of(start), journal.next_id - 1)
    game, players = record.play(), found["players"]
    assert (found["status"], found["source"], found["turns"]) == ("final", "table", game.number)
    assert [player["name"] for player in players] == list(record.setup.players)
    assert tuple(player["points"] for player in players) == game.scores
    assert tuple(player["seat"] for player in players if player["place"] == 1) == game.winners
    for player, sheet in zip(players, game.sheets, strict=True):
        assert sum(player["rows"]) - 5 * player["misthrows"] + player["extra"] == player["points"]
        assert Sheet.parse(player["sheet"]) == sheet


def test_a_stopped_game_has_points_and_no_places(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with playing(tmp_path, ROLL, "0 stops") as table:
        (found,) = results(all_of(opened(table.journal)))
        assert (found["stopped"], found["ended_by"], found["turns"]) == (True, "stopped", 1)
        assert [player["place"] for player in found["players"]] == [None] * 3


def test_a_game_that_goes_on_after_all_is_told_and_its_end_again_with_a_higher_revision(
    tmp_path: Path,
) -> None:
    from_the_start(tmp_path)
    with playing(tmp_path, ROLL, "0 stops") as table:
        play(table, "0 reopens 0", "0 stops")
        found = results(all_of(opened(table.journal)))
        assert [each["status"] for each in found] == ["final", "reopened", "final"]
        assert len({each["id"] for each in found}) == 1
        revisions = [each["revision"] for each in found]
        assert revisions == sorted(revisions)
        assert found[1]["players"] == []


def test_a_deleted_game_is_told_with_its_id_and_a_higher_revision(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with playing(tmp_path, ROLL, "0 stops") as table:
        game = table.snapshot.game_id
        assert game is not None
        table.play(Command(TableCleared()))
        table.play(Command(GameDeleted(game)))
        found = results(all_of(opened(table.journal)))
        assert [each["status"] for each in found] == ["final", "deleted"]
        assert found[0]["id"] == found[1]["id"]
        assert found[0]["revision"] < found[1]["revision"]


def test_the_games_of_a_series_name_its_first(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    record = a_game(3)
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        first = keep(journal, record, 1, 3)
        keep(journal, record, 2, 3)
        start = journal.entry(first)
        assert start is not None
        found = [each["series"] for each in results(all_of(opened(journal)))]
        assert found == [
            None,
            {"id": id_of(start), "number": 1, "games": 3},
            {"id": id_of(start), "number": 2, "games": 3},
        ]


def test_a_game_on_paper_is_a_result_and_no_event_and_an_imported_one_is_neither(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    full = Sheet.parse("R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12")
    with Journal(tmp_path) as journal:
        table = Table(journal)
        table.keep_on_paper(Imported(Setup(NAMES[:1]), 1.7e9), PaperEnded((full,)))
        record = a_game(5)
        journal.append_game([str(Imported(record.setup, 1.6e9)), *map(write_event, record.events)])
        items = all_of(opened(journal))
        (found,) = results(items)
        assert len(items) == 1
        assert (found["source"], found["turns"]) == ("paper", 0)
        assert found["started"] == found["ended"] == "2023-11-14T22:13:20.000+00:00"


@pytest.mark.parametrize("seed", range(5))
def test_a_walk_that_begins_in_the_middle_tells_what_one_from_the_start_tells(
    seed: int, tmp_path: Path
) -> None:
    with Journal(tmp_path) as journal:
        for each in (seed, seed + 100):
            keep(journal, a_game(each))
        entries = journal.entries()
        walk = Walk(journal, TOPICS)
        whole = {entry.id: walk.letters(entry) for entry in entries}
        for since in range(0, len(entries), 29):
            late = Walk(journal, TOPICS)
            for entry in entries[since:]:
                assert late.letters(entry) == whole[entry.id]


def test_a_game_that_cannot_be_played_is_left_out_and_the_others_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        number = keep(journal, a_game(1))
        journal.append("0 flies away", game=number)
        journal.append("0 done", game=number)
        bad = journal.append("game started 1 1 a game of the future", starts_game=True)
        journal.append("0 stops", game=bad.id)
        keep(journal, a_game(2))
        assert [each["status"] for each in results(all_of(opened(journal)))] == ["final", "final"]
        assert len([line for line in caplog.messages if "is not told by MQTT" in line]) == 2


# --- the queue ---------------------------------------------------------------------------------------------


def test_a_table_that_speaks_mqtt_for_the_first_time_tells_nothing_of_the_past(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        assert all_of(opened(journal)) == []
        keep(journal, a_game(2))
    with Journal(tmp_path) as journal:
        assert len(results(all_of(opened(journal)))) == 1


def test_what_was_not_acknowledged_is_sent_again_after_a_restart_with_the_same_ids(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        outbox = opened(journal)
        first = all_of(outbox)
        for item in first[: len(first) // 2]:
            outbox.acknowledged(item)
        outbox.save()
    with Journal(tmp_path) as journal:
        again = all_of(opened(journal))
        payloads = [item.letter.payload for item in first]
        assert [item.letter.payload for item in again] == payloads[-len(again) :]
        assert len(first) // 2 <= len(again) < len(first)
        assert len({read(item)["id"] for item in first}) == len(first)


def test_an_entry_counts_only_when_all_before_it_are_acknowledged_whatever_the_order(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        outbox = opened(journal)
        items = all_of(outbox)
        for item in reversed(items[1:]):
            outbox.acknowledged(item)
        assert outbox.position < items[0].entry
        outbox.acknowledged(items[0])
        assert outbox.position == journal.next_id - 1
        assert outbox.waiting == 0


def test_an_acknowledged_result_is_noted_on_disk_at_once(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        outbox = opened(journal)
        for item in all_of(outbox):
            outbox.acknowledged(item)
        assert all_of(opened(journal)) == []


def test_events_that_are_late_are_left_out_and_results_never(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        clock = Clock(journal.now() + LATE_SECONDS + 60)
        items = all_of(opened(journal, clock))
        assert [item.letter.is_result for item in items] == [True]


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "{",
        '{"entry": 3, "chain": "of another journal"}',
        "[]",
        '{"entry": 10000, "chain": "x"}',
        "x" * 9999,
    ],
)
def test_a_damaged_note_or_one_of_another_journal_has_all_results_sent_again(
    kept: str, tmp_path: Path
) -> None:
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        (tmp_path / FILE).write_text(kept)
        assert len(results(all_of(opened(journal)))) == 1


def test_a_full_disk_keeps_no_note_and_stops_nothing(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        outbox = opened(journal)
        keep(journal, a_game(1))
        (tmp_path / "mqtt.part").mkdir()
        for item in all_of(outbox):
            outbox.acknowledged(item)
        assert outbox.position == journal.next_id - 1
        assert "is not kept" in outbox.trouble


def test_the_same_number_in_another_branch_of_a_journal_has_another_id(tmp_path: Path) -> None:
    with Journal(tmp_path / "one") as one, Journal(tmp_path / "two") as two:
        assert one.append("a").id == two.append("b").id
        assert id_of(one.entries()[0]) != id_of(two.entries()[0])


# --- who asks ----------------------------------------------------------------------------------------------


def test_who_asks_is_told_every_result_since_then_as_it_stands_now(tmp_path: Path) -> None:
    now = Clock(1000.0)
    with Journal(tmp_path, now) as journal:
        keep(journal, a_game(1))
        now.now = 2000.0
        late = keep(journal, a_game(2))
        gone = keep(journal, a_game(3))
        journal.append(write_line(GameDeleted(gone)))
        unfinished = Record(a_game(4).setup)
        keep(journal, unfinished)
        outbox = opened(journal, now)
        assert all_of(outbox) == []
        outbox.ask(1500.0)
        outbox.ask(1500.0)  # twice is once
        found = results(all_of(outbox))
        assert sorted((str(each["id"]).partition(":")[2], each["status"]) for each in found) == sorted(
            [(str(late), "final"), (str(gone), "deleted")]
        )


def test_what_was_asked_for_and_not_acknowledged_is_sent_again(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        keep(journal, a_game(1))
        outbox = opened(journal)
        outbox.ask(0.0)
        (item,) = all_of(outbox)
        outbox.rewind()
        (again,) = all_of(outbox)
        assert again.letter == item.letter
        outbox.acknowledged(again)
        outbox.rewind()
        assert all_of(outbox) == []


def test_who_asks_for_everything_is_told_of_the_newest_games(tmp_path: Path) -> None:
    record = Record(Setup(("Anna",)), ())
    with Journal(tmp_path) as journal:
        for _ in range(MOST_ASKED + 5):
            number = keep(journal, record)
            journal.append("0 stops", game=number)
        outbox = opened(journal)
        outbox.ask(0.0)
        found = results(all_of(outbox))
        assert len(found) == MOST_ASKED
        assert max(int(str(each["id"]).partition(":")[2]) for each in found) == number


def test_a_table_in_the_lobby_has_nothing_to_tell(tmp_path: Path) -> None:
    from_the_start(tmp_path)
    with Journal(tmp_path) as journal:
        sit(Table(journal))
        outbox = opened(journal)
        assert all_of(outbox) == []
        assert outbox.waiting == 0
