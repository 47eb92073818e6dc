"""Attacks on the server's threads: callers that do not read, streams and files without end, foreign pages."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask, Response

from companion.table.seats import MOST_SEATS
from tests.attacking import SMALL, Caller, as_installed
from tests.past_pages import with_past_games
from tests.waiting import PATIENCE, until
from tests.web_table import Clock, Stand, stand, wish
from tools.bench.attacks import taps_beside
from web.demo import MOST_VIEWERS
from web.serving.door import CROWDED, STALLED_SECONDS
from web.serving.downloads import MOST_FILES
from web.serving.live import MOST_DISPLAYS, MOST_OF_A_PHONE, MOST_STREAMS, Streams
from web.serving.server import MOST_WAITING_BYTES, THREADS, Server

LONG = 8_000_000  # bytes, more than any system keeps for a caller who does not read


def is_ended(caller: socket.socket) -> bool:
    """Whether the server hung up; what it had sent before is read first."""
    try:
        while caller.recv(SMALL):
            pass
    except ConnectionError:
        return True
    return True


# --- callers that do not read -----------------------------------------------------------------------------


@pytest.fixture
def endless() -> Iterator[tuple[Server, Clock, list[int]]]:
    """A server whose only page never ends, how many pieces it made, and `-1` for each that was ended."""
    made: list[int] = []
    app, clock = Flask(__name__), Clock()

    def pieces() -> Iterator[bytes]:
        try:
            while True:
                made.append(len(made))
                yield b"x" * 64 * 1024
        finally:
            made.append(-1)

    app.add_url_rule("/", "endless", lambda: Response(pieces()))
    app.add_url_rule("/long", "long", lambda: Response(b"x" * LONG))
    with Server(app, clock=clock) as server:
        yield server, clock, made


def stands_still(made: list[int]) -> bool:
    """Whether no more was made for a while."""
    before = len(made)
    return before > 0 and not until(lambda: len(made) != before, 0.5)


def test_output_that_nobody_takes_for_twenty_seconds_ends_its_connection(
    endless: tuple[Server, Clock, list[int]],
) -> None:
    server, clock, made = endless
    with Caller(server.port).call("/") as caller:
        assert until(lambda: stands_still(made))
        clock.now += STALLED_SECONDS - 1
        assert not until(lambda: made[-1] == -1, 2)  # it looks each second
        clock.now += 2
        assert until(lambda: made[-1] == -1)  # the thread is free again
        assert is_ended(caller)


def test_an_answer_that_waits_without_a_thread_ends_too(endless: tuple[Server, Clock, list[int]]) -> None:
    server, clock, _ = endless
    with Caller(server.port).call("/long") as caller:
        assert until(lambda: any(each.total_outbufs_len for each in server._door.active_channels.values()))
        assert until(lambda: not any(each.requests for each in server._door.active_channels.values()))
        clock.now += STALLED_SECONDS + 1
        assert until(lambda: not server._door.active_channels)
        assert is_ended(caller)


def test_who_takes_a_long_answer_slowly_gets_all_of_it(endless: tuple[Server, Clock, list[int]]) -> None:
    server, clock, _ = endless
    with Caller(server.port).call("/long") as caller, caller.makefile("rb") as answer:
        taken = len(answer.read(LONG // 8))
        while piece := answer.read(LONG // 8):
            taken += len(piece)
            clock.now += STALLED_SECONDS - 1
            server._door.pull_trigger()
            assert until(lambda: server._door._looks_at > clock.now)
    assert taken > LONG


def test_callers_that_do_not_read_are_sent_away_when_the_door_is_crowded(
    endless: tuple[Server, Clock, list[int]],
) -> None:
    server, _, _ = endless
    with ExitStack() as all_of_them:
        callers = [all_of_them.enter_context(Caller(server.port).call("/long")) for _ in range(CROWDED + 20)]
        with Caller(server.port).call("/long") as last:
            assert last.recv(SMALL)  # so all before were taken in
            assert until(lambda: len(server._door.active_channels) <= CROWDED)
        assert all(is_ended(caller) for caller in callers[:10])  # the oldest


def test_every_tap_of_a_seated_phone_is_kept_beside_hostile_callers() -> None:
    assert len(taps_beside(CROWDED + 50, 20)) == 20  # a tap that is refused or not answered raises


# --- live streams -----------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    found = stand(tmp_path)
    found.start()
    return found


def test_streams_that_one_phone_opens_one_after_another_hold_few_threads(here: Stand) -> None:
    streams = here.app.extensions["desk"].streams
    with as_installed(here) as server, ExitStack() as opened:
        for _ in range(THREADS + 10):
            opened.enter_context(Caller(server.port, seat=1).call("/api/live"))
        assert Caller(server.port, seat=0).ask("GET", "/api/view").status == 200
        assert len(streams._open) <= MOST_OF_A_PHONE


def test_a_superseded_stream_that_nobody_reads_is_closed(here: Stand) -> None:
    streams = here.app.extensions["desk"].streams

    def is_stuck() -> bool:
        wish(here.phone(0), "roll-virtual", seat=0)
        wish(here.phone(0), "reopen", seat=0)
        waiting = [channel.total_outbufs_len for channel in server._door.active_channels.values()]
        return max(waiting, default=0) > MOST_WAITING_BYTES

    with as_installed(here) as server, Caller(server.port, seat=1).call("/api/live") as older:
        assert until(lambda: len(streams._open) == 1)
        old = streams._open[0]
        assert until(is_stuck)
        with Caller(server.port, seat=1).call("/api/live") as newer:
            assert newer.recv(SMALL).startswith(b"HTTP/1.1 200")
            assert until(lambda: old not in streams._open)
            assert is_ended(older)


def test_the_streams_files_and_demos_that_may_be_open_leave_threads_for_taps() -> None:
    phones = MOST_SEATS * MOST_OF_A_PHONE + MOST_DISPLAYS
    assert phones <= MOST_STREAMS
    assert MOST_STREAMS + MOST_VIEWERS + MOST_FILES < THREADS


def test_a_phone_that_comes_back_again_and_again_never_takes_the_place_of_others() -> None:
    streams = Streams()
    mine = [streams.enter("mine") for _ in range(MOST_OF_A_PHONE + 2)]
    assert [ticket is not None for ticket in mine] == [True] * MOST_OF_A_PHONE + [False] * 2
    first = mine[0]
    assert first is not None
    streams.leave(first)
    assert streams.enter("mine") is not None
    assert len(streams) == 1


@pytest.mark.parametrize("seat", [None, 1], ids=["display", "phone"])
def test_head_on_a_stream_takes_no_place_and_supersedes_nobody(seat: int | None, here: Stand) -> None:
    streams = here.app.extensions["desk"].streams
    with as_installed(here) as server, Caller(server.port, seat=seat).call("/api/live") as mine:
        assert mine.recv(SMALL).startswith(b"HTTP/1.1 200")
        before = list(streams._open)
        for _ in range(MOST_DISPLAYS + 1):
            answer = Caller(server.port, seat=seat).ask("HEAD", "/api/live")
            assert (answer.status, answer.body) == (200, b"")
        assert streams._open == before
        assert not before[0].elsewhere.is_set()


# --- files ------------------------------------------------------------------------------------------------


def test_one_phone_that_takes_many_files_and_reads_none_holds_few_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = with_past_games(tmp_path)
    monkeypatch.setattr("web.past.history.record_line", lambda *_: "x" * 4_000_000)  # as after many evenings
    with as_installed(here) as server, ExitStack() as opened:
        mine = Caller(server.port, seat=0)
        callers = [opened.enter_context(mine.call("/history/games.jsonl")) for _ in range(MOST_FILES)]
        assert all(caller.recv(12) == b"HTTP/1.1 200" for caller in callers)
        refused = mine.ask("GET", "/history/games.jsonl")
        assert refused.status == 503
        assert int(refused.headers["Retry-After"]) > 0
        assert mine.ask("GET", "/api/view").status == 200
        here.clock.now += STALLED_SECONDS + 1
        assert until(lambda: _has_file(mine), PATIENCE)


def _has_file(caller: Caller) -> bool:
    """The clock may have leapt in the middle of this very call, which is let go then as well."""
    try:
        return caller.ask("GET", "/history/games.csv").status == 200
    except ConnectionError:
        return False


# --- pages of other sites ---------------------------------------------------------------------------------


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
@pytest.mark.parametrize("path", ["/api/live", "/api/view", "/api/picture.jpg", "/api/demo/live"])
def test_a_foreign_page_in_the_boxs_own_browser_gets_nothing_from_the_interface(
    path: str, method: str, site: str, here: Stand
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    answer = here.display().open(path, method=method, headers=headers)
    assert answer.status_code == 403
    assert len(here.app.extensions["desk"].streams) == 0


def test_a_foreign_page_takes_no_files_and_shows_none_of_ours(here: Stand) -> None:
    for how in (
        {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ):
        for path in ("/history/games.jsonl", "/qr.svg", "/table"):
            answer = here.display().get(path, headers={"Sec-Fetch-Site": "cross-site", **how})
            assert answer.status_code == 403


def test_a_link_on_a_foreign_page_leads_to_a_page_of_ours(here: Stand) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert here.phone().get("/join", headers=link).status_code == 200
    assert here.display().get("/api/view", headers=link).status_code == 403
