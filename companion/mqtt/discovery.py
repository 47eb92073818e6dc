"""The table as one device of Home Assistant: its sensors, events and buttons, by device-based discovery."""

import json
from dataclasses import dataclass

from companion.mqtt.happenings import HappeningKind
from companion.mqtt.payloads import LOBBY
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand
from companion.rules import COLOURS
from companion.table.eyes import EyesState
from companion.words import Catalogue

PHASES = (LOBBY, "roll", "first", "second", "third", "over")
_EVENT = "{{ dict(value_json, event_type=value_json.kind) | to_json }}"
_ICONS = {
    MqttCommand.ROLLED: "mdi:dice-multiple",
    MqttCommand.UNDO: "mdi:undo",
    MqttCommand.MOVE_ON: "mdi:skip-next",
}

Component = dict[str, object]


@dataclass(frozen=True, slots=True)
class AboutBox:
    """What a device's page tells of it."""

    version: str
    address: str  # of the table's pages


def discovery_topic(config: MqttConfig) -> str:
    return f"{config.discovery_prefix}/device/{_device_id(config)}/config"


def discovery(config: MqttConfig, words: Catalogue, about: AboutBox) -> bytes:
    """The message that makes the device; retained, so that Home Assistant finds it after its own start."""
    topics, device = config.topics, _device_id(config)
    components = {
        **_sensors(words),
        **_switches(words),
        "event": _event(config, words),
        **{name: _button(config, command, words) for name, command in _buttons(config)},
    }
    payload = {
        "device": {
            "identifiers": [device],
            "name": words.say("mqtt.device", box=topics.box),
            "manufacturer": "Boxlid",
            "model": "Boxlid",
            "sw_version": about.version,
            "configuration_url": about.address,
        },
        "origin": {"name": "Boxlid", "sw_version": about.version},
        "availability_topic": topics.available,
        "state_topic": topics.state,
        "qos": 1,
        "components": {
            name: {"unique_id": f"{device}_{name}", **component} for name, component in components.items()
        },
    }
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def _device_id(config: MqttConfig) -> str:
    return f"{config.topics.prefix}-{config.topics.box}".replace("/", "-")


def _sensors(words: Catalogue) -> dict[str, Component]:
    """What the state says in a word or a number; all of it are the attributes of the phase."""
    player = "{{ value_json.players[value_json.active].name if value_json.active is not none }}"
    best = "value_json.players | rejectattr('score', 'none') | map(attribute='score') | max"
    scored = "value_json.game and not (value_json.players | selectattr('score', 'none') | list)"
    return {
        "phase": {
            **_sensor(words, "phase", "{{ value_json.phase }}", "mdi:dice-multiple-outline"),
            "device_class": "enum",
            "options": list(PHASES),
        },
        "camera": {
            **_sensor(words, "camera", "{{ value_json.camera }}", "mdi:camera"),
            "device_class": "enum",
            "options": [state.value for state in EyesState],
        },
        "player": _sensor(words, "player", player, "mdi:account"),
        "white_sum": _sensor(words, "white_sum", "{{ value_json.white_sum }}", "mdi:dice-6-outline"),
        "turn": _sensor(words, "turn", "{{ value_json.turn }}", "mdi:counter"),
        "deciding": _sensor(words, "deciding", "{{ value_json.deciding | count }}", "mdi:account-question"),
        "best": _sensor(words, "best", f"{{{{ ({best}) if {scored} else None }}}}", "mdi:trophy"),
    }


def _sensor(words: Catalogue, name: str, template: str, icon: str) -> Component:
    return {
        "platform": "sensor",
        "name": words.say(f"mqtt.{name}"),
        "value_template": template,
        "icon": icon,
    }


def _switches(words: Catalogue) -> dict[str, Component]:
    """What is so or not."""
    playing = "value_json.game and value_json.phase != 'over'"
    asks = "value_json.camera in ['ask', 'trouble']"
    found = {
        "playing": _switch(words.say("mqtt.playing"), playing, "mdi:table-furniture"),
        "asks": {**_switch(words.say("mqtt.asks"), asks, "mdi:help-circle"), "device_class": "problem"},
    }
    for colour in COLOURS:
        name = words.say(f"mqtt.closed_{colour}")
        found[f"closed_{colour}"] = _switch(name, f"'{colour}' in value_json.closed", "mdi:lock")
    return found


def _switch(name: str, condition: str, icon: str) -> Component:
    return {
        "platform": "binary_sensor",
        "name": name,
        "value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}",
        "icon": icon,
    }


def _event(config: MqttConfig, words: Catalogue) -> Component:
    return {
        "platform": "event",
        "name": words.say("mqtt.event"),
        "state_topic": config.topics.event,
        "event_types": [kind.value for kind in HappeningKind],
        "value_template": _EVENT,
        "icon": "mdi:bell",
    }


def _buttons(config: MqttConfig) -> list[tuple[str, MqttCommand]]:
    """Those that the settings allow."""
    return [(command.value.replace("-", "_"), command) for command in config.commands]


def _button(config: MqttConfig, command: MqttCommand, words: Catalogue) -> Component:
    return {
        "platform": "button",
        "name": words.say(f"mqtt.{command.value}"),
        "command_topic": config.topics.command(command),
        "icon": _ICONS[command],
    }
