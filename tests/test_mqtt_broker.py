"""Against a real broker: it comes, goes, hangs and comes back, and the table and its results lose nothing."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto, free_port
from companion.mqtt.bridge import WINDOW
from companion.mqtt.position import FILE
from companion.mqtt.topics import MqttCommand
from tests.bridged import (
    BOX,
    QUICK,
    all_told,
    bridged,
    came,
    games_in,
    is_up,
    play_a_game,
    settings,
)
from tests.brokers import Listener, Proxy, running
from tests.tabling import open_table, play, sit
from tests.waiting import until
from tests.wording import said

STATE, RESULT, COMMAND = f"boxlid/{BOX}/state", f"boxlid/{BOX}/result", f"boxlid/{BOX}/command"
ALL_SINCE = json.dumps({"version": 1, "since": "2020-01-01T00:00:00+00:00"})
ALL_COMMANDS = tuple(MqttCommand)


def sequences(listener: Listener) -> set[int]:
    """Of the states that came, each once."""
    return {each.json["sequence"] for each in listener.on(STATE)}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with running(tmp_path / "broker") as found:
        yield found


def test_who_listens_hears_the_table_its_lamps_its_events_and_its_result(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            assert came(listener, "state", phase="lobby")
            number = play_a_game(table)
            assert came(listener, "state", phase="over", ended_by="stopped")
            assert all_told(bridge, table)
            assert until(lambda: bool(listener.on(RESULT)))
            kinds = [each.json["kind"] for each in listener.on(f"boxlid/{BOX}/event")]
            assert kinds == ["game-started", "roll", "cross", "game-over"]
            assert games_in(listener) == {number: 1}
            assert until(lambda: listener.newest(f"boxlid/{BOX}/available") is not None)
        assert until(
            lambda: (listener.newest(f"boxlid/{BOX}/available") or listener.heard[0]).payload == b"offline"
        )


def test_who_comes_later_is_told_at_once_how_it_stands(broker: Mosquitto, tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            play_a_game(table)
            assert all_told(bridge, table)
            with Listener(broker.port) as listener:
                assert came(listener, "state", phase="over")
                lamps = ("seat1", "seat5", "red", "blue", "status", "available")
                wanted = {f"boxlid/{BOX}/lamp/{name}" for name in lamps[:-1]} | {f"boxlid/{BOX}/available"}
                assert until(lambda: wanted <= {each.topic for each in listener.heard if each.retained})
                assert listener.on(f"boxlid/{BOX}/event") == []
                assert listener.on(RESULT) == []


def test_a_broker_that_comes_later_is_told_the_newest_state_first_and_every_result(tmp_path: Path) -> None:
    with running(tmp_path / "broker", now=False) as broker, open_table(tmp_path) as table:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            numbers = [play_a_game(table) for _ in range(3)]
            assert until(lambda: "cannot be reached" in said(bridge.state.trouble))
            broker.start()
            with Listener(broker.port) as listener:
                assert all_told(bridge, table)
                assert until(
                    lambda: sorted(games_in(listener)) == sorted(numbers) or bool(listener.on(STATE))
                )
            assert bridge.state.trouble is None


def test_a_broker_that_is_killed_over_and_over_has_every_game_in_the_end(tmp_path: Path) -> None:
    found: set[str] = set()
    numbers: list[str] = []
    with running(tmp_path / "broker") as broker, open_table(tmp_path) as table:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            assert is_up(bridge)
            for _ in range(4):
                with Listener(broker.port) as listener:
                    numbers.append(play_a_game(table))
                    assert all_told(bridge, table)
                    assert until(lambda: numbers[-1] in games_in(listener))
                    found |= set(games_in(listener))
                broker.kill()
                numbers.append(play_a_game(table))  # while nobody hears
                broker.start()
            with Listener(broker.port) as listener:
                listener.say("boxlid/club/ask", ALL_SINCE, retain=True)  # the table may not be back yet
                assert until(lambda: set(games_in(listener)) >= set(numbers))
                assert {each.json["status"] for each in listener.on(RESULT)} == {"final"}
    assert found <= set(numbers)


def test_a_connection_that_passes_nothing_any_more_is_given_up_and_the_table_goes_on(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, Proxy(broker.port) as proxy, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(proxy.port), pace=QUICK) as bridge:
            first = play_a_game(table)
            assert all_told(bridge, table)
            proxy.silence()
            states = len(sequences(listener))
            numbers = [play_a_game(table) for _ in range(10)]
            assert until(lambda: "acknowledges nothing" in said(bridge.state.trouble))
            proxy.cut()
            proxy.pass_on()
            assert all_told(bridge, table)
            assert until(lambda: set(games_in(listener)) == {first, *numbers})
            assert came(listener, "state", phase="over", game=listener.on(RESULT)[-1].json["id"])
            assert len(sequences(listener)) <= states + 5  # what was outdated meanwhile was never sent


def test_while_the_broker_hangs_no_more_than_a_window_of_messages_waits_in_memory(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, Proxy(broker.port) as proxy:
        sit(table)
        with bridged(table, settings(proxy.port)) as bridge:
            assert is_up(bridge)
            proxy.silence()
            for _ in range(30):
                play_a_game(table)
            assert until(lambda: bridge.state.waiting > WINDOW)
            assert bridge.on_their_way <= WINDOW + len(("available", "state", *range(10)))
            proxy.cut()
            proxy.pass_on()
            assert all_told(bridge, table)


def test_a_table_that_is_gone_without_a_word_is_offline_by_its_will(
    broker: Mosquitto, tmp_path: Path
) -> None:
    available = f"boxlid/{BOX}/available"
    with (
        open_table(tmp_path) as table,
        Proxy(broker.port) as proxy,
        Listener(broker.port) as listener,
        bridged(table, settings(proxy.port)) as bridge,
    ):
        assert is_up(bridge)
        assert until(lambda: [each.payload for each in listener.on(available)] == [b"online"])
        proxy.cut()
        said = [b"online", b"offline", b"online"]
        assert until(lambda: [each.payload for each in listener.on(available)] == said)


def test_after_a_crash_what_was_not_acknowledged_comes_again_with_the_same_id(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            assert is_up(bridge)
            noted = (tmp_path / FILE).read_bytes()
            number = play_a_game(table)
            assert all_told(bridge, table)
        (tmp_path / FILE).write_bytes(noted)  # the power went before the note was written
        with bridged(table, settings(broker.port)) as bridge:
            assert all_told(bridge, table)
            assert until(lambda: games_in(listener) == {number: 2})
            one, two = listener.on(RESULT)
            assert one.payload == two.payload
            ids = [each.json["id"] for each in listener.on(f"boxlid/{BOX}/event")]
            assert ids[: len(ids) // 2] == ids[len(ids) // 2 :]


def test_a_club_that_asks_is_answered_by_the_table_that_is_there_and_by_the_one_that_comes(
    broker: Mosquitto, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            number = play_a_game(table)
            assert all_told(bridge, table)
            assert until(lambda: games_in(listener) == {number: 1})
            listener.say("boxlid/club/ask", ALL_SINCE)
            assert until(lambda: games_in(listener) == {number: 2})
            listener.say("boxlid/club/ask", ALL_SINCE, retain=True)
            assert until(lambda: games_in(listener) == {number: 3})
        with bridged(table, settings(broker.port)):
            assert until(lambda: games_in(listener) == {number: 4})


# --- commands ----------------------------------------------------------------------------------------------


def test_allowed_commands_are_carried_out_and_others_are_not_even_heard(
    broker: Mosquitto, tmp_path: Path
) -> None:
    done: list[MqttCommand] = []
    allowed = settings(broker.port, commands=(MqttCommand.ROLLED, MqttCommand.MOVE_ON))
    with (
        open_table(tmp_path) as table,
        Listener(broker.port) as listener,
        bridged(table, allowed, done.append) as bridge,
    ):
        assert is_up(bridge)
        listener.say(f"{COMMAND}/undo", "PRESS")
        listener.say(f"{COMMAND}/rolled", "PRESS")
        assert until(lambda: done == [MqttCommand.ROLLED])
        assert bridge.state.refused == 0


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"x" * 1_000_000, "is longer than 1000 bytes"),
        (b"\xff\xfe\x00", "is no UTF-8"),
        (b"please roll the dice", "is empty, PRESS or {}, got 'please roll the dice'"),
        ('{"press":"\\ud800"}', "is empty, PRESS or {}"),
        (b"\n" * 500, "is empty, PRESS or {}"),
    ],
)
def test_a_strangers_payload_is_refused_in_one_line_and_disturbs_nothing(
    payload: bytes | str, why: str, broker: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[MqttCommand] = []
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(broker.port, commands=ALL_COMMANDS), done.append) as bridge:
            assert is_up(bridge)
            caplog.set_level(logging.WARNING)
            listener.say(f"{COMMAND}/rolled", payload)
            listener.say(f"{COMMAND}/rolled", payload)
            assert until(lambda: bridge.state.refused == 2)
            assert why in said(bridge.state.refusal)
            assert "\n" not in said(bridge.state.refusal)
            assert said(bridge.state.refusal, "de").startswith(
                "eine Nachricht auf boxlid/kitchen/command/rolled "
            )
            (line,) = [line for line in caplog.messages if "refused" in line]
            assert why in line
            listener.say(f"{COMMAND}/undo")
            assert until(lambda: done == [MqttCommand.UNDO])
            number = play_a_game(table)
            assert until(lambda: games_in(listener) == {number: 1})


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{}",
        b"[]",
        b"7",
        b'{"version":2,"since":"2026-01-01"}',
        b'{"version":1,"since":"yesterday"}',
        b"[" * 900,
    ],
)
def test_a_question_that_is_none_is_refused(payload: bytes, broker: Mosquitto, tmp_path: Path) -> None:
    with (
        open_table(tmp_path) as table,
        Listener(broker.port) as listener,
        bridged(table, settings(broker.port)) as bridge,
    ):
        assert is_up(bridge)
        listener.say("boxlid/club/ask", payload)
        assert until(lambda: bridge.state.refused == 1)
        assert "boxlid/club/ask" in said(bridge.state.refusal)


def test_a_retained_command_is_refused_and_never_carried_out_when_the_table_comes_back(
    broker: Mosquitto, tmp_path: Path
) -> None:
    done: list[MqttCommand] = []
    allowed = settings(broker.port, commands=ALL_COMMANDS)
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        with bridged(table, allowed, done.append) as bridge:
            assert is_up(bridge)
            listener.say(f"{COMMAND}/rolled", "PRESS", retain=True)
            assert until(lambda: "was retained" in said(bridge.state.refusal))
        with bridged(table, allowed, done.append) as bridge:
            assert is_up(bridge)
            listener.say(f"{COMMAND}/undo", "PRESS")
            assert until(lambda: done == [MqttCommand.UNDO])


def test_a_flood_of_commands_is_as_slow_as_a_finger(broker: Mosquitto, tmp_path: Path) -> None:
    done: list[MqttCommand] = []
    with (
        open_table(tmp_path) as table,
        Listener(broker.port) as listener,
        bridged(table, settings(broker.port, commands=ALL_COMMANDS), done.append) as bridge,
    ):
        assert is_up(bridge)
        for _ in range(40):
            listener.say(f"{COMMAND}/rolled")
        assert until(lambda: len(done) + bridge.state.refused == 40)
        assert bridge.state.refused
        assert len(done) < 40


# --- who may not -------------------------------------------------------------------------------------------


def test_a_broker_that_lets_nobody_in_is_told_in_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path / "broker", "allow_anonymous false") as broker, open_table(tmp_path) as table:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            assert until(lambda: "does not let us without a user in" in said(bridge.state.trouble))
            play_a_game(table)
        assert len([line for line in caplog.messages if "does not let" in line]) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read (No such file"),
        (b"\xff", "is no text"),
        (b"x" * 2000, "cannot be read (it is longer"),
    ],
)
def test_a_password_file_that_cannot_be_used_is_named(
    content: bytes | None, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    config = settings(free_port(), user=BOX, password_file=str(file))
    with open_table(tmp_path / "state") as table, bridged(table, config) as bridge:
        assert until(lambda: why in said(bridge.state.trouble))
        assert str(file) in said(bridge.state.trouble)


def test_a_name_that_is_nowhere_and_a_port_where_nobody_is_are_told(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        for broker, why in (
            ("no-such-host.invalid", "there is no no-such-host.invalid"),
            ("127.0.0.1", "cannot be reached"),
        ):
            config = replace(settings(free_port()), broker=broker)
            with bridged(table, config) as bridge:
                assert until(lambda bridge=bridge, why=why: why in said(bridge.state.trouble)), bridge.state  # type: ignore[misc]


def test_two_tables_of_one_name_are_told_so(
    broker: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = settings(broker.port)
    with open_table(tmp_path / "one") as one, open_table(tmp_path / "two") as two:
        with bridged(one, config) as first, bridged(two, config):
            assert until(lambda: any("another table" in line for line in caplog.messages))
        assert "called kitchen?" in caplog.text
        assert first.state.refused == 0


def test_a_state_of_a_table_that_rolls_is_told_with_its_dice(broker: Mosquitto, tmp_path: Path) -> None:
    with open_table(tmp_path) as table, Listener(broker.port) as listener:
        sit(table)
        with bridged(table, settings(broker.port)):
            play_a_game(table)
            assert came(listener, "state", phase="over")
            play(table, "0 reopens 0")
            assert came(listener, "state", phase="first", white_sum=7)
            assert came(listener, "result", status="reopened", players=[])
