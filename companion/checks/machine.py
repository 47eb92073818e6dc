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
from companion.settings.config import Config

LEAST_DISK = 200 * 10**6
LEAST_MEMORY = 60 * 10**6
MUCH_MEMORY_USED = 140 * 10**6
HOT_DEGREES = 80.0
WARM_DEGREES = 70.0
EARLIEST = 1_767_225_600  # the first second of 2026: a Pi without a clock begins long before
FREE_MB = "{n} MB are free"
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
    what, todo = "power", "use the supply made for this Pi, and a short, thick cable"
    for name in sorted((machine.root / "sys/class/hwmon").glob("*/name")):
        if name.read_text(encoding="ascii").strip() == "rpi_volt":
            alarm = machine.read(f"{name.parent.relative_to(machine.root)}/in0_lcrit_alarm")
            if alarm == "1":
                return wrong(what, "the voltage is or was too low", todo)
    text = machine.read("sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        return ok(what, "no undervoltage is reported" if machine.is_pi else "not a Pi: nothing reports it")
    throttled = int(text, 16)
    if throttled & UNDERVOLTAGE_NOW:
        return wrong(what, "the voltage is too low now", todo)
    if throttled & UNDERVOLTAGE_EVER:
        return wrong(what, "the voltage was too low since the start", todo)
    return ok(what, "the voltage was never too low since the start")


def _temperature(machine: Machine) -> Check:
    what, text = "temperature", machine.read("sys/class/thermal/thermal_zone0/temp")
    if text is None or not text.lstrip("-").isdecimal():
        return ok(what, "this machine does not report it")
    degrees = int(text) / 1000
    if degrees >= HOT_DEGREES:
        return wrong(
            what, "{n} °C: the Pi slows itself down", "give it a heat sink and air", n=round(degrees)
        )
    if degrees >= WARM_DEGREES:
        return note(what, "{n} °C", "a heat sink would do it good", n=round(degrees))
    return ok(what, "{n} °C", n=round(degrees))


def _memory(machine: Machine) -> Check:
    what = "memory"
    lines = (machine.read("proc/meminfo") or "").splitlines()
    sizes = {line.split(":")[0]: line.split()[1] for line in lines if ":" in line}
    if "MemAvailable" not in sizes:
        return ok(what, "this machine does not report it")
    free = int(sizes["MemAvailable"]) * 1024
    if free < LEAST_MEMORY:
        todo = "end other programs; the desktop alone takes more than Boxlid"
        return wrong(what, FREE_MB, todo, n=free // 10**6)
    if free < MUCH_MEMORY_USED:
        return note(what, FREE_MB, "enough while Boxlid runs; not for much beside it", n=free // 10**6)
    return ok(what, FREE_MB, n=free // 10**6)


def _disk(state: Path) -> Check:
    what = "disk"
    free = shutil.disk_usage(_existing(state)).free
    if free < LEAST_DISK:
        return wrong(
            what, FREE_MB, "make room: {wanted} MB are wanted", n=free // 10**6, wanted=LEAST_DISK // 10**6
        )
    if free >= 10**9:
        return ok(what, "{n} GB are free", n=free // 10**9)
    return ok(what, FREE_MB, n=free // 10**6)


def _state_folder(state: Path) -> Check:
    what = "state folder"
    if not state.exists():
        place = _existing(state)
        if os.access(place, os.W_OK):
            return ok(what, "{path} will be made at the first start", path=state)
        return wrong(
            what,
            "{path} may not be written by {user}",
            "choose another --state",
            path=place,
            user=getpass.getuser(),
        )
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        todo = "run this as the user of the companion (sudo -u boxlid), or choose another --state"
        return wrong(what, "{path} may not be used by {user}", todo, path=state, user=getpass.getuser())
    if state.stat().st_mode & 0o077:
        return note(what, "{path} can be seen by other users", "chmod 700 {path}", path=state)
    return ok(what, "{path}", path=state)


def _clock(machine: Machine) -> Check:
    what, now = "clock", machine.now()
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < EARLIEST:
        todo = "connect it to the internet once, or set it: sudo date -s '2026-12-24 20:00'"
        return wrong(what, "it says {time}, which is past", todo, time=shown)
    if machine.is_pi and not (machine.root / "run/systemd/timesync/synchronized").exists():
        return note(
            what, "{time}, not compared with the internet", "only dates of games depend on it", time=shown
        )
    return ok(what, "{time}", time=shown)


def _name(machine: Machine, config: Config) -> Check:
    what, name = "network name", machine.hostname().lower().removesuffix(".local")
    full = f"{name}.local"
    if full not in config.web.names:
        listed = ", ".join(f'"{each}"' for each in (*config.web.names, full))
        todo = "write names = [{listed}] under [web] in boxlid.toml"
        return wrong(what, "phones that open {name} are refused", todo, name=full, listed=listed)
    try:
        address = machine.resolve(full)
    except OSError:
        todo = "sudo apt install avahi-daemon; until then phones use the QR code's address"
        return note(what, "{name} is not announced in the network", todo, name=full)
    return ok(what, "{name} is {address}", name=full, address=address)


def _rights(machine: Machine) -> Check:
    what = "permissions"
    devices = [*machine.root.glob("dev/gpiochip*"), *machine.root.glob("dev/video*")]
    closed = sorted(device.name for device in devices if not machine.readable(device))
    if closed:
        user, listed = getpass.getuser(), ", ".join(closed)
        todo = f"sudo usermod -aG {','.join(GROUPS)} {{user}}, then log in again"
        return wrong(what, "{user} may not open {listed}", todo, user=user, listed=listed)
    return ok(what, "all {n} camera and pin devices may be opened", n=len(devices))


def _voice(config: Config) -> Check:
    what = "voice"
    if not config.voice.on:
        return ok(what, "switched off in the settings")
    if shutil.which("espeak-ng") is None:
        return note(what, "espeak-ng is not installed: nothing is said aloud", "sudo apt install espeak-ng")
    return ok(what, "espeak-ng is installed")


def _existing(path: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path
