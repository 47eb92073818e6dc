"""What pages show of the lid, the last reading and the panel."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.checks.installation import own_version
from companion.game import Phase
from companion.host.looking import Looker
from companion.host.reporting import Circumstances
from companion.host.seeing import jpeg
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.view.lamps import LIGHT_PATTERNS, STATUS_COLOURS, Lamps, lamps
from companion.view.panel import Lamp
from hardware.panel import Press
from hardware.pins import ROWS
from vision.cameras.camera import CameraError
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import WatchedCamera
from vision.overlay import draw_close_up


@dataclass(frozen=True)
class Shown:
    """What pages ask of the table and its lid."""

    table: Table
    looker: Looker
    camera: WatchedCamera
    camera_kind: CameraKind
    simulated: bool  # the table

    def picture(self, letters: Mapping[str, str]) -> bytes | None:
        """As JPEG: the lid as it was read last, with what was read drawn on it; else all that is seen now."""
        look = self.looker.last
        if look is not None:
            return jpeg(draw_close_up(look.image, look.reading, letters))
        try:
            return jpeg(self.camera.frame(timeout=1.0).image)
        except CameraError:
            return None

    def circumstances(self) -> Circumstances:
        """What a report on a reading says of this table: nothing of who plays."""
        game, last = self.table.snapshot.game, self.looker.last
        photograph = last is not None and last.photograph
        turn = None if game is None or game.phase is Phase.ROLL else game.turn
        return Circumstances(
            version=own_version(),
            camera="photograph" if photograph else str(self.camera_kind),
            simulated=self.simulated and not photograph,
            roll="" if turn is None else str(turn.roll),
        )


@dataclass(frozen=True)
class PanelPage:
    """The panel as a page shows it, real or simulated: its lamps follow from the snapshot either way."""

    table: Table
    tried: Callable[[], Lamps | None]  # lamps that are tried in the set-up
    pressed: Callable[[Press], None]

    def lamps(self) -> tuple[Lamp, ...]:
        return lamps_of(self.table.snapshot, self.tried())

    def press(self, button: str) -> None:
        self.pressed(Press(button))


def lamps_of(snapshot: Snapshot, tried: Lamps | None = None) -> tuple[Lamp, ...]:
    """All lamps of a panel that shows this snapshot, or on which a lamp is tried."""
    shown = tried or lamps(snapshot)
    seats = [Lamp(f"seat {n}", "white", LIGHT_PATTERNS[light]) for n, light in enumerate(shown.seats, 1)]
    pairs = zip(ROWS, shown.rows, strict=True)
    rows = [Lamp(name, name, LIGHT_PATTERNS[light]) for name, light in pairs]
    status = Lamp("status", STATUS_COLOURS[shown.status], shown.status.pattern)
    return (*seats, *rows, status)
