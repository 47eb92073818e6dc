"""The server: waitress with room for streams, and a doorkeeper that keeps idle strangers from filling it."""

import logging
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 48  # 16 more than streams, so that taps never wait behind them
STACK_BYTES = 256 * 1024
MOST_CONNECTIONS = 200
CROWDED = 150  # from here on, a new connection sends the oldest idle one away
IDLE_SECONDS = 60
MOST_BODY_BYTES = 64 * 1024  # above the guard's own limit, which answers in words
MOST_HEADER_BYTES = 16 * 1024
MOST_WAITING_BYTES = 128 * 1024  # of one answer, for a phone that sleeps; a stream then waits too


class ServerError(Exception):
    """The address cannot be served: which, why, what to do."""


def serve(
    app: "WSGIApplication", host: str = "0.0.0.0", port: int = 8000, sock: socket.socket | None = None
) -> None:
    """Serve until the process ends; `sock` is one that systemd opened."""
    with Server(app, host, port, sock) as server:
        server.wait()


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=host == "::")
    except OSError as error:
        todo = "choose another with --port, or stop the other program"
        raise ServerError(f"port {port} of {host} cannot be used ({error.strerror}); {todo}") from None


class Server:
    """The running server, in a thread of its own."""

    def __init__(
        self,
        app: "WSGIApplication",
        host: str = "127.0.0.1",
        port: int = 0,
        sock: socket.socket | None = None,
    ) -> None:
        self._socket = listen(host, port) if sock is None else sock
        self.port: int = self._socket.getsockname()[1]
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # full queues are expected, not news
        before = threading.stack_size(STACK_BYTES)
        try:
            self._server = create_server(
                app,
                sockets=[self._socket],
                threads=THREADS,
                connection_limit=MOST_CONNECTIONS,
                channel_request_lookahead=1,  # so that a stream notices a phone that left
                channel_timeout=IDLE_SECONDS,
                max_request_body_size=MOST_BODY_BYTES,
                max_request_header_size=MOST_HEADER_BYTES,
                outbuf_high_watermark=MOST_WAITING_BYTES,
                cleanup_interval=5,
                asyncore_use_poll=True,
                ident=None,
                clear_untrusted_proxy_headers=True,
            )
        finally:
            threading.stack_size(before)
        self._server.channel_class = _Channel
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def wait(self) -> None:
        self._thread.join()

    def close(self) -> None:
        """Hang up on all first: a stream that still writes needs the trigger that wakes the server's loop."""
        self._tell(self._hang_up)
        self._server.task_dispatcher.shutdown(timeout=2)
        told = self._tell(self._end)
        self._thread.join(timeout=5)
        if not told:
            self._end()
        self._socket.close()

    def _tell(self, work: Callable[[], None]) -> bool:
        """Have the server's loop do it; False if the loop ended by itself, as after an error of its door."""
        try:
            self._server.trigger.pull_trigger(work)
        except OSError:
            return False
        return True

    def _hang_up(self) -> None:
        self._server.del_channel()  # nobody new; told not to accept, waitress would close its trigger too
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()

    def _end(self) -> None:
        wasyncore.close_all(self._server._map, ignore_all=True)
        self._server.close()

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """An answer after which the connection ends.

    A sleeping phone's idle connections die unnoticed; it would ask for the newest state on one of those.
    """

    def build_response_header(self) -> bytes:
        self.set_close_on_finish()
        header: bytes = super().build_response_header()
        return header


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection; when it is one too many, the oldest that does nothing goes."""

    task_class = _Task

    def __init__(self, server: object, *rest: object, **more: object) -> None:
        super().__init__(server, *rest, **more)
        channels = list(self.server.active_channels.values())
        surplus = len(channels) - CROWDED
        if surplus > 0:
            idle = [channel for channel in channels if not channel.requests and channel is not self]
            idle.sort(key=lambda channel: float(channel.creation_time))
            for channel in idle[:surplus]:
                channel.will_close = True
