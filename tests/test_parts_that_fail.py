"""A part beside the phones that fails or hangs stops no other part and no game, and all are told of it."""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.game import Phase, Rolled, Setup
from companion.host import Host, Options, joined
from companion.process.fault_barrier import BoxPart, FaultBarrier, out_of_order
from companion.rules import Roll
from companion.settings.config import Config
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command
from companion.view.lamps import Lamps, Light, Status, is_lit, lamps
from companion.view.sayings import Saying
from hardware import real, voice
from hardware.panel import Press
from hardware.pins import Pins
from hardware.real import RealPanel
from hardware.spoken import sentence
from hardware.voice import Voice
from tests.tabling import Clock
from tests.waiting import PATIENCE, until
from web import create_app

ROLL = Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(Config(), Options(tmp_path, simulate=True)) as opened:
        yield opened


def draw_lots(host: Host) -> None:
    """Two players, and the lot says who begins: it is over a moment later."""
    for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
        host.table.play(Command(SeatTaken(name, mark, None)))
    host.table.play(Command(GameStarted(Setup(("Anna", "Max"))), by_lot=True))
    until_table(host, lambda now: now.lot_ends_at is None)


def until_table(host: Host, holds: Callable[[Snapshot], bool]) -> Snapshot:
    snapshot = host.table.snapshot
    while not holds(snapshot):
        newer = host.table.wait(snapshot.version, PATIENCE)
        assert newer.version != snapshot.version, f"it stayed {snapshot.moment}, {snapshot.broken}"
        snapshot = newer
    return snapshot


def screen(host: Host) -> FlaskClient:
    """The table's own display."""
    client = host.app.test_client()
    client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    return client


def health_of(host: Host, part: str, language: str = "en") -> list[tuple[str, str]]:
    answer = screen(host).get("/api/health", headers={"Accept-Language": language}).get_json()
    return [(fact["state"], fact["text"]) for fact in answer["facts"] if fact["name"] == part]


def test_lamps_that_fail_stop_neither_the_lot_nor_the_dice_and_are_told(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail_at_the_lot(snapshot: Snapshot, *, watching: bool = False) -> Lamps:
        if snapshot.game is not None:
            raise KeyError("no such light")
        return lamps(snapshot, watching=watching)

    monkeypatch.setattr(joined, "lamps", fail_at_the_lot)
    draw_lots(host)
    until_table(host, lambda now: now.broken == (BoxPart.LAMPS,))
    assert screen(host).get("/api/view").get_json()["view"]["broken"] == ["lamps"]
    assert health_of(host, "lamps") == [("wrong", "broke down: KeyError: 'no such light'")]
    host.table.play(Command(ROLL))
    assert until_table(host, lambda now: now.game is not None and now.game.phase is Phase.FIRST)
    monkeypatch.setattr(joined, "lamps", lamps)
    host.show_again()
    until_table(host, lambda now: now.broken == ())
    said = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in said] == ["lamps out of order"]  # once, with its traceback


def test_what_broke_down_before_and_works_again_is_still_told(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(snapshot: Snapshot, *, watching: bool = False) -> Lamps:
        raise KeyError("no such light")

    monkeypatch.setattr(joined, "lamps", fail)
    host.show_again()
    until_table(host, lambda now: now.broken == (BoxPart.LAMPS,))
    monkeypatch.setattr(joined, "lamps", lamps)
    host.show_again()
    until_table(host, lambda now: now.broken == ())
    assert health_of(host, "Lampen", "de") == [
        ("note", "geht wieder; zuvor versagte: KeyError: 'no such light'")
    ]


def test_lamps_that_hang_stop_neither_the_lot_nor_the_hands(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, may_go_on = threading.Event(), threading.Event()

    def hang(snapshot: Snapshot, *, watching: bool = False) -> Lamps:
        hangs.set()
        assert may_go_on.wait(PATIENCE)
        return Lamps()

    monkeypatch.setattr("companion.process.fault_barrier.HANGS_AFTER_SECONDS", 0.3)
    monkeypatch.setattr(joined, "lamps", hang)
    host.show_again()
    assert hangs.wait(PATIENCE)
    draw_lots(host)
    until_table(host, lambda now: BoxPart.LAMPS in now.broken)
    (told,) = health_of(host, "lamps")
    assert told[0] == "wrong"
    assert "has not answered for" in told[1]
    may_go_on.set()
    until_table(host, lambda now: now.broken == ())


def test_hands_that_fail_at_a_simulated_table_stop_no_game(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.hands is not None

    def fail(snapshot: Snapshot) -> None:
        raise RuntimeError("butterfingers")

    monkeypatch.setattr(host.hands, "follow", fail)
    draw_lots(host)
    until_table(host, lambda now: now.broken == (BoxPart.DICE,))


def test_a_sentence_that_cannot_be_made_leaves_the_voice_its_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard = list[str]()

    def fail_at_two(saying: Saying, language: str) -> str:
        if saying.number == 2:
            raise KeyError("say.white_sum")
        return sentence(saying, language)

    monkeypatch.setattr(voice, "sentence", fail_at_two)
    speaking = Voice("en", speaker=lambda text, *_: heard.append(text))
    speaking.say([Saying("white_sum", number=2)])
    assert speaking.wait_until_silent(PATIENCE)
    assert out_of_order([speaking.barrier]) == (BoxPart.VOICE,)
    speaking.say([Saying("white_sum", number=3)])
    assert speaking.wait_until_silent(PATIENCE)
    assert heard == ["White: 3."]
    assert out_of_order([speaking.barrier]) == ()
    speaking.close()


def test_a_voice_that_is_not_heard_is_told_by_the_health_page(host: Host) -> None:
    def mute(text: str, language: str, volume: int) -> None:
        raise OSError("espeak-ng ended with 1: no sound card")

    host.voice = Voice("en", speaker=mute)
    host.app = create_app(host.table, host.services())
    host.voice.say([Saying("white_sum", number=2)])
    assert host.voice.wait_until_silent(PATIENCE)
    (told,) = health_of(host, "Lautsprecher", "de")
    assert told == (
        "note",
        "die Stimme schweigt: espeak-ng ended with 1: no sound card; versuchen: espeak-ng hello",
    )
    host.voice.close()


def test_a_lamp_whose_pin_fails_keeps_the_others_lit_and_is_lit_once_it_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    panel, fails = RealPanel(Pins(), factory), threading.Event()

    def lit_or_fail(pattern: str, tick: int) -> bool:
        if fails.is_set():
            raise OSError("GPIO busy")
        return is_lit(pattern, tick)

    monkeypatch.setattr(real, "is_lit", lit_or_fail)
    fails.set()
    panel.show(Lamps((Light.ON,) * 5, status=Status.READY))
    assert until(lambda: out_of_order(panel.barriers) == (BoxPart.LAMPS,))
    fails.clear()
    assert until(lambda: all(factory.pin(pin).state for pin in (17, 27, 19)))
    assert until(lambda: out_of_order(panel.barriers) == ())
    panel.close()


def test_a_press_that_breaks_down_leaves_the_buttons_their_next_one() -> None:
    factory, told = MockFactory(pin_class=MockPWMPin), list[Press]()
    panel = RealPanel(Pins(), factory)

    def tell(press: Press) -> None:
        told.append(press)
        if len(told) == 1:
            raise RuntimeError("no such press")

    panel.on_press(tell)
    factory.pin(6).drive_low()
    assert out_of_order(panel.barriers) == (BoxPart.BUTTONS,)
    factory.pin(6).drive_high()
    factory.pin(6).drive_low()
    assert told == [Press.SECOND, Press.SECOND]
    assert out_of_order(panel.barriers) == ()
    panel.close()


def test_a_call_that_takes_long_is_told_while_it_does() -> None:
    clock = Clock()
    barrier = FaultBarrier(BoxPart.VOICE, clock)
    with barrier:
        clock.now += 30
        assert not barrier.hanging_seconds
        clock.now += 1
        assert barrier.hanging_seconds == 31
    assert not barrier.hanging_seconds


def test_who_stops_the_program_is_held_back_by_no_barrier() -> None:
    with pytest.raises(KeyboardInterrupt), FaultBarrier(BoxPart.LAMPS):
        raise KeyboardInterrupt
