"""The door stays open: callers that break off, connections that cannot be made, a machine without room."""

import errno
import http.client
import os
import resource
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from flask import Flask

from tests.waiting import PATIENCE, until
from web.serving.door import REST_SECONDS, Channel
from web.serving.server import Server

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing resets the connection


@pytest.fixture
def server() -> Iterator[Server]:
    app = Flask(__name__)
    app.add_url_rule("/", view_func=lambda: "here")
    with Server(app) as found:
        yield found


def call(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


def answers(caller: socket.socket) -> bool:
    caller.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = http.client.HTTPResponse(caller)
    answer.begin()
    return answer.read() == b"here"


def take_all_room(fill: ExitStack) -> None:
    with suppress(OSError):
        while True:
            fill.callback(os.close, os.open(os.devnull, os.O_RDONLY))


def is_open(server: Server) -> bool:
    with call(server) as caller:
        return answers(caller)


def test_callers_that_hang_up_at_once_change_nothing(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(200):
        with call(server) as caller:
            if number % 2:
                caller.sendall(b"GET / HTTP/1.1\r\n")
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    assert is_open(server)
    assert caplog.records == []


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ECONNRESET, errno.EBADF, errno.ENOTCONN])
def test_a_caller_that_is_gone_before_it_is_taken_in_leaves_the_door_open(
    server: Server, number: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    for part in ("set_socket_options", "channel_class"):
        with monkeypatch.context() as patch:
            patch.setattr(server._door, part, gone)
            for _ in range(3):
                with call(server) as caller:
                    assert caller.recv(1) == b""  # it is let go
        assert is_open(server)
    words = [each.getMessage() for each in caplog.records]
    assert words == [f"a connection could not be taken in: {os.strerror(number)}"]  # once for all six


def test_a_fault_of_ours_at_one_connection_leaves_the_door_open(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(self: Channel, *_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    with monkeypatch.context() as patch:
        patch.setattr(Channel, "__init__", faulty)
        with call(server) as caller:
            assert until(lambda: bool(caplog.records))
    assert is_open(server)
    assert "a fault" in caplog.text
    assert caller.fileno() == -1


def test_without_room_for_a_connection_the_door_rests_and_opens_again(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as held:
        highest = max(int(each) for each in os.listdir("/proc/self/fd"))  # noqa: PTH208  # names, no paths
        held.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(highest + 8, 64), hard))
        caller = held.enter_context(socket.socket())
        caller.settimeout(PATIENCE)
        fill = held.enter_context(ExitStack())
        take_all_room(fill)
        caller.connect(("127.0.0.1", server.port))
        before = time.process_time()
        assert until(lambda: bool(caplog.records))
        assert not until(lambda: len(caplog.records) > 1, 2 * REST_SECONDS)
        assert time.process_time() - before < REST_SECONDS
        fill.close()
        assert answers(caller)
    words = "a connection could not be taken in: Too many open files"
    assert [each.getMessage() for each in caplog.records] == [words]
