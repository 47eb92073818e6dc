"""A set-up without camera and lid, for tests of its pages: answers at once, remembers what was wished."""

from dataclasses import dataclass, field, replace
from functools import cache

import cv2

from companion.table.eyes import Notice, Place, ShownDie
from companion.view.setting_up import (
    AcceptCamera,
    AcceptPanel,
    CameraChoice,
    ChooseCamera,
    ChooseLanguage,
    Doubt,
    FindLid,
    Focus,
    JudgeLamp,
    JudgeRoll,
    KeepCorners,
    KeepPlayers,
    LidWish,
    Light,
    LightLamp,
    PanelWish,
    ReadRoll,
    RollShown,
    SetUpFault,
    SetUpRefused,
    SetUpView,
    SetUpWish,
    Shape,
    Sight,
    StartAgain,
    Step,
    TakeDice,
    TakeEmpty,
    TriedButton,
    TriedLamp,
    UseAddress,
)
from vision.simulation.table import SimulatedTable

OtherWish = ChooseLanguage | ChooseCamera | UseAddress | AcceptCamera | PanelWish | KeepPlayers | StartAgain
CORNERS = (Place(0.2, 0.2), Place(0.8, 0.2), Place(0.8, 0.8), Place(0.2, 0.8))
DICE = tuple(
    ShownDie(
        colour,
        pips,
        98,
        doubtful=False,
        corners=(Place(x, y), Place(x + 0.05, y), Place(x + 0.05, y + 0.06), Place(x, y + 0.06)),
    )
    for colour, pips, x, y in (
        ("white", 3, 0.3, 0.3),
        ("white", 5, 0.5, 0.3),
        ("red", 1, 0.65, 0.3),
        ("yellow", 6, 0.3, 0.6),
        ("green", 2, 0.5, 0.6),
        ("blue", 4, 0.65, 0.6),
    )
)
LAMPS = (
    TriedLamp("seat 1", "white", "GPIO17", lit=False, seen=None),
    TriedLamp("red", "red", "GPIO12", lit=False, seen=None),
    TriedLamp("status ready", "green", "", lit=False, seen=None),
)
BUTTONS = (TriedButton("rolled", "GPIO5", seen=False), TriedButton("off", "GPIO3", seen=False))
NOTHING = SetUpView(
    number=1,
    step=Step.LANGUAGE,
    done=(),
    busy=False,
    here=True,
    held=True,
    others=False,
    game=False,
    simulated=False,
    in_force=False,
    language="",
    cameras=(
        CameraChoice("picamera:0", "imx708", chosen=True),
        CameraChoice("usb:0", "Webcam", chosen=False),
    ),
    camera_fixed=False,
    camera="Pi camera 0",
    camera_says="",
    picture="",
    shape=Shape.CORNERS,
    corners=(),
    kept=(),
    corners_found=False,
    doubt=None,
    empty="",
    dice_picture="",
    dice=(),
    warnings=(),
    roll=None,
    right=0,
    before="",
    troubles=(),
    troubled=None,
    panel_simulated=False,
    lamps=LAMPS,
    buttons=BUTTONS,
    players=(),
)


FINE = Sight(Light.GOOD, Focus.SHARP, 160, lid=True)


@cache
def picture() -> bytes:
    table = SimulatedTable(2, size=(640, 360))
    table.lay_out()
    return cv2.imencode(".jpg", table.picture(1))[1].tobytes()


@dataclass
class FakeSetUp:
    """Does each step by changing the view; `refuse` refuses the next wish."""

    now: SetUpView = NOTHING
    wishes: list[SetUpWish] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    refuse: SetUpFault | None = None
    sees: Sight = FINE
    doubts: Doubt | None = None

    @property
    def is_finished(self) -> bool:
        return self.now.step is None

    @property
    def language(self) -> str:
        return self.now.language

    @property
    def players(self) -> tuple[str, ...]:
        return self.now.players

    def show(self, **changes: object) -> None:
        """Something happens: pages see it with their next look."""
        if "corners" in changes:
            changes.setdefault("kept", changes["corners"])
        self.now = replace(self.now, number=self.now.number + 1, **changes)  # type: ignore[arg-type]

    def up_to(self, step: Step | None) -> None:
        steps = list(Step)
        self.show(step=step, done=tuple(steps if step is None else steps[: steps.index(step)]))

    def view(self, page: str = "") -> SetUpView:
        return self.now

    def here(self, page: str, *, take: bool) -> SetUpView:
        if take and not self.now.here:
            self.show(here=True, held=True)
        return self.now

    def leave(self, page: str) -> None:
        self.left.append(page)

    def live(self) -> bytes | None:
        return picture()

    def sight(self) -> Sight:
        return self.sees

    def camera_picture(self, setting: str) -> bytes | None:
        return picture() if setting == "usb:0" else None

    def picture(self, name: str) -> bytes | None:
        return picture()

    def do(self, page: str, wish: SetUpWish) -> SetUpView:
        if self.refuse is not None:
            raise SetUpRefused(self.refuse, "refused by the test")
        self.wishes.append(wish)
        if isinstance(wish, LidWish):
            self._teach(wish)
        else:
            self._carry_out(wish)
        return self.now

    def _teach(self, wish: LidWish) -> None:
        match wish:
            case FindLid():
                self.show(picture=f"p{self.now.number}", corners=CORNERS, corners_found=True)
            case KeepCorners(corners, _, shape, anyway):
                doubt = None if anyway else self.doubts
                self.show(corners=corners, shape=shape, doubt=doubt)
                if doubt is None:
                    self.reach(Step.LID)
            case TakeEmpty():
                self.show(empty="1")
                self.reach(Step.EMPTY)
            case TakeDice():
                self.show(dice_picture="1", dice=DICE)
                self.reach(Step.DICE)
            case ReadRoll():
                self.show(roll=RollShown(f"r{self.now.number}", certain=True, judged=False, dice=DICE))
            case JudgeRoll(_, right):
                self.show(roll=None, right=self.now.right + int(right))
                if not right:
                    self.up_to(Step.DICE)
                    self.show(troubles=(Notice("read-wrong"),), troubled=Step.DICE)
                if self.now.right == 3:
                    self.show(in_force=True)
                    self.reach(Step.ROLLS)

    def _carry_out(self, wish: OtherWish) -> None:
        match wish:
            case ChooseLanguage(language):
                self.show(language=language)
                self.reach(Step.LANGUAGE)
            case ChooseCamera(setting):
                cameras = (replace(each, chosen=each.setting == setting) for each in self.now.cameras)
                self.show(cameras=tuple(cameras))
            case UseAddress():
                kept = [replace(each, chosen=False) for each in self.now.cameras]
                typed = CameraChoice("network", "network camera 192.168.1.20", chosen=True)
                self.show(cameras=(*kept, typed))
            case AcceptCamera():
                self.reach(Step.CAMERA)
            case LightLamp(lamp):
                self.show(lamps=tuple(replace(each, lit=each.name == lamp) for each in self.now.lamps))
            case JudgeLamp(lamp, seen):
                now = self.now.lamps
                self.show(lamps=tuple(replace(e, seen=seen) if e.name == lamp else e for e in now))
            case AcceptPanel():
                self.reach(Step.PANEL)
            case KeepPlayers(names):
                self.show(players=names)
                self.reach(Step.PLAYERS)
            case StartAgain():
                self.show(done=(), step=Step.LANGUAGE)

    def reach(self, step: Step) -> None:
        done = tuple(each for each in Step if each in {*self.now.done, step})
        self.show(done=done, step=next((each for each in Step if each not in done), None))
