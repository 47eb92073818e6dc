"""How the running companion is: the doctor's facts, with the camera and the panel it holds itself."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import web
from companion.checks import Check, note, ok, wrong
from companion.checks.broker import bridge_checks
from companion.checks.installation import version_check
from companion.checks.keeping import journal_checks
from companion.checks.machine import Machine, machine_checks
from companion.checks.parts import (
    check_known,
    check_lid,
    check_light,
)
from companion.findings.kinds import Checked, Found
from companion.host.backing_up import BackingUp
from companion.host.looking import Looker
from companion.journal.journal import Journal
from companion.mqtt.bridge_state import BridgeState
from companion.process.fault_barrier import FaultBarrier
from companion.settings.config import Config
from companion.words import catalogues
from hardware.panel import Panel
from hardware.voice import Voice
from vision.cameras.camera import CameraError
from vision.cameras.watch import WatchedCamera

FRESH_SECONDS = 2.0  # several pages may watch; a look at the lid takes a while
PICTURE_SECONDS = 5.0


def part_check(barrier: FaultBarrier) -> Iterator[Check]:
    """What is wrong with a part that the game can do without; nothing if it never was."""
    what, todo = Checked(f"check.{barrier.part}"), Found.DO_START_AGAIN
    if barrier.hanging_seconds:
        seconds = round(barrier.hanging_seconds)
        yield wrong(what, Found.HANGS, todo, seconds=seconds)
    elif barrier.is_broken:
        yield wrong(what, Found.BROKE_DOWN, todo, fault=barrier.fault)
    elif barrier.fault:
        yield note(what, Found.WORKS_AGAIN, Found.DO_REPORT, fault=barrier.fault)


@dataclass(frozen=True)
class Inspected:
    """What the checks look at."""

    config: Config
    state: Path
    journal: Journal
    backing_up: BackingUp
    camera: WatchedCamera
    looker: Looker  # knows the calibration in force
    panel: Panel
    voice: Voice | None
    simulated: bool  # the table, with its camera
    bridge: Callable[[], BridgeState]
    barriers: Sequence[FaultBarrier]
    machine: Machine = field(default_factory=Machine)


class Health:
    """Checks when asked, and remembers the answer for a moment."""

    def __init__(self, inspected: Inspected) -> None:
        self._at = inspected
        self._began = time.monotonic()
        self._mutex = threading.Lock()
        self._checked_at = float("-inf")
        self._checks: tuple[Check, ...] = ()

    def facts(self, language: str) -> tuple[web.Fact, ...]:
        with self._mutex:
            if time.monotonic() - self._checked_at > FRESH_SECONDS:
                self._checks = tuple(self.checks())
                self._checked_at = time.monotonic()
            found = (*self._checks, *journal_checks(self._at.journal, self._at.backing_up.trouble))
        lines = [each.line(catalogues()[language]) for each in found]
        return tuple(web.Fact(line.what, line.text, line.state, line.todo) for line in lines)

    def checks(self) -> Iterator[Check]:
        yield from self._camera()
        known = self._at.looker.calibration
        if known is not None:
            yield check_known(known)
        elif self._at.simulated:
            yield ok(Checked.CALIBRATION, Found.NONE_NEEDED)
        else:
            text = Found.NOT_CALIBRATED
            yield note(Checked.CALIBRATION, text, Found.DO_SET_UP)
        yield self._panel()
        yield from self._voice()
        for barrier in self._at.barriers:
            yield from part_check(barrier)
        yield from bridge_checks(self._at.config.mqtt, self._at.bridge())
        yield from machine_checks(self._at.machine, self._at.config, self._at.state)
        minutes = round(time.monotonic() - self._began) // 60
        yield ok(Checked.UPTIME, Found.UPTIME, hours=minutes // 60, minutes=minutes % 60)
        yield version_check()

    def _camera(self) -> Iterator[Check]:
        camera = self._at.camera
        try:
            image = camera.frame(PICTURE_SECONDS).image
        except CameraError as error:
            yield wrong(Checked.CAMERA, error, Found.DO_WITHOUT_CAMERA)
            return
        height, width = image.shape[:2]
        if self._at.simulated:
            yield ok(Checked.CAMERA, Found.SIMULATED_TABLE)
        else:
            yield ok(Checked.CAMERA, Found.GIVES_PICTURES, name=camera.name, width=width, height=height)
        yield check_light(image)
        yield check_lid(image, self._at.looker.calibration)

    def _voice(self) -> Iterator[Check]:
        voice = self._at.voice
        if voice is not None and voice.notice is not None:
            yield note(Checked.LOUDSPEAKER, voice.notice, Found.DO_SWITCH_OFF_VOICE)

    def _panel(self) -> Check:
        panel = self._at.panel
        if not panel.is_simulated:
            return ok(Checked.PANEL, Found.PINS_FOR_SETUP)
        if panel.notice is None:
            return ok(Checked.PANEL, Found.SIMULATED_AS_SET)
        if self._at.machine.is_pi:
            return wrong(Checked.PANEL, panel.notice, Found.DO_SIMULATED_PANEL)
        return note(Checked.PANEL, panel.notice, Found.DO_SIMULATED_PANEL)
