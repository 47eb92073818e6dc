"""Attacks on the table's code, on the kind of socket that the service has: IPv4 comes mapped there."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.findings.check import State
from companion.host import Host, Options
from companion.settings.config import Config
from companion.table.seats import SeatHeld
from tests.attacking import Answer, Caller, as_installed
from tests.web_table import CODE, Stand, form, post, stand
from web import Fact
from web.access.addresses import address_of, is_loopback
from web.access.codes import (
    CODE_LENGTH,
    DAY,
    LETTERS,
    MINUTE,
    NOTICED,
    WRONG_A_DAY,
    WRONG_IN_ALL,
    WRONG_PER_ADDRESS,
    WRONG_PER_ADDRESS_A_DAY,
)
from web.serving.server import Server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

NEW = "AB29"
HALF_OF_ALL = len(LETTERS) ** CODE_LENGTH / 2


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    found = stand(tmp_path, new_code=lambda: NEW, health=lambda _: (Fact("disk", "fine"),))
    found.start()
    return found


@contextmanager
def house(here: Stand) -> Iterator[Server]:
    """Callers from 127.0.0.N stand for 192.168.1.N, and reach the app as the socket tells it: `::ffff:…`."""
    app = here.app.wsgi_app

    def from_the_house(environ: "WSGIEnvironment", start: "StartResponse") -> object:
        mapped, _, number = str(environ["REMOTE_ADDR"]).rpartition(".")
        assert mapped == "::ffff:127.0.0"
        if number != "1":
            environ["REMOTE_ADDR"] = f"::ffff:192.168.1.{number}"
        return app(environ, start)

    here.app.wsgi_app = from_the_house  # type: ignore[method-assign,assignment]
    with as_installed(here) as server:
        yield server
    here.app.wsgi_app = app  # type: ignore[method-assign]


def join(server: Server, number: int, code: str = "AAAA", name: str = "Eve") -> Answer:
    return Caller(server.port, f"127.0.0.{number}").post("/api/seats", {"name": name, "code": code})


def test_an_ipv4_address_is_one_however_it_comes() -> None:
    assert str(address_of("::ffff:192.168.1.7")) == "192.168.1.7"
    assert str(address_of("fe80::1%wlan0")) == "fe80::1"
    assert address_of("a name") is None
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("::ffff:192.168.1.7")


def test_wrong_codes_lock_the_phone_out_that_sent_them_and_not_the_house(here: Stand) -> None:
    with house(here) as server:
        for _ in range(WRONG_PER_ADDRESS):
            assert join(server, 30).status == 403
        assert join(server, 30, CODE).kind == "too-many-tries"
        here.play(SeatHeld(0, None))
        asked = Caller(server.port, "127.0.0.31").post("/api/asks", {"seat": 0, "code": CODE})
        assert asked.status == 201


@pytest.mark.parametrize(
    "address",
    ["::ffff:192.168.1.{}", "192.168.1.{}", "fe80::{}", "fe80::{}%wlan0", "fd12:3456::{}", "2001:db8::{}"],
)
def test_each_address_of_the_house_counts_for_itself(address: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    guesser = here.phone(address=address.format(30))
    for _ in range(WRONG_PER_ADDRESS):
        assert post(guesser, "/api/seats", {"name": "Eve", "code": "AAAA"}).status_code == 403
    assert post(guesser, "/api/seats", {"name": "Eve", "code": CODE}).status_code == 429
    other = here.phone(address=address.format(31))
    assert post(other, "/api/seats", {"name": "Ben", "code": CODE}).status_code == 201


def locked(here: Stand) -> None:
    """Wrong codes from everywhere, until no stranger is heard any more."""
    for number in range(WRONG_IN_ALL):
        guesser = here.phone(address=f"192.168.2.{number}")
        assert post(guesser, "/api/seats", {"name": "Eve", "code": "AAAA"}).status_code == 403
    late = here.phone(address="192.168.3.1")
    assert post(late, "/api/seats", {"name": "Late", "code": CODE}).status_code == 429


def test_who_was_right_before_is_let_in_while_others_guess(tmp_path: Path) -> None:
    here = stand(tmp_path)
    known = here.phone()
    assert post(known, "/api/seats", {"name": "Anna", "code": CODE}).status_code == 201
    assert post(known, "/api/wishes", {"do": "leave", "seat": 0}).status_code == 200
    locked(here)
    assert post(known, "/api/seats", {"name": "Anna", "code": "AAAA"}).status_code == 403
    assert post(known, "/api/seats", {"name": "Anna", "code": CODE}).status_code == 201


def test_the_tables_own_display_is_never_locked_out(here: Stand) -> None:
    screen = here.phone(address="192.168.1.40")
    assert form(screen, "/show", code=CODE).status_code == 303
    locked(here)
    with house(here) as server:
        own = Caller(server.port)
        for _ in range(WRONG_IN_ALL + 5):
            assert own.post("/api/seats", {"name": "Eve", "code": "AAAA"}).status == 403
        assert own.ask("GET", "/table").status == 200
        shown = own.ask(
            "POST", "/show", f"code={CODE}".encode(), **{"Content-Type": "application/x-www-form-urlencoded"}
        )
        assert shown.status == 303
    assert screen.get("/table").status_code == 200
    assert form(screen, "/show", code=CODE).status_code == 303


# --- for days ---------------------------------------------------------------------------------------------


def heard(here: Stand, seconds: float, guess: Callable[[int], str]) -> int:
    """How many wrong codes are compared if many addresses guess as fast as they may, for so long."""
    found, end, number = 0, here.clock.now + seconds, 0
    while here.clock.now < end:
        number += 1
        status = post(
            here.phone(address=guess(number)), "/api/seats", {"name": "Eve", "code": "AAAA"}
        ).status_code
        found += status == 403
        if status == 429:
            here.clock.now += MINUTE
    return found


def test_a_day_of_guessing_from_everywhere_comes_to_nothing_and_is_told(here: Stand) -> None:
    tried = heard(here, DAY - MINUTE, lambda number: f"fd00::{number:x}")
    assert tried == WRONG_A_DAY
    assert HALF_OF_ALL / tried > 3 * 365  # days
    stopped = post(here.phone(), "/api/seats", {"name": "Late", "code": CODE})
    assert stopped.get_json()["error"] == "code-guessed"
    facts = here.display().get("/api/health").get_json()["facts"]
    assert (facts[0]["name"], facts[0]["state"]) == ("Table code", State.WRONG)
    assert facts[0]["text"].startswith(f"{WRONG_A_DAY} wrong codes in one day: new phones are not let in")


def test_a_day_of_guessing_from_one_address_locks_nobody_else_out(here: Stand) -> None:
    assert heard(here, DAY - MINUTE, lambda _: "fd00::7") == WRONG_PER_ADDRESS_A_DAY
    here.play(SeatHeld(0, None))
    assert post(here.phone(), "/api/asks", {"seat": 0, "code": CODE}).status_code == 201


def test_guesses_are_told_before_they_are_many(here: Stand) -> None:
    def names() -> list[str]:
        return [fact["name"] for fact in here.display().get("/api/health").get_json()["facts"]]

    for number in range(NOTICED):
        assert names() == ["disk"]
        post(here.phone(address=f"192.168.2.{number}"), "/api/seats", {"name": "Eve", "code": "AAAA"})
    assert names() == ["Table code", "disk"]
    here.clock.now += DAY
    assert names() == ["disk"]


def new_code(client: FlaskClient) -> TestResponse:
    """The button, as a browser sends its empty form."""
    return form(client, "/health/code", x="")


# --- another code -----------------------------------------------------------------------------------------


def test_one_button_makes_a_new_code_and_ends_every_lock(here: Stand) -> None:
    locked(here)
    display = here.display()
    assert new_code(display).headers["Location"] == "/health"
    assert NEW in display.get("/health").get_data(as_text=True)
    late = here.phone(address="192.168.3.1")
    here.play(SeatHeld(0, None))
    assert post(late, "/api/asks", {"seat": 0, "code": CODE}).status_code == 403
    assert post(late, "/api/asks", {"seat": 0, "code": NEW}).status_code == 201


def test_a_new_code_is_told_to_all_who_see_the_table(here: Stand) -> None:
    before = here.phone(1).get("/api/view").get_json()
    new_code(here.display())
    for client in (here.phone(1), here.display()):
        after = client.get("/api/view").get_json()
        assert (before["code"], after["code"]) == (CODE, NEW)
        assert after["sequence"] > before["sequence"]
    assert f">{NEW}<" in here.display().get("/table").get_data(as_text=True)
    assert here.phone().get("/api/view").status_code == 403


def test_with_a_new_code_seats_stay_and_other_screens_need_it(here: Stand) -> None:
    mine, other = here.phone(address="192.168.1.40"), here.phone(address="192.168.1.41")
    for screen in (mine, other):
        form(screen, "/show", code=CODE)
    stream = other.get("/api/live", buffered=False).iter_encoded()
    assert json.loads(re.sub(rb".*?data: ", b"", next(stream), flags=re.S))["code"] == CODE
    new_code(mine)
    assert mine.get("/table").status_code == 200
    assert list(stream) == [b"event: gone\ndata: {}\n\n"]
    assert other.get("/table").status_code == 403
    assert form(other, "/show", code=NEW).status_code == 303
    assert here.phone(0).get("/api/view").status_code == 200


def test_who_knew_the_old_code_guesses_the_new_one_like_anybody(here: Stand) -> None:
    known = here.phone(1)
    here.play(SeatHeld(1, None))
    assert post(known, "/api/asks", {"seat": 0, "code": CODE}).status_code == 201
    new_code(here.display())
    for _ in range(WRONG_PER_ADDRESS):
        assert post(known, "/api/asks", {"seat": 0, "code": CODE}).status_code == 403
    assert post(known, "/api/asks", {"seat": 0, "code": NEW}).status_code == 429


def test_only_the_owner_makes_a_new_code(here: Stand) -> None:
    for client in (here.phone(), here.phone(0)):
        assert new_code(client).status_code == 403
    assert here.phone(0).get("/api/view").get_json()["code"] == CODE


def test_a_new_code_that_cannot_be_kept_is_none(tmp_path: Path) -> None:
    def full() -> str:
        raise OSError(28, "No space left on device")

    here = stand(tmp_path, new_code=full)
    assert new_code(here.display()).status_code == 507
    assert here.display().get("/api/view").get_json()["code"] == CODE


def test_the_installed_companion_keeps_its_new_code(tmp_path: Path) -> None:
    def host() -> Host:
        return Host(Config(), Options(tmp_path, simulate=True))

    with host() as before:
        client = before.app.test_client()
        old = client.get("/api/view").get_json()["code"]
        new_code(client)
        fresh = client.get("/api/view").get_json()["code"]
        assert fresh != old
    with host() as after:
        assert after.code == after.app.test_client().get("/api/view").get_json()["code"] == fresh
