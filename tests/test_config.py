"""The settings: every mistake is found at once, every key is documented, and the example is the default."""

from dataclasses import fields
from pathlib import Path

import pytest

from companion.game import Leaning, LocksTakeEffect
from companion.settings.config import Config, ConfigError, Language, OfferFirst, Rolls, load, parse
from hardware.pins import ButtonPin, ColourLampPins, LampPin, PanelKind, Pull, used_pins
from vision.cameras.kinds import CameraKind
from vision.simulation.shape import Shape

EXAMPLE = Path(__file__).parent.parent / "systemd" / "boxlid.toml"


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as refused:
        parse(text)
    return refused.value.problems


def test_no_file_and_an_empty_file_mean_the_same() -> None:
    assert parse("") == Config()


def test_the_documented_example_is_the_default() -> None:
    assert load(EXAMPLE) == Config()


def test_every_key_is_documented_in_the_example() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    for section in fields(Config):
        assert f"\n[{section.name}]\n" in text
    lines = [line.split("=")[0].strip() for line in text.splitlines() if "=" in line and line[0] != "#"]
    table, *rest = (type(getattr(Config(), section.name)) for section in fields(Config))
    keys = [key.name for kind in (table, *rest) for key in fields(kind) if key.name != "house"]
    keys += [rule.name for rule in fields(Config().table.house)]
    assert sorted(lines) == sorted(keys)
    for kind in (ButtonPin, LampPin, ColourLampPins):
        for key in fields(kind):
            assert f"{key.name} = " in text


def test_every_choice_is_documented_in_the_example() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    for choices in (Language, Rolls, OfferFirst, LocksTakeEffect, CameraKind, Shape, PanelKind, Pull):
        for each in choices:
            assert f'"{each}"' in text


def test_values_arrive_where_they_belong() -> None:
    config = parse(
        """
        [table]
        language = "de"
        rolls = "auto"
        leaning = "rolled-again"
        locks_take_effect = "end-of-turn"
        patience = 40
        [camera]
        kind = "folder"
        folder = "/var/pictures"
        [web]
        host = "127.0.0.1"
        names = ["wuerfel.local"]
        [panel]
        kind = "simulated"
        rolled_button = { pin = 23, pull = "down" }
        second_button = "none"
        seat_lamps = [17, "none", { pin = 4, active_high = false, brightness = 0.2 }]
        row_lamps = "none"
        status_lamp = 24
        [voice]
        on = false
        """
    )
    assert config.table.language is Language.GERMAN
    assert config.spoken_language is Language.GERMAN
    assert config.table.rolls is Rolls.AUTO
    assert config.table.house.leaning is Leaning.ROLLED_AGAIN
    assert config.table.house.locks_take_effect is LocksTakeEffect.END_OF_TURN
    assert config.table.house.patience == 40
    assert config.camera.folder == "/var/pictures"
    assert config.web.names == ("wuerfel.local",)
    assert config.panel.rolled_button == ButtonPin(23, Pull.DOWN, active_high=True)
    assert config.panel.second_button is None
    assert config.panel.seat_lamps == (LampPin(17), None, LampPin(4, active_high=False, brightness=0.2))
    assert config.panel.row_lamps == ()
    assert config.panel.status_lamp == LampPin(24)
    assert config.voice.on is False


def test_all_mistakes_are_told_at_once() -> None:
    problems = problems_of('cheese = 1\n[table]\nlanguage = "xx"\npatience = -3\n[camera]\nwidth = 1281')
    assert problems == (
        'table.language = "xx": allowed is "en" or "de"',
        "table.patience = -3: allowed is a whole number from 0 to 600",
        "camera.width = 1281: allowed is an even number: cameras deliver colour for pairs of pixels",
        "cheese = 1: no such key; there is table, camera, simulation, web, panel, voice, mqtt",
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[camera]\nwidht = 9", "camera.widht = 9: no such key; did you mean width?"),
        ("[camera]\nwidth = true", "camera.width = true: allowed is a whole number from 320 to 4096"),
        ('[camera]\nkind = "folder"', "camera.folder = "),
        ("[voice]\nvolume = 101", "voice.volume = 101: allowed is a whole number from 0 to 100"),
        ('[voice]\non = "yes"', 'voice.on = "yes": allowed is true or false'),
        ("[web]\nport = 0", "web.port = 0: allowed is a whole number from 1 to 65535"),
        ('[web]\nhost = "my box"', 'web.host = "my box": allowed is an address of this machine'),
        ('[web]\nnames = ["http://a"]', 'web.names = ["http://a"]: allowed is names without http://'),
        ('[web]\nnames = "a"', 'web.names = "a": allowed is names without http://'),
        ('[simulation]\nplace = "oval"', 'simulation.place = "oval": allowed is "lid", "round"'),
        ("table = 3", "table = 3: allowed is a table [table]"),
    ],
)
def test_a_bad_value_is_named_with_what_is_allowed(text: str, problem: str) -> None:
    (only,) = problems_of(text)
    assert only.startswith(problem)


@pytest.mark.parametrize(
    ("wire", "problem"),
    [
        (
            "buzzer = 28",
            "panel.buzzer.pin = 28: allowed is a GPIO number (not a header position) from 2 to 27",
        ),
        ("buzzer = 1", "GPIO0 and GPIO1 belong to the ID EEPROM"),
        ('buzzer = "no"', 'panel.buzzer = "no": allowed is a pin such as 5'),
        ("buzzer = { active_high = true }", "panel.buzzer.pin is missing: allowed is a GPIO number"),
        ("buzzer = { pin = 4, brightness = 0 }", "brightness = 0: allowed is a number from 0.02 to 1"),
        (
            "buzzer = 5",
            'panel.buzzer = 5: allowed is a free pin, or "none" for what is not built in: GPIO5',
        ),
        ("seat_lamps = [4, 4]", "GPIO4 is taken by seat_lamps[1]"),
        ("seat_lamps = [1,2,3,4,5,6]", "allowed is a list of up to 5 pins"),
        (
            "status_lamp = { red = 4, green = 5 }",
            "panel.status_lamp.blue is missing: allowed is a GPIO number",
        ),
        ("status_lamp = {}", "panel.status_lamp = {}: allowed is pin = 13, or red = 13"),
        ('off_button = { pin = 3, pull = "down" }', 'allowed is "up" on GPIO3'),
        ("off_button = { pin = 4, active_high = true }", 'allowed is false with pull = "up"'),
        (
            'off_button = { pin = 4, pull = "down", active_high = false }',
            'allowed is true with pull = "down"',
        ),
    ],
)
def test_a_wire_that_cannot_be_is_refused(wire: str, problem: str) -> None:
    (only,) = problems_of(f"[panel]\n{wire}")
    assert problem in only


def test_a_pin_that_moved_away_is_free_for_another_wire() -> None:
    panel = parse("[panel]\nrolled_button = 4\nbuzzer = 5").panel
    assert dict(used_pins(panel))["buzzer"] == 5


def test_the_usual_panel_uses_every_pin_once() -> None:
    pins = [pin for _, pin in used_pins(Config().panel)]
    assert len(pins) == len(set(pins)) == 17


def test_what_is_no_toml_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "boxlid.toml"
    path.write_text("[table\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not TOML: ") as refused:
        load(path)
    assert "\n" not in str(refused.value)
    with pytest.raises(ConfigError, match="no such file; give --config FILE"):
        load(tmp_path / "none.toml")
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not a UTF-8 text"):
        load(path)
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(tmp_path)


def test_a_setting_that_is_none_any_more_stops_no_table(caplog: pytest.LogCaptureFixture) -> None:
    assert parse("[web]\nport = 80\nkeep_pictures_minutes = 5").web.port == 80
    assert "web.keep_pictures_minutes is no setting any more" in caplog.text


def test_a_password_in_the_address_of_a_camera_is_told_to_nobody() -> None:
    address = "http://anna:secret@192.168.1.20/video"
    (problem,) = problems_of(f'[camera]\nkind = "network"\nurl = "{address}"')
    assert problem.startswith("camera.url = …: allowed is the address of a camera; name and password")
    assert "secret" not in problem + repr(parse('[camera]\nurl = "http://camera/secret"'))


# --- MQTT --------------------------------------------------------------------------------------------------


def test_mqtt_is_off_until_a_broker_is_named() -> None:
    assert not parse("").mqtt.is_on
    assert parse('[mqtt]\nbroker = "192.168.1.10"').mqtt.is_on


def test_the_usual_port_depends_on_tls() -> None:
    assert parse('[mqtt]\nbroker = "b"').mqtt.at_port == 1883
    assert parse('[mqtt]\nbroker = "b"\ntls = true').mqtt.at_port == 8883
    assert parse('[mqtt]\nbroker = "b"\ntls = true\nport = 1').mqtt.at_port == 1


def test_a_table_without_a_name_is_called_like_its_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Spieltisch.local")
    assert parse("").mqtt.topics.state == "boxlid/spieltisch/state"
    assert (
        parse('[mqtt]\nbox = "hall-3"\nprefix = "home/games"').mqtt.topics.state == "home/games/hall-3/state"
    )


def test_commands_are_none_unless_they_are_allowed() -> None:
    assert parse("[mqtt]").mqtt.commands == ()
    assert parse('[mqtt]\ncommands = ["rolled", "move-on"]').mqtt.commands == ("rolled", "move-on")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('broker = "mqtt://b"', 'mqtt.broker = "mqtt://b": allowed is a name or an address without'),
        ("port = 70000", "mqtt.port = 70000: allowed is a whole number from 0 to 65535"),
        ('prefix = "a/#"', 'mqtt.prefix = "a/#": allowed is words'),
        ('box = "club"', 'mqtt.box = "club": allowed is up to 40 of a-z'),
        ('box = "A B"', 'mqtt.box = "A B": allowed is up to 40 of a-z'),
        ('commands = ["roll"]', 'mqtt.commands[1] = "roll": allowed is "rolled", "undo" or "move-on"'),
        ('discovery_prefix = "+"', 'mqtt.discovery_prefix = "+": allowed is'),
        ('password_file = "x"', "allowed is a file only beside a user"),
        ('ca_file = "x"', "allowed is a file only with tls = true"),
        ('brocker = "x"', "did you mean broker?"),
    ],
)
def test_a_mistake_in_the_settings_of_mqtt_is_told(line: str, said: str) -> None:
    (problem,) = problems_of(f"[mqtt]\n{line}")
    assert said in problem
