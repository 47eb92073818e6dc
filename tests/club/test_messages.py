"""Messages from the broker: those of a box are read, anything else is refused in one line."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.board import Board
from companion.club.messages import MessageError, read_message
from companion.club.values import Availability, Result, Scored, Status, TableState
from tests.club import payloads


def refused(topic: str, payload: bytes) -> str:
    with pytest.raises(MessageError) as caught:
        read_message("boxlid", topic, payload)
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 300
    return said


def changed(payload: bytes, **fields: object) -> bytes:
    return json.dumps({**json.loads(payload), **fields}).encode()


def test_what_a_box_publishes_is_read() -> None:
    told = read_message("club/one", "club/one/kitchen/state", payloads.state("kitchen"))
    assert isinstance(told, TableState)
    assert (told.players, told.active, told.deciding) == (("Anna", "Ben"), "Anna", ("Ben",))
    assert (told.white, told.closed, told.scores, told.turn) == (7, ("green",), (7, 17), 3)
    assert told.since == 1795197791.25
    lobby = read_message("boxlid", "boxlid/kitchen/state", payloads.lobby("kitchen"))
    assert isinstance(lobby, TableState)
    assert (lobby.phase, lobby.players) == ("lobby", ())
    assert read_message("boxlid", "boxlid/kitchen/available", b"online") == Availability(
        "kitchen", online=True
    )
    result = read_message(
        "boxlid", "boxlid/kitchen/result", payloads.result("kitchen", {"Anna": 72}, "h:1", 5)
    )
    assert isinstance(result, Result)
    assert (result.id, result.revision, result.players) == ("h:1", 5, (Scored("Anna", 72),))
    assert result.ended - result.started == pytest.approx(2968.863)


def test_a_game_that_goes_on_after_all_has_no_players_and_no_end() -> None:
    payload = payloads.result("kitchen", {}, status="reopened", ended=None)
    told = read_message("boxlid", "boxlid/kitchen/result", payload)
    assert isinstance(told, Result)
    assert (told.status, told.players, told.ended) == (Status.REOPENED, (), told.started)


def test_what_the_club_does_not_read_is_left_alone() -> None:
    for topic in ("event", "lamp/red", "command/rolled"):
        assert read_message("boxlid", f"boxlid/kitchen/{topic}", b"\xff") is None
    assert read_message("boxlid", "boxlid/kitchen/state", b"") is None  # a retained message taken away


STATE, RESULT = payloads.state("kitchen"), payloads.result("kitchen", {"Anna": 72})
WRONG = {
    "of another box": ("boxlid/parlour/state", STATE, "a table speaks for itself only"),
    "of a megabyte": ("boxlid/kitchen/state", b" " * 1_000_000 + STATE, "16384 bytes at most, got 1000"),
    "of invalid UTF-8": ("boxlid/kitchen/state", b'{"box":"\xff"}', "not UTF-8 at byte 8"),
    "of no JSON": ("boxlid/kitchen/state", b"{", "no JSON"),
    "too deep": ("boxlid/kitchen/state", b"[" * 16_000, "no JSON"),
    "a number that is none": ("boxlid/kitchen/state", b'{"box":NaN}', "NaN is no number"),
    "of half a character": ("boxlid/kitchen/state", changed(STATE, phase="\ud800"), "whole characters"),
    "no object": ("boxlid/kitchen/state", b"[]", "a JSON object"),
    "of another version": ("boxlid/kitchen/result", changed(RESULT, version=2), "version 1 is known, got 2"),
    "of no name": ("boxlid/Kitchen!/state", STATE, "no table is called so"),
    "of a name of lines": ("boxlid/a\nb/state", STATE, "no table is called so"),
    "of the club's own": ("boxlid/club/state", STATE, "no table is called so"),
    "a strange availability": ("boxlid/kitchen/available", b"maybe\n", "online or offline wanted"),
    "a strange status": ("boxlid/kitchen/result", changed(RESULT, status="won"), 'status = "won": allowed'),
    "without players": (
        "boxlid/kitchen/result",
        changed(RESULT, players=[]),
        "the players of a result that is final",
    ),
    "of a crowd": ("boxlid/kitchen/state", changed(STATE, players=[{}] * 9), "allowed is a list of up to 8"),
    "without an id": ("boxlid/kitchen/result", changed(RESULT, id=""), 'id = "": allowed is'),
    "of a strange revision": (
        "boxlid/kitchen/result",
        changed(RESULT, revision=True),
        "revision = true: allowed is a whole number",
    ),
    "of a huge revision": (
        "boxlid/kitchen/result",
        changed(RESULT, revision=2**70),
        "revision = 9999…: allowed is a whole number",
    ),
    "of a time without zone": (
        "boxlid/kitchen/result",
        changed(RESULT, started="2026-11-20T18:00"),
        "with its zone",
    ),
    "of no time": (
        "boxlid/kitchen/result",
        changed(RESULT, started="yesterday"),
        'started = "yesterday": allowed is a time',
    ),
    "of strange points": (
        "boxlid/kitchen/result",
        changed(RESULT, players=[{"name": "Anna", "points": 1e300}]),
        "players[1].points = 1e+300: allowed is a whole number",
    ),
    "of a name that nobody reads": (
        "boxlid/kitchen/result",
        changed(RESULT, players=[{"name": "x" * 25, "points": 1}]),
        "allowed is a name of 1 to 24 letters",
    ),
    "of a seat that is none": ("boxlid/kitchen/state", changed(STATE, active=7), "active = 7: allowed is"),
    "of deciding nobody": (
        "boxlid/kitchen/state",
        changed(STATE, deciding=[4]),
        "deciding = [4]: allowed is seats from 0 to 1",
    ),
    "of dice that are none": (
        "boxlid/kitchen/state",
        changed(STATE, dice=[{"colour": "red", "pips": 7}]),
        "dice[1].pips = 7: allowed is a whole number",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_message_is_refused_in_one_line(what: str) -> None:
    topic, payload, said = WRONG[what]
    assert said in refused(topic, payload)


@given(st.sampled_from(["available", "state", "result"]), st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(what: str, payload: bytes) -> None:
    if payload not in (b"", b"online", b"offline"):
        refused(f"boxlid/kitchen/{what}", payload)


SCRAPS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(["state", "result"]), st.data())
def test_no_field_does_more_than_be_refused(what: str, data: st.DataObject) -> None:
    payload = json.loads(STATE if what == "state" else RESULT)
    payload[data.draw(st.sampled_from(sorted(payload)))] = data.draw(SCRAPS)
    with suppress(MessageError):
        told = read_message("boxlid", f"boxlid/kitchen/{what}", json.dumps(payload).encode())
        if isinstance(told, TableState):
            Board().take(told)  # and what was not refused can be shown


def test_an_older_state_of_the_same_run_is_dropped_and_a_page_is_sent_what_changed() -> None:
    board = Board()

    def take(box: str, sequence: int, **more: Any) -> bool:
        told = read_message("boxlid", f"boxlid/{box}/state", payloads.state(box, sequence, **more))
        assert isinstance(told, TableState)
        return board.take(told)

    assert take("kitchen", 2)
    assert take("parlour", 1)
    first = board.since(0)
    assert len(first.tables) == 2
    assert not take("kitchen", 1, turn=2)
    assert not take("kitchen", 3)  # says the same again
    assert board.since(first.number).tables == ()
    assert take("kitchen", 4, turn=4)
    assert take("parlour", 1, run="another", turn=9)
    assert board.take(Availability("parlour", online=False))
    assert not board.take(Availability("parlour", online=False))
    changes = board.since(first.number)
    shown = [json.loads(text) for text in changes.tables]
    assert [(card["box"], card["turn"], card["online"]) for card in shown] == [
        ("kitchen", 4, True),
        ("parlour", 9, False),
    ]
    assert [card.box for card in board.cards()] == ["kitchen", "parlour"]
