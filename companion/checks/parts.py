"""Checks of camera, lid, calibration and pins: opened for a moment, and let go again."""

import fcntl
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from companion.checks.machine import Machine
from companion.findings.check import Check, note, ok, wrong
from companion.journal.lock import LOCK
from companion.settings.config import Config
from companion.settings.state_folder import CALIBRATION
from companion.sight.camera_setting import setting_of
from hardware.opening import open_panel
from hardware.panel import Panel
from hardware.pins import PanelKind
from vision.cameras.camera import Camera, CameraError, Frame
from vision.cameras.choice import CameraKind as VisionKind
from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.clock import Clock, RealClock
from vision.cameras.watch import Distant
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, CalibrationError, load
from vision.place.aligning import align
from vision.place.lid import find_lid

SETTLING_FRAMES = 5  # exposure needs some pictures to settle
STANDS_IN = "the simulated panel at /panel stands in until then"
SLOW = 0.5  # seconds from one picture to the next: a press waits for two of them
GIVES_PICTURES = "{name} gives pictures of {width}x{height}"
WITHOUT_CAMERA = "without one the table is simulated, or dice are entered by hand"
DARK = 40.0
BRIGHT = 225.0
STOP = "for a full check: sudo systemctl stop boxlid, and start it again afterwards"


@dataclass(frozen=True)
class Parts:
    """How the parts are opened; tests open others."""

    camera: Callable[[CameraSetting], Camera] = camera_for
    panel: Callable[[Config], Panel] = field(default=lambda config: open_panel(config.panel))
    clock: Clock = field(default_factory=RealClock)


def is_running(state: Path) -> bool:
    """Whether a companion has this state folder open: camera and pins are then its own."""
    try:
        file = os.open(state / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def part_checks(
    parts: Parts, machine: Machine, config: Config, state: Path, chosen: str = ""
) -> Iterator[Check]:
    """`chosen` is the camera that the set-up chose."""
    setting = setting_of(config.camera, chosen, state)
    yield _calibration(config, setting, state)
    if is_running(state):
        yield note("camera", "in use by the running companion, as it should be", STOP)
        yield note("panel", "in use by the running companion, as it should be", STOP)
        return
    yield from _camera(parts, setting, _known(state))
    yield _panel(parts, machine, config)


def _known(state: Path) -> Calibration | None:
    """The calibration of the table, if it can be read; what is wrong with another is told elsewhere."""
    try:
        return load(state / CALIBRATION)
    except CalibrationError:
        return None


def _camera(parts: Parts, setting: CameraSetting, known: Calibration | None) -> Iterator[Check]:
    if setting.kind is VisionKind.SIMULATED:
        yield ok("camera", "simulated, as the settings want it")
        return
    camera = parts.camera(setting)
    try:
        frame, times = _settled(camera, parts.clock)
    except CameraError as error:
        yield wrong("camera", "{problem}", WITHOUT_CAMERA, problem=error)
        return
    finally:
        camera.close()
    height, width = frame.image.shape[:2]
    yield ok("camera", GIVES_PICTURES, name=camera.name, width=width, height=height)
    yield from _on_the_way(camera)
    yield _pace(times)
    yield check_light(frame.image)
    yield check_lid(frame.image, known)


def _settled(camera: Camera, clock: Clock) -> tuple[Frame, list[float]]:
    """A picture once exposure has settled; when it was opened, and when each picture came."""
    times = [clock.now()]
    camera.open()
    for _ in range(SETTLING_FRAMES):
        camera.frame()
        times.append(clock.now())
    return camera.frame(), times


def _pace(times: list[float]) -> Check:
    first, gaps = times[1] - times[0], [after - before for before, after in pairwise(times[1:])]
    gap, most = round(1000 * sum(gaps) / len(gaps)), round(1000 * max(gaps))
    if max(gaps) > SLOW:
        text = "a picture came {most} ms after the one before: reading waits for two of them"
        return note("pictures", text, "let the camera send smaller pictures, or more of them", most=most)
    steady = "the first after {first} s, then one every {gap} ms, the slowest after {most} ms"
    return ok("pictures", steady, first=f"{first:.1f}", gap=gap, most=most)


def _on_the_way(camera: Camera) -> Iterator[Check]:
    """What only a camera in the network has."""
    if not isinstance(camera, Distant) or camera.sends is None:
        return
    width, height = camera.sends
    text = "it sends {width}x{height}; each picture counts as {delay} s old (camera.delay)"
    yield ok("network camera", text, width=width, height=height, delay=f"{camera.delay:g}")


def check_light(image: Image) -> Check:
    mean = float(image.mean())
    if mean < DARK:
        return wrong("light", "the picture is dark ({n} of 255)", "put a lamp over the lid", n=round(mean))
    if mean > BRIGHT:
        return wrong("light", "the picture is glaring ({n} of 255)", "move the lamp aside", n=round(mean))
    return ok("light", "the picture is lit well ({n} of 255)", n=round(mean))


def check_lid(image: Image, known: Calibration | None = None) -> Check:
    """As a reading looks for it: at a calibrated table where it was, or where it was pushed to."""
    if not _lies_as_known(image, known) and find_lid(image) is None:
        return wrong(
            "lid", "no box lid is seen", "put the whole lid into the camera's view, see docs/hardware.md"
        )
    return ok("lid", "the whole lid is seen")


def _lies_as_known(image: Image, known: Calibration | None) -> bool:
    try:
        return known is not None and align(image, known) is not None
    except CalibrationError:  # its picture is damaged, which `check_known` says
        return False


def _calibration(config: Config, setting: CameraSetting, state: Path) -> Check:
    what = "calibration"
    if setting.kind is VisionKind.SIMULATED:
        return ok(what, "a simulated table needs none")
    path = state / CALIBRATION
    if not path.exists():
        return note(what, "this table was not calibrated; dice are read all the same", "boxlid calibrate")
    try:
        known = load(path)
    except CalibrationError as error:
        return wrong(what, "{problem}", "boxlid calibrate", problem=error)
    if setting.kind is VisionKind.NETWORK:  # its pictures have its own shape, whatever the settings say
        return check_known(known)
    return _fits(known, config)


def _fits(known: Calibration, config: Config) -> Check:
    shape = known.width * config.camera.height - known.height * config.camera.width
    if shape:
        was, now = f"{known.width}x{known.height}", f"{config.camera.width}x{config.camera.height}"
        return wrong(
            "calibration", "made with {was}, the camera is set to {now}", "boxlid calibrate", was=was, now=now
        )
    return check_known(known)


def _panel(parts: Parts, machine: Machine, config: Config) -> Check:
    if config.panel.kind is PanelKind.SIMULATED:
        return ok("panel", "simulated, as the settings want it")
    panel = parts.panel(config)
    try:
        if not panel.is_simulated:
            return ok("panel", "all pins of the settings are had; boxlid panel-test tries each")
        reason = panel.notice or "it is simulated"
        if machine.is_pi:
            return wrong("panel", "{reason}", STANDS_IN, reason=reason)
        return note("panel", "{reason}", STANDS_IN, reason=reason)
    finally:
        panel.close()


def check_known(known: Calibration) -> Check:
    try:
        known.empty_lid()
    except CalibrationError as error:
        return wrong("calibration", "{problem}", "boxlid calibrate", problem=error)
    size = f"{known.width}x{known.height}"
    return ok("calibration", "made with {size}, {n} dice measured", size=size, n=len(known.samples))
