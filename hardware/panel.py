"""What a panel is: buttons that were pressed, lamps that are shown. Knows no rules and no pins."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from boxlid.errors import BoxlidError, Statement, StatementKind
from companion.process.fault_barrier import FaultBarrier
from companion.view.lamps import Lamps


class Press(StrEnum):
    """What a player asked for with a button."""

    ROLLED = "rolled"
    READ_AGAIN = "read again"  # the rolled button, held
    SECOND = "second"  # undo the last table action, or move on
    OFF = "off"  # the off button, held: switch the Pi off


class PinsFault(StatementKind):
    """Why there are no pins to use."""

    NO_FACTORY = "pins.no-factory"
    NO_LGPIO = "pins.no-lgpio"
    CHIP_CLOSED = "pins.chip-closed"
    CHIPS_DENIED = "pins.chips-denied"
    NO_PI = "pins.no-pi"
    PIN_TAKEN = "pins.pin-taken"
    SIMULATED = "pins.simulated"


class PinsError(BoxlidError):
    """There are no pins to use."""


OnPress = Callable[[Press], None]


class Panel(Protocol):
    """Buttons and lamps. `notice` says why this is not the real panel, if it should be."""

    @property
    def name(self) -> str: ...

    @property
    def is_simulated(self) -> bool: ...

    @property
    def notice(self) -> Statement | None: ...

    @property
    def barriers(self) -> tuple[FaultBarrier, ...]:
        """How its own threads are."""
        ...

    def show(self, lamps: Lamps) -> None:
        """Show these lamps from now on; returns at once."""

    def on_press(self, callback: OnPress) -> None:
        """Call back for each press, in a thread of the panel; the callback must return soon."""

    def blink_busy(self) -> None:
        """Answer a press that cannot be taken now; returns at once."""

    def close(self) -> None:
        """All lamps off, all pins free."""
