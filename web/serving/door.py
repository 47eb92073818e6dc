"""The door: takes connections in, and stays open whatever a caller or a full machine does. Knows no pages."""

import errno
import logging
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from copy import copy

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

CROWDED = 150  # from here on, a new connection sends the oldest idle one away
STALLED_SECONDS = 20.0  # an answer that its caller does not take for so long ends with its connection
LOOK_SECONDS = 1.0  # between two looks for such answers
HANG_UP = "boxlid.hang_up"  # in a request's environment: ends its connection if the output waits
REST_SECONDS = 1.0  # until it tries again to take a connection in that the machine had no room for
QUIET_SECONDS = 60.0  # between two lines of the log about callers who could not be taken in
NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

MOST_LARGE_BODIES = 4  # on their way in at one time: they lie in a folder that may be memory

_log = logging.getLogger(__name__)


class Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """An answer after which the connection ends.

    A sleeping phone's idle connections die unnoticed; it would ask for the newest state on one of those.
    """

    def get_environment(self) -> dict[str, object]:
        environment: dict[str, object] = super().get_environment()
        environment[HANG_UP] = self.channel.hang_up
        return environment

    def build_response_header(self) -> bytes:
        self.response_headers.append(("Connection", "close"))  # before waitress 3 it has no method for both
        self.close_on_finish = True
        header: bytes = super().build_response_header()
        return header


class BusyError(Error):  # type: ignore[misc]  # waitress has no types
    """Another large body is on its way in."""

    code, reason = 503, "Service Unavailable"


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request; the one path that takes a large body takes one from each caller at a time, a few in all."""

    large = False

    def __init__(self, channel: "Channel") -> None:
        super().__init__(channel.adj)
        self._channel = channel

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        server = self._channel.server
        if self.command != "POST" or self.path != server.large_path:
            return
        others = server.callers_with_large_bodies()
        if self._channel.addr[0] in others or len(others) >= MOST_LARGE_BODIES:
            self.body_rcv, self.content_length = None, 0  # is not read: the answer goes out at once
            self.error = BusyError("another picture is on its way")
            return
        self.large = True
        self.adj = copy(self._channel.adj)
        self.adj.max_request_body_size = server.large_bytes + 1  # waitress refuses what has as many


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection; when it is one too many, the oldest that does nothing goes."""

    task_class = Task

    def parser_class(self, _: object) -> Parser:
        return Parser(self)

    def __init__(self, server: "Door", *rest: object, **more: object) -> None:
        super().__init__(server, *rest, **more)
        self._moved_at = server.clock()
        channels = list(self.server.active_channels.values())
        surplus = len(channels) - CROWDED
        if surplus > 0:
            idle = [channel for channel in channels if not channel.requests and channel is not self]
            idle.sort(key=lambda channel: float(channel.creation_time))
            for channel in idle[:surplus]:
                channel.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close)
        if sent:
            self._moved_at = self.server.clock()
        return sent

    @property
    def has_large_body(self) -> bool:
        return any(getattr(each, "large", False) for each in (self.request, *self.requests))

    def is_stalled(self, now: float) -> bool:
        """Whether output waits that nobody has taken any of for long.

        Waitress would wait for such a caller as long as he likes, and a stream's thread with it.
        """
        if not self.total_outbufs_len:
            self._moved_at = now
        return bool(now - self._moved_at >= STALLED_SECONDS)

    def hang_up(self) -> None:
        """From whatever thread: the connection ends at once if its output waits for the caller."""
        if self.total_outbufs_len:
            self.server.trigger.pull_trigger(self.handle_close)


class Door(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Waitress's listener, which would close itself for good at an error while it makes a connection."""

    channel_class = Channel

    _rests_until = 0.0
    _quiet_until = 0.0
    _looks_at = 0.0

    def __init__(
        self, app: object, clock: Callable[[], float], large: tuple[str, int], **more: object
    ) -> None:
        self.clock = clock
        self.large_path, self.large_bytes = large  # the one path that takes large bodies, and how large
        super().__init__(app, **more)

    def readable(self) -> bool:
        """A caller for whom there is no room would wake the loop again at once, all the time."""
        self._end_stalled()
        return bool(super().readable()) and time.monotonic() >= self._rests_until

    def handle_accept(self) -> None:
        try:
            taken = self.accept()
            if taken is not None:
                self._take_in(*taken)
        except OSError as error:  # the caller is gone already, or there is no room
            if error.errno in NO_ROOM:
                self._rests_until = time.monotonic() + REST_SECONDS
            self._say(error)

    def _take_in(self, caller: socket.socket, address: object) -> None:
        with ExitStack() as failed:
            failed.callback(caller.close)
            self.set_socket_options(caller)
            self.channel_class(self, caller, address, self.adj, map=self._map)
            failed.pop_all()

    def set_socket_options(self, conn: socket.socket) -> None:
        """A phone out of reach says no goodbye; by itself the machine tries for a quarter of an hour."""
        super().set_socket_options(conn)
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALLED_SECONDS * 1000))

    def callers_with_large_bodies(self) -> list[str]:
        """The addresses whose large bodies come in or are worked on now."""
        channels = list(self.active_channels.values())
        return [str(channel.addr[0]) for channel in channels if channel.has_large_body]

    def _end_stalled(self) -> None:
        now = self.clock()
        if now < self._looks_at:
            return
        self._looks_at = now + LOOK_SECONDS
        for channel in list(self.active_channels.values()):
            if channel.is_stalled(now):
                channel.handle_close()

    def handle_error(self) -> None:
        """A connection that cannot be made is a fault of ours, but no reason to send all others away."""
        _log.error("a connection could not be taken in", exc_info=True)

    def handle_close(self) -> None:
        """The listening socket itself is broken: the loop ends, and whoever runs it hears of it."""
        _log.critical("the socket that listens for phones is broken")
        self._map.clear()

    def _say(self, error: OSError) -> None:
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + QUIET_SECONDS
            _log.warning("a connection could not be taken in: %s", error.strerror)
