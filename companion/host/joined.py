"""One companion: everything opened in order, joined, and closed again."""

import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import web
from companion.boards import house_board
from companion.config import CameraKind, Config
from companion.game import Phase, Reopened
from companion.host.addresses import lan_addresses
from companion.host.hands import SimulatedHands
from companion.host.keys import code_of, load_key
from companion.host.looking import Looker, jpeg
from companion.host.showing import Showing, Shows
from companion.journal import Journal, JournalError
from companion.pins import ROWS
from companion.rules import RuleError
from companion.snapshot import Snapshot
from companion.table import Command, Table
from hardware.lamps import LIGHT_PATTERNS, STATUS_COLOURS, lamps
from hardware.opening import open_panel
from hardware.panel import Panel, Press
from hardware.simulated import SimulatedPanel
from vision.calibration import Calibration, CalibrationError, load
from vision.camera import Camera, CameraError
from vision.cameras import CameraKind as VisionKind
from vision.cameras import CameraSetting, camera_for
from vision.cameras.watch import CameraState, WatchedCamera
from vision.simulated import SimulatedCamera, SimulatedTable

CALIBRATION = "calibration.toml"


class HostError(Exception):
    """The companion cannot start: what is wrong and what to do, in one line."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line decides beside the configuration."""

    state: Path
    simulate: bool = False
    host: str | None = None
    port: int | None = None
    sock: socket | None = None  # one that systemd opened
    seed: int = 1


class Host:
    """The running companion. `with Host(config, options) as host: host.wait()`."""

    def __init__(self, config: Config, options: Options) -> None:
        self.config = config
        self.options = options
        self._closing = ExitStack()
        self.notes: list[str] = []  # what the owner should know, a sentence each
        self._second_press = threading.Lock()
        try:
            self._open()
        except BaseException:
            self._closing.close()
            raise

    def _open(self) -> None:
        state = self.options.state
        self.key = load_key(state)
        self.journal = Journal(state)
        self._closing.callback(self.journal.close)
        self.table = Table(self.journal)
        self.simulated_table = self._simulated_table()
        self.panel = self._panel()
        hands = SimulatedHands(self.simulated_table) if self.simulated_table else None
        self.camera = WatchedCamera(self._make_camera, on_change=self._camera_changed)
        self.looker = Looker(
            self.table,
            self.camera,
            self._calibration(),
            simulated=self.simulated_table is not None,
            watching=self.config.table.rolls.value == "auto",
            before_reading=(lambda refused: hands.pressed(refused=refused)) if hands else None,
        )
        showers: list[Shows] = [self._show_lamps]
        if hands is not None:
            showers.append(lambda _, after: hands.follow(after))
        self._showing = Showing(self.table, showers)
        self.app = web.create_app(self.table, self._services())

    # --- parts -----------------------------------------------------------------------------------------

    def _simulated_table(self) -> SimulatedTable | None:
        wanted = self.config.camera.kind
        if self.options.simulate or wanted is CameraKind.SIMULATED:
            return SimulatedTable(self.options.seed)
        if wanted is CameraKind.AUTO and not _opens(self._setting()):
            self.notes.append("no camera was found, so the table is simulated; plug one in and start again")
            return SimulatedTable(self.options.seed)
        return None

    def _setting(self) -> CameraSetting:
        camera = self.config.camera
        which = camera.folder if camera.kind is CameraKind.FOLDER else str(camera.device)
        return CameraSetting(VisionKind(camera.kind.value), which, (camera.width, camera.height))

    def _make_camera(self) -> Camera:
        return SimulatedCamera(self.simulated_table) if self.simulated_table else camera_for(self._setting())

    def _panel(self) -> Panel:
        panel: Panel = SimulatedPanel() if self.options.simulate else open_panel(self.config.panel)
        if panel.notice is not None:
            self.notes.append(f"the panel is simulated: {panel.notice}")
        self._closing.callback(panel.close)
        panel.on_press(self.pressed)
        return panel

    def _calibration(self) -> Calibration | None:
        path = self.options.state / CALIBRATION
        if self.simulated_table is not None or not path.exists():
            return None
        try:
            return load(path)
        except CalibrationError as error:
            self.notes.append(str(error))
            return None

    def _services(self) -> web.Services:
        house = house_board()
        return web.Services(
            code=code_of(self.key),
            key=self.key,
            names=self.config.web.names,
            addresses=self.addresses,
            language=self.config.table.language,
            simulated=self.simulated_table is not None,
            keep_pictures_minutes=self.config.web.keep_pictures_minutes,
            boards={"house-front": house.front, "house-back": house.back},
            press_rolled=lambda: self.pressed(Press.ROLLED),
            picture=self._picture,
            crop=self.looker.crop,
            panel=_PanelPage(self),
        )

    # --- running ---------------------------------------------------------------------------------------

    @property
    def port(self) -> int:
        return self.config.web.port if self.options.port is None else self.options.port

    @property
    def addresses(self) -> tuple[str, ...]:
        return lan_addresses(self.options.host or self.config.web.host, self.port)

    @property
    def code(self) -> str:
        return code_of(self.key)

    def __enter__(self) -> "Host":
        self.camera.open()
        self._closing.callback(self.camera.close)
        self.looker.start()
        self._closing.callback(self.looker.close)
        self._showing.start()
        self._closing.callback(self._showing.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    # --- presses ---------------------------------------------------------------------------------------

    def pressed(self, press: Press) -> None:
        """A button, from whatever thread; what cannot be done now is answered with a blink."""
        match press:
            case Press.ROLLED | Press.READ_AGAIN:
                taken = self.looker.ask(again=press is Press.READ_AGAIN)
            case Press.SECOND:
                taken = self._second()
            case Press.OFF:
                taken = False
        if not taken:
            self.panel.blink_busy()

    def _second(self) -> bool:
        """While others decide and patience is set: move on. Else: take the last turn back."""
        with self._second_press:
            game = self.table.snapshot.game
            if game is None:
                return False
            try:
                if game.phase is Phase.FIRST and game.setup.house.patience:
                    self.table.ask_to_move_on(game.active)
                else:
                    self.table.play(Command(Reopened(game.active)))
            except (RuleError, JournalError):
                return False
            return True

    def _camera_changed(self, state: CameraState) -> None:
        self.looker.camera_changed(state)

    # --- what is shown ---------------------------------------------------------------------------------

    def _show_lamps(self, _: Snapshot, after: Snapshot) -> None:
        self.panel.show(lamps(after, watching=self.config.table.rolls.value == "auto"))

    def _picture(self) -> bytes | None:
        look = self.looker.last
        if look is not None:
            return jpeg(look.image)
        try:
            return jpeg(self.camera.frame(timeout=1.0).image)
        except CameraError:
            return None


class _PanelPage:
    """The panel as a page shows it, real or simulated: lamps follow from the snapshot either way."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def lamps(self) -> tuple[web.Lamp, ...]:
        shown = lamps(self._host.table.snapshot)
        seats = [
            web.Lamp(f"seat {n}", "white", LIGHT_PATTERNS[light]) for n, light in enumerate(shown.seats, 1)
        ]
        rows = [
            web.Lamp(name, name, LIGHT_PATTERNS[light]) for name, light in zip(ROWS, shown.rows, strict=True)
        ]
        status = web.Lamp("status", STATUS_COLOURS[shown.status], shown.status.pattern)
        return (*seats, *rows, status)

    def press(self, button: str) -> None:
        self._host.pressed(Press(button))


def _opens(setting: CameraSetting) -> bool:
    """Whether there is a camera at all."""
    camera = camera_for(setting)
    try:
        camera.open()
    except CameraError:
        return False
    camera.close()
    return True
