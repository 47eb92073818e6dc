"""Streams: the newest view at once, numbered, one for each phone, never more than there is room for."""

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.seats import SeatHeld
from tests.web_table import Stand, stand, wish
from web.serving.live import MOST_DISPLAYS, MOST_STREAMS, Streams
from web.serving.server import THREADS


def events(stand_: Stand, seat: int | None) -> Iterator[str]:
    """The events of a stream, as its bytes come."""
    client = stand_.phone(seat) if seat is not None else stand_.display()
    answer = client.get("/api/live", buffered=False)
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    for piece in answer.iter_encoded():
        yield from (each for each in piece.decode().split("\n\n") if each)


def message(event: str) -> dict[str, object]:
    found = re.search(r"^data: (.*)$", event, re.M)
    assert found is not None
    content = json.loads(found[1])
    assert isinstance(content, dict)
    return content


def later(work: object) -> threading.Timer:
    timer = threading.Timer(0.05, work)  # type: ignore[arg-type]
    timer.start()
    return timer


def test_the_first_message_comes_at_once_and_the_next_with_the_change(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    stream = events(here, 1)
    first = message(next(stream))
    later(lambda: here.roll("W3 W4 R2 Y5 G6 B1"))
    second = message(next(stream))
    assert first["run"] == second["run"]
    assert int(str(second["sequence"])) > int(str(first["sequence"]))
    view = second["view"]
    assert isinstance(view, dict)
    assert view["game"]["white_sum"] == 7


def test_a_slow_phone_gets_the_newest_state_and_no_backlog(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    stream = events(here, 1)
    next(stream)
    for _ in range(5):
        wish(here.phone(0), "roll-virtual", seat=0)
        wish(here.phone(0), "reopen", seat=0)
    newest = here.table.snapshot.version
    view = message(next(stream))["view"]
    assert isinstance(view, dict)
    assert view["version"] == newest


def test_a_stream_says_that_a_phone_asks_for_a_seat(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    stream = events(here, 0)
    next(stream)
    here.phone().post("/api/asks", json={"seat": 1, "code": "K7QX"}, headers={"Origin": "http://localhost"})
    asks = message(next(stream))["asks"]
    assert isinstance(asks, list)
    assert asks[0]["name"] == "Ben"


def test_a_phone_that_lost_its_seat_is_told_and_its_stream_ends(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    stream = events(here, 1)
    next(stream)
    later(lambda: here.play(SeatHeld(1, None)))
    assert list(stream) == ["event: gone\ndata: {}"]


def test_the_newest_stream_of_a_phone_wins(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    older, newer = events(here, 0), events(here, 0)
    next(older)
    next(newer)
    assert list(older) == ["event: elsewhere\ndata: {}"]
    later(lambda: here.roll("W3 W4 R2 Y5 G6 B1"))
    assert "white_sum" in next(newer)


def test_a_seated_phone_finds_a_place_when_displays_have_filled_theirs(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    streams = [events(here, None) for _ in range(MOST_DISPLAYS)]
    for each in streams:
        next(each)
    full = here.display().get("/api/live")
    assert full.status_code == 503
    assert int(full.headers["Retry-After"]) > 0
    assert here.display().get("/api/view").status_code == 200  # it polls instead
    assert "white_sum" in next(events(here, 0))


def test_a_place_is_free_again_when_its_stream_ends(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    for _ in range(MOST_DISPLAYS + 3):
        stream = events(here, None)
        next(stream)
        stream.close()  # type: ignore[attr-defined]


def test_streams_never_take_every_thread() -> None:
    assert MOST_STREAMS < THREADS
    streams = Streams()
    tickets = [streams.enter(f"phone {n}") for n in range(MOST_STREAMS)]
    assert all(tickets)
    assert streams.enter("one more") is None
    assert streams.enter("phone 3") is not None  # a phone that comes back takes its own place
    assert len(streams) == MOST_STREAMS


@pytest.mark.parametrize("path", ["/api/view", "/api/wishes"])
def test_answers_carry_the_same_numbers_as_the_stream(path: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    stream = events(here, 0)
    first = message(next(stream))
    phone = here.phone(0)
    answer = phone.get(path) if path == "/api/view" else wish(phone, "roll-virtual", seat=0)
    content = answer.get_json()
    assert content["run"] == first["run"]
    if path == "/api/view":
        assert content["sequence"] == first["sequence"]
    else:
        assert message(next(stream)) == content
