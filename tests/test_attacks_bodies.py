"""Attacks by what is sent: texts without end, numbers without end, depth, speed. One clear line each."""

import itertools
import logging
from pathlib import Path

import pytest
from flask import Flask

from boxlid.fields import LONGEST_TEXT
from companion.view import LONGEST_ID, MOST_ITEMS
from tests.attacking import Caller, as_installed
from tests.web_table import CODE, Clock, Stand, stand
from tools.bench.attacks import send_all
from tools.bench.nasty import requests
from web.access.guard import BIGGEST_BODY
from web.access.pace import A_SECOND, AT_ONCE, MOST_KNOWN, Pace
from web.serving.errors import Refused
from web.serving.quiet import MOST_LINES, WINDOW_SECONDS, Quiet
from web.serving.server import Server

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    found = stand(tmp_path)
    found.start()
    return found


def test_nothing_that_can_be_sent_to_any_field_is_a_fault_of_ours(tmp_path: Path) -> None:
    wanted = list(requests())
    assert len(wanted) > 3_000
    found = send_all(tmp_path, wanted)
    assert found.faults == []
    assert found.statuses.total() == len(wanted)
    assert found.statuses[200] > 100  # it reached the table, too


@pytest.mark.parametrize("path", ["/api/wishes", "/api/seats", "/api/asks", "/api/boards/check"])
@pytest.mark.parametrize(
    "body", [b"[" * 16_000, b'{"do":' * 2_500, b"9" * 5_001, b'{"do": ' + b"9" * 5_001 + b"}", b"{", b""]
)
def test_what_goes_too_deep_or_counts_too_far_is_refused_in_one_line(
    path: str, body: bytes, here: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    with as_installed(here) as server:
        answer = Caller(server.port, seat=0).post(path, body)
    assert (answer.status, answer.kind) == (400, "bad-request")
    assert len(answer.body) < 400
    assert caplog.records == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/seats", {"name": "Zoe", "code": CODE, "id": "x" * (LONGEST_ID + 1)}),
        ("/api/seats", {"name": "Zoe", "code": CODE, "id": "x" * 15_000}),
        ("/api/seats", {"name": "Zoe", "code": "x" * 15_000}),
        ("/api/wishes", {"do": "roll-virtual", "seat": 0, "id": "x" * (LONGEST_ID + 1)}),
        ("/api/wishes", {"do": "roll-virtual", "seat": 0, "moment": "x" * (LONGEST_TEXT + 1)}),
        ("/api/wishes", {"do": "order", "order": [0] * (MOST_ITEMS + 1)}),
        ("/api/wishes", {"do": "roll-virtual", "seat": 10**10}),
        ("/api/wishes", {"do": "x" * 15_000}),
        ("/api/boards/check", {"name": "x", "front": ["x" * (LONGEST_TEXT + 1)], "back": []}),
    ],
)
def test_texts_lists_and_numbers_are_bounded_where_they_are_read(
    path: str, body: object, here: Stand
) -> None:
    before = here.table.journal.next_id
    with as_installed(here) as server:
        answer = Caller(server.port, seat=0 if path == "/api/wishes" else None).post(path, body)
    assert (answer.status, answer.kind) == (400, "bad-request")
    assert len(answer.body) < 700  # what was sent is not sent back whole
    assert here.table.journal.next_id == before


def test_a_board_file_may_be_as_long_as_a_body(here: Stand) -> None:
    with as_installed(here) as server:
        answer = Caller(server.port).post("/api/boards/read", {"text": "x" * (BIGGEST_BODY - 100)})
    assert answer.status == 200


# --- where to go on ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "back", ["/%09/evil.example", "/%0A/evil.example", "%09//evil.example", "/%00", "/%0D%0Ax:1"]
)
@pytest.mark.parametrize("path", ["/language", "/show"])
def test_a_way_back_that_cannot_be_printed_is_refused(path: str, back: str, here: Stand) -> None:
    with as_installed(here) as server:
        body = f"language=de&code={CODE}&back={back}".encode()
        answer = Caller(server.port).ask("POST", path, body, **FORM)
    assert answer.status == 400
    assert answer.headers["Location"] is None


@pytest.mark.parametrize(
    "back", ["//evil.example", "/%5Cevil.example", "https://evil.example", "%5C%5Cevil.example"]
)
def test_a_way_back_to_another_place_leads_to_the_start(back: str, here: Stand) -> None:
    with as_installed(here) as server:
        answer = Caller(server.port).ask("POST", "/language", f"language=de&back={back}".encode(), **FORM)
    assert (answer.status, answer.headers["Location"]) == (303, "/")


# --- speed ------------------------------------------------------------------------------------------------


def test_one_phone_cannot_send_wishes_like_a_machine_for_long(here: Stand) -> None:
    numbers = itertools.count()

    def taken(caller: Caller, tries: int) -> int:
        found = 0
        for _ in range(tries):
            answer = caller.post("/api/wishes", {"do": "order", "order": [1, 0], "id": f"w{next(numbers)}"})
            assert answer.status in (200, 409, 429), answer.body  # 409: no seats are ordered during a game
            found += answer.status != 429
        return found

    with as_installed(here) as server:
        quick, other = Caller(server.port, seat=0), Caller(server.port, seat=1)
        assert taken(quick, AT_ONCE + 20) == AT_ONCE
        refused = quick.post("/api/press", {})
        assert (refused.status, refused.kind, refused.headers["Retry-After"]) == (429, "too-fast", "1")
        assert taken(other, 5) == 5
        here.clock.now += 4
        assert taken(quick, 50) == 4 * A_SECOND


def test_phones_that_are_known_are_few(tmp_path: Path) -> None:
    pace = Pace(Clock())
    for number in range(3 * MOST_KNOWN):
        pace.check(f"phone {number}")
    assert len(pace._used) == MOST_KNOWN
    for _ in range(AT_ONCE):
        pace.check("one")
    with pytest.raises(Refused):
        pace.check("one")


# --- the log ----------------------------------------------------------------------------------------------


def test_faults_that_callers_cause_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    app, clock = Flask("web"), Clock()

    def broken() -> str:
        raise RuntimeError("a fault")

    app.add_url_rule("/", "broken", broken)
    with Server(app, clock=clock) as server:
        for _ in range(MOST_LINES + 15):
            assert Caller(server.port).ask("GET", "/").status == 500
        assert len(caplog.records) == MOST_LINES
        clock.now += WINDOW_SECONDS
        assert Caller(server.port).ask("GET", "/").status == 500
    assert caplog.records[-1].getMessage().endswith("(15 lines before it were left out)")


def test_a_quiet_log_says_everything_that_is_rare() -> None:
    clock = Clock()
    quiet = Quiet(clock)
    for number in range(3 * MOST_LINES):
        record = logging.LogRecord("web", logging.ERROR, "", 0, "fault %d", (number,), None)
        assert quiet.filter(record)
        assert record.getMessage() == f"fault {number}"
        clock.now += WINDOW_SECONDS / MOST_LINES + 1
