"""What the camera's side tells the table: its state, problems in words, dice that need a person's eye."""

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
    """One problem: a kind for pages to translate, the English sentence, the colour of the die it is about."""

    kind: str
    text: str
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class AskedDie:
    """A die as far as it was read; `doubtful` asks the players for its pips. `crop` names its picture."""

    colour: str
    pips: int | None
    confidence: float
    doubtful: bool
    crop: str | None = None


@dataclass(frozen=True, slots=True)
class Eyes:
    """The camera's side at one moment; kept in memory only."""

    state: EyesState = EyesState.OFF
    notices: tuple[Notice, ...] = ()
    dice: tuple[AskedDie, ...] = ()
    simulated: bool = False
