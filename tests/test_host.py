"""The joined companion: key and code, addresses, simulated hands, and a press that becomes a roll."""

import socket
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import Game, HouseRules, Leaning, Rolled, Setup
from companion.host import Host, Options, reading
from companion.host.addresses import lan_addresses
from companion.host.hands import PLAIN_THROWS, SimulatedHands
from companion.host.joined import HANGING_SECONDS
from companion.host.keys import KeyFileError, code_in, code_of, load_key, new_code
from companion.journal.journal import JournalError
from companion.rules import Roll
from companion.settings.config import CameraConfig, Config, OfferFirst, TableConfig
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command
from hardware.panel import Press
from hardware.simulated import SimulatedPanel
from tests.playing import seated
from tests.setting_up import read_in_the_game
from tests.waiting import PATIENCE
from tests.wording import refused
from vision import reading as seen
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import WatchedCamera
from vision.reading import ALL_SIX, DieColour, Reading
from vision.simulation.table import SimulatedTable


def test_a_new_code_holds_after_a_restart_and_a_damaged_one_is_the_first(tmp_path: Path) -> None:
    first = code_in(tmp_path)
    assert first == code_of(load_key(tmp_path))
    codes = {new_code(tmp_path) for _ in range(20)}
    assert len(codes) > 15
    assert code_in(tmp_path) in codes
    (tmp_path / "code").write_bytes(b"\xff\x00")
    assert code_in(tmp_path) == first
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = load_key(tmp_path / "state")
    assert len(key) == 32
    assert load_key(tmp_path / "state") == key
    assert stat.S_IMODE((tmp_path / "state" / "key").stat().st_mode) == 0o600
    assert load_key(tmp_path / "other") != key


def test_a_damaged_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short")
    with refused(KeyFileError, match="has 5 bytes, 32 wanted; delete it to make a new one"):
        load_key(tmp_path)


def test_a_state_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refused(KeyFileError, match="cannot be read"):
        load_key(tmp_path / "file")


def test_the_code_follows_from_the_key_and_stays() -> None:
    assert code_of(b"k" * 32) == code_of(b"k" * 32)
    assert len(code_of(b"k" * 32)) == 4
    assert code_of(b"k" * 32) != code_of(b"l" * 32)


def test_an_address_is_a_literal_one_and_port_80_is_left_out() -> None:
    assert lan_addresses("127.0.0.1", 8000) == ("http://127.0.0.1:8000",)
    assert lan_addresses("::1", 80) == ("http://[::1]",)
    (found,) = lan_addresses("0.0.0.0", 8000)
    assert found.startswith("http://")
    assert found.endswith(":8000")


def test_simulated_hands_take_locked_dice_out_and_put_them_back_for_the_next_game() -> None:
    table = SimulatedTable(seed=5)
    hands = SimulatedHands(table)
    locked = seated("R2 R3 R4 R5 R6 R12", "empty")
    hands.follow(Snapshot(game=locked))
    assert DieColour.RED not in table.dice
    hands.follow(Snapshot(game=locked))
    assert len(table.dice) == len(ALL_SIX) - 1
    hands.follow(Snapshot(game=Game.begin(Setup(("Anna",)))))
    assert table.dice == ALL_SIX


class CountedTable(SimulatedTable):
    """Remembers which throws were odd."""

    def __init__(self) -> None:
        super().__init__(seed=5)
        self.odd: list[bool] = []

    def throw(self, *, odd: bool = False) -> None:
        self.odd.append(odd)


def test_simulated_hands_throw_now_and_then_what_must_be_asked_about_but_not_at_first() -> None:
    def thrown(share: float, seed: int) -> list[bool]:
        table = CountedTable()
        hands = SimulatedHands(table, share, seed)
        for _ in range(200):
            hands.pressed(refused=False)
        return table.odd

    assert thrown(0.12, 3) == thrown(0.12, 3) != thrown(0.12, 4)
    assert 10 <= sum(thrown(0.12, 3)) <= 40
    assert not any(thrown(1.0, 3)[:PLAIN_THROWS])
    assert all(thrown(1.0, 3)[PLAIN_THROWS:])
    assert not any(thrown(0.0, 3))


def host_with_a_game(folder: Path) -> Host:
    host = Host(Config(), Options(folder, simulate=True, seed=3))
    for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
        host.table.play(Command(SeatTaken(name, mark, None)))
    host.table.play(Command(GameStarted(Setup(("Anna", "Max"), house=HouseRules(patience=0)))))
    return host


def test_a_press_becomes_a_roll_through_real_pixels(tmp_path: Path) -> None:
    """Presses until a throw is read for sure; what was rolled must be what lies there."""
    with host_with_a_game(tmp_path) as host:
        assert host.simulated_table is not None
        snapshot = read_in_the_game(host).table.snapshot
        assert snapshot.game is not None
        assert snapshot.game.turn is not None
        lying = sorted((die.colour.value, die.pips) for die in host.simulated_table.truth().dice)
        roll = snapshot.game.turn.roll
        rolled = [("white", n) for n in roll.white] + [(c.value, n) for c, n in roll.coloured]
        assert sorted(rolled) == lying
        assert host.is_well


def test_a_press_that_cannot_be_taken_is_answered_with_a_blink(tmp_path: Path) -> None:
    with Host(Config(), Options(tmp_path, simulate=True)) as host:
        assert isinstance(host.panel, SimulatedPanel)
        for press in (Press.ROLLED, Press.SECOND, Press.OFF):
            host.panel.press(press)
        assert host.panel.busy_blinks == 3


def test_the_second_button_takes_the_last_turn_back(tmp_path: Path) -> None:
    with host_with_a_game(tmp_path) as host:
        assert isinstance(host.panel, SimulatedPanel)
        host.panel.press(Press.SECOND)  # nothing was rolled yet
        assert host.panel.busy_blinks == 1


def test_a_simulated_table_gives_pictures_of_the_size_that_is_set(tmp_path: Path) -> None:
    small = CameraConfig(kind=CameraKind.SIMULATED, width=640, height=360)
    for config, simulate, size in (
        (Config(), True, (1280, 720)),
        (Config(camera=small), False, (640, 360)),
        (Config(camera=replace(small, kind=CameraKind.AUTO, device=63)), False, (640, 360)),
    ):
        with Host(config, Options(tmp_path, simulate=simulate)) as host:
            assert host.camera.frame(PATIENCE).image.shape == (size[1], size[0], 3)
            assert host.home == tmp_path / f"simulated-1-{size[0]}x{size[1]}"


def test_dice_that_lean_are_read_by_the_rule_of_the_game_and_before_it_by_that_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[seen.Leaning] = []

    def read(*given: object) -> Reading:
        asked.append(seen.Leaning(str(given[-1])))
        return Reading(False)

    monkeypatch.setattr(reading, "read_dice", read)
    again, lies = Leaning.ROLLED_AGAIN, Leaning.AS_IT_LIES
    config = Config(table=TableConfig(house=HouseRules(leaning=again)))
    with Host(config, Options(tmp_path, simulate=True)) as host:
        host.camera.frame(PATIENCE)
        host.looker.seeing.look(ALL_SIX, lambda _: None)
        assert {str(each) for each in asked} == {again}
        host.table.play(Command(SeatTaken("Anna", Mark.STAR, None)))
        host.table.play(Command(GameStarted(Setup(("Anna",), house=HouseRules(leaning=lies)))))
        asked.clear()
        host.looker.seeing.look(ALL_SIX, lambda _: None)
        assert {str(each) for each in asked} == {lies}


def test_a_game_and_the_eyes_know_the_same_rules_for_dice_that_lean() -> None:
    assert [str(each) for each in Leaning] == [str(each) for each in seen.Leaning]


def test_the_same_state_folder_is_refused_to_a_second_companion(tmp_path: Path) -> None:
    with (
        Host(Config(), Options(tmp_path, simulate=True)),
        pytest.raises(JournalError, match="another Boxlid"),
    ):
        Host(Config(), Options(tmp_path, simulate=True))


def test_without_a_camera_the_table_is_simulated_and_that_is_said(tmp_path: Path) -> None:
    config = Config(camera=CameraConfig(kind=CameraKind.AUTO, device=63))
    with Host(config, Options(tmp_path)) as host:
        assert host.simulated_table is not None
        assert any("Photograph the dice" in note for note in host.notes)
        assert host.services().photograph_first


@pytest.mark.parametrize(
    ("offered", "first"),
    [(OfferFirst.AUTO, False), (OfferFirst.BUTTON, False), (OfferFirst.PHOTOGRAPH, True)],
)
def test_where_the_simulated_table_was_asked_for_the_settings_say_whether_photographs_come_first(
    offered: OfferFirst, first: bool, tmp_path: Path
) -> None:
    with Host(Config(TableConfig(offer_first=offered)), Options(tmp_path, simulate=True)) as host:
        assert host.services().photograph_first is first


def test_a_broken_calibration_is_said_and_the_table_plays_without_it(tmp_path: Path) -> None:
    (tmp_path / "calibration.toml").write_text("lid = 3")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    config = Config(camera=CameraConfig(kind=CameraKind.FOLDER, folder=str(pictures)))
    with Host(config, Options(tmp_path)) as host:
        assert host.looker.calibration is None
        assert any("calibrat" in note for note in host.notes)


def test_the_pages_are_given_both_sides_of_the_house_board(tmp_path: Path) -> None:
    with Host(Config(), Options(tmp_path, simulate=True)) as host:
        board = house_board()
        boards = host.services().shelf
        assert boards is not None
        assert (boards["house-front"], boards["house-back"]) == (board.front, board.back)


def test_the_lobby_begins_with_the_house_rules_of_the_settings(tmp_path: Path) -> None:
    house = HouseRules(scores_hidden=True, patience=45)
    with Host(Config(table=TableConfig(house=house)), Options(tmp_path, simulate=True)) as host:
        assert host.services().house == house


def test_a_camera_whose_call_never_returns_is_not_well(tmp_path: Path) -> None:
    hanging, let_go = threading.Event(), threading.Event()

    class Hanging:
        name = "hanging camera"

        def open(self) -> None:
            hanging.set()
            assert let_go.wait(PATIENCE)

        def frame(self, timeout: float = 3.0) -> Frame:
            raise CameraError(CameraSays.NO_USB_CAMERA, number=0)

        def close(self) -> None:
            pass

    host = Host(Config(), Options(tmp_path, simulate=True))
    host.camera = WatchedCamera(Hanging)
    with host:
        assert hanging.wait(PATIENCE)
        well = [host.is_well]
        host.camera.alive_at -= HANGING_SECONDS + 1  # as if that had been a while ago
        well.append(host.is_well)
        let_go.set()
    assert well == [True, False]


def test_the_port_is_that_of_the_socket_systemd_opened(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        host = Host(Config(), Options(tmp_path, simulate=True, sock=opened))
        assert host.port == opened.getsockname()[1]
        assert host.addresses[0].endswith(f":{host.port}")
        host.__exit__()


def test_the_c_library_takes_the_thrifty_settings() -> None:
    script = "import sys; from companion.host.thrift import be_thrifty; sys.exit(0 if be_thrifty() else 1)"
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=PATIENCE).returncode == 0


def test_a_press_while_players_still_decide_is_told_to_all(tmp_path: Path) -> None:
    with host_with_a_game(tmp_path) as host:
        host.table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"))))
        before = host.table.snapshot
        assert isinstance(host.panel, SimulatedPanel)
        for press in (Press.ROLLED, Press.SECOND):
            host.panel.press(press)
        assert host.table.snapshot.early == before.early + 1
