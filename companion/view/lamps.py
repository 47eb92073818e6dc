"""What each lamp shows, as a function of the snapshot, and how the patterns blink. Lights none."""

from dataclasses import dataclass
from enum import StrEnum

from companion.game import Phase
from companion.rules import COLOURS, Colour
from companion.table.eyes import EyesState
from companion.table.seats import MOST_SEATS
from companion.table.snapshot import Snapshot

TICK_SECONDS = 0.1


class Light(StrEnum):
    """How a lamp is lit."""

    OFF = "off"
    ON = "on"
    BLINKING = "blinking"
    WINKING = "winking"  # on, with a short gap: active, and still deciding with the others
    CHASE_1 = "chase 1"  # one lamp after the other: the lot for the first player
    CHASE_2 = "chase 2"
    CHASE_3 = "chase 3"
    CHASE_4 = "chase 4"
    CHASE_5 = "chase 5"


class Status(StrEnum):
    """What the box is doing, each with its colour and its pattern: one alone tells them apart."""

    BY_HAND = "by hand"  # there is no camera: dice are entered on a phone
    READY = "ready"
    READING = "reading"
    ASK = "ask"
    ERROR = "error"

    @property
    def colour(self) -> str:
        return STATUS_COLOURS[self]

    @property
    def pattern(self) -> str:
        return STATUS_PATTERNS[self]


STATUS_COLOURS = {
    Status.BY_HAND: "white",
    Status.READY: "green",
    Status.READING: "blue",
    Status.ASK: "yellow",
    Status.ERROR: "red",
}

# one character a tick, over and over; X is lit
LIGHT_PATTERNS = {
    Light.OFF: "..........",
    Light.ON: "XXXXXXXXXX",
    Light.BLINKING: "XXXXX.....",
    Light.WINKING: "XXXXXXXXX.",
    Light.CHASE_1: "XX........",
    Light.CHASE_2: "..XX......",
    Light.CHASE_3: "....XX....",
    Light.CHASE_4: "......XX..",
    Light.CHASE_5: "........XX",
}
STATUS_PATTERNS = {
    Status.BY_HAND: "X.........",
    Status.READY: "XXXXXXXXXX",
    Status.READING: "X.X.X.X.X.",
    Status.ASK: "XXXXX.....",
    Status.ERROR: "X.X.X.....",
}

_STATUS_OF = {
    EyesState.OFF: Status.BY_HAND,
    EyesState.READY: Status.READY,
    EyesState.READING: Status.READING,
    EyesState.MOVING: Status.READING,
    EyesState.ASK: Status.ASK,
    EyesState.TROUBLE: Status.ERROR,
}


@dataclass(frozen=True, slots=True)
class Lamps:
    """All lamps at one moment."""

    seats: tuple[Light, ...] = (Light.OFF,) * MOST_SEATS
    rows: tuple[Light, ...] = (Light.OFF,) * len(COLOURS)  # red, yellow, green, blue
    status: Status = Status.BY_HAND
    lid_light: bool = False


CHASE = (Light.CHASE_1, Light.CHASE_2, Light.CHASE_3, Light.CHASE_4, Light.CHASE_5)


def is_lit(pattern: str, tick: int) -> bool:
    """Whether a lamp with that pattern is lit in that tick."""
    return pattern[tick % len(pattern)] == "X"


def lamps(snapshot: Snapshot, *, watching: bool = False) -> Lamps:
    """What the lamps show. `watching`: rolls are found without a button, so the light stays on for them."""
    looks = snapshot.eyes.state in (EyesState.READING, EyesState.MOVING)
    waits = watching and snapshot.game is not None and snapshot.game.phase is Phase.ROLL
    return Lamps(
        tuple(_seat(snapshot, seat) for seat in range(MOST_SEATS)),
        tuple(_row(snapshot, colour) for colour in COLOURS),
        _STATUS_OF[snapshot.eyes.state],
        looks or (waits and snapshot.eyes.state is not EyesState.OFF),
    )


def _seat(snapshot: Snapshot, seat: int) -> Light:
    """In the lobby: taken. In a game: active, or still deciding. Once it is over: the winners."""
    game = snapshot.game
    if game is None:
        return Light.ON if seat < len(snapshot.seats) else Light.OFF
    if snapshot.lot_ends_at is not None:
        return CHASE[seat] if seat < game.players else Light.OFF
    if game.phase is Phase.OVER:
        return Light.BLINKING if seat in game.winners else Light.OFF
    if seat != game.active:
        return Light.BLINKING if seat in game.deciding else Light.OFF
    together = game.phase is Phase.FIRST and seat in game.deciding
    return Light.WINKING if together else Light.ON


def _row(snapshot: Snapshot, colour: Colour) -> Light:
    """Closed, or about to be: announced in action 1, or locked and in force at the end of this turn."""
    game = snapshot.game
    if game is None:
        return Light.OFF
    if colour in game.closed:
        return Light.ON
    closing = {row for _, row in game.announced}
    closing.update(row for sheet in game.sheets for row in sheet.locks)
    return Light.BLINKING if colour in closing else Light.OFF
