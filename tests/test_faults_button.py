"""A button that bounces, sticks or is hammered: one roll at most, and the game goes on."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.game import Phase, Setup
from companion.host import Host, Options
from companion.settings.config import Config
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from hardware.panel import Press
from hardware.pins import Pins
from hardware.real import RealPanel
from hardware.simulated import SimulatedPanel
from tests.lid_rig import lid_rig
from tests.waiting import until

PRESSES = 24


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def test_a_button_that_sticks_is_one_long_press_and_the_others_still_work(factory: MockFactory) -> None:
    panel = RealPanel(Pins(hold_seconds=0.1), factory)
    told: list[Press] = []
    panel.on_press(told.append)
    factory.pin(5).drive_low()  # and it stays down
    assert until(lambda: told == [Press.READ_AGAIN])
    factory.pin(6).drive_low()
    assert told == [Press.READ_AGAIN, Press.SECOND]
    assert not until(lambda: len(told) > 2, seconds=0.4)
    panel.close()


def test_presses_from_everywhere_at_once_are_one_roll(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        rig.throw()
        together = threading.Barrier(PRESSES)
        taken: list[bool] = []

        def press() -> None:
            together.wait()
            taken.append(rig.looker.ask())

        threads = [threading.Thread(target=press) for _ in range(PRESSES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rig.until(lambda now: now.game is not None and now.game.phase is Phase.FIRST)
        assert until(lambda: not rig.looker.is_busy)
        assert taken.count(True) == 1
        assert sum(entry.line.startswith("rolled") for entry in rig.journal.entries()) == 1


def test_a_long_press_where_there_is_nothing_to_read_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    with Host(Config(), Options(tmp_path, simulate=True)) as host:
        host.table.play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
        assert isinstance(host.panel, SimulatedPanel)
        host.panel.press(Press.READ_AGAIN)
        assert host.panel.busy_blinks == 1
        host.table.play(Command(GameStarted(Setup(("Anna",)))))
        assert host.table.snapshot.game is not None
