"""The recipes of docs/recipes: short, and each does what it says when it is run as it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from companion.benchmarks.mosquitto import Mosquitto
from companion.game.games import game_json
from tests.brokers import Heard, Listener, running
from tests.random_games import any_record
from tests.waiting import until
from vision.cameras.clock import StepClock
from vision.simulation.table import SimulatedTable

ROOT = Path(__file__).parent.parent
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.py"))
MOST_LINES = 25
SOON = 120
A_ROLL = ("white ", "red ", "yellow ", "green ", "blue ")


def run(name: str, *arguments: str) -> list[str]:
    """What the recipe prints; whatever it says on standard error is a fault."""
    command = [sys.executable, "-W", "error", str(ROOT / "docs" / "recipes" / name), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SOON, check=False, cwd=ROOT, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.name)
def test_a_recipe_is_short_says_how_it_is_run_and_is_tested(recipe: Path) -> None:
    lines = recipe.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert f".venv/bin/python docs/recipes/{recipe.name}" in lines[0]
    assert f'run("{recipe.name}"' in Path(__file__).read_text(encoding="utf-8")


def test_a_photo_is_read(tmp_path: Path) -> None:
    clock = StepClock()
    table = SimulatedTable(3, clock=clock)
    table.throw()
    clock.wait(5)
    photo = tmp_path / "lid.png"
    cv2.imwrite(str(photo), table.picture())
    certain, *dice = run("read_photo.py", str(photo))
    assert certain == "certain"
    wanted = sorted(f"{die.colour} {die.pips}" for die in table.truth().dice)
    assert sorted(line.partition(",")[0] for line in dice) == wanted


@pytest.mark.slow
def test_rolls_are_printed_as_they_fall() -> None:
    rolls = run("watch_lid.py", "2")
    assert len(rolls) == 2
    for roll in rolls:
        assert all(colour in roll for colour in A_ROLL)


def test_lamps_light_one_after_the_other() -> None:
    notice, *lamps = run("drive_lamps.py")
    assert notice
    assert [line.index("◐") for line in lamps] == sorted(line.index("◐") for line in lamps)
    assert len(lamps) == 4


def test_a_game_is_played_again(tmp_path: Path) -> None:
    record = any_record(7)
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game_json(record)) + "\n", encoding="utf-8")
    *events, result = run("replay_game.py", str(file))
    assert len(events) == len(record.events)
    assert events[-1].endswith(", ".join(map(str, record.play().scores)))
    assert result.endswith(" won")


# --- with a broker -----------------------------------------------------------------------------------------


def goes_on(name: str, broker: Mosquitto, *arguments: str) -> "subprocess.Popen[bytes]":
    """A recipe that runs until it is stopped."""
    command = [sys.executable, "-W", "error", str(ROOT / "docs" / "recipes" / name)]
    return subprocess.Popen(
        [*command, "127.0.0.1", str(broker.port), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )


def said_until_heard(listener: Listener, topic: str, payload: str, wanted: str) -> Heard:
    """Said again until the recipe, which takes its time to start, answers it."""

    def answered() -> bool:
        listener.say(topic, payload)
        return until(lambda: bool(listener.on(wanted)), 1)

    assert until(answered)
    return listener.on(wanted)[-1]


@pytest.mark.parametrize(("press", "command"), [("single", "rolled"), ("hold", "move-on")])
def test_a_wireless_button_says_what_was_pressed(press: str, command: str, tmp_path: Path) -> None:
    """`run("wireless_button.py", …)` would never end: it is stopped."""
    with running(tmp_path) as broker, Listener(broker.port) as listener:
        recipe = goes_on("wireless_button.py", broker, "button", "kitchen")
        try:
            topic = f"boxlid/kitchen/command/{command}"
            assert said_until_heard(listener, "zigbee2mqtt/button/action", press, topic).payload == b"PRESS"
        finally:
            recipe.kill()
            recipe.wait()


@pytest.mark.parametrize(
    ("light", "shown"), [("blinking", (True, 1)), ("on", (True, 0)), ("off", (False, 0))]
)
def test_a_wled_strip_shows_a_seat_lamp(light: str, shown: tuple[bool, int], tmp_path: Path) -> None:
    """As above for `run("wled_lamps.py", …)`."""
    with running(tmp_path) as broker, Listener(broker.port) as listener:
        recipe = goes_on("wled_lamps.py", broker, "kitchen", "wled/table")
        try:
            found = said_until_heard(listener, "boxlid/kitchen/lamp/seat3", light, "wled/table/api").json
            (segment,) = found["seg"]
            assert (segment["id"], segment["on"], segment["fx"]) == (2, *shown)
        finally:
            recipe.kill()
            recipe.wait()
