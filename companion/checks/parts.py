"""Checks of camera, lid, calibration and pins: opened for a moment, and let go again."""

import fcntl
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from boxlid.errors import Statement
from companion.checks.machine import Machine
from companion.findings.check import Check, note, ok, wrong
from companion.findings.kinds import Checked, Found
from companion.journal.lock import LOCK
from companion.settings.config import Config
from companion.settings.state_folder import CALIBRATION
from companion.sight.camera_setting import setting_of
from hardware.opening import open_panel
from hardware.panel import Panel, PinsFault
from hardware.pins import PanelKind
from vision.cameras.camera import Camera, CameraError, Frame
from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.clock import Clock, RealClock
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import Distant
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, CalibrationError, load
from vision.place.aligning import align
from vision.place.lid import find_lid

SETTLING_FRAMES = 5  # exposure needs some pictures to settle
SLOW = 0.5  # seconds from one picture to the next: a press waits for two of them
DARK = 40.0
BRIGHT = 225.0


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
        yield note(Checked.CAMERA, Found.IN_USE, Found.DO_STOP_FOR_CHECK)
        yield note(Checked.PANEL, Found.IN_USE, Found.DO_STOP_FOR_CHECK)
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
    if setting.kind is CameraKind.SIMULATED:
        yield ok(Checked.CAMERA, Found.SIMULATED_AS_SET)
        return
    camera = parts.camera(setting)
    try:
        frame, times = _settled(camera, parts.clock)
    except CameraError as error:
        yield wrong(Checked.CAMERA, error, Found.DO_WITHOUT_CAMERA)
        return
    finally:
        camera.close()
    height, width = frame.image.shape[:2]
    yield ok(Checked.CAMERA, Found.GIVES_PICTURES, name=camera.name, width=width, height=height)
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
        return note(Checked.PICTURES, Found.PICTURES_SLOW, Found.DO_SMALLER_PICTURES, most=most)
    return ok(Checked.PICTURES, Found.PICTURES_COME, first=round(first, 1), gap=gap, most=most)


def _on_the_way(camera: Camera) -> Iterator[Check]:
    """What only a camera in the network has."""
    if not isinstance(camera, Distant) or camera.sends is None:
        return
    (width, height), delay = camera.sends, camera.delay
    yield ok(Checked.NETWORK_CAMERA, Found.NETWORK_PICTURES, width=width, height=height, delay=delay)


def check_light(image: Image) -> Check:
    mean = float(image.mean())
    if mean < DARK:
        return wrong(Checked.LIGHT, Found.PICTURE_DARK, Found.DO_LAMP, n=round(mean))
    if mean > BRIGHT:
        return wrong(Checked.LIGHT, Found.PICTURE_GLARING, Found.DO_LAMP_ASIDE, n=round(mean))
    return ok(Checked.LIGHT, Found.PICTURE_LIT, n=round(mean))


def check_lid(image: Image, known: Calibration | None = None) -> Check:
    """As a reading looks for it: at a calibrated table where it was, or where it was pushed to."""
    if not _lies_as_known(image, known) and find_lid(image) is None:
        return wrong(Checked.LID, Found.NO_LID, Found.DO_LID_INTO_VIEW)
    return ok(Checked.LID, Found.LID_SEEN)


def _lies_as_known(image: Image, known: Calibration | None) -> bool:
    try:
        return known is not None and align(image, known) is not None
    except CalibrationError:  # its picture is damaged, which `check_known` says
        return False


def _calibration(config: Config, setting: CameraSetting, state: Path) -> Check:
    what = Checked.CALIBRATION
    if setting.kind is CameraKind.SIMULATED:
        return ok(what, Found.NONE_NEEDED)
    path = state / CALIBRATION
    if not path.exists():
        return note(what, Found.NOT_CALIBRATED, Found.DO_CALIBRATE)
    try:
        known = load(path)
    except CalibrationError as error:
        return wrong(what, error, Found.DO_CALIBRATE)
    if setting.kind is CameraKind.NETWORK:  # its pictures have its own shape, whatever the settings say
        return check_known(known)
    return _fits(known, config)


def _fits(known: Calibration, config: Config) -> Check:
    shape = known.width * config.camera.height - known.height * config.camera.width
    if shape:
        was, now = f"{known.width}x{known.height}", f"{config.camera.width}x{config.camera.height}"
        return wrong(Checked.CALIBRATION, Found.CALIBRATED_OTHERWISE, Found.DO_CALIBRATE, was=was, now=now)
    return check_known(known)


def _panel(parts: Parts, machine: Machine, config: Config) -> Check:
    if config.panel.kind is PanelKind.SIMULATED:
        return ok(Checked.PANEL, Found.SIMULATED_AS_SET)
    panel = parts.panel(config)
    try:
        if not panel.is_simulated:
            return ok(Checked.PANEL, Found.PINS_FOR_PANEL_TEST)
        reason = panel.notice or Statement(PinsFault.SIMULATED)
        if machine.is_pi:
            return wrong(Checked.PANEL, reason, Found.DO_SIMULATED_PANEL)
        return note(Checked.PANEL, reason, Found.DO_SIMULATED_PANEL)
    finally:
        panel.close()


def check_known(known: Calibration) -> Check:
    try:
        known.empty_lid()
    except CalibrationError as error:
        return wrong(Checked.CALIBRATION, error, Found.DO_CALIBRATE)
    size = f"{known.width}x{known.height}"
    return ok(Checked.CALIBRATION, Found.CALIBRATED, size=size, n=len(known.samples))
