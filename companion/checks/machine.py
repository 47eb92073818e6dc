"""Checks of the machine itself, read from its files: disk, clock, name, rights, heat, power, memory."""

import getpass
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.findings.check import Check, note, ok, wrong
from companion.findings.kinds import Checked, Found
from companion.settings.config import Config

LEAST_DISK = 200 * 10**6
LEAST_MEMORY = 60 * 10**6
MUCH_MEMORY_USED = 140 * 10**6
HOT_DEGREES = 80.0
WARM_DEGREES = 70.0
EARLIEST = 1_767_225_600  # the first second of 2026: a Pi without a clock begins long before
GROUPS = ("video", "gpio")
UNDERVOLTAGE_NOW, UNDERVOLTAGE_EVER = 1 << 0, 1 << 16


@dataclass(frozen=True)
class Machine:
    """Where the machine shows itself; tests show one of their own."""

    root: Path = Path("/")
    now: Callable[[], float] = time.time
    hostname: Callable[[], str] = socket.gethostname
    resolve: Callable[[str], str] = socket.gethostbyname
    readable: Callable[[Path], bool] = field(default=lambda path: os.access(path, os.R_OK | os.W_OK))

    def read(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    @property
    def model(self) -> str:
        return self.read("proc/device-tree/model") or ""

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in self.model


def machine_checks(machine: Machine, config: Config, state: Path) -> Iterator[Check]:
    """All of them, in the order of how often they are at fault."""
    yield _power(machine)
    yield _temperature(machine)
    yield _memory(machine)
    yield _disk(state)
    yield _state_folder(state)
    yield _clock(machine)
    yield _name(machine, config)
    yield _rights(machine)
    yield _voice(config)


def _power(machine: Machine) -> Check:
    what, todo = Checked.POWER, Found.DO_BETTER_SUPPLY
    for name in sorted((machine.root / "sys/class/hwmon").glob("*/name")):
        if name.read_text(encoding="ascii").strip() == "rpi_volt":
            alarm = machine.read(f"{name.parent.relative_to(machine.root)}/in0_lcrit_alarm")
            if alarm == "1":
                return wrong(what, Found.VOLTAGE_LOW, todo)
    text = machine.read("sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        return ok(what, Found.NO_UNDERVOLTAGE if machine.is_pi else Found.NOT_A_PI)
    throttled = int(text, 16)
    if throttled & UNDERVOLTAGE_NOW:
        return wrong(what, Found.VOLTAGE_LOW_NOW, todo)
    if throttled & UNDERVOLTAGE_EVER:
        return wrong(what, Found.VOLTAGE_WAS_LOW, todo)
    return ok(what, Found.VOLTAGE_GOOD)


def _temperature(machine: Machine) -> Check:
    what, text = Checked.TEMPERATURE, machine.read("sys/class/thermal/thermal_zone0/temp")
    if text is None or not text.lstrip("-").isdecimal():
        return ok(what, Found.NOT_REPORTED)
    degrees = int(text) / 1000
    if degrees >= HOT_DEGREES:
        return wrong(what, Found.HOT, Found.DO_COOL, n=round(degrees))
    if degrees >= WARM_DEGREES:
        return note(what, Found.DEGREES, Found.DO_HEAT_SINK, n=round(degrees))
    return ok(what, Found.DEGREES, n=round(degrees))


def _memory(machine: Machine) -> Check:
    what = Checked.MEMORY
    lines = (machine.read("proc/meminfo") or "").splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if ":" in line}
    if "MemAvailable" not in sizes:
        return ok(what, Found.NOT_REPORTED)
    free = int(sizes["MemAvailable"]) * 1024
    if free < LEAST_MEMORY:
        return wrong(what, Found.FREE_MB, Found.DO_END_PROGRAMS, n=free // 10**6)
    if free < MUCH_MEMORY_USED:
        return note(what, Found.FREE_MB, Found.DO_LITTLE_BESIDE, n=free // 10**6)
    return ok(what, Found.FREE_MB, n=free // 10**6)


def _disk(state: Path) -> Check:
    what = Checked.DISK
    free = shutil.disk_usage(_existing(state)).free
    if free < LEAST_DISK:
        return wrong(what, Found.FREE_MB, Found.DO_MAKE_ROOM, n=free // 10**6, wanted=LEAST_DISK // 10**6)
    if free >= 10**9:
        return ok(what, Found.FREE_GB, n=free // 10**9)
    return ok(what, Found.FREE_MB, n=free // 10**6)


def _state_folder(state: Path) -> Check:
    what = Checked.STATE_FOLDER
    if not state.exists():
        place = _existing(state)
        if os.access(place, os.W_OK):
            return ok(what, Found.FOLDER_TO_COME, path=state)
        return wrong(
            what,
            Found.FOLDER_NOT_WRITABLE,
            Found.DO_OTHER_STATE,
            path=place,
            user=getpass.getuser(),
        )
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        return wrong(what, Found.FOLDER_NOT_USABLE, Found.DO_AS_OWNER, path=state, user=getpass.getuser())
    if state.stat().st_mode & 0o077:
        return note(what, Found.FOLDER_OPEN, Found.DO_CLOSE_FOLDER, path=state)
    return ok(what, Found.PATH, path=state)


def _clock(machine: Machine) -> Check:
    what, now = Checked.CLOCK, machine.now()
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < EARLIEST:
        return wrong(what, Found.CLOCK_PAST, Found.DO_SET_CLOCK, time=shown)
    if machine.is_pi and not (machine.root / "run/systemd/timesync/synchronized").exists():
        return note(what, Found.CLOCK_NOT_COMPARED, Found.DO_CLOCK_MATTERS_LITTLE, time=shown)
    return ok(what, Found.TIME, time=shown)


def _name(machine: Machine, config: Config) -> Check:
    what, name = Checked.NETWORK_NAME, machine.hostname().lower().removesuffix(".local")
    full = f"{name}.local"
    if full not in config.web.names:
        listed = ", ".join(f'"{each}"' for each in (*config.web.names, full))
        return wrong(what, Found.NAME_REFUSED, Found.DO_NAME_IN_SETTINGS, name=full, listed=listed)
    try:
        address = machine.resolve(full)
    except OSError:
        return note(what, Found.NAME_NOT_ANNOUNCED, Found.DO_INSTALL_AVAHI, name=full)
    return ok(what, Found.NAME_IS, name=full, address=address)


def _rights(machine: Machine) -> Check:
    what = Checked.PERMISSIONS
    devices = [*machine.root.glob("dev/gpiochip*"), *machine.root.glob("dev/video*")]
    closed = sorted(device.name for device in devices if not machine.readable(device))
    if closed:
        user, listed = getpass.getuser(), ", ".join(closed)
        groups = ",".join(GROUPS)
        return wrong(
            what, Found.DEVICES_CLOSED, Found.DO_ADD_TO_GROUPS, user=user, listed=listed, groups=groups
        )
    return ok(what, Found.DEVICES_OPEN, n=len(devices))


def _voice(config: Config) -> Check:
    what = Checked.VOICE
    if not config.voice.on:
        return ok(what, Found.SWITCHED_OFF)
    if shutil.which("espeak-ng") is None:
        return note(what, Found.NO_ESPEAK, Found.DO_INSTALL_ESPEAK)
    return ok(what, Found.ESPEAK)


def _existing(path: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path
