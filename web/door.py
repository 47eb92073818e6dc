"""The door: takes connections in, and stays open whatever a caller or a full machine does. Knows no pages."""

import errno
import logging
import socket
import time
from contextlib import ExitStack

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

CROWDED = 150  # from here on, a new connection sends the oldest idle one away
REST_SECONDS = 1.0  # until it tries again to take a connection in that the machine had no room for
QUIET_SECONDS = 60.0  # between two lines of the log about callers who could not be taken in
NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

_log = logging.getLogger(__name__)


class Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """An answer after which the connection ends.

    A sleeping phone's idle connections die unnoticed; it would ask for the newest state on one of those.
    """

    def build_response_header(self) -> bytes:
        self.set_close_on_finish()
        header: bytes = super().build_response_header()
        return header


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection; when it is one too many, the oldest that does nothing goes."""

    task_class = Task

    def __init__(self, server: object, *rest: object, **more: object) -> None:
        super().__init__(server, *rest, **more)
        channels = list(self.server.active_channels.values())
        surplus = len(channels) - CROWDED
        if surplus > 0:
            idle = [channel for channel in channels if not channel.requests and channel is not self]
            idle.sort(key=lambda channel: float(channel.creation_time))
            for channel in idle[:surplus]:
                channel.will_close = True


class Door(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Waitress's listener, which would close itself for good at an error while it makes a connection."""

    channel_class = Channel

    _rests_until = 0.0
    _quiet_until = 0.0

    def readable(self) -> bool:
        """A caller for whom there is no room would wake the loop again at once, all the time."""
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
