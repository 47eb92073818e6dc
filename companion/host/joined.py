"""One companion: everything opened in order, joined, and closed again."""

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from socket import socket

import web
from companion.checks.keeping import check_doubt
from companion.game import Phase, Reopened
from companion.host.addresses import lan_addresses
from companion.host.backing_up import BackingUp
from companion.host.changeable import Changeable
from companion.host.company import Company
from companion.host.demo import Demo
from companion.host.hands import SimulatedHands
from companion.host.house import House
from companion.host.keys import code_in, load_key
from companion.host.looking import SET_UP, Looker, Manner
from companion.host.pages import lamps_of, services_of
from companion.host.set_up.joining import home_of, progress_in, remember_camera, setting_up_of
from companion.host.showing import Due, Rounds, Showing, Shows
from companion.journal.journal import Journal, JournalError
from companion.process.fault_barrier import BoxPart, FaultBarrier, out_of_order
from companion.process.notify import Watchdog
from companion.rules import RuleError
from companion.settings.config import CameraKind, Config, OfferFirst, Rolls, SpokenLanguage
from companion.settings.state_folder import CALIBRATION
from companion.sight.camera_setting import setting_of
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table
from companion.view.lamps import Status, lamps
from companion.view.sayings import sayings
from hardware.opening import open_panel
from hardware.panel import Panel, Press
from hardware.power import PowerError, power_off
from hardware.simulated import SimulatedPanel
from hardware.voice import Voice
from vision.cameras.camera import Camera, CameraError
from vision.cameras.choice import CameraKind as VisionKind
from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.clock import HurriedClock, RealClock
from vision.cameras.watch import CameraState, WatchedCamera
from vision.memory.calibration import Calibration, CalibrationError, load
from vision.reader import read_dice
from vision.simulation.table import SimulatedCamera, SimulatedTable

NO_CAMERA = (
    'No camera was found: roll real dice and tap "Photograph the dice" on a phone. '
    "For who has none, the table is simulated."
)
HANGING_SECONDS = 15.0  # a reading with its waits takes less, and so does any call of a camera


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line decides beside the configuration."""

    state: Path
    simulate: bool = False
    host: str | None = None
    port: int | None = None
    sock: socket | None = None  # one that systemd opened
    seed: int = 1  # of the simulated table: its lid, its light, its dice
    throws: int | None = None  # seed of what is thrown there; none: it follows from the table's own
    odd: float = 0.0  # so many of these throws the camera has to ask about
    hurry: float = 1.0  # the simulated table's hands, dice and camera go so many times as fast


class Host:
    """The running companion: `with Host(config, options) as host: ...`."""

    def __init__(self, config: Config, options: Options) -> None:
        self.config = config
        self.options = options
        self.notes: list[str] = []  # what the owner should know, a sentence each
        self.barriers: list[FaultBarrier] = []  # round the parts that the game can do without
        self._closing = ExitStack()
        self._second_press = threading.Lock()
        self._watchdog = Watchdog()
        try:
            self._open()
        except BaseException:
            self._closing.close()
            raise

    def _open(self) -> None:
        state, camera = self.options.state, self.config.camera
        self.key = load_key(state)
        self.journal = Journal(state)
        self._closing.callback(self.journal.close)
        if self.journal.doubt is not None:
            found = check_doubt(self.journal.doubt)
            self.notes.append(f"The journal: {found.text}; {found.todo}.")
        self.table = Table(self.journal)
        self.backing_up = BackingUp(self.table, self.journal)
        self.progress = progress_in(state, self.notes)
        self._camera_choice = self.progress.camera
        self.simulated_table = self._simulated_table()
        self.hands = hands = self._simulated_hands()
        self.home = home_of(state, f"{self.options.seed}-{camera.width}x{camera.height}" if hands else None)
        self.progress = progress_in(self.home, self.notes) if hands else self.progress
        self._cameras = Changeable(self._make_camera)
        clock = self.simulated_table.clock if self.simulated_table else None
        self.camera = WatchedCamera(self._cameras.make, clock, on_change=self._camera_changed)
        manner = Manner(
            simulated=hands is not None,
            watching=self.config.table.rolls is Rolls.AUTO,
            before_reading=self._throw if hands else None,
            read=partial(read_dice, leaning=self.config.table.leaning),
        )
        self.looker = Looker(self.table, self.camera, self._calibration(), manner)
        self.panel = self._panel()
        self.setting_up = setting_up_of(self)
        self.panel.on_press(self.pressed)
        self.voice = self._voice()
        self._showing = self._parts_that_show()
        self._due = Rounds(self.barrier(BoxPart.GAME_CLOCK), Due(self.table))
        self._company = Company(self.table, self.barrier(BoxPart.COMPANY))
        self._rounds = Rounds(self.barrier(BoxPart.ROUNDS), self._mind)
        self.house = House(self)
        self.demo = Demo(lamps_of) if hands is not None else None
        self.app = web.create_app(self.table, services_of(self))

    # --- parts -----------------------------------------------------------------------------------------

    def _simulated_table(self) -> SimulatedTable | None:
        wanted = self.config.camera.kind
        if not self.options.simulate and wanted is not CameraKind.SIMULATED:
            setting = self._setting()
            if setting.kind is not VisionKind.AUTO or _opens(setting):  # one that was named is waited for
                return None
            self.notes.append(NO_CAMERA)
        size = (self.config.camera.width, self.config.camera.height)
        clock = HurriedClock(self.options.hurry)
        return SimulatedTable(self.options.seed, clock=clock, size=size, throws=self.options.throws)

    def _simulated_hands(self) -> SimulatedHands | None:
        if self.simulated_table is None:
            return None
        return SimulatedHands(self.simulated_table, self.options.odd, self.options.throws or 0)

    def _setting(self) -> CameraSetting:
        return setting_of(self.config.camera, self._camera_choice, self.options.state)

    def _make_camera(self) -> Camera:
        return SimulatedCamera(self.simulated_table) if self.simulated_table else camera_for(self._setting())

    def _panel(self) -> Panel:
        panel: Panel = SimulatedPanel() if self.options.simulate else open_panel(self.config.panel)
        if panel.notice is not None:
            self.notes.append(f"The panel is simulated: {panel.notice}.")
        self._closing.callback(panel.close)
        self.barriers += panel.barriers
        return panel

    def _voice(self) -> Voice | None:
        if self.options.simulate or not self.config.voice.on:  # pages speak for themselves if asked to
            return None
        voice = Voice(self.config.spoken_language, self.config.voice.volume, self.notes.append)
        self._closing.callback(voice.close)
        self.barriers.append(voice.barrier)
        return voice

    def _parts_that_show(self) -> dict[BoxPart, Showing]:
        shows: dict[BoxPart, Shows] = {BoxPart.LAMPS: self._show_lamps}
        if self.voice is not None:
            shows[BoxPart.VOICE] = self._speak
        if self.hands is not None:
            shows[BoxPart.DICE] = self._take_out_dice
        return {part: Showing(self.table, self.barrier(part), show) for part, show in shows.items()}

    def barrier(self, part: BoxPart) -> FaultBarrier:
        """One more barrier, known to the health page and the display."""
        made = FaultBarrier(part)
        self.barriers.append(made)
        return made

    @property
    def spoken_language(self) -> str:
        """The voice's own language, else that of the table, as it was chosen in the set-up."""
        follows = self.config.voice.language is SpokenLanguage.TABLE
        return (follows and self.setting_up.language) or self.config.spoken_language

    def _calibration(self) -> Calibration | None:
        path = self.home / CALIBRATION
        if not path.is_file():
            return None
        try:
            return load(path)
        except CalibrationError as error:
            self.notes.append(f"{error}.")
            return None

    @property
    def lacks_camera(self) -> bool:
        """The table is simulated for want of a camera, not because somebody asked for it."""
        chosen = self.options.simulate or self.config.camera.kind is CameraKind.SIMULATED
        return self.simulated_table is not None and not chosen

    @property
    def photograph_first(self) -> bool:
        """Whether the phone of who rolls offers a photograph before the button."""
        first = self.config.table.offer_first
        return self.lacks_camera if first is OfferFirst.AUTO else first is OfferFirst.PHOTOGRAPH

    # --- running ---------------------------------------------------------------------------------------

    @property
    def port(self) -> int:
        if self.options.sock is not None:
            return int(self.options.sock.getsockname()[1])
        return self.config.web.port if self.options.port is None else self.options.port

    @property
    def addresses(self) -> tuple[str, ...]:
        return lan_addresses(self.options.host or self.config.web.host, self.port)

    @property
    def code(self) -> str:
        return code_in(self.options.state)

    def __enter__(self) -> "Host":
        known = self.looker.calibration
        if known is not None and self.config.camera.lock_exposure:
            self.camera.hold(known.lock)
        self.camera.open()
        self._closing.callback(self.camera.close)
        self.looker.start()
        self._closing.callback(self.looker.close)
        beside = (*self._showing.values(), self._due, self._company, self._rounds, *self.house.loops)
        for each in beside:
            each.start()
            self._closing.callback(each.join)
        for each in beside:
            self._closing.callback(each.stop)
        self._closing.enter_context(self.backing_up)
        if self.demo is not None:
            self._closing.callback(self.demo.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @property
    def is_well(self) -> bool:
        """Nothing hangs: neither the camera nor the thread that looks. A missing camera is no fault."""
        clock = self.simulated_table.clock if self.simulated_table else RealClock()
        alive_at = min(self.looker.alive_at, self._due.alive_at)
        silent = max(time.monotonic() - alive_at, clock.now() - self.camera.alive_at)
        alive = silent < HANGING_SECONDS
        return alive and not self.camera.state.stuck

    def _mind(self) -> None:
        self.table.tell_broken(out_of_order(self.barriers))
        self.setting_up.tick()
        self.looker.mind()
        if self.is_well:
            self._watchdog.feed()

    # --- presses ---------------------------------------------------------------------------------------

    def pressed(self, press: Press) -> None:
        """A button, from whatever thread; what cannot be done now is answered with a blink."""
        if self.setting_up.takes(press):
            return
        match press:
            case Press.ROLLED | Press.READ_AGAIN:
                taken = self.looker.ask(again=press is Press.READ_AGAIN)
                if not taken and press is Press.ROLLED:
                    self.table.press_too_early()
            case Press.SECOND:
                taken = self._second()
            case Press.OFF:
                taken = self._off()
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

    def _off(self) -> bool:
        """Switch the Pi off; a simulated panel has nothing to switch off."""
        if self.panel.is_simulated:
            return False
        try:
            power_off()
        except PowerError as error:
            self.notes.append(f"{error}.")
            return False
        return True

    # --- what is shown ---------------------------------------------------------------------------------

    def _show_lamps(self, _: Snapshot, after: Snapshot) -> None:
        if SET_UP in after.eyes.notices and not self.setting_up.is_on:
            return  # it is over, and the eyes tell in a moment how they are
        shown = lamps(after, watching=self.config.table.rolls is Rolls.AUTO)
        if self.setting_up.is_on:  # the lid is learnt in the light in which it is read
            shown = self.setting_up.lit or replace(shown, status=Status.BY_HAND, lid_light=True)
        self.panel.show(shown)

    def _speak(self, before: Snapshot, after: Snapshot) -> None:
        if self.voice is not None and not self.setting_up.is_on:
            self.voice.speak_in(self.spoken_language)
            self.voice.say(sayings(before, after))

    def _throw(self, refused: bool) -> None:
        """With the dice that the newest game plays with, shown or not."""
        if self.hands is not None:
            self.hands.follow(self.table.snapshot)
            self.hands.pressed(refused=refused)

    def _take_out_dice(self, _: Snapshot, after: Snapshot) -> None:
        if self.hands is not None and not self.setting_up.is_on:
            self.hands.follow(after)

    # --- while the table is set up ---------------------------------------------------------------------

    def change_camera(self, setting: str) -> None:
        """That camera from now on; a simulated table stays one until the next start."""
        self._camera_choice = setting
        if self.simulated_table is None:
            self._cameras.change()
        else:
            remember_camera(self.options.state, setting)

    def pressed_by_phone(self) -> None:
        """The rolled button of a phone: no finger on the panel, so the set-up does not count it."""
        if not self.setting_up.is_on:
            self.pressed(Press.ROLLED)

    def show_again(self) -> None:
        """Lamps and dice as the game has them."""
        for part in (BoxPart.LAMPS, BoxPart.DICE):
            if part in self._showing:
                self._showing[part].again()

    def _camera_changed(self, state: CameraState) -> None:
        self.looker.camera_changed(state)


def _opens(setting: CameraSetting) -> bool:
    """Whether there is a camera at all."""
    camera = camera_for(setting)
    try:
        camera.open()
    except CameraError:
        return False
    camera.close()
    return True
