"""The whole companion with a broker: a wireless press becomes a roll, and a bad broker disturbs nothing."""

import sys
from pathlib import Path

import pytest

from boxlid.errors import Statement
from companion.benchmarks.mosquitto import free_port
from companion.checks.broker import NO_PAHO, bridge_checks, broker_checks
from companion.game import Phase, Setup, Stopped
from companion.host import Host, Options
from companion.host.health import Health
from companion.mqtt.bridge_state import BridgeState, BrokerFault
from companion.mqtt.listening import MessageFault
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand
from companion.settings.config import Config
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from tests.bridged import BOX, came, settings
from tests.brokers import Listener, running
from tests.tabling import BY_HAND
from tests.waiting import until
from tests.wording import lines, said

COMMAND = f"boxlid/{BOX}/command"
NAMES = ("Anna", "Max")


def opened(state: Path, config: MqttConfig) -> Host:
    host = Host(Config(mqtt=config), Options(state, simulate=True, seed=3, hurry=10))
    for name, mark in zip(NAMES, Mark, strict=False):
        host.table.play(Command(SeatTaken(name, mark, None)))
    host.table.play(Command(GameStarted(Setup(NAMES, house=BY_HAND))))
    return host


def phase(host: Host) -> Phase | None:
    game = host.table.snapshot.game
    return None if game is None else game.phase


def told(host: Host, what: str = "MQTT") -> list[str]:
    return [each.text for each in lines(Health(host.inspected()).checks()) if each.what == what]


def press_until_rolled(host: Host, listener: Listener) -> None:
    """A press may be one that the camera asks about, or too soon after the one before."""

    def rolled() -> bool:
        listener.say(f"{COMMAND}/rolled", "PRESS")
        return until(lambda: phase(host) is Phase.FIRST, 2)

    assert until(rolled)


def test_a_wireless_press_becomes_a_roll_that_the_house_sees_and_takes_back(tmp_path: Path) -> None:
    with running(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        config = settings(broker.port, commands=tuple(MqttCommand))
        with opened(tmp_path / "state", config) as host:
            assert came(listener, "state", phase="roll")
            assert until(lambda: told(host) == [f"connected to 127.0.0.1 as {BOX}"])
            press_until_rolled(host, listener)
            assert came(listener, "state", phase="first", deciding=[0, 1])
            assert until(lambda: bool(listener.on(f"boxlid/{BOX}/event")))
            host.house.do(MqttCommand.MOVE_ON)  # no patience is set: that cannot be, and harms nothing
            assert phase(host) is Phase.FIRST
            kept = host.journal.next_id
            assert until(
                lambda: bool(listener.say(f"{COMMAND}/undo", "PRESS")) and host.journal.next_id > kept
            )
            found = listener.newest(f"homeassistant/device/boxlid-{BOX}/config")
            assert found is not None
            assert {"rolled", "undo", "move_on"} <= found.json["components"].keys()
            assert until(lambda: host.is_well)
        assert until(lambda: listener.heard[-1].payload == b"offline")


def test_a_broker_that_is_away_is_told_at_health_and_the_table_plays(tmp_path: Path) -> None:
    with opened(tmp_path, settings(free_port())) as host:
        assert until(lambda: any("cannot be reached" in text for text in told(host)))
        host.table.play(Command(Stopped(0)))
        assert phase(host) is Phase.OVER
        assert until(lambda: host.is_well)


def test_commands_in_the_lobby_and_in_a_set_up_do_nothing(tmp_path: Path) -> None:
    with Host(Config(mqtt=settings(free_port())), Options(tmp_path, simulate=True)) as host:
        before = host.table.snapshot.game
        for command in MqttCommand:
            host.house.do(command)
        assert host.table.snapshot.game is before is None


def test_without_the_package_the_rest_runs_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("companion.mqtt.bridge", "companion.mqtt.connection"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with opened(tmp_path, settings(free_port())) as host:
        assert f"MQTT: {said(NO_PAHO)}." in host.notes
        assert any(said(NO_PAHO) in text for text in told(host))
        (check,) = lines(broker_checks(settings(1)))
        assert said(NO_PAHO) in check.text


def test_without_a_broker_nothing_of_it_is_there(tmp_path: Path) -> None:
    with opened(tmp_path, MqttConfig()) as host:
        assert host.house.loops == ()
        assert told(host) == []
        assert not (tmp_path / "mqtt.json").exists()
    assert list(broker_checks(MqttConfig())) == []


# --- the doctor --------------------------------------------------------------------------------------------


def test_the_doctor_tries_the_broker(tmp_path: Path) -> None:
    with running(tmp_path / "broker") as broker:
        (check,) = lines(broker_checks(settings(broker.port)))
        assert str(check).startswith("ok     MQTT")
        assert "lets this box in, which is called kitchen there" in check.text
    (check,) = lines(broker_checks(settings(broker.port)))
    assert str(check).startswith("wrong  MQTT")
    assert "cannot be reached" in check.text


def test_refused_messages_and_waiting_results_are_told() -> None:
    config = settings(1)
    assert [str(check).split()[0] for check in lines(bridge_checks(config, BridgeState()))] == ["note"]
    state = BridgeState(is_up=True, refused=3, refusal=Statement(MessageFault.NO_UTF8, {"topic": "x"}))
    one, two = lines(bridge_checks(config, state))
    assert one.text == f"connected to 127.0.0.1 as {BOX}"
    assert two.text == "3 messages were refused; the newest: a message on x is no UTF-8"
    (check,) = lines(
        bridge_checks(
            config, BridgeState(trouble=Statement(BrokerFault.UNKNOWN_NAME, {"broker": "b"}), waiting=7)
        )
    )
    assert check.text == "there is no b in this network; 7 events wait"
