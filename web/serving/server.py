"""The server: waitress with room for streams, in a thread whose end is never overheard."""

import logging
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from waitress.adjustments import Adjustments

from boxlid.errors import BoxlidError, StatementKind
from web.access.guard import BIGGEST_PHOTOGRAPH, PHOTOGRAPH_PATH
from web.serving.door import Door
from web.serving.quiet import Quiet

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 48  # more than all streams and downloads together, so that taps never wait behind them
STACK_BYTES = 256 * 1024
MOST_CONNECTIONS = 200
IDLE_SECONDS = 60
MOST_BODY_BYTES = 64 * 1024  # above the guard's own limit, which answers in words; photographs have more
MOST_HEADER_BYTES = 16 * 1024
LOGS = ("waitress", "web", "web.serving.door")  # what callers can cause to be written there is bounded
MOST_WAITING_BYTES = 128 * 1024  # of one answer, for a phone that sleeps; a stream then waits too


class ServerFault(StatementKind):
    """Why an address is not served."""

    PORT_TAKEN = "server.port-taken"
    LOST = "server.lost"


class ServerError(BoxlidError):
    """The address cannot be served, or no longer."""


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=host == "::")
    except OSError as error:
        why = str(error.strerror)
        raise ServerError(ServerFault.PORT_TAKEN, port=port, host=host, why=why) from None


class Server:
    """The running server, in a thread of its own.

    Should that thread end by itself, `lost` is called and leaving the server raises: nobody lives on deaf.
    """

    def __init__(
        self,
        app: "WSGIApplication",
        host: str = "127.0.0.1",
        port: int = 0,
        sock: socket.socket | None = None,
        lost: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._socket = listen(host, port) if sock is None else sock
        self.port: int = self._socket.getsockname()[1]
        self._lost = lost
        self._is_lost = self._is_closing = False
        self._quiet = Quiet(clock)
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # full queues are expected, not news
        before = threading.stack_size(STACK_BYTES)
        try:
            self._door = _door(app, self._socket, clock)
        finally:
            threading.stack_size(before)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def __enter__(self) -> Self:
        for log in LOGS:
            logging.getLogger(log).addFilter(self._quiet)
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            self._door.run()
        finally:
            if not self._is_closing:
                self._is_lost = True
                self._lost()

    def close(self) -> None:
        """Hang up on all first: a stream that still writes needs the trigger that wakes the server's loop."""
        self._is_closing = True
        for log in LOGS:
            logging.getLogger(log).removeFilter(self._quiet)
        self._have_done(self._hang_up)
        self._door.task_dispatcher.shutdown(timeout=2)
        self._have_done(self._door._map.clear)  # what the loop lives on
        self._thread.join(timeout=5)
        self._door.close()  # not in the loop: if awake, it has work done before the trigger's pull is written

    def _have_done(self, work: Callable[[], None]) -> None:
        """By the server's loop, which owns the connections."""
        if self._thread.is_alive():
            self._door.trigger.pull_trigger(work)
        else:
            work()

    def _hang_up(self) -> None:
        self._door.del_channel()  # nobody new
        for channel in list(self._door.active_channels.values()):
            channel.handle_close()

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
        if self._is_lost and kind is None:
            raise ServerError(ServerFault.LOST, port=self.port)


def _door(app: "WSGIApplication", sock: socket.socket, clock: Callable[[], float]) -> Door:
    adjustments = Adjustments(
        sockets=[sock],
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
    about = (sock.family, sock.type, sock.proto, sock.getsockname())
    large = (PHOTOGRAPH_PATH, BIGGEST_PHOTOGRAPH)
    return Door(app, clock, large, _sock=sock, adj=adjustments, bind_socket=False, sockinfo=about)
