"""The set-up as pages use it: one step at a time, kept after each, while the game waits. Knows no pages."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never, cast

import cv2

from companion.host.seeing import jpeg
from companion.host.set_up.cameras import NETWORK, setting_for
from companion.host.set_up.lessons import UNSEEN, TableLessons
from companion.host.set_up.means import Means, Shown
from companion.host.set_up.progress import FOLDER, Progress, checked_names
from companion.host.set_up.record import SetUpRecord
from companion.host.set_up.session import Session
from companion.host.set_up.sight import sight_of
from companion.host.set_up.teaching import Teaching
from companion.host.set_up.view import Surroundings, cameras_of, view_of
from companion.rules import RuleError
from companion.settings.config import Language
from companion.view.lamps import Lamps
from companion.view.setting_up import (
    AcceptCamera,
    AcceptPanel,
    CameraWish,
    ChooseCamera,
    ChooseLanguage,
    JudgeLamp,
    JudgeRoll,
    KeepCorners,
    KeepPlayers,
    LidWish,
    LightLamp,
    SetUpFault,
    SetUpRefused,
    SetUpView,
    SetUpWish,
    Sight,
    StartAgain,
    Step,
    UseAddress,
)
from companion.words import DEFAULT, catalogues, english
from hardware.panel import Press
from vision.cameras.camera import CameraError
from vision.image.arrays import Image
from vision.memory.calibration import CalibrationError

LOOKING_SECONDS = 8.0  # a look of the game that is under way may end
LIVE_SECONDS = 1.5
LIVE_WIDTH = 800


class SettingUp:
    """One set-up of one table. Pages may be many: their steps come one after the other, the last one wins."""

    def __init__(self, means: Means, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._means = means
        self._lessons = TableLessons(means.home, means.camera, means.simulated)
        self._session = Session(self._begin, self._end, clock)
        self._record = SetUpRecord(means.home / FOLDER, progress)
        self._teaching = Teaching(means, self._lessons, self._record)
        self._work = threading.Lock()  # the step under way

    # --- for the host ----------------------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether a page holds camera and buttons: the game waits."""
        return self._session.is_on

    @property
    def lit(self) -> Lamps | None:
        """What the panel shows for the trial of its lamps; None while there is none."""
        return self._means.trial.lit

    @property
    def is_finished(self) -> bool:
        return self._record.progress.step is None

    @property
    def language(self) -> str:
        return self._record.progress.language

    @property
    def players(self) -> tuple[str, ...]:
        return self._record.progress.players

    def takes(self, press: Press) -> bool:
        """Whether this press belongs to the set-up and not to the game."""
        if not self.is_on:
            return False
        self._means.trial.pressed(press)
        self._record.changed()
        return True

    def tick(self) -> None:
        """Called now and then: pages that were closed give camera and buttons back."""
        if not self._work.locked():
            self._session.end_if_idle()

    def _begin(self) -> None:
        """The game waits: nothing is read, buttons are ours. A look under way ends first."""
        eyes = self._means.eyes
        eyes.pause()
        until, pause = time.monotonic() + LOOKING_SECONDS, threading.Event()
        while eyes.is_busy and time.monotonic() < until:
            pause.wait(0.05)
        self._means.trial.begin()
        self._record.changed()

    def _end(self) -> None:
        """The game goes on with the calibration in force, whatever was tried."""
        self._teaching.end()
        if self.is_finished:  # pictures take megabytes that a small computer needs otherwise
            self._lessons.pictures.clear()
            self._record.show(Shown())
        self._means.trial.begin()
        self._means.given_back()
        self._means.eyes.resume()
        self._record.changed()

    # --- pages -----------------------------------------------------------------------------------------

    def here(self, page: str, *, take: bool) -> SetUpView:
        self._session.heard(page, take=take)
        return self.view(page)

    def leave(self, page: str) -> None:
        self._session.left(page)
        self.tick()

    # --- pictures --------------------------------------------------------------------------------------

    def live(self) -> bytes | None:
        try:
            return jpeg(_narrow(self._means.camera.frame(LIVE_SECONDS).image))
        except CameraError:
            return None

    def camera_picture(self, setting: str) -> bytes | None:
        """Only while the set-up holds the table: a camera that opens may take power or bus from another."""
        if not self.is_on or setting == NETWORK or setting not in self._offered():
            return None
        image = self._means.previews.of(setting)
        return None if image is None else jpeg(_narrow(image))

    def sight(self) -> Sight:
        try:
            return sight_of(self._means.camera.frame(LIVE_SECONDS).image)
        except CameraError:
            return Sight(None, None, 0, lid=False, troubles=(UNSEEN,))

    def picture(self, name: str) -> bytes | None:
        image = self._lessons.empty if name == "empty" else self._lessons.pictures.get(name)
        return None if image is None else jpeg(image)

    # --- steps -----------------------------------------------------------------------------------------

    def do(self, page: str, wish: SetUpWish) -> SetUpView:
        if not self._work.acquire(blocking=False):
            raise SetUpRefused(SetUpFault.BUSY, "another step is under way; wait a moment")
        try:
            self._session.works(page)
            self._record.changed()
            with _kept():
                self._carry_out(wish)
        finally:
            self._session.works(page)
            self._work.release()
            self._record.changed()
        return self.view(page)

    def _carry_out(self, wish: SetUpWish) -> None:
        if isinstance(wish, LidWish):
            if not isinstance(wish, KeepCorners | JudgeRoll):
                self._need_held()
            self._teaching.carry_out(wish)
            return
        match wish:
            case ChooseLanguage(language):
                self._choose_language(language)
            case ChooseCamera() | UseAddress() | AcceptCamera():
                self._see_to_camera(wish)
            case LightLamp(lamp):
                self._light(lamp)
            case JudgeLamp(lamp, seen):
                self._judge_lamp(lamp, seen=seen)
            case AcceptPanel():
                self._means.trial.light("")
                self._means.given_back()
                self._record.keep(self._record.progress.reached(Step.PANEL))
            case KeepPlayers(names):
                self._keep_players(names)
            case StartAgain():
                self._start_again()
            case _:
                assert_never(wish)

    def _choose_language(self, language: str) -> None:
        if language not in tuple(Language):
            raise SetUpRefused(
                SetUpFault.UNKNOWN, f"a language is one of {', '.join(Language)}, got {language!r}"
            )
        self._record.keep(replace(self._record.progress.reached(Step.LANGUAGE), language=language))

    def _see_to_camera(self, wish: CameraWish) -> None:
        match wish:
            case ChooseCamera(setting):
                self._choose_camera(setting)
            case UseAddress(address):
                self._use_address(address)
            case AcceptCamera():
                if Step.CAMERA not in self._record.progress.done:
                    self._record.keep(self._record.progress.reached(Step.CAMERA))
            case _:
                assert_never(wish)

    def _choose_camera(self, setting: str) -> None:
        if setting not in self._offered():
            raise SetUpRefused(SetUpFault.UNKNOWN, f"no camera {setting!r} can be chosen here")
        if setting not in (NETWORK, self._record.progress.camera):
            self._take_camera(setting)

    def _use_address(self, typed: str) -> None:
        if self._means.cameras is None:
            raise SetUpRefused(SetUpFault.UNKNOWN, "the settings name the camera")
        self._take_camera(setting_for(typed, self._means.state))

    def _take_camera(self, setting: str) -> None:
        self._record.keep(replace(self._record.progress.without(Step.CAMERA), camera=setting))
        self._means.change_camera(setting)

    def _offered(self) -> list[str]:
        return [
            each.setting for each in cameras_of(self._record.progress, self._means, catalogues()[DEFAULT])
        ]

    def _light(self, lamp: str) -> None:
        self._need_held()
        if not self._means.trial.light(lamp):
            raise SetUpRefused(SetUpFault.UNKNOWN, f"no lamp {lamp!r} is built in")
        if not lamp:
            self._means.given_back()

    def _judge_lamp(self, lamp: str, *, seen: bool) -> None:
        if not self._means.trial.knows(lamp):
            raise SetUpRefused(SetUpFault.UNKNOWN, f"no lamp {lamp!r} is built in")
        self._record.keep(self._record.progress.judged(lamp, seen=seen))

    def _keep_players(self, names: tuple[str, ...]) -> None:
        try:
            kept = checked_names(names)
        except RuleError as error:
            raise SetUpRefused(SetUpFault.NAME, str(error)) from None
        self._record.keep(replace(self._record.progress.reached(Step.PLAYERS), players=kept))

    def _start_again(self) -> None:
        self._lessons.forget_draft()
        self._lessons.pictures.clear()
        now = self._record.progress
        self._record.show(Shown())
        self._record.keep(Progress(language=now.language, camera=now.camera, players=now.players))

    def _need_held(self) -> None:
        if not self.is_on:
            text = "camera and buttons are the game's; take them for the set-up first"
            raise SetUpRefused(SetUpFault.NOT_HELD, text)

    def view(self, page: str = "") -> SetUpView:
        circumstances = Surroundings(
            self._record.number,
            busy=self._work.locked(),
            here=self._session.takes(page),
            held=self._session.is_on,
            others=self._session.has_others(page),
        )
        return view_of(self._record.progress, self._record.shown, circumstances, self._means, self._lessons)


@contextmanager
def _kept() -> Iterator[None]:
    """What the disk refuses is said."""
    try:
        yield
    except (OSError, CalibrationError) as error:
        why = english(error) if isinstance(error, CalibrationError) else str(error)
        raise SetUpRefused(SetUpFault.DISK, f"it cannot be kept: {why}") from error


def _narrow(image: Image) -> Image:
    """Small enough to come several times a second over a house network."""
    scale = LIVE_WIDTH / image.shape[1]
    if scale >= 1:
        return image
    return cast(Image, cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
