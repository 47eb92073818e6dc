"""The set-up beside everything else: other pages, the game, the panel, names, the camera's exposure."""

import queue
import threading
from pathlib import Path

import pytest

from companion.game import SheetCorrected
from companion.host import Host, Options
from companion.host.set_up.progress import FOLDER, Progress, keep, load
from companion.host.set_up.session import PAGE_SECONDS, Session
from companion.rules import Sheet
from companion.settings.config import Config, SpokenLanguage, VoiceConfig
from companion.settings.state_folder import CALIBRATION
from companion.table.table import Command
from companion.view.lamps import Lamps, Status
from companion.view.lamps import Light as Lit
from companion.view.setting_up import (
    MOST_NAMES,
    AcceptCamera,
    AcceptPanel,
    ChooseCamera,
    ChooseLanguage,
    FindLid,
    JudgeLamp,
    JudgeRoll,
    KeepPlayers,
    LightLamp,
    ReadRoll,
    SetUpFault,
    SetUpRefused,
    SetUpWish,
    StartAgain,
    Step,
    TakeDice,
    TakeEmpty,
)
from hardware.panel import Press
from hardware.simulated import SimulatedPanel
from tests.setting_up import PAGE, Clock, bench, do, learnt, read_in_the_game, running, start_a_game
from tests.waiting import PATIENCE, until
from vision.cameras.found import FoundCamera
from vision.memory.calibration import CameraLock
from vision.reading import DieColour
from vision.simulation.table import SimulatedCamera, SimulatedTable

# --- several pages ---------------------------------------------------------------------------------------


def test_two_pages_are_told_of_each_other_and_the_last_step_counts(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.set_up.leave(PAGE)
        assert not at.set_up.here("one", take=True).others
        assert at.set_up.here("two", take=True).others
        assert at.set_up.here("one", take=True).others
        at.set_up.do("one", KeepPlayers(("Anna",)))
        assert at.set_up.do("two", KeepPlayers(("Max", "Laura"))).players == ("Max", "Laura")
        assert load(at.home / FOLDER).players == ("Max", "Laura")


def test_a_roll_that_two_people_confirm_counts_once(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        view = do(host, ReadRoll())
        while view.roll is None or not view.roll.certain:
            view = do(host, ReadRoll())
        for _ in range(2):
            view = do(host, JudgeRoll(view.roll.id if view.roll else "", right=True))
        assert view.right == 1


def test_a_second_step_is_refused_while_one_is_under_way(tmp_path: Path) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def change(_: str) -> None:
        entered.set()
        assert go_on.wait(PATIENCE)

    with bench(tmp_path, cameras=lambda: (FoundCamera("usb:0", "A webcam"),), change_camera=change) as at:
        first = threading.Thread(target=at.do, args=(ChooseCamera("usb:0"),))
        first.start()
        assert entered.wait(PATIENCE)
        assert at.set_up.here("other", take=False).busy
        with pytest.raises(SetUpRefused) as refused:
            at.do(AcceptCamera(), "other")
        go_on.set()
        first.join(PATIENCE)
        assert refused.value.fault is SetUpFault.BUSY
        assert [each.chosen for each in at.set_up.view().cameras] == [True]


def test_a_page_that_is_not_heard_of_gives_the_table_back() -> None:
    clock, told = Clock(), list[str]()
    session = Session(lambda: told.append("begin"), lambda: told.append("end"), clock)
    session.heard("one", take=False)
    assert told == []
    session.heard("one", take=True)
    clock.now += PAGE_SECONDS - 1
    session.heard("two", take=True)
    clock.now += PAGE_SECONDS - 1
    session.end_if_idle()
    assert told == ["begin"]
    clock.now += 2
    session.end_if_idle()
    session.end_if_idle()
    assert told == ["begin", "end"]
    assert not session.is_on


def test_a_step_that_takes_long_keeps_the_table_for_its_page(tmp_path: Path) -> None:
    """On a busy machine its signs of life come late."""
    clocks: list[Clock] = []

    def slow(_: str) -> None:
        clocks[0].now += 2 * PAGE_SECONDS

    with bench(tmp_path, cameras=lambda: (FoundCamera("usb:0", "A webcam"),), change_camera=slow) as at:
        clocks.append(at.clock)
        at.do(ChooseCamera("usb:0"))
        at.set_up.tick()
        assert at.set_up.is_on
        at.clock.now += PAGE_SECONDS + 1
        at.set_up.tick()
        assert not at.set_up.is_on


# --- the game --------------------------------------------------------------------------------------------


def test_pictures_are_let_go_once_everything_is_done_and_its_page_is_closed(tmp_path: Path) -> None:
    keep(Progress(done=frozenset(set(Step) - {Step.LID})), tmp_path / "home" / FOLDER)
    with bench(tmp_path) as at:
        at.do(FindLid())
        at.set_up.leave(PAGE)
        assert at.set_up.picture("lid") is not None  # not done yet: somebody may come back
    keep(Progress(done=frozenset(Step)), tmp_path / "home" / FOLDER)
    with bench(tmp_path) as at:
        at.do(FindLid())
        at.set_up.leave(PAGE)
        assert at.set_up.picture("lid") is None
        assert at.set_up.view().picture == ""


def test_while_a_game_is_played_only_a_page_that_asks_for_it_stops_it(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        start_a_game(host)
        view = host.setting_up.here(PAGE, take=False)
        assert (view.game, view.held) == (True, False)
        with pytest.raises(SetUpRefused) as refused:
            do(host, FindLid())
        assert refused.value.fault is SetUpFault.NOT_HELD
        assert host.setting_up.here(PAGE, take=True).here
        assert [notice.kind for notice in host.table.snapshot.eyes.notices] == ["set-up"]


def test_presses_during_the_set_up_reach_no_game_and_afterwards_they_do(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        start_a_game(host)
        host.setting_up.here(PAGE, take=True)
        assert isinstance(host.panel, SimulatedPanel)
        host.panel.press(Press.ROLLED)
        host.buttons.rolled_on_a_phone()
        seen = {button.name: button.seen for button in host.setting_up.view().buttons}
        assert seen == {"rolled": True, "read again": False, "second": False}
        assert host.looker.last is None
        host.setting_up.leave(PAGE)
        read_in_the_game(host)


def test_a_phone_is_no_finger_on_the_panel(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        host.buttons.rolled_on_a_phone()
        assert not any(button.seen for button in host.setting_up.view().buttons)


def test_the_locked_dice_of_a_game_are_taken_out_again_after_the_set_up(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        assert host.simulated_table is not None
        start_a_game(host)
        host.table.play(Command(SheetCorrected(0, 0, Sheet.parse("R2 R3 R4 R5 R6 R12"))))
        snapshot = host.table.snapshot
        while DieColour.RED in host.simulated_table.dice:
            snapshot = host.table.wait(snapshot.version, 0.05)
        host.setting_up.here(PAGE, take=True)
        do(host, FindLid())
        assert DieColour.RED in host.simulated_table.dice
        host.setting_up.leave(PAGE)
        table = host.simulated_table
        assert until(lambda: DieColour.RED not in table.dice)


# --- panel, names, language ------------------------------------------------------------------------------


def test_a_lamp_is_tried_alone_whatever_the_game_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as host:
        assert isinstance(host.panel, SimulatedPanel)
        host.setting_up.here(PAGE, take=True)
        view = do(host, LightLamp("seat 2"))
        assert [lamp.name for lamp in view.lamps if lamp.lit] == ["seat 2"]
        assert [light is Lit.ON for light in host.panel.lamps.seats] == [False, True, False, False, False]
        start_a_game(host)
        shown, show = queue.Queue[Lamps](), host.panel.show

        def show_and_tell(lamps: Lamps) -> None:
            show(lamps)
            shown.put(lamps)

        monkeypatch.setattr(host.panel, "show", show_and_tell)
        host.show_again()
        shown.get(timeout=PATIENCE)
        assert [light is Lit.ON for light in host.panel.lamps.seats] == [False, True, False, False, False]
        view = do(host, JudgeLamp("seat 2", seen=False))
        assert {lamp.name: lamp.seen for lamp in view.lamps}["seat 2"] is False
        do(host, JudgeLamp("seat 2", seen=True))
        view = do(host, AcceptPanel())
        assert {lamp.name: lamp.seen for lamp in view.lamps}["seat 2"] is True
        assert not any(lamp.lit for lamp in view.lamps)
        panel = host.panel
        assert until(lambda: panel.lamps.seats[1] is not Lit.ON)


def test_the_light_over_the_lid_is_on_while_the_table_is_set_up_and_nothing_cries_for_help(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as host:
        assert isinstance(host.panel, SimulatedPanel)
        host.setting_up.here(PAGE, take=True)
        assert host.panel.wait_until_shown(Lamps(status=Status.BY_HAND, lid_light=True), PATIENCE)
        shown: list[Status] = []
        panel = host.panel
        panel.on_change(lambda: shown.append(panel.lamps.status))
        host.setting_up.leave(PAGE)
        assert host.panel.wait_until_shown(Lamps(status=Status.READY), PATIENCE)
        assert Status.ERROR not in shown


def test_the_voice_speaks_the_language_of_the_table_unless_the_settings_name_its_own(tmp_path: Path) -> None:
    for spoken, wanted in ((SpokenLanguage.TABLE, "de"), (SpokenLanguage.ENGLISH, "en")):
        config = Config(voice=VoiceConfig(language=spoken))
        with Host(config, Options(tmp_path / spoken, simulate=True)) as host:
            do(host, ChooseLanguage("de"))
            assert host.spoken_language == wanted


def test_names_are_kept_tidy(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        view = at.do(KeepPlayers((" Anna ", "", "anna", "Max  Otto")))
        assert view.players == ("anna", "Max Otto")
        for names in (("x" * 25,), tuple(f"P{n}" for n in range(MOST_NAMES + 1))):
            with pytest.raises(SetUpRefused) as refused:
                at.do(KeepPlayers(names))
            assert refused.value.fault is SetUpFault.NAME
        assert at.set_up.players == view.players


def test_what_is_not_there_cannot_be_chosen(tmp_path: Path) -> None:
    wishes: list[SetUpWish] = [
        ChooseLanguage("xx"),
        ChooseCamera("usb:7"),
        LightLamp("disco"),
        JudgeLamp("disco", seen=True),
    ]
    with bench(tmp_path) as at:
        for wish in wishes:
            with pytest.raises(SetUpRefused) as refused:
                at.do(wish)
            assert refused.value.fault is SetUpFault.UNKNOWN


def test_beginning_anew_keeps_language_names_and_what_is_in_force(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.do(ChooseLanguage("de"))
        at.do(KeepPlayers(("Anna",)))
        at.with_empty_lid()
        view = at.do(StartAgain())
        assert (view.done, view.language, view.players) == ((), "de", ("Anna",))
        assert at.eyes.told == ["pause"]


# --- exposure --------------------------------------------------------------------------------------------


class Adjustable(SimulatedCamera):
    """A camera whose exposure can be held."""

    LOCK = CameraLock(9000, 2.0, 1.5, 1.8)

    def __init__(self, table: SimulatedTable) -> None:
        super().__init__(table)
        self.held: list[CameraLock | None] = []

    def settings(self, timeout: float = 3.0) -> CameraLock | None:
        return self.LOCK

    def lock(self, lock: CameraLock | None) -> None:
        self.held.append(lock)


def test_exposure_is_held_from_the_empty_lid_on_and_kept_with_the_table(tmp_path: Path) -> None:
    table = SimulatedTable(3)
    camera = Adjustable(table)
    with bench(tmp_path, camera) as at:
        at.with_empty_lid()
        assert camera.held == [Adjustable.LOCK]
        assert load(at.home / FOLDER).lock == Adjustable.LOCK
        table.lay_out()
        assert at.kinds(at.do(TakeDice())) == []
        assert "exposure_microseconds = 9000" in (at.home / FOLDER / CALIBRATION).read_text()
        table.clear()
        at.do(TakeEmpty())  # another light: exposure finds itself anew, then it is held again
        assert camera.held[-2:] == [None, Adjustable.LOCK]
        at.set_up.leave(PAGE)
        assert at.eyes.told == ["pause", "resume"]
        assert camera.held[-1] is None  # nothing is in force that would be held
