"""A game at a real box, from its first roll to its end, with phones, camera, broker: the club has it once."""

import html
import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto
from tests.club.live import ClubProcess
from tests.waiting import PATIENCE, until
from tools.soak.companion_process import CompanionProcess
from tools.soak.link import Link
from tools.soak.pace import Pace
from tools.soak.phone import Phone

NAMES = ("Anna", "Ben")
BOX = "lid-1"
ROLLS_A_MINUTE = 600  # as soon as the dice lie
A_GAME_SECONDS = 700.0  # some thirty rolls through camera and reader, on a machine that is busy


@contextmanager
def box(folder: Path, broker: Mosquitto) -> Iterator[CompanionProcess]:
    folder.mkdir()
    settings = folder / "boxlid.toml"
    settings.write_text(f'[mqtt]\nbroker = "127.0.0.1"\nport = {broker.port}\nbox = "{BOX}"\n', "utf-8")
    found = CompanionProcess(folder / "state", config=settings)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def play_a_game(table: CompanionProcess) -> tuple[int, ...]:
    """Two phones play at random until one of them is shown the end; the points that it was shown."""
    pace = Pace(ROLLS_A_MINUTE)
    phones = [Phone(Link(table.port, name), name, len(NAMES), 11, pace) for name in NAMES]
    for phone in phones:
        phone.join_table(table.code)
    for phone in phones:
        phone.start()
    try:
        assert until(lambda: any(phone.results for phone in phones), A_GAME_SECONDS), [
            phone.where for phone in phones
        ]
    finally:
        for phone in phones:
            phone.stop()
        for phone in phones:
            phone.join(PATIENCE)
    return next(points for phone in phones for points in list(phone.results.values())[:1])


def games_on(club: ClubProcess) -> list[str]:
    """What the club's page lists as games, in words."""
    with urllib.request.urlopen(f"http://127.0.0.1:{club.port}/", timeout=PATIENCE) as answer:
        page = answer.read().decode()
    found = re.findall(r'<span class="club-points">(.*?)</li>', page, re.DOTALL)
    return [re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", each))).strip() for each in found]


@pytest.mark.slow
def test_a_whole_game_at_a_box_is_on_the_clubs_page_once_also_after_the_club_asked_again(
    broker: Mosquitto, tmp_path: Path
) -> None:
    club = ClubProcess(broker, tmp_path / "club", str(tmp_path / "club.db"))
    club.start()
    try:
        with box(tmp_path / "box", broker) as table:
            points = play_a_game(table)
            assert until(lambda: len(games_on(club)) == 1), club.said
            (shown,) = games_on(club)
            for name, number in zip(NAMES, points, strict=True):
                assert f"{name} {number}".replace("-", "−") in shown
            club.kill()
            club.start()  # and asks every table for what it may have missed
            club.wait()
            assert len(club.get("/api/view")["games"]) == 1
            assert games_on(club) == [shown]
    finally:
        club.kill()
