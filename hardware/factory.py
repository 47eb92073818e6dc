"""Which pins there are: the choice of gpiozero's pin factory, never by accident. Knows no lamps."""

import contextlib
import os
import sys
import tempfile

from gpiozero import Device
from gpiozero.exc import GPIOZeroError
from gpiozero.pins import Factory

from hardware.panel import PinsError, PinsFault

CHOICE = "GPIOZERO_PIN_FACTORY"
PI_CHIP = "pinctrl-"  # how the labels of a Pi's own header begin
MOST_CHIPS = 16


def pin_factory() -> Factory:
    """The factory the user chose, else lgpio on the chip that is the Pi's header; else PinsError."""
    # gpiozero and lgpio are steered by the environment, so this is where it is read and completed
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio puts a pipe there, else into this folder
    # importing lgpio moves the whole process to its folder, and relative paths with it: back again
    with contextlib.chdir("."):
        return _chosen(os.environ[CHOICE]) if os.environ.get(CHOICE) else _header()


def _chosen(name: str) -> Factory:
    try:
        Device.ensure_pin_factory()
    except (GPIOZeroError, ImportError, OSError) as error:
        why = short(error)
        raise PinsError(PinsFault.NO_FACTORY, variable=CHOICE, name=name, why=why) from error
    factory, Device.pin_factory = Device.pin_factory, None  # from here on it is the panel's own
    return factory


def _header() -> Factory:
    try:
        import lgpio  # noqa: PLC0415 - a machine without pins need not have it
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415
    except ImportError as error:
        raise PinsError(PinsFault.NO_LGPIO) from error
    chip = header_chip()
    try:
        return LGPIOFactory(chip=chip)
    except (GPIOZeroError, lgpio.error, OSError) as error:
        raise PinsError(PinsFault.CHIP_CLOSED, number=chip, why=short(error)) from error


def header_chip() -> int:
    """The number of the chip whose label says that it is a Pi's header: 0, or 4 on some Pi 5."""
    import lgpio  # noqa: PLC0415

    denied = False
    for number in range(MOST_CHIPS):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            denied = denied or os.path.exists(f"/dev/gpiochip{number}")  # noqa: PTH110 - a device, no path
            continue
        try:
            _, _, _, label = lgpio.gpio_get_chip_info(handle)
        finally:
            lgpio.gpiochip_close(handle)
        if label.startswith(PI_CHIP):
            return number
    if denied:
        raise PinsError(PinsFault.CHIPS_DENIED)
    raise PinsError(PinsFault.NO_PI)


def pin_errors() -> tuple[type[Exception], ...]:
    """What may go wrong with one pin; lgpio has an error class of its own, if it is here at all."""
    module = sys.modules.get("lgpio")
    own: tuple[type[Exception], ...] = () if module is None else (module.error,)
    return (GPIOZeroError, OSError, *own)


def short(error: BaseException) -> str:
    return str(error).strip("'\"") or type(error).__name__
