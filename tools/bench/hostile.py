"""Callers that mean harm, in a process of their own: silent, slow, deaf and loud ones, as many as wanted."""

import contextlib
import itertools
import multiprocessing
import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

CALLERS = 200
EVERY_SECONDS = 0.05
SMALL = 4096  # bytes that a deaf caller takes in


@contextmanager
def hostile(port: int, callers: int = CALLERS) -> Iterator[None]:
    """They call as long as the block lasts; whoever is sent away calls again."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_call, args=(theirs, port, callers), daemon=True
    )
    process.start()
    try:
        ours.recv()
        yield
    finally:
        ours.send("stop")
        process.join(timeout=10)


_OPENINGS = (
    b"",  # silent
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",  # slow: a byte now and then
    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n",  # deaf
    b"GET /help HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /history/games.jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/wishes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n[[[[",
    b"POST /api/wishes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Origin: http://localhost\r\nContent-Length: 16000\r\n\r\n" + b"[" * 16_000,  # loud
    b"\x00\xff" * 2_000,
)


def _call(pipe: Connection, port: int, callers: int) -> None:
    openings = itertools.cycle(_OPENINGS)
    with selectors.DefaultSelector() as watch:
        held = [_one(watch, port, next(openings)) for _ in range(callers)]
        pipe.send("all call")
        while not pipe.poll(EVERY_SECONDS):
            gone = {key.fileobj for key, _ in watch.select(0) if _is_ended(key.fileobj)}
            for number, caller in enumerate(held):
                if caller in gone:
                    watch.unregister(caller)
                    caller.close()
                    held[number] = _one(watch, port, next(openings))
            for caller in held[1 :: len(_OPENINGS)]:
                with contextlib.suppress(OSError):
                    caller.send(b"x")
        for caller in held:
            caller.close()


def _one(watch: selectors.BaseSelector, port: int, opening: bytes) -> socket.socket:
    caller = socket.socket()
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    caller.connect(("127.0.0.1", port))
    with contextlib.suppress(OSError):
        caller.sendall(opening)
    caller.setblocking(False)
    watch.register(caller, selectors.EVENT_READ)
    return caller


def _is_ended(caller: object) -> bool:
    """Whether the server hung up. Short answers are taken, so that it can; long ones are not."""
    if not isinstance(caller, socket.socket):
        return False
    try:
        return len(caller.recv(SMALL, socket.MSG_PEEK)) < SMALL and caller.recv(SMALL) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
