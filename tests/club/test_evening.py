"""The evening of docs/club.md: its commands, two real boxes, a broker and the club, up to the ranking."""

import re
import shlex
import subprocess
import sys
import threading
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto, free_port
from tests.test_paper import ANNA, DAY, DORA, DORA_POINTS
from tests.waiting import PATIENCE, until

PAGE = (Path(__file__).parents[2] / "docs" / "club.md").read_text(encoding="utf-8")
TRY_IT = PAGE.partition("## Try it on one computer")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^    (boxlid .*)$", TRY_IT, re.M)
SETTINGS = re.search(r"^    (\[mqtt\]\n(?:    .+\n)+)", TRY_IT, re.M)


def get(port: int, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())
    except (OSError, urllib.error.URLError):
        return ""


def enter_paper_game(port: int, **more: str) -> None:
    where = f"http://127.0.0.1:{port}"
    body = urllib.parse.urlencode({**DAY, **ANNA, **DORA, **more}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{where}/history/paper", body, {"Origin": where})):
        """It is kept, and leads to the game."""


@contextmanager
def running(calls: list[list[str]], folder: Path) -> Iterator[list[str]]:
    """All of them, in that folder; what they say."""
    said: list[str] = []
    processes: list[tuple[subprocess.Popen[str], threading.Thread]] = []
    try:
        for call in calls:
            pipe, also = subprocess.PIPE, subprocess.STDOUT
            process = subprocess.Popen(
                call, cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=also, text=True
            )
            thread = threading.Thread(target=_hear, args=(process, said), daemon=True)
            thread.start()
            processes.append((process, thread))
        yield said
    finally:
        for process, _ in processes:
            process.terminate()
        for process, thread in processes:
            process.wait(PATIENCE)
            thread.join(PATIENCE)


def _hear(process: "subprocess.Popen[str]", said: list[str]) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        said.extend(lines)


@pytest.mark.slow
def test_two_boxes_and_a_club_come_to_an_evening_as_the_page_says(broker: Mosquitto, tmp_path: Path) -> None:
    assert len(COMMANDS) == 3
    assert SETTINGS is not None
    settings = (
        SETTINGS[1].replace("\n    ", "\n").replace('"localhost"', f'"localhost"\nport = {broker.port}')
    )
    assert tomllib.loads(settings)["mqtt"]["box"] == "lid-1"
    for number in (1, 2):
        (tmp_path / f"lid-{number}.toml").write_text(settings.replace("lid-1", f"lid-{number}"))
    ports = {"8001": free_port(), "8002": free_port(), "8080": free_port(), "1883": broker.port}
    calls = [
        shlex.split(re.sub("|".join(ports), lambda old: str(ports[old[0]]), line))[1:] for line in COMMANDS
    ]
    program = [sys.executable, "-m", "companion.cli"]
    club = ports["8080"]
    with running([[*program, *call] for call in calls], tmp_path) as said:
        assert until(lambda: all(f'data-box="lid-{n}"' in get(club, "/") for n in (1, 2))), said
        enter_paper_game(ports["8001"])
        enter_paper_game(ports["8002"], **{"name-0": "Emil"})
        assert until(lambda: get(club, "/evenings").count("2 games") == 1), said
        ranking = get(club, "/seasons/all/ranking.csv").splitlines()
        assert ranking[1].startswith(f"1,Dora,{2 * DORA_POINTS},"), ranking
