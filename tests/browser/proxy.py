"""A TCP proxy that can go deaf: sockets stay open, nothing passes. The network as a phone wakes up to it."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

from tests.waiting import PATIENCE


class DeafProxy:
    """Passes everything on until `go_deaf`; connections made afterwards pass again."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._mutex = threading.Lock()
        self._deaf: set[socket.socket] = set()
        self._open: set[socket.socket] = set()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def go_deaf(self) -> int:
        """From now on nothing passes on the connections there are; returns how many."""
        with self._mutex:
            self._deaf = set(self._open)
            return len(self._deaf) // 2

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                with self._mutex:
                    self._open |= {near, far}
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._mutex:
                    deaf = source in self._deaf
                if not deaf:
                    sink.sendall(data)
            with self._mutex:
                deaf = source in self._deaf
            if not deaf:
                sink.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._mutex:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
        self._thread.join(timeout=PATIENCE)
