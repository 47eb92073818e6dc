"""The panel on mock pins: presses, lamps, pins that cannot be had, and the simulated panel instead."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.view.lamps import Lamps, Light, Status
from hardware.factory import pin_factory
from hardware.opening import open_panel
from hardware.panel import PinsError, Press
from hardware.pins import ButtonPin, ColourLampPins, LampPin, PanelKind, Pins, Pull
from hardware.real import RealPanel
from hardware.simulated import SimulatedPanel
from tests.waiting import until
from tests.wording import refused, said

ROOT = Path(__file__).parent.parent
READY = Lamps(status=Status.READY)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def level(factory: MockFactory, pin: int) -> float:
    return float(factory.pin(pin).state)


def is_on(factory: MockFactory, *pins: int) -> bool:
    return all(level(factory, pin) for pin in pins)


def test_lamps_are_lit_where_the_wiring_says(factory: MockFactory) -> None:
    panel = RealPanel(Pins(), factory)
    panel.show(
        Lamps(
            (Light.OFF, Light.ON, Light.OFF, Light.OFF, Light.ON),
            (Light.ON, Light.OFF, Light.OFF, Light.OFF),
            Status.READY,
            lid_light=True,
        )
    )
    assert until(lambda: is_on(factory, 27, 9, 12, 18, 19))
    assert [pin for pin in (17, 22, 10, 16, 20, 21, 13, 26, 25) if level(factory, pin)] == []
    panel.close()


def test_a_blinking_lamp_goes_on_and_off(factory: MockFactory) -> None:
    panel = RealPanel(Pins(), factory)
    panel.show(Lamps((Light.BLINKING, Light.OFF, Light.OFF, Light.OFF, Light.OFF), status=Status.READY))
    for _ in range(2):
        assert until(lambda: is_on(factory, 17))
        assert until(lambda: not is_on(factory, 17))
    panel.close()


def test_a_lamp_may_be_dimmed_or_lit_by_a_low_pin(factory: MockFactory) -> None:
    lamps = (LampPin(17, brightness=0.25), LampPin(27, active_high=False), None)
    panel = RealPanel(Pins(seat_lamps=lamps, status_lamp=None), factory)
    panel.show(Lamps((Light.OFF,) * 5, status=Status.READY))
    assert until(lambda: level(factory, 17) == 0 and level(factory, 27) == 1)
    panel.show(Lamps((Light.ON,) * 5, status=Status.READY))
    assert until(lambda: level(factory, 17) == 0.25 and level(factory, 27) == 0)
    panel.close()


@pytest.mark.parametrize(
    ("status", "pins"), [(Status.READY, (19,)), (Status.ASK, (13, 19)), (Status.BY_HAND, (13, 19, 26))]
)
def test_the_status_lamp_mixes_its_colour(
    factory: MockFactory, status: Status, pins: tuple[int, ...]
) -> None:
    panel = RealPanel(Pins(status_lamp=ColourLampPins(13, 19, 26)), factory)
    panel.show(Lamps(status=status))
    assert until(lambda: tuple(pin for pin in (13, 19, 26) if level(factory, pin)) == pins)
    panel.close()


def test_a_plain_status_lamp_tells_by_its_pattern(factory: MockFactory) -> None:
    panel = RealPanel(Pins(status_lamp=LampPin(24)), factory)
    panel.show(READY)
    assert until(lambda: is_on(factory, 24))
    panel.show(Lamps(status=Status.ERROR))
    assert until(lambda: not is_on(factory, 24))
    assert until(lambda: is_on(factory, 24))
    panel.close()


def test_a_press_while_busy_is_answered_by_a_blink_and_a_beep(factory: MockFactory) -> None:
    panel = RealPanel(Pins(), factory)
    panel.show(READY)
    assert until(lambda: is_on(factory, 19))
    panel.blink_busy()
    assert until(lambda: is_on(factory, 25))
    assert until(lambda: not is_on(factory, 19))
    assert until(lambda: is_on(factory, 19) and not is_on(factory, 25))
    panel.close()


def test_the_box_beeps_when_it_asks_for_a_hand(factory: MockFactory) -> None:
    panel = RealPanel(Pins(), factory)
    panel.show(Lamps(status=Status.ASK))
    assert until(lambda: is_on(factory, 25))
    assert until(lambda: not is_on(factory, 25))
    panel.close()


def test_short_and_long_presses_are_told_apart(factory: MockFactory) -> None:
    panel = RealPanel(Pins(hold_seconds=0.3), factory)
    told: list[Press] = []
    panel.on_press(told.append)
    button = factory.pin(5)
    button.drive_low()
    button.drive_high()
    assert told == [Press.ROLLED]
    button.drive_low()
    assert until(lambda: len(told) == 2)
    button.drive_high()
    assert told == [Press.ROLLED, Press.READ_AGAIN]
    panel.close()


def test_the_second_button_tells_at_once_and_the_off_button_only_when_held(factory: MockFactory) -> None:
    panel = RealPanel(Pins(off_hold_seconds=0.2, off_button=ButtonPin(4)), factory)
    told: list[Press] = []
    panel.on_press(told.append)
    factory.pin(6).drive_low()
    assert told == [Press.SECOND]
    factory.pin(4).drive_low()
    factory.pin(4).drive_high()
    assert told == [Press.SECOND]
    factory.pin(4).drive_low()
    assert until(lambda: told == [Press.SECOND, Press.OFF])
    panel.close()


def test_a_button_may_be_wired_to_three_volts(factory: MockFactory) -> None:
    panel = RealPanel(Pins(second_button=ButtonPin(6, Pull.DOWN, active_high=True)), factory)
    told: list[Press] = []
    panel.on_press(told.append)
    factory.pin(6).drive_high()
    assert told == [Press.SECOND]
    panel.close()


def test_closing_puts_all_lamps_out(factory: MockFactory) -> None:
    panel = RealPanel(Pins(), factory)
    panel.show(Lamps((Light.ON,) * 5, (Light.ON,) * 4, Status.BY_HAND, lid_light=True))
    assert until(lambda: is_on(factory, 17, 12, 13, 18))
    lamps = [factory.pin(pin) for pin in (17, 12, 13, 18)]
    panel.close()
    assert not any(pin.state for pin in lamps)


def test_a_pin_that_cannot_be_had_is_named_and_all_others_are_freed(factory: MockFactory) -> None:
    with refused(PinsError, match=r"^panel\.lid_light: GPIO99 cannot be had \(.*\); end the program"):
        RealPanel(Pins(lid_light=LampPin(99)), factory)
    RealPanel(Pins(), factory).close()


# --- which panel a machine gets ------------------------------------------------------------------------


def test_a_machine_without_pins_gets_the_simulated_panel_and_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    panel = open_panel(Pins())
    assert panel.is_simulated
    assert panel.notice is not None
    assert said(panel.notice).startswith("no pins: ")
    assert "\n" not in said(panel.notice)


def test_a_simulated_panel_that_was_asked_for_needs_no_reason() -> None:
    panel = open_panel(Pins(kind=PanelKind.SIMULATED))
    assert (panel.name, panel.notice) == ("simulated panel", None)


def test_the_pin_factory_the_user_chose_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    panel = open_panel(Pins())
    assert not panel.is_simulated
    panel.close()
    assert Device.pin_factory is None
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "cheese")
    with refused(PinsError, match="GPIOZERO_PIN_FACTORY=cheese"):
        pin_factory()


def test_no_other_pin_library_is_ever_fallen_back_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero would go on to RPi.GPIO, pigpio and bare registers."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(lambda: pytest.fail("asked gpiozero")))
    with pytest.raises(PinsError):
        pin_factory()


def test_looking_for_pins_leaves_the_program_in_its_folder(tmp_path: Path) -> None:
    """The first import of lgpio in a process moves that process to lgpio's own folder."""
    script = """
import os, sys
from hardware.factory import pin_factory
from hardware.panel import PinsError
try:
    pin_factory()
except PinsError:
    pass
print("lgpio" in sys.modules, os.getcwd())
"""
    environment = {key: value for key, value in os.environ.items() if key != "GPIOZERO_PIN_FACTORY"}
    environment |= {"PYTHONPATH": str(ROOT), "LG_WD": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", str(ROOT)]


# --- the simulated panel ---------------------------------------------------------------------------------


def test_the_simulated_panel_keeps_what_it_is_shown_and_tells_presses() -> None:
    panel, told = SimulatedPanel(), list[Press]()
    panel.press(Press.ROLLED)
    panel.on_press(told.append)
    panel.press(Press.READ_AGAIN)
    assert told == [Press.READ_AGAIN]
    panel.show(READY)
    assert panel.lamps == READY
    assert panel.wait_until_shown(READY, timeout=0)
    panel.blink_busy()
    assert panel.busy_blinks == 1
    panel.close()
    panel.press(Press.OFF)
    assert told == [Press.READ_AGAIN]
    assert panel.is_closed
