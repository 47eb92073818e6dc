"""The panel as a page shows it: its lamps and buttons. Drives none."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp: its name, its colour, and its pattern of tenths of a second, `X` lit and `.` dark."""

    name: str
    colour: str
    pattern: str


class PanelPage(Protocol):
    """The panel as the /panel page shows it. Buttons are `rolled`, `read again` and `second`."""

    def lamps(self) -> tuple[Lamp, ...]: ...

    def press(self, button: str) -> None: ...
