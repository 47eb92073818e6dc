"""The camera's part of the set-up: lid, empty picture, the six dice, rolls to try. Knows no order of steps.

What is learnt stays a draft in a folder of its own until it is put in force, whole, by one rename.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import cv2

from companion.host.answers import notice_of
from companion.host.seeing import Seeing, SeeingCamera
from companion.host.set_up.places import WHOLE, Ground, ground_of, placed_dice
from companion.host.set_up.progress import FOLDER
from companion.journal.files import put_in_place
from companion.settings.state_folder import CALIBRATION
from companion.sight.in_force import InForce, put_in_force
from companion.table.eyes import Notice, ShownDie
from companion.view.setting_up import DiceOutside, Doubt, RollShown
from vision.calibration.learning import Learnt, Outside, calibrate, like_dice
from vision.cameras.camera import CameraError, Frame
from vision.cameras.steady import Steady, wait_until_still
from vision.cameras.watch import CameraState, Glance, small_grey
from vision.dice.face import Face
from vision.dice.finder import BESIDE_FLOOR
from vision.image.arrays import Image
from vision.image.conditions import fault_of
from vision.memory import calibration as calibrations
from vision.memory.calibration import Calibration, CalibrationError, CalibrationFault, CameraLock
from vision.place.lid import search_lid
from vision.reading import ALL_SIX, Problem, ProblemKind
from vision.simulation.table import SimulatedTable

EMPTY = "empty.png"
PICTURE_SECONDS = 8.0
LIKE_A_DIE = Notice("like-a-die")
UNSEEN = Notice(ProblemKind.CAMERA)
SETTLING_FRAMES = 8  # a camera that was held finds its exposure again


class _Patient:
    """The camera, given more time than in a game: somebody waits for this one picture."""

    def __init__(self, camera: SeeingCamera) -> None:
        self._camera = camera

    @property
    def state(self) -> CameraState:
        return self._camera.state

    @property
    def newest(self) -> Glance | None:
        return self._camera.newest

    @property
    def is_distant(self) -> bool:
        return self._camera.is_distant

    def frame(self, timeout: float = 0.0, since: float | None = None) -> Frame:
        return self._camera.frame(max(timeout, PICTURE_SECONDS), since)

    def glance(self, timeout: float = 0.0) -> Glance:
        return self._camera.glance(max(timeout, PICTURE_SECONDS))


class LearningEye(SeeingCamera, Protocol):
    """The watched camera, whose exposure can be read and held."""

    def settings(self) -> CameraLock | None: ...

    def hold(self, lock: CameraLock | None) -> None: ...


@dataclass(frozen=True, slots=True)
class FoundGround:
    """The outline to begin with; `found` if one was seen there."""

    ground: Ground
    found: bool
    troubles: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a step taught: troubles stop it, warnings do not; the dice as they were seen."""

    troubles: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()
    dice: tuple[ShownDie, ...] = ()


class TableLessons:
    """Takes pictures and learns from them; one call at a time."""

    def __init__(self, home: Path, camera: LearningEye, simulated: SimulatedTable | None) -> None:
        self._home = home
        self._folder = home / FOLDER
        self._camera = camera
        self._eye = _Patient(camera)
        self._simulated = simulated
        self.pictures: dict[str, Image] = {}
        self._dice_before: Sequence[Face] = ()  # what looks like dice in the picture of the place

    # --- where the dice lie ----------------------------------------------------------------------------

    def find_ground(self) -> FoundGround:
        if self._simulated is not None:
            self._simulated.put_back()
        try:
            image = self._eye.frame().image
        except CameraError:
            self.pictures.pop("lid", None)
            return FoundGround(WHOLE, found=False, troubles=(UNSEEN,))
        self.pictures["lid"] = image
        self._dice_before = like_dice(image, None)
        lid = search_lid(image)
        if lid is not None:
            return FoundGround(ground_of(lid, image), found=True)
        fault = fault_of(image) or Problem(ProblemKind.NO_LID)
        return FoundGround(WHOLE, found=False, troubles=(notice_of(fault),))

    def doubt_of(self, ground: Ground) -> Doubt | None:
        """Whether that outline holds fewer dice than its picture shows."""
        image = self.pictures.get("lid")
        place = None if image is None else ground.place(image)
        if place is None:
            return None
        seen = self._dice_before
        held = sum(place.contains(die.x, die.y, BESIDE_FLOOR * die.size) for die in seen)
        return Doubt(held, len(seen)) if held < len(seen) else None

    # --- the empty lid ---------------------------------------------------------------------------------

    def take_empty(self, ground: Ground, *, lock: bool) -> tuple[Lesson, CameraLock | None]:
        """The picture of the empty lid, kept; with what the camera is to hold from then on."""
        if self._simulated is not None:
            self._simulated.put_back()
        try:
            for _ in range(SETTLING_FRAMES):
                self._eye.frame()
            image, problem = self._still(ground, None)
            held = self._camera.settings() if lock else None
        except CameraError:
            return Lesson((UNSEEN,)), None
        fault = problem or fault_of(image)
        if fault is not None:
            return Lesson((notice_of(fault),)), None
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f".unfinished-{EMPTY}"
        if not cv2.imwrite(str(unfinished), image):
            full, why = CalibrationFault.DISK_FULL, "no picture was written"
            raise CalibrationError(full, path=unfinished, why=why)
        put_in_place(unfinished, self._folder / EMPTY)
        self.pictures["empty"] = image
        seen = like_dice(image, ground.place(image))
        return Lesson(warnings=(LIKE_A_DIE,) if seen else ()), held

    @property
    def empty(self) -> Image | None:
        if "empty" not in self.pictures:
            kept = cv2.imread(str(self._folder / EMPTY)) if (self._folder / EMPTY).exists() else None
            if kept is None:
                return None
            self.pictures["empty"] = cast(Image, kept)
        return self.pictures["empty"]

    # --- the six dice ----------------------------------------------------------------------------------

    def take_dice(
        self, ground: Ground, outside: DiceOutside, *, moved: bool, lock: CameraLock | None
    ) -> Lesson:
        """Learn the dice; a draft is kept if that went well."""
        empty = self.empty
        if empty is None:
            raise CalibrationError(CalibrationFault.EMPTY_LID_MISSING)
        if self._simulated is not None:
            self._simulated.put_back()
            self._simulated.lay_out()
        try:
            image, problem = self._still(ground, empty)
        except CameraError:
            return Lesson((UNSEEN,))
        self.pictures["dice"] = image
        if problem is not None:
            return Lesson((notice_of(problem),))
        learnt = _learnt((empty, image), ground, outside, moved=moved, lock=lock)
        dice = placed_dice(learnt.reading.dice, image) if learnt.reading is not None else ()
        if learnt.calibration is None:
            return Lesson(_notices(learnt.problems), (), dice)
        calibrations.save(learnt.calibration, self._folder / CALIBRATION, empty)
        return Lesson((), _notices(learnt.warnings), dice)

    # --- rolls -----------------------------------------------------------------------------------------

    def read_roll(self, known: Calibration) -> tuple[RollShown | None, tuple[Notice, ...]]:
        """A roll of all six, read as it will be read in a game."""
        if self._simulated is not None:
            self._simulated.throw()
        seeing = Seeing(self._eye, known)
        try:
            look = seeing.look(ALL_SIX, lambda _: None)
        except CameraError:
            return None, (UNSEEN,)
        finally:
            seeing.close()
        self.pictures["roll"] = look.image
        reading = look.reading
        dice = placed_dice(reading.dice, look.image)
        roll = RollShown(secrets.token_hex(4), reading.certain, judged=False, dice=dice)
        return roll, _notices(reading.problems)

    # --- draft and force -------------------------------------------------------------------------------

    def draft(self) -> Calibration | None:
        """What was learnt and is not confirmed yet; None if there is nothing, or nothing readable."""
        try:
            return calibrations.load(self._folder / CALIBRATION)
        except CalibrationError:
            return None

    def put_in_force(self) -> InForce:
        """The draft counts from now on: the file in force is replaced whole, then the draft goes."""
        draft = calibrations.load(self._folder / CALIBRATION)
        kept = put_in_force(draft, draft.empty_lid(), self._home)
        self.forget_draft()
        return kept

    def forget_draft(self) -> None:
        for path in (self._folder / CALIBRATION, *self._folder.glob("calibration-empty-*.png")):
            path.unlink(missing_ok=True)

    # --- looking ---------------------------------------------------------------------------------------

    def _still(self, ground: Ground, empty: Image | None) -> tuple[Image, Problem | None]:
        """A picture with nothing moving in the place; a hand is told from the look of the empty one."""
        first = self._eye.frame().image
        place = ground.place(first)
        steady = Steady(None if place is None else place.corners, (first.shape[1], first.shape[0]))
        if empty is not None:
            calm, now = small_grey(empty), time.monotonic()
            for before in (2.0, 1.5, 1.0):
                steady.look(Glance(calm, now - before))
        problem = wait_until_still(self._eye, steady, time.monotonic)
        return self._eye.frame().image, problem


def _learnt(
    pictures: tuple[Image, Image],
    ground: Ground,
    outside: DiceOutside,
    *,
    moved: bool,
    lock: CameraLock | None,
) -> Learnt:
    """An outline that was only confirmed is looked for again here, and believed where it hides."""
    empty, dice = pictures
    place = ground.place(dice)
    kept = Outside.KEPT if outside is DiceOutside.KEEP else Outside.ASKED
    if place is None or moved:
        return calibrate(empty, dice, lock, place, place is None, kept)
    learnt = calibrate(empty, dice, lock, outside=kept)
    hides = learnt.calibration is not None and learnt.calibration.lid is None
    return calibrate(empty, dice, lock, place, outside=kept) if hides else learnt


def _notices(problems: Sequence[Problem]) -> tuple[Notice, ...]:
    return tuple(map(notice_of, problems))
