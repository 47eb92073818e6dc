"""What an adversary in the house sends, byte by byte, and how the real server is reached for it."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.waiting import PATIENCE
from tests.web_table import TOKENS, Stand
from web.access.identity import PHONE_COOKIE
from web.serving.server import Server, listen

SMALL = 4096  # bytes that a caller takes in who does not read


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def kind(self) -> str:
        return str(json.loads(self.body)["error"])


@dataclass(frozen=True)
class Caller:
    """Somebody who calls the server: from an address of this machine, with a seat's cookie or without."""

    port: int
    address: str = "127.0.0.1"
    seat: int | None = None

    def headers(self, **more: str) -> dict[str, str]:
        cookie = {} if self.seat is None else {"Cookie": f"{PHONE_COOKIE}={TOKENS[self.seat]}"}
        return {"Origin": f"http://127.0.0.1:{self.port}", **cookie, **more}

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        link = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.address, 0)
        )
        try:
            link.request(method, path, body, self.headers(**headers))
            answer = link.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            link.close()

    def post(self, path: str, body: object) -> Answer:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", path, raw, **{"Content-Type": "application/json"})

    def call(self, path: str) -> socket.socket:
        """A connection that asks and then takes in no more than a few kilobytes."""
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        link.settimeout(PATIENCE)
        link.bind((self.address, 0))
        link.connect(("127.0.0.1", self.port))
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"{name}: {value}" for name, value in self.headers().items()]
        link.sendall("\r\n".join([*lines, "", ""]).encode())
        return link


@contextmanager
def as_installed(here: Stand) -> Iterator[Server]:
    """The table's server on the kind of socket that systemd hands over: `[::]`, where IPv4 comes mapped."""
    sock = listen("::", 0)
    sock.setsockopt(
        socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL
    )  # so that a caller who does not read is soon felt
    with Server(here.app, sock=sock, clock=here.clock) as server:
        yield server
