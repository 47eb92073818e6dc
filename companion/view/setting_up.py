"""What the set-up pages and the host tell each other: wishes in, one view out. Knows no pixels, no pins."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Protocol

from boxlid.errors import StatementKind
from boxlid.fields import As, Between, Kinds, Length, Text
from companion.table.eyes import Notice, Place, ShownDie


class Step(StrEnum):
    """The steps in their order; each can be done again later."""

    LANGUAGE = "language"
    CAMERA = "camera"
    LID = "lid"
    EMPTY = "empty"
    DICE = "dice"
    ROLLS = "rolls"
    PANEL = "panel"
    PLAYERS = "players"


ROLLS_WANTED = 3
MOST_NAMES = 12
LONGEST_PAGE_NAME = 40
LONGEST_ADDRESS = 600  # of a camera, with name and password
MOST_SENT = 64  # numbers of corners, or names
_FAR = 10.0  # widths of the picture: no corner is dragged farther


class Light(StrEnum):
    """How the light over the lid is, in words."""

    DARK = "dark"
    DIM = "dim"
    GOOD = "good"
    GLARING = "glaring"


class Focus(StrEnum):
    """How sharp the picture is, in words."""

    SOFT = "soft"
    FAIR = "fair"
    SHARP = "sharp"


class Shape(StrEnum):
    """What the place of the dice looks like."""

    CORNERS = "corners"  # three or more, going round
    ROUND = "round"  # points of an ellipse; the first and the one a quarter round it end its half axes
    WHOLE = "whole"  # no edge: all that the camera sees


class DiceOutside(StrEnum):
    """What is to be done where dice lie outside the outline while they are learnt."""

    ASK = "ask"
    KEEP = "keep"  # the outline: they are learnt where they lie, and count no more afterwards
    WHOLE = "whole"  # the outline goes: the whole picture counts


@dataclass(frozen=True, slots=True)
class Doubt:
    """An outline that holds less of what looks like dice than the picture shows."""

    held: int
    seen: int


@dataclass(frozen=True, slots=True)
class Sight:
    """What the camera is good for now. `sharpness` is 100 where it just suffices; `lid`: one is seen."""

    light: Light | None
    focus: Focus | None
    sharpness: int
    lid: bool
    troubles: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera to choose; `setting` is how it is named, `name` what it calls itself."""

    setting: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class RollShown:
    """The roll to be confirmed: `certain` if it was read for sure."""

    id: str
    certain: bool
    judged: bool
    dice: tuple[ShownDie, ...]


@dataclass(frozen=True, slots=True)
class TriedLamp:
    """A lamp of the panel: its wire, whether it is lit for the trial now, and what the person said."""

    name: str
    colour: str
    pin: str
    lit: bool
    seen: bool | None


@dataclass(frozen=True, slots=True)
class TriedButton:
    """A press the panel can tell, and whether it came since the trial began."""

    name: str
    pin: str
    seen: bool


@dataclass(frozen=True, slots=True)
class SetUpView:
    """All a set-up page shows. `number` rises with every change; `step` is the one to go on with."""

    number: int
    step: Step | None
    done: tuple[Step, ...]
    busy: bool
    here: bool  # this page holds camera and buttons
    held: bool  # some page does
    others: bool  # another page of the set-up is open
    game: bool  # a game is being played
    simulated: bool
    in_force: bool  # a calibration is
    language: str
    cameras: tuple[CameraChoice, ...]
    camera_fixed: bool  # the settings name it
    camera: str
    camera_says: str  # in words why it gives no picture; "" if it does
    picture: str  # changes with the picture in which the corners stand; "" without one
    shape: Shape
    corners: tuple[Place, ...]  # as they were found or sent last; none where the whole picture counts
    kept: tuple[Place, ...]  # those that count
    corners_found: bool
    doubt: Doubt | None  # of those corners, which are not kept before somebody has decided
    empty: str
    dice_picture: str
    dice: tuple[ShownDie, ...]
    warnings: tuple[Notice, ...]
    roll: RollShown | None
    right: int
    before: str  # where the calibration is that the newly confirmed one replaced; "" without one
    troubles: tuple[Notice, ...]
    troubled: Step | None  # the step they are about
    panel_simulated: bool
    lamps: tuple[TriedLamp, ...]
    buttons: tuple[TriedButton, ...]
    players: tuple[str, ...]


# --- wishes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """The table's language, for whom the browser asks for neither."""

    language: Text


@dataclass(frozen=True, slots=True)
class ChooseCamera:
    """Another camera: the setting of one of those offered."""

    camera: Text


@dataclass(frozen=True, slots=True)
class UseAddress:
    """The camera at an address in the network, as it was typed: with name and password, if it wants them."""

    address: Annotated[str, Length(0, LONGEST_ADDRESS)] = field(repr=False)


@dataclass(frozen=True, slots=True)
class AcceptCamera:
    """The picture will do."""


@dataclass(frozen=True, slots=True)
class FindLid:
    """Take a picture and look in it for what the dice lie in."""


def places(numbers: tuple[float, ...]) -> tuple[Place, ...]:
    """Corners as they are sent: x and y of one after the other."""
    return tuple(Place(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


class SetUpWanted(StatementKind):
    """What may stand in a step of the set-up."""

    PAIRS = "wanted.pairs_of_numbers"


_Coordinates = Annotated[tuple[Annotated[float, Between(-_FAR, _FAR)], ...], Length(0, MOST_SENT)]
Corners = Annotated[tuple[Place, ...], As(_Coordinates, places, SetUpWanted.PAIRS)]


@dataclass(frozen=True, slots=True)
class KeepCorners:
    """The outline as it stands now; `moved` if a person put it there, `anyway` if its doubt was seen."""

    corners: Corners
    moved: bool
    shape: Shape = Shape.CORNERS
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class TakeEmpty:
    """The lid is empty: take its picture."""


@dataclass(frozen=True, slots=True)
class TakeDice:
    """The six dice are in their place: learn them."""

    outside: DiceOutside = DiceOutside.ASK


@dataclass(frozen=True, slots=True)
class ReadRoll:
    """All six were rolled: read them."""


@dataclass(frozen=True, slots=True)
class JudgeRoll:
    """What was read is what lies there, or it is not."""

    roll: Text
    right: bool


@dataclass(frozen=True, slots=True)
class LightLamp:
    """Light one lamp alone; an empty name ends the trial."""

    lamp: Text


@dataclass(frozen=True, slots=True)
class JudgeLamp:
    """Whether the person sees it lit."""

    lamp: Text
    seen: bool


@dataclass(frozen=True, slots=True)
class AcceptPanel:
    """Done with buttons and lamps."""


@dataclass(frozen=True, slots=True)
class KeepPlayers:
    """Who plays here, so that names need not be typed."""

    names: Annotated[tuple[Text, ...], Length(0, MOST_SENT)]


@dataclass(frozen=True, slots=True)
class StartAgain:
    """Forget the steps; a calibration in force stays in force until a new one is confirmed."""


LidWish = FindLid | KeepCorners | TakeEmpty | TakeDice | ReadRoll | JudgeRoll
PanelWish = LightLamp | JudgeLamp | AcceptPanel
CameraWish = ChooseCamera | UseAddress | AcceptCamera
SetUpWish = ChooseLanguage | CameraWish | LidWish | PanelWish | KeepPlayers | StartAgain


@dataclass(frozen=True, slots=True)
class OfPage:
    """Which of the open pages sends it."""

    page: Annotated[str, Length(1, LONGEST_PAGE_NAME)]


@dataclass(frozen=True, slots=True)
class PageOpen:
    """A page says that it is open; with `take` it has camera and buttons, and a game waits."""

    page: Annotated[str, Length(1, LONGEST_PAGE_NAME)]
    take: bool


SET_UP: Kinds[OfPage, SetUpWish] = Kinds(
    "do",
    OfPage,
    {
        "language": ChooseLanguage,
        "choose-camera": ChooseCamera,
        "camera-address": UseAddress,
        "camera": AcceptCamera,
        "find-lid": FindLid,
        "corners": KeepCorners,
        "empty": TakeEmpty,
        "dice": TakeDice,
        "roll": ReadRoll,
        "judge-roll": JudgeRoll,
        "lamp": LightLamp,
        "judge-lamp": JudgeLamp,
        "panel": AcceptPanel,
        "players": KeepPlayers,
        "start-again": StartAgain,
    },
)


class SetUpFault(StrEnum):
    """Why a wish is not carried out."""

    BUSY = "set-up-busy"  # another step is under way
    NOT_HELD = "set-up-not-held"  # a game is played, and the page has not asked it to wait
    TOO_EARLY = "set-up-too-early"  # a step before is missing
    CROSSED = "set-up-crossed"  # these corners are no outline: sides cross
    FEW_CORNERS = "set-up-few-corners"
    MANY_CORNERS = "set-up-many-corners"
    OUTSIDE = "set-up-outside"  # of the picture
    SMALL = "set-up-small"
    ADDRESS = "set-up-address"  # this is no address of a camera
    UNKNOWN = "set-up-unknown"  # no such camera, lamp, language
    NAME = "name-bad"  # too long, or no name at all
    DISK = "set-up-disk"  # it cannot be kept


class SetUpRefused(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """This wish is not carried out: its kind, and the sentence."""

    def __init__(self, fault: SetUpFault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


class SettingUp(Protocol):
    """The host's side of the set-up."""

    @property
    def is_finished(self) -> bool:
        """Whether every step was done once."""

    @property
    def language(self) -> str:
        """The table's language as chosen here; "" if none was."""

    @property
    def players(self) -> tuple[str, ...]: ...

    def view(self, page: str = "") -> SetUpView:
        """As it is now, for that page, which need not be open."""

    def here(self, page: str, *, take: bool) -> SetUpView:
        """A page is open and shows the view; `take`: it wants camera and buttons, a game waits."""

    def leave(self, page: str) -> None: ...

    def do(self, page: str, wish: SetUpWish) -> SetUpView:
        """Carry a wish out; SetUpRefused says why not."""

    def live(self) -> bytes | None:
        """What the camera sees now, as JPEG."""

    def sight(self) -> Sight: ...

    def camera_picture(self, setting: str) -> bytes | None:
        """What another of the cameras offered sees, as JPEG; None if it gives no picture."""

    def picture(self, name: str) -> bytes | None:
        """A picture of the set-up as JPEG: `lid`, `empty`, `dice` or `roll`."""
