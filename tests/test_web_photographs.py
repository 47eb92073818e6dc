"""The route for photographs: who may send one, how large, and what comes back for what is none."""

import http.client
import socket
from pathlib import Path

import pytest

from companion.words import catalogues
from tests.attacking import Caller, as_installed
from tests.waiting import PATIENCE
from tests.web_table import ORIGIN, photograph, stand
from web import Photographed
from web.access.guard import BIGGEST_BODY, BIGGEST_PHOTOGRAPH, PHOTOGRAPH_KIND, PHOTOGRAPH_PATH
from web.serving.server import MOST_BODY_BYTES

SENT = {"Content-Type": PHOTOGRAPH_KIND}


def test_a_seated_phone_sends_one_and_gets_the_view(tmp_path: Path) -> None:
    taken: list[bytes] = []

    def take(content: bytes, seat: int) -> Photographed:
        taken.append(content)
        return Photographed.READ

    here = stand(tmp_path, photograph=take)
    here.start()
    answer = photograph(here.phone(0), b"x" * (4 * MOST_BODY_BYTES))
    assert answer.status_code == 200
    assert answer.get_json()["view"]["own"][0]["seat"] == 0
    assert [len(content) for content in taken] == [4 * MOST_BODY_BYTES]


def test_neither_a_stranger_nor_a_display_sends_one(tmp_path: Path) -> None:
    taken: list[bytes] = []

    def take(content: bytes, seat: int) -> Photographed:
        taken.append(content)
        return Photographed.READ

    here = stand(tmp_path, photograph=take)
    here.start()
    for client in (here.phone(), here.display()):
        answer = photograph(client, b"picture")
        assert (answer.status_code, answer.get_json()["error"]) == (403, "no-seat")
    assert taken == []


@pytest.mark.parametrize("found", [each for each in Photographed if each is not Photographed.READ])
def test_each_photograph_that_is_not_read_has_its_kind_and_words(tmp_path: Path, found: Photographed) -> None:
    here = stand(tmp_path, photograph=lambda *_: found)
    here.start()
    answer = photograph(here.phone(0), b"picture")
    assert answer.status_code in (400, 409, 413)
    assert answer.get_json()["error"] == found
    for catalogue in catalogues().values():
        assert catalogue.texts[f"error.{found}"]


def test_another_kind_of_body_and_a_foreign_page_are_refused(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    phone = here.phone(0)
    for kind in ("multipart/form-data; boundary=x", "text/plain", "application/json", "image/jpeg"):
        assert photograph(phone, b"picture", **{"Content-Type": kind}).status_code == 415
    assert photograph(phone, b"picture", Origin="http://evil.example").status_code == 403
    assert phone.post("/api/wishes", data=b"{}", headers={**ORIGIN, **SENT}).status_code == 415


def test_a_photograph_has_its_own_limit_and_nothing_else_has_it(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    phone = here.phone(0)
    assert photograph(phone, b"x" * BIGGEST_PHOTOGRAPH).status_code == 200
    answer = photograph(phone, b"x" * (BIGGEST_PHOTOGRAPH + 1))
    assert (answer.status_code, answer.get_json()["error"]) == (413, "too-large")
    wish = phone.post("/api/wishes", json={"id": "x" * BIGGEST_BODY}, headers=ORIGIN)
    assert wish.status_code == 413


def test_the_server_lets_a_whole_photograph_in_and_no_byte_more(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    with as_installed(here) as server:
        anna = Caller(server.port, seat=0)
        assert anna.ask("POST", PHOTOGRAPH_PATH, b"x" * BIGGEST_PHOTOGRAPH, **SENT).status == 200
        assert announced(server.port, BIGGEST_PHOTOGRAPH + 1).startswith(b"HTTP/1.1 413")
        assert announced(server.port, MOST_BODY_BYTES, path="/api/wishes").startswith(b"HTTP/1.1 413")


def announced(port: int, length: int, path: str = PHOTOGRAPH_PATH) -> bytes:
    """What comes back for a body that is announced and never sent."""
    with link(port, length, path) as caller:
        return caller.recv(64)


def link(port: int, length: int, path: str = PHOTOGRAPH_PATH, address: str = "127.0.0.1") -> socket.socket:
    caller = socket.create_connection(("127.0.0.1", port), PATIENCE, (address, 0))
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n"
    caller.sendall(head.encode() + b"x")
    return caller


def waited_for(port: int, address: str) -> http.client.HTTPResponse:
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))
    caller.request("POST", PHOTOGRAPH_PATH, b"picture", {**SENT, "Origin": f"http://127.0.0.1:{port}"})
    return caller.getresponse()


def test_slow_photographs_of_strangers_fill_no_disk_and_a_phone_sends_one_at_a_time(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    with as_installed(here) as server:
        slow = [link(server.port, 10_000_000, address="127.0.0.2")]
        assert waited_for(server.port, "127.0.0.2").status == 503
        assert waited_for(server.port, "127.0.0.3").status == 403  # a stranger, but there is room
        slow += [link(server.port, 10_000_000, address=f"127.0.0.{n}") for n in (4, 5, 6)]
        assert waited_for(server.port, "127.0.0.7").status == 503
        for each in slow:
            each.close()
