"""What the host gives the pages: presses, pictures, lamps, facts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import web
from companion.boards.shelf import Shelf
from companion.checks.installation import own_version
from companion.game import Phase
from companion.host.health import Health
from companion.host.keys import new_code
from companion.host.photographs import Photographs
from companion.host.reporting import Circumstances, LastLook, Sources
from companion.host.seeing import jpeg
from companion.settings.state_folder import CALIBRATION
from companion.table.snapshot import Snapshot
from companion.view.lamps import LIGHT_PATTERNS, STATUS_COLOURS, Lamps, lamps
from companion.view.panel import Lamp
from hardware.panel import Press
from hardware.pins import ROWS
from vision.cameras.camera import CameraError
from vision.overlay import draw_close_up

if TYPE_CHECKING:
    from companion.host.joined import Host


BOARDS = "boards"  # in the state folder


def services_of(host: "Host") -> web.Services:
    return web.Services(
        code=host.code,
        new_code=lambda: new_code(host.options.state),
        key=host.key,
        names=host.config.web.names,
        addresses=host.addresses,
        language=host.config.table.language,
        simulated=host.simulated_table is not None,
        keep_pictures_minutes=host.config.web.keep_pictures_minutes,
        shelf=Shelf(host.options.state / BOARDS),
        house=host.config.table.house,
        press_rolled=host.pressed_by_phone,
        picture=lambda letters: picture_of(host, letters),
        crop=host.looker.crop,
        photograph=Photographs(host.looker).take,
        photograph_first=host.photograph_first,
        panel=PanelPage(host),
        version=own_version(),
        setting_up=host.setting_up,
        health=Health(host).facts,
        demo=host.demo,
        seen=LastLook(
            Sources(
                last=lambda: host.looker.last,
                circumstances=lambda: circumstances_of(host),
                calibration=host.home / CALIBRATION,
                folder=host.options.state,
            )
        ),
    )


def picture_of(host: "Host", letters: Mapping[str, str]) -> bytes | None:
    """As JPEG: the lid as it was read last, with what was read drawn on it; else what is seen now, whole."""
    look = host.looker.last
    if look is not None:
        return jpeg(draw_close_up(look.image, look.reading, letters))
    try:
        return jpeg(host.camera.frame(timeout=1.0).image)
    except CameraError:
        return None


def circumstances_of(host: "Host") -> Circumstances:
    """What a report on a reading says of this table: nothing of who plays."""
    game, last = host.table.snapshot.game, host.looker.last
    photograph = last is not None and last.photograph
    counts = game is not None and game.turn is not None and game.phase is not Phase.ROLL
    return Circumstances(
        version=own_version(),
        camera="photograph" if photograph else str(host.config.camera.kind),
        simulated=host.simulated_table is not None and not photograph,
        roll=str(game.turn.roll) if counts and game is not None and game.turn is not None else "",
    )


class PanelPage:
    """The panel as a page shows it, real or simulated: its lamps follow from the snapshot either way."""

    def __init__(self, host: "Host") -> None:
        self._host = host

    def lamps(self) -> tuple[Lamp, ...]:
        return lamps_of(self._host.table.snapshot, self._host.setting_up.lit)

    def press(self, button: str) -> None:
        self._host.pressed(Press(button))


def lamps_of(snapshot: Snapshot, tried: Lamps | None = None) -> tuple[Lamp, ...]:
    """All lamps of a panel that shows this snapshot, or on which a lamp is tried."""
    shown = tried or lamps(snapshot)
    seats = [Lamp(f"seat {n}", "white", LIGHT_PATTERNS[light]) for n, light in enumerate(shown.seats, 1)]
    pairs = zip(ROWS, shown.rows, strict=True)
    rows = [Lamp(name, name, LIGHT_PATTERNS[light]) for name, light in pairs]
    status = Lamp("status", STATUS_COLOURS[shown.status], shown.status.pattern)
    return (*seats, *rows, status)
