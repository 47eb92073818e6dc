"""What the demo gives its page, scene by scene, and what a viewer may ask of it. Knows no routes or words."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.view.panel import Lamp


class Says(StrEnum):
    """What happens just now; the pages have a sentence for each."""

    SETS_UP = "sets_up"
    JOINS = "joins"
    ROLLS = "rolls"
    LOOKS = "looks"
    ASKS = "asks"  # the camera is not sure: the dice are put right and looked at again
    READ = "read"
    NONE_FITS = "none_fits"
    CROSSES = "crosses"
    PASSES = "passes"
    CLOSES = "closes"
    SECOND = "second"
    MISTHROW = "misthrow"
    TAKE_OUT = "take_out"
    OVER = "over"


class Ending(StrEnum):
    """Why a show ended."""

    PLAYED = "played"
    STOPPED = "stopped"
    UNWATCHED = "unwatched"
    TROUBLE = "trouble"


class NotNow(StrEnum):
    """Why no show can begin."""

    RUNNING = "demo-running"


class Order(StrEnum):
    """What a viewer may ask for."""

    START = "start"
    PAUSE = "pause"
    GO_ON = "go on"
    FASTER = "faster"
    SLOWER = "slower"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Caption:
    """What happens, to whom, with which cell or colour."""

    kind: Says
    seat: int | None = None
    cell: str | None = None
    colour: str | None = None


@dataclass(frozen=True)
class Scene:
    """The show at one moment. `show` numbers the shows, `sequence` the scenes of one."""

    show: int
    sequence: int
    caption: Caption
    paused: bool
    fast: bool
    ended: Ending | None
    snapshot: Snapshot
    visitor: int  # the seat whose phone is shown
    lamps: tuple[Lamp, ...]
    pictured: bool  # there is something to be seen in the lid


class Stage(Protocol):
    """The demo, as its page sees it."""

    @property
    def table(self) -> Table | None:
        """The table of the show that is on, to wait at."""
        ...

    def scene(self) -> Scene | None:
        """None while nothing is shown. Asking counts as watching."""
        ...

    def start(self) -> NotNow | None: ...

    def order(self, what: Order) -> None: ...

    def picture(self, letters: Mapping[str, str]) -> bytes | None:
        """The lid as JPEG; dice are labelled with the letters of their colours."""
        ...
