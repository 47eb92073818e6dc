"""What the camera saw, as all who show it are told: how it is, what is wrong, the dice. Knows no pixels."""

from dataclasses import dataclass
from enum import StrEnum


class EyesState(StrEnum):
    """What the camera is doing, as lamps and pages show it."""

    OFF = "off"  # there is no camera: rolls are entered by hand
    READY = "ready"
    READING = "reading"
    MOVING = "moving"  # the button came early; waiting for the dice to lie still
    ASK = "ask"  # some dice are doubtful: a player taps the number
    TROUBLE = "trouble"  # the camera or the lid needs a hand


@dataclass(frozen=True, slots=True)
class Notice:
    """One problem: a kind, for whoever shows it to word, and the colours of the dice it is about."""

    kind: str
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the picture: fractions of its width and height."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die as it was read, `percent` sure; a `doubtful` one is asked for, whatever the percentage.

    `crop` names its picture, `corners` are those of its top face, where there are such.
    """

    colour: str
    pips: int
    percent: int
    doubtful: bool
    crop: str | None = None
    corners: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Eyes:
    """The camera's side at one moment; kept in memory only."""

    state: EyesState = EyesState.OFF
    notices: tuple[Notice, ...] = ()
    dice: tuple[ShownDie, ...] = ()
    simulated: bool = False
