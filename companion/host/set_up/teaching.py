"""The steps that teach the table to the camera: lid, empty lid, dice, rolls; a draft until confirmed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from companion.host.set_up.lessons import TableLessons
from companion.host.set_up.means import Means, Shown
from companion.host.set_up.places import WHOLE, Ground
from companion.host.set_up.record import SetUpRecord
from companion.table.eyes import Notice
from companion.view.setting_up import (
    ROLLS_WANTED,
    DiceOutside,
    FindLid,
    JudgeRoll,
    KeepCorners,
    LidWish,
    ReadRoll,
    SetUpFault,
    SetUpRefused,
    Shape,
    Step,
    TakeDice,
    TakeEmpty,
)
from vision.memory.calibration import CameraLock
from vision.place.outline import LEAST_CORNERS, MOST_CORNERS, OutlineFault
from vision.reading import ProblemKind

NO_OUTLINE: Mapping[OutlineFault, tuple[SetUpFault, str]] = {
    OutlineFault.FEW: (SetUpFault.FEW_CORNERS, f"at least {LEAST_CORNERS} corners are wanted; add some"),
    OutlineFault.MANY: (SetUpFault.MANY_CORNERS, f"at most {MOST_CORNERS} corners are wanted; remove some"),
    OutlineFault.OUTSIDE: (SetUpFault.OUTSIDE, "corners inside the picture are wanted; move them into it"),
    OutlineFault.CROSSED: (SetUpFault.CROSSED, "corners going round the place are wanted; move them apart"),
    OutlineFault.SMALL: (SetUpFault.SMALL, "a place that holds six dice is wanted; move the corners apart"),
}


class Teaching:
    """Carries the lid's steps out. The camera is held by the set-up while they run."""

    def __init__(self, means: Means, lessons: TableLessons, record: SetUpRecord) -> None:
        self._means = means
        self._lessons = lessons
        self._record = record

    def end(self) -> None:
        """The camera is the game's again."""
        known = self._means.eyes.calibration
        self._hold(None if known is None else known.lock)

    def carry_out(self, wish: LidWish) -> None:
        match wish:
            case FindLid():
                self._find_lid()
            case KeepCorners():
                self._keep_corners(wish)
            case TakeEmpty():
                self._take_empty()
            case TakeDice(outside):
                self._take_dice(outside)
            case ReadRoll():
                self._read_roll()
            case JudgeRoll(roll, right):
                self._judge_roll(roll, right=right)
            case _:
                assert_never(wish)

    def _find_lid(self) -> None:
        self._hold(None)
        found = self._lessons.find_ground()
        self._record.show(
            Shown(
                picture=self._record.shown.picture + 1,
                ground=found.ground,
                found=found.found,
                doubt=self._lessons.doubt_of(found.ground),
                troubles=found.troubles,
                troubled=Step.LID,
            )
        )

    def _keep_corners(self, wish: KeepCorners) -> None:
        ground = WHOLE if wish.shape is Shape.WHOLE else Ground(wish.shape, wish.corners)
        if ground.fault is not None:
            raise SetUpRefused(*NO_OUTLINE[ground.fault])
        doubt = None if wish.anyway else self._lessons.doubt_of(ground)
        self._record.show(replace(self._record.shown, ground=ground, doubt=doubt, troubles=()))
        if doubt is None:
            kept = self._record.progress.reached(Step.LID)
            self._record.keep(replace(kept, ground=ground, moved=wish.moved))

    def _take_empty(self) -> None:
        self._need(Step.LID)
        self._hold(None)
        now = self._record.progress
        lesson, lock = self._lessons.take_empty(now.ground, lock=self._means.lock_exposure)
        shown = self._record.shown
        told = lesson.troubles or lesson.warnings
        self._record.show(replace(shown, empty=shown.empty + 1, troubles=told, troubled=Step.EMPTY))
        if lesson.troubles:
            return
        self._hold(lock)
        self._record.keep(replace(now.reached(Step.EMPTY), lock=lock))

    def _take_dice(self, outside: DiceOutside) -> None:
        self._need(Step.EMPTY)
        now = self._record.progress
        if outside is DiceOutside.WHOLE:
            now = replace(now, ground=WHOLE, moved=True)
        self._hold(now.lock)
        self._record.keep(now.without(Step.DICE))
        lesson = self._lessons.take_dice(now.ground, outside, moved=now.moved, lock=now.lock)
        self._record.show(
            replace(
                self._record.shown,
                ground=now.ground,
                dice_picture=self._record.shown.dice_picture + 1,
                lesson=lesson,
                troubles=lesson.troubles,
                troubled=Step.DICE,
                roll=None,
            )
        )
        if not lesson.troubles:
            self._record.keep(now.reached(Step.DICE))
        elif lesson.troubles[0].kind == ProblemKind.LID_NOT_EMPTY:  # the page goes back to that step
            left = Notice("die-was-left")
            self._record.show(replace(self._record.shown, troubles=(left,), troubled=Step.EMPTY))
            self._record.keep(now.without(Step.EMPTY))

    def _read_roll(self) -> None:
        self._need(Step.DICE)
        known = self._lessons.draft() or self._means.eyes.calibration
        if known is None:
            self._record.keep(self._record.progress.without(Step.DICE))
            raise SetUpRefused(SetUpFault.TOO_EARLY, "the dice have to be learnt once more first")
        self._hold(known.lock)
        self._record.show(replace(self._record.shown, roll=None, troubles=()))
        roll, troubles = self._lessons.read_roll(known)
        self._record.show(replace(self._record.shown, roll=roll, troubles=troubles, troubled=Step.ROLLS))

    def _judge_roll(self, identity: str, *, right: bool) -> None:
        roll, now = self._record.shown.roll, self._record.progress
        if roll is None or roll.id != identity or roll.judged or not roll.certain:
            return  # two people judged it, or another roll is shown by now
        self._record.show(replace(self._record.shown, roll=replace(roll, judged=True)))
        if not right:
            wrong = Notice("read-wrong")
            self._record.show(replace(self._record.shown, roll=None, troubles=(wrong,), troubled=Step.DICE))
            self._record.keep(now.without(Step.DICE))
            self._lessons.forget_draft()
        elif now.right + 1 < ROLLS_WANTED:
            self._record.keep(replace(now, right=now.right + 1))
        else:
            if self._lessons.draft() is not None:
                kept = self._lessons.put_in_force()
                self._means.eyes.use(kept.calibration)
                self._record.show(replace(self._record.shown, before=str(kept.before or "")))
            self._record.keep(replace(now.reached(Step.ROLLS), right=ROLLS_WANTED))

    def _need(self, step: Step) -> None:
        if step not in self._record.progress.done:
            raise SetUpRefused(SetUpFault.TOO_EARLY, f"the step {step} comes first")

    def _hold(self, lock: CameraLock | None) -> None:
        """Exposure and white balance as they were measured; None: the camera finds them itself."""
        if self._means.lock_exposure:
            self._means.camera.hold(lock)
