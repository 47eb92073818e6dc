"""Setting a table up: each step kept, nothing half in force, every mishap said, the game undisturbed."""

import json
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from companion.config import Config, SpokenLanguage, VoiceConfig
from companion.game import HouseRules, Phase, Setup, SheetCorrected
from companion.host import Host, Options
from companion.host.set_up.lessons import ASIDE, CALIBRATION, outline
from companion.host.set_up.progress import FILE, FOLDER, Progress, ProgressError, keep, load
from companion.host.set_up.session import PAGE_SECONDS, Session
from companion.rules import Sheet
from companion.seats import Mark, SeatTaken
from companion.snapshot import GameStarted
from companion.table import Command
from hardware.lamps import Lamps, Status
from hardware.lamps import Light as Lit
from hardware.panel import Press
from hardware.simulated import SimulatedPanel
from tests.setting_up import PAGE, Clock, bench
from vision import calibration
from vision.calibration import CameraLock
from vision.camera import CameraError, Frame, Image
from vision.cameras.found import FoundCamera
from vision.clock import RealClock
from vision.reading import DieColour
from vision.simulated import Fault, SimulatedCamera, SimulatedTable
from web.setting_up import (
    MOST_NAMES,
    ROLLS_WANTED,
    AcceptCamera,
    AcceptPanel,
    ChooseCamera,
    ChooseLanguage,
    FindLid,
    JudgeLamp,
    JudgeRoll,
    KeepCorners,
    KeepPlayers,
    LightLamp,
    Place,
    ReadRoll,
    SetUpFault,
    SetUpRefused,
    SetUpView,
    SetUpWish,
    StartAgain,
    Step,
    TakeDice,
    TakeEmpty,
)

MOST_TRIES = 12
LONG = 20.0


def learnt(host: Host) -> None:
    """The steps until the dice are learnt, on the simulated table."""
    do(host, AcceptCamera())
    found = do(host, FindLid())
    assert found.corners_found
    for wish in (KeepCorners(found.corners, moved=False), TakeEmpty(), TakeDice()):
        assert do(host, wish).troubles == ()


def do(host: Host, wish: SetUpWish) -> SetUpView:
    return host.setting_up.do(PAGE, wish)


def confirm(host: Host, rolls: int) -> SetUpView:
    """Roll until so many more rolls were read for sure, and say that they are right."""
    wanted = host.setting_up.view().right + rolls
    for _ in range(MOST_TRIES):
        view = do(host, ReadRoll())
        assert view.roll is not None
        if view.roll.certain:
            view = do(host, JudgeRoll(view.roll.id, right=True))
        if view.right >= wanted:
            return view
    raise AssertionError(f"no {rolls} of {MOST_TRIES} rolls were read for sure")


def running(folder: Path) -> Host:
    return Host(Config(), Options(folder, simulate=True, seed=3))


def in_force(host: Host) -> bool:
    return (host.home / CALIBRATION).exists()


# --- from nothing to a calibrated reading ----------------------------------------------------------------


def test_a_simulated_table_is_set_up_from_nothing_to_a_calibrated_reading(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        assert host.setting_up.view().step is Step.LANGUAGE
        do(host, ChooseLanguage("de"))
        learnt(host)
        assert not in_force(host)
        view = confirm(host, ROLLS_WANTED)
        assert view.in_force
        assert in_force(host)
        known = host.looker.calibration
        assert known is not None
        assert known.reference is not None
        assert known.reference.parent == host.home
        assert Step.ROLLS in view.done
        host.setting_up.leave(PAGE)
        assert not host.setting_up.is_on
        start_a_game(host)
        assert read_in_the_game(host).looker.calibration is known


def start_a_game(host: Host) -> None:
    for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
        host.table.play(Command(SeatTaken(name, mark, None)))
    host.table.play(Command(GameStarted(Setup(("Anna", "Max"), house=HouseRules(patience=0)))))


def read_in_the_game(host: Host) -> Host:
    """Press until a throw is a roll of the game."""
    for _ in range(MOST_TRIES):
        host.pressed(Press.ROLLED)
        while host.looker.is_busy:
            host.table.wait(host.table.snapshot.version, 0.1)
        game = host.table.snapshot.game
        if game is not None and game.phase is not Phase.ROLL:
            return host
    raise AssertionError("no throw was read for sure")


def test_what_is_half_learnt_is_never_in_force_and_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        confirm(host, ROLLS_WANTED - 1)
        assert not in_force(host)
    with running(tmp_path) as host:
        assert host.looker.calibration is None
        view = host.setting_up.here(PAGE, take=True)
        assert view.right == ROLLS_WANTED - 1
        assert view.step is Step.LANGUAGE  # the first that was left out
        assert {Step.DICE, Step.ROLLS} & set(view.done) == {Step.DICE}
        assert confirm(host, 1).in_force
    with running(tmp_path) as host:
        assert host.looker.calibration is not None


def test_a_new_table_replaces_the_old_one_only_once_it_is_confirmed(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        confirm(host, ROLLS_WANTED)
        old = host.looker.calibration
        kept = (host.home / CALIBRATION).read_bytes()
        learnt(host)
        view = confirm(host, 1)
        assert view.right == 1
        assert host.looker.calibration is old
        assert (host.home / CALIBRATION).read_bytes() == kept
        assert old is not None
        assert old.empty_lid() is not None


def test_a_roll_read_wrongly_sends_back_to_the_dice(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        view = confirm(host, 2)
        while view.roll is None or view.roll.judged or not view.roll.certain:
            view = do(host, ReadRoll())
        view = do(host, JudgeRoll(view.roll.id, right=False))
        assert Step.DICE not in view.done
        assert view.right == 0
        assert [each.kind for each in view.troubles] == ["read-wrong"]
        with pytest.raises(SetUpRefused) as refused:
            do(host, ReadRoll())
        assert refused.value.fault is SetUpFault.TOO_EARLY


# --- mishaps ---------------------------------------------------------------------------------------------


def test_a_missing_die_is_named_and_trying_again_helps(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_empty_lid()
        at.lid.take_out(DieColour.GREEN)
        at.lid.lay_out()
        view = at.do(TakeDice())
        assert [(each.kind, each.colours) for each in view.troubles] == [("die-missing", ("green",))]
        assert Step.DICE not in view.done
        assert len(view.dice) == 5
        at.lid.put_back()
        at.lid.lay_out()
        view = at.do(TakeDice())
        assert (at.kinds(view), Step.DICE in view.done) == ([], True)


def test_dice_in_the_empty_lid_are_noticed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.lay_out()
        view = at.do(TakeEmpty())
        assert at.kinds(view) == ["lid-not-empty"]
        assert Step.EMPTY not in view.done


def test_a_hand_over_the_dice_is_noticed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_empty_lid()
        at.lid.lay_out()
        at.lid.begin(Fault.HAND)
        assert at.kinds(at.do(TakeDice())) == ["hand"]
        at.lid.end(Fault.HAND)
        assert at.kinds(at.do(TakeDice())) == []


def test_a_lid_pushed_between_the_pictures_is_noticed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_empty_lid()
        at.lid.bump(millimetres=15, degrees=3)
        at.lid.lay_out()
        assert at.kinds(at.do(TakeDice())) == ["lid-moved"]


def test_an_unplugged_camera_is_said_and_goes_on_once_it_is_back(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.begin(Fault.UNPLUGGED)
        view = at.do(TakeEmpty())
        assert at.kinds(view) == ["camera"]
        assert at.set_up.live() is None
        assert at.set_up.sight().light is None
        at.lid.end(Fault.UNPLUGGED)
        for _ in range(MOST_TRIES):
            view = at.do(TakeEmpty())
            if not view.troubles:
                break
        assert Step.EMPTY in view.done


class Blank:
    """A camera over a bare table."""

    name = "blank"

    def __init__(self, image: Image) -> None:
        self.image, self._number, self._clock = image, 0, RealClock()

    def open(self) -> None:
        pass

    def frame(self, timeout: float = 3.0) -> Frame:
        self._clock.wait(0.05)
        self._number += 1
        self.image = np.bitwise_xor(self.image, np.uint8(1))  # never twice the same: it is not frozen
        return Frame(self.image, self._number, self._clock.now())

    def close(self) -> None:
        pass


def bare_table() -> Image:
    picture = SimulatedTable(3).picture(1)
    return picture[:160, :200].repeat(4, axis=0).repeat(4, axis=1)


def test_where_no_lid_is_found_the_corners_can_be_put_by_hand(tmp_path: Path) -> None:
    with bench(tmp_path, Blank(bare_table())) as at:
        view = at.do(FindLid())
        assert not view.corners_found
        assert view.corners == ASIDE
        assert len(view.troubles) == 1
        assert Step.LID in at.do(KeepCorners(ASIDE, moved=True)).done


def test_corners_put_by_hand_are_those_of_the_learnt_table(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        found = at.do(FindLid())
        moved = tuple(Place(place.x + 0.004, place.y) for place in found.corners)
        at.do(KeepCorners(moved, moved=True))
        at.do(TakeEmpty())
        at.lid.lay_out()
        assert at.kinds(at.do(TakeDice())) == []
        known = calibration.load(at.home / FOLDER / CALIBRATION)
        assert known.lid[0] == pytest.approx((moved[0].x * 1024 - 0.5, moved[0].y * 768 - 0.5), abs=0.01)


@pytest.mark.parametrize(
    "corners",
    [
        ((0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)),  # crossed
        ((0.2, 0.2), (0.8, 0.2), (0.3, 0.3), (0.2, 0.8)),  # bent inwards
        ((0.2, 0.2), (0.25, 0.2), (0.25, 0.25), (0.2, 0.25)),  # tiny
        ((0.2, 0.2), (1.2, 0.2), (0.8, 0.8), (0.2, 0.8)),  # outside
        ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8)),
    ],
)
def test_corners_that_do_not_go_round_are_refused(
    corners: tuple[tuple[float, float], ...], tmp_path: Path
) -> None:
    places = tuple(Place(x, y) for x, y in corners)
    assert not outline(places)
    with bench(tmp_path) as at, pytest.raises(SetUpRefused) as refused:
        at.do(KeepCorners(places, moved=True))
    assert refused.value.fault is SetUpFault.CROSSED
    assert outline(ASIDE)
    assert outline(ASIDE[::-1])


def test_what_cannot_be_kept_is_said_and_nothing_is_changed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        shutil.rmtree(at.home, ignore_errors=True)
        at.home.write_text("a file where the folder should be")
        with pytest.raises(SetUpRefused) as refused:
            at.do(AcceptCamera())
        assert refused.value.fault is SetUpFault.DISK
        assert at.set_up.view().done == ()


def test_a_damaged_file_is_said_and_the_steps_begin_anew(tmp_path: Path) -> None:
    home = tmp_path / "simulated-3"
    keep(Progress(done=frozenset({Step.LANGUAGE})), home / FOLDER)
    assert load(home / FOLDER).done == {Step.LANGUAGE}
    (home / FOLDER / FILE).write_text('{"format": 1, "done": ["language"], "camera": 3}')
    with pytest.raises(ProgressError, match="cannot be read"):
        load(home / FOLDER)
    with running(tmp_path) as host:
        assert any("its steps begin anew" in note for note in host.notes)
        assert host.setting_up.view().done == ()
        assert Step.CAMERA in do(host, AcceptCamera()).done  # and it can be kept again
    assert load(home / FOLDER).done == {Step.CAMERA}


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    progress = Progress(
        frozenset({Step.LANGUAGE, Step.LID}),
        "de",
        "usb:2",
        ASIDE,
        True,
        CameraLock(8000, 2.5, 1.7, 1.9, kelvin=4100.0),
        2,
        ("red",),
        ("seat 1",),
        ("Anna", "Jörg"),
    )
    keep(progress, tmp_path)
    assert load(tmp_path) == progress
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    broken = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps(broken | {"camera": "webcam of aunt"}))
    with pytest.raises(ProgressError):
        load(tmp_path)


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
        assert go_on.wait(LONG)

    with bench(tmp_path, cameras=lambda: (FoundCamera("usb:0", "A webcam"),), change_camera=change) as at:
        first = threading.Thread(target=at.do, args=(ChooseCamera("usb:0"),))
        first.start()
        assert entered.wait(LONG)
        assert at.set_up.here("other", take=False).busy
        with pytest.raises(SetUpRefused) as refused:
            at.do(AcceptCamera(), "other")
        go_on.set()
        first.join(LONG)
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


# --- the game --------------------------------------------------------------------------------------------


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
        host.pressed_by_phone()
        seen = {button.name: button.seen for button in host.setting_up.view().buttons}
        assert seen == {"rolled": True, "read again": False, "second": False}
        assert host.looker.last is None
        host.setting_up.leave(PAGE)
        read_in_the_game(host)


def test_a_phone_is_no_finger_on_the_panel(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        host.pressed_by_phone()
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
        assert DieColour.RED not in host.simulated_table.dice


# --- panel, names, language ------------------------------------------------------------------------------


def test_a_lamp_is_tried_alone_whatever_the_game_shows(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        assert isinstance(host.panel, SimulatedPanel)
        host.setting_up.here(PAGE, take=True)
        view = do(host, LightLamp("seat 2"))
        assert [lamp.name for lamp in view.lamps if lamp.lit] == ["seat 2"]
        assert [light is Lit.ON for light in host.panel.lamps.seats] == [False, True, False, False, False]
        start_a_game(host)
        host.show_again()
        assert [light is Lit.ON for light in host.panel.lamps.seats] == [False, True, False, False, False]
        view = do(host, JudgeLamp("seat 2", seen=False))
        assert {lamp.name: lamp.seen for lamp in view.lamps}["seat 2"] is False
        do(host, JudgeLamp("seat 2", seen=True))
        view = do(host, AcceptPanel())
        assert {lamp.name: lamp.seen for lamp in view.lamps}["seat 2"] is True
        assert not any(lamp.lit for lamp in view.lamps)
        assert host.panel.lamps.seats[1] is not Lit.ON


def test_the_light_over_the_lid_is_on_while_the_table_is_set_up_and_nothing_cries_for_help(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as host:
        assert isinstance(host.panel, SimulatedPanel)
        host.setting_up.here(PAGE, take=True)
        assert host.panel.wait_until_shown(Lamps(status=Status.BY_HAND, lid_light=True), LONG)
        shown: list[Status] = []
        panel = host.panel
        panel.on_change(lambda: shown.append(panel.lamps.status))
        host.setting_up.leave(PAGE)
        assert host.panel.wait_until_shown(Lamps(status=Status.READY), LONG)
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
        for names in (("x" * 21,), tuple(f"P{n}" for n in range(MOST_NAMES + 1))):
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


def test_a_camera_error_names_no_step(tmp_path: Path) -> None:
    class Dead(Blank):
        def open(self) -> None:
            raise CameraError("no camera: plug one in")

    with bench(tmp_path, Dead(bare_table())) as at:
        assert at.kinds(at.do(FindLid())) == ["camera"]
        assert at.set_up.picture("lid") is None
