"""Home Assistant finds the table: its device message keeps to the published format."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion.mqtt.discovery import AboutBox, discovery, discovery_topic
from companion.mqtt.happenings import HappeningKind
from companion.mqtt.outbox import Outbox
from companion.mqtt.payloads import MOST_BYTES, written
from companion.mqtt.settings import MqttConfig
from companion.mqtt.showing import KnownGame, Stamp, state_of
from companion.mqtt.topics import MqttCommand
from companion.table.table import Table
from companion.words import catalogues
from tests.tabling import BY_HAND, ROLL, open_table, playing, sit

Json = dict[str, Any]  # Any: JSON
CONFIG = MqttConfig("broker", box="kitchen", commands=tuple(MqttCommand))
ABOUT = AboutBox("0.1.0", "http://192.168.1.7:8000")
NO_GREEN = "rolled W3 W4 R2 Y5 B1 by camera"
KNOWN = KnownGame("a:1", "2026-11-20T18:00:00.000+00:00", "a:1")

# Of Home Assistant's documentation of device discovery: what must be there, what may, and of which type.
ROOT_MUST = {"device": dict, "origin": dict, "components": dict}
ROOT_MAY = {"availability_topic": str, "state_topic": str, "command_topic": str, "qos": int, "encoding": str}
DEVICE_MAY = {
    "identifiers": list,
    "name": str,
    "manufacturer": str,
    "model": str,
    "sw_version": str,
    "configuration_url": str,
}
ORIGIN = {"name": str, "sw_version": str}
EVERY = {"platform": str, "unique_id": str, "name": str, "icon": str}
PLATFORMS: Mapping[str, Mapping[str, type]] = {
    "sensor": {"value_template": str, "device_class": str, "options": list},
    "binary_sensor": {"value_template": str, "device_class": str},
    "event": {"state_topic": str, "event_types": list, "value_template": str},
    "button": {"command_topic": str},
}
OBJECT_ID = re.compile(r"[a-zA-Z0-9_-]+")


def message(language: str = "en", config: MqttConfig = CONFIG) -> Json:
    value = json.loads(discovery(config, catalogues()[language], ABOUT))
    assert isinstance(value, dict)
    return value


def keeps_to(found: Json, must: Mapping[str, type], may: Mapping[str, type]) -> None:
    assert must.keys() <= found.keys()
    for key, value in found.items():
        assert isinstance(value, {**must, **may}[key]), key


@pytest.mark.parametrize("language", sorted(catalogues()))
@pytest.mark.parametrize("prefix", ["boxlid", "home/games"])
def test_the_message_keeps_to_the_published_format(language: str, prefix: str) -> None:
    config = MqttConfig("broker", prefix=prefix, box="kitchen", commands=tuple(MqttCommand))
    found = message(language, config)
    keeps_to(found, ROOT_MUST, ROOT_MAY)
    keeps_to(found["device"], {"identifiers": list, "name": str}, DEVICE_MAY)
    keeps_to(found["origin"], {"name": str}, ORIGIN)
    for name, component in found["components"].items():
        assert OBJECT_ID.fullmatch(name)
        keeps_to(component, EVERY, PLATFORMS[component["platform"]])
        if component.get("device_class") == "enum":
            assert component["options"]
    ids = [component["unique_id"] for component in found["components"].values()]
    assert len(set(ids)) == len(ids)
    assert all(OBJECT_ID.fullmatch(each) for each in ids)
    _, kind, device, config_word = discovery_topic(config).rsplit("/", 3)
    assert (kind, config_word) == ("device", "config")
    assert OBJECT_ID.fullmatch(device)
    assert len(discovery(config, catalogues()[language], ABOUT)) < MOST_BYTES


def test_topics_are_those_the_table_speaks_on() -> None:
    found = message()
    assert found["availability_topic"] == "boxlid/kitchen/available"
    assert found["state_topic"] == "boxlid/kitchen/state"
    assert found["components"]["event"]["state_topic"] == "boxlid/kitchen/event"
    assert found["components"]["move_on"]["command_topic"] == "boxlid/kitchen/command/move-on"
    assert found["components"]["event"]["event_types"] == list(HappeningKind)


def test_a_command_that_is_not_allowed_has_no_button() -> None:
    config = MqttConfig("broker", box="kitchen", commands=(MqttCommand.ROLLED,))
    buttons = [n for n, c in message(config=config)["components"].items() if c["platform"] == "button"]
    assert buttons == ["rolled"]


# --- what the templates make of real messages --------------------------------------------------------------


def rendered(template: str, payload: bytes) -> str:
    environment = ImmutableSandboxedEnvironment()
    environment.filters["to_json"] = json.dumps
    return environment.from_string(template).render(value_json=json.loads(payload))


def shown(table: Table) -> dict[str, str]:
    """Each sensor's and switch's value with the state as it is now."""
    known = KNOWN if table.snapshot.game else None
    payload = written("kitchen", state_of(table.snapshot, Stamp("r", 1), known))
    components = message()["components"].items()
    templates = {
        n: c["value_template"] for n, c in components if c["platform"] in ("sensor", "binary_sensor")
    }
    found = {name: rendered(template, payload) for name, template in templates.items()}
    for name, component in components:
        if component["platform"] == "binary_sensor":
            assert found[name] in ("ON", "OFF")
        if component.get("device_class") == "enum":
            assert found[name] in component["options"]
    return found


def test_the_lobby_has_values_and_no_errors(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        assert shown(table)["phase"] == "lobby"
        sit(table)
        values = shown(table)
        assert (values["phase"], values["playing"], values["player"]) == ("lobby", "OFF", "")
        assert values["best"] == values["white_sum"] == "None"


def test_a_game_has_a_player_a_sum_the_most_points_and_closed_rows(tmp_path: Path) -> None:
    with playing(tmp_path, "0 corrects sheet 1 G12 G11 G10 G9 G8 G2", NO_GREEN) as table:
        values = shown(table)
        assert (values["phase"], values["playing"], values["player"]) == ("first", "ON", "Anna")
        assert (values["white_sum"], values["best"], values["deciding"]) == ("7", "28", "3")
        assert (values["closed_green"], values["closed_red"]) == ("ON", "OFF")


def test_hidden_scores_stay_unknown_until_the_end(tmp_path: Path) -> None:
    house = BY_HAND.__class__(scores_hidden=True, pass_by_itself=False)
    with playing(tmp_path, ROLL, house=house) as table:
        assert shown(table)["best"] == "None"


def test_every_event_becomes_one_of_the_known_types_with_all_it_tells(tmp_path: Path) -> None:
    template = message()["components"]["event"]["value_template"]
    (tmp_path / "mqtt.json").write_text('{"entry": 0, "chain": "boxlid"}')
    done = ("0 done", "1 done", "2 done")
    with playing(tmp_path, ROLL, "0 crosses R7 in 1", *done, "0 stops") as table:
        outbox = Outbox(table.journal, CONFIG.topics, table.journal.now)
        seen = []
        while (item := outbox.next()) is not None:
            if not item.letter.is_result:
                value = json.loads(rendered(template, item.letter.payload))
                assert value["event_type"] in list(HappeningKind)
                seen.append(value["event_type"])
        assert seen == ["game-started", "roll", "cross", "game-over"]
