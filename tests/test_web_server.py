"""The server as it runs: streams that end, strangers that fill it, sockets that systemd opened."""

import contextlib
import ctypes
import http.client
import select
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, Response

from tests.waiting import PATIENCE, until
from tests.web_table import TOKENS, Stand, stand
from tests.wording import refused
from web.access.guard import BIGGEST_BODY
from web.access.identity import PHONE_COOKIE
from web.serving import door
from web.serving.door import CROWDED
from web.serving.server import MOST_BODY_BYTES, MOST_CONNECTIONS, Server, ServerError, listen

SO_ATTACH_FILTER = 26  # of Linux; Python has no name for it


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    found = stand(tmp_path)
    found.start()
    return found


@pytest.fixture
def server(here: Stand) -> Iterator[Server]:
    with Server(here.app) as found:
        yield found


def get(port: int, path: str, seat: int | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {} if seat is None else {"Cookie": f"{PHONE_COOKIE}={TOKENS[seat]}"}
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def test_a_page_is_served_and_its_connection_ends(server: Server) -> None:
    answer = get(server.port, "/")
    assert answer.status == 200
    assert answer.headers["Connection"] == "close"
    assert "Server" not in answer.headers or "waitress" not in answer.headers["Server"]


def test_a_stream_follows_the_table(here: Stand, server: Server) -> None:
    answer = get(server.port, "/api/live", seat=1)
    assert answer.readline().startswith(b"id: ")
    here.roll("W3 W4 R2 Y5 G6 B1")
    lines = iter(answer.readline, b"")
    assert next(line for line in lines if b'"white_sum":7' in line)


def test_a_phone_that_left_frees_its_place(here: Stand, server: Server) -> None:
    streams = here.app.extensions["desk"].streams
    answer = get(server.port, "/api/live", seat=1)
    assert answer.readline()
    assert len(streams) == 1
    answer.close()
    for _ in range(int(PATIENCE / 0.1)):
        if not len(streams):
            break
        here.table.wait(here.table.snapshot.version, 0.1)  # nothing happens at the table meanwhile
    assert len(streams) == 0


def test_a_phone_out_of_reach_frees_its_place_without_a_goodbye(
    here: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "STALLED_SECONDS", 0.5)
    streams = here.app.extensions["desk"].streams
    with Server(here.app) as server, socket.create_connection(("127.0.0.1", server.port), PATIENCE) as phone:
        cookie = f"{PHONE_COOKIE}={TOKENS[1]}"
        phone.sendall(f"GET /api/live HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        assert phone.recv(1)
        out_of_reach(phone)
        here.roll("W3 W4 R2 Y5 G6 B1")
        assert until(lambda: not len(streams))


def out_of_reach(caller: socket.socket) -> None:
    """Nothing that is sent to it arrives any more, and nobody is told: its packets are filtered away."""
    none = struct.pack("HBBI", 0x06, 0, 0, 0)  # a filter's one instruction: take nothing of the packet
    instruction = ctypes.create_string_buffer(none)
    caller.setsockopt(
        socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(instruction))
    )


def test_strangers_who_fill_the_server_are_sent_away_oldest_first(server: Server) -> None:
    strangers = [
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(MOST_CONNECTIONS)
    ]
    try:
        assert get(server.port, "/").status == 200
        assert strangers[0].recv(1) == b""  # the first one was closed
    finally:
        for each in strangers:
            each.close()
    assert CROWDED < MOST_CONNECTIONS


def test_a_huge_body_is_refused_before_it_is_read(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("POST", "/api/wishes")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(1 << 30))
    connection.endheaders()
    with contextlib.suppress(ConnectionError):
        connection.send(b"{" * 1024)
    assert connection.getresponse().status == 413
    assert MOST_BODY_BYTES > BIGGEST_BODY


def test_a_taken_port_is_said_in_one_line(here: Stand, server: Server) -> None:
    with refused(ServerError, match=r"port \d+ of 127.0.0.1 cannot be used .*--port"):
        Server(here.app, "127.0.0.1", server.port)


def test_a_socket_that_systemd_opened_is_used(here: Stand) -> None:
    sock = listen("127.0.0.1", 0)
    with Server(here.app, sock=sock) as server:
        assert server.port == sock.getsockname()[1]
        assert get(server.port, "/").status == 200


def test_stopping_ends_open_streams_without_a_word(here: Stand, caplog: pytest.LogCaptureFixture) -> None:
    with Server(here.app) as server:
        answer = get(server.port, "/api/live", seat=0)
        assert answer.readline()
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        answer.read()
    assert caplog.records == []


def test_a_stream_to_a_phone_that_sleeps_waits_and_piles_nothing_up() -> None:
    piece, pieces, made = b"x" * 64 * 1024, 500, list[int]()
    app = Flask(__name__)

    def stream() -> Iterator[bytes]:
        for number in range(pieces):
            made.append(number)
            yield piece

    app.add_url_rule("/", view_func=lambda: Response(stream()))
    with Server(app) as server, socket.socket() as phone:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        phone.connect(("127.0.0.1", server.port))
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deadline = time.monotonic() + PATIENCE
        before = -1
        while len(made) != before and time.monotonic() < deadline:  # until it makes no more
            before = len(made)
            select.select([], [], [], 0.5)
        assert 0 < len(made) < pieces / 2


def test_a_loop_that_is_awake_already_is_stopped_without_an_error(
    here: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(here.app)
    with server:
        trigger = server._door.trigger
        pull = trigger._physical_pull

        def pull_late() -> None:
            """Another thread wakes the loop between the note of the work and our own pull."""
            pull()
            assert until(lambda: trigger.thunks == [])
            pull()

        monkeypatch.setattr(trigger, "_physical_pull", pull_late)
    assert not server._thread.is_alive()


def test_a_server_that_breaks_down_is_told_and_does_not_end_in_silence(
    here: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    lost = threading.Event()
    server = Server(here.app, lost=lost.set)
    told = refused(ServerError, match=r"port \d+ is served no more, .*start Boxlid again")
    with told, server, get(server.port, "/api/live", seat=0) as answer:
        assert answer.readline()
        server._door.trigger.pull_trigger(server._door.handle_close)  # as at an error of the listening socket
        assert lost.wait(PATIENCE)
    assert [each.getMessage() for each in caplog.records] == ["the socket that listens for phones is broken"]
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", server.port)) != 0
