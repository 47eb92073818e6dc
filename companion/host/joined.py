"""One companion: everything opened in order, joined, and closed again."""

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from socket import socket

import web
from boxlid.errors import Statement
from companion.boards.shelf import Shelf
from companion.checks.installation import own_version
from companion.checks.keeping import check_doubt
from companion.host import house
from companion.host.addresses import lan_addresses
from companion.host.backing_up import BackingUp
from companion.host.buttons import Buttons
from companion.host.camera_in_use import NO_CAMERA, CameraInUse
from companion.host.company import Company
from companion.host.confirmed import Lessons
from companion.host.demo import Demo
from companion.host.hands import SimulatedHands
from companion.host.health import Health, Inspected
from companion.host.house import House
from companion.host.keys import code_in, load_key, new_code
from companion.host.looking import SET_UP, Looker, Manner
from companion.host.pages import PanelPage, Shown, lamps_of
from companion.host.photographs import Photographs
from companion.host.reading import ReadForTheGame
from companion.host.reporting import LastLook, Sources
from companion.host.set_up.cameras import Previews
from companion.host.set_up.joining import Remembered, home_of, progress_in
from companion.host.set_up.means import Means
from companion.host.set_up.panel_trial import PanelTrial
from companion.host.set_up.service import SettingUp
from companion.host.showing import Due, Rounds, Showing, Shows
from companion.host.simulated import Wanted
from companion.host.welcome import Greeting
from companion.journal.journal import Journal
from companion.process.fault_barrier import BoxPart, FaultBarrier, out_of_order
from companion.process.notify import Watchdog
from companion.settings.config import Config, OfferFirst, Rolls, SpokenLanguage
from companion.settings.state_folder import CALIBRATION
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.view.lamps import Status, lamps
from companion.view.sayings import sayings
from companion.words import DEFAULT, catalogues, english
from hardware.opening import open_panel
from hardware.panel import Panel
from hardware.simulated import SimulatedPanel
from hardware.voice import Voice
from vision.cameras.choice import camera_for
from vision.cameras.clock import RealClock
from vision.cameras.found import found_cameras
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import CameraState, WatchedCamera
from vision.memory.calibration import Calibration, CalibrationError, load
from vision.memory.taught import with_taught
from vision.simulation.shape import Shape

BOARDS = "boards"  # in the state folder
HANGING_SECONDS = 15.0  # a reading with its waits takes less, and so does any call of a camera


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line decides beside the configuration."""

    state: Path
    simulate: bool = False
    host: str | None = None
    port: int | None = None
    sock: socket | None = None  # one that systemd opened
    seed: int = 1  # of the simulated table: its place, its light, its dice
    place: Shape | None = None  # what its dice fall into; none: as the settings say
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
            line = found.line(catalogues()[DEFAULT])
            self.notes.append(f"The journal: {line.text}; {line.todo}.")
        self.table = Table(self.journal)
        self.backing_up = BackingUp(self.table, self.journal)
        self.progress = progress_in(state, self.notes)
        self.camera_in_use = self._camera_in_use()
        self.simulated_table = self.camera_in_use.table
        self.hands = hands = self._simulated_hands()
        self.home = home_of(state, self._simulated().name if hands else None)
        self.progress = progress_in(self.home, self.notes) if hands else self.progress
        clock = self.simulated_table.clock if self.simulated_table else None
        self.camera = WatchedCamera(self.camera_in_use.make, clock, on_change=self._camera_changed)
        manner = Manner(
            simulated=hands is not None,
            watching=self.config.table.rolls is Rolls.AUTO,
            before_reading=self._throw if hands else None,
            read=ReadForTheGame(self.table, self.config.table.house),
            lessons=Lessons(self.home / CALIBRATION),
        )
        self.looker = Looker(self.table, self.camera, self._calibration(), manner)
        self.panel = self._panel()
        self.shown = Shown(self.table, self.looker, self.camera, camera.kind, self.is_simulated)
        self.setting_up = SettingUp(self._means_of_set_up(), self.progress)
        self.buttons = Buttons(self.table, self.looker, self.setting_up, self.panel, self.notes.append)
        self.panel.on_press(self.buttons.pressed)
        self.voice = self._voice()
        self._showing = self._parts_that_show()
        self._due = Rounds(self.barrier(BoxPart.GAME_CLOCK), Due(self.table))
        self._company = Company(self.table, self.barrier(BoxPart.COMPANY))
        self._rounds = Rounds(self.barrier(BoxPart.ROUNDS), self._mind)
        self.house = House(self._means_of_house())
        self.demo = Demo(lamps_of) if hands is not None else None
        self.app = web.create_app(self.table, self.services())

    # --- parts -----------------------------------------------------------------------------------------

    def _camera_in_use(self) -> CameraInUse:
        camera, simulate = self.config.camera, self.options.simulate
        chosen = self.progress.camera
        used = CameraInUse(camera, self.options.state, chosen, self._simulated().table, simulate=simulate)
        if used.is_lacking:
            self.notes.append(NO_CAMERA)
        return used

    def _simulated(self) -> Wanted:
        camera, asked = self.config.camera, self.options
        place = asked.place or self.config.simulation.place
        return Wanted(asked.seed, place, (camera.width, camera.height), asked.throws, asked.hurry)

    def _simulated_hands(self) -> SimulatedHands | None:
        if self.simulated_table is None:
            return None
        return SimulatedHands(self.simulated_table, self.options.odd, self.options.throws or 0)

    def _panel(self) -> Panel:
        panel: Panel = SimulatedPanel() if self.options.simulate else open_panel(self.config.panel)
        if panel.notice is not None:
            self.notes.append(f"The panel is simulated: {english(panel.notice)}.")
        self._closing.callback(panel.close)
        self.barriers += panel.barriers
        return panel

    def _voice(self) -> Voice | None:
        if self.options.simulate or not self.config.voice.on:  # pages speak for themselves if asked to
            return None
        voice = Voice(self.config.spoken_language, self.config.voice.volume, self._complain)
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

    # --- what the parts are handed ---------------------------------------------------------------------

    def _means_of_set_up(self) -> Means:
        chooses = self.config.camera.kind is CameraKind.AUTO and not self.options.simulate
        return Means(
            home=self.home,
            state=self.options.state,
            table=self.table,
            camera=self.camera,
            eyes=self.looker,
            trial=PanelTrial(self.panel, self.config.panel),
            simulated=self.simulated_table,
            lock_exposure=self.config.camera.lock_exposure,
            cameras=Remembered(found_cameras) if chooses else None,
            previews=Previews(camera_for),
            change_camera=self.camera_in_use.change,
            given_back=self.show_again,
        )

    def _means_of_house(self) -> house.Means:
        return house.Means(
            settings=self.config.mqtt,
            language=self.config.table.language,
            address=self.addresses[0],
            table=self.table,
            journal=self.journal,
            rolled=self.buttons.rolled_on_a_phone,
            barrier=self.barrier,
            note=self.notes.append,
        )

    def services(self) -> web.Services:
        """What pages are given of all parts."""
        state = self.options.state
        return web.Services(
            code=self.code,
            new_code=partial(new_code, state),
            key=self.key,
            names=self.config.web.names,
            addresses=self.addresses,
            language=self.config.table.language,
            simulated=self.is_simulated,
            shelf=Shelf(state / BOARDS),
            house=self.config.table.house,
            press_rolled=self.buttons.rolled_on_a_phone,
            picture=self.shown.picture,
            crop=self.looker.crop,
            photograph=Photographs(self.looker).take,
            photograph_first=self.photograph_first,
            panel=PanelPage(self.table, lambda: self.setting_up.lit, self.buttons.pressed),
            version=own_version(),
            setting_up=self.setting_up,
            health=Health(self.inspected()).facts,
            demo=self.demo,
            seen=LastLook(self._seen()),
        )

    def _seen(self) -> Sources:
        """What the page of the last look shows and does."""
        return Sources(
            last=lambda: self.looker.last,
            circumstances=self.shown.circumstances,
            calibration=self.home / CALIBRATION,
            folder=self.options.state,
            taught=lambda: self.looker.rolls_that_taught,
            forget=self.looker.forget_taught,
        )

    def inspected(self) -> Inspected:
        """What the health page looks at."""
        return Inspected(
            config=self.config,
            state=self.options.state,
            journal=self.journal,
            backing_up=self.backing_up,
            camera=self.camera,
            looker=self.looker,
            panel=self.panel,
            voice=self.voice,
            simulated=self.is_simulated,
            bridge=lambda: self.house.state,
            barriers=self.barriers,
        )

    @property
    def greeting(self) -> Greeting:
        return Greeting(self.port, self.addresses, self.code, self.is_simulated, self.notes)

    @property
    def is_simulated(self) -> bool:
        return self.simulated_table is not None

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

    def _complain(self, silent: Statement) -> None:
        self.notes.append(english(silent))

    def _calibration(self) -> Calibration | None:
        path = self.home / CALIBRATION
        if not path.is_file():
            return None
        try:
            return with_taught(load(path), path, time.time())
        except CalibrationError as error:
            self.notes.append(f"{english(error)}.")
            return None

    @property
    def photograph_first(self) -> bool:
        """Whether the phone of who rolls offers a photograph before the button."""
        first = self.config.table.offer_first
        return self.camera_in_use.is_lacking if first is OfferFirst.AUTO else first is OfferFirst.PHOTOGRAPH

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

    def show_again(self) -> None:
        """Lamps and dice as the game has them."""
        for part in (BoxPart.LAMPS, BoxPart.DICE):
            if part in self._showing:
                self._showing[part].again()

    def _camera_changed(self, state: CameraState) -> None:
        self.looker.camera_changed(state)
