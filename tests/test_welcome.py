"""What the terminal says: one screen of 80 by 24, with a QR code that a phone can read."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.host import Host, Options
from companion.host.welcome import AS_BEFORE, BLACK_ON_WHITE, qr, welcome
from companion.settings.config import Config

PANEL_LINES = 2  # the simulated panel's keys and lamps, below
ADDRESS = "http://192.168.178.123:8000/join?code=K7QX"
MODULES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(Config(), Options(tmp_path, simulate=True, host="192.168.178.123")) as running:
        yield running


def read(lines: list[str], *, ink: bool) -> str:
    """What a phone reads from the code as a terminal shows it."""
    halves = [[MODULES[glyph] for glyph in line] for line in lines]
    rows = [[pair[half] for pair in line] for line in halves for half in (0, 1)]
    dark = np.array(rows, bool) == ink
    picture = np.where(np.kron(dark, np.ones((8, 8), bool)), 0, 255).astype(np.uint8)
    return str(cv2.QRCodeDetector().detectAndDecode(picture)[0])


def test_the_welcome_is_one_screen(host: Host) -> None:
    lines = welcome(host.greeting, coloured=False).split("\n")
    assert len(lines) + PANEL_LINES <= 24
    assert max(map(len, lines)) <= 80


def test_it_says_what_is_simulated_where_to_go_and_what_next(host: Host) -> None:
    said = welcome(host.greeting, coloured=False, encoding="ascii")
    for wanted in (
        "Boxlid is running.",
        "Photograph the dice",
        "throws drawn ones",
        "http://localhost:8000/table",
        "http://192.168.178.123:8000/join",
        f"Code    {host.code}",
        "Show me",
        "make test",
        "Ctrl+C stops it; the game is kept.",
    ):
        assert wanted in said


def test_a_phone_reads_the_way_in_and_the_code_from_the_terminal(host: Host) -> None:
    coloured = re.findall(
        f"{re.escape(BLACK_ON_WHITE)}(.*){re.escape(AS_BEFORE)}", welcome(host.greeting, coloured=True)
    )
    assert read(coloured, ink=True) == f"http://192.168.178.123:8000/join?code={host.code}"
    assert read(qr(ADDRESS, coloured=False), ink=False) == ADDRESS


def test_a_terminal_that_cannot_show_the_code_gets_the_text_alone(host: Host) -> None:
    welcome(host.greeting, coloured=False, encoding="ascii").encode("ascii")
    assert "█" in welcome(host.greeting, coloured=False, encoding="utf-8")


def test_what_the_owner_should_know_comes_first(host: Host) -> None:
    host.notes.append(
        "The disk lost the newest 2 events when the power went, though it had said they were kept."
    )
    lines = welcome(host.greeting, coloured=False, encoding="ascii").split("\n")
    assert lines[1].strip().startswith("The disk lost")
    assert max(map(len, lines)) <= 80
