"""What an adversary sends, or leaves in the state folder, is refused in words, and the rest goes on."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.boards.shelf import Shelf
from companion.cli import main
from companion.host.keys import load_key
from companion.host.set_up.progress import FILE as PROGRESS
from companion.host.set_up.progress import ProgressError, load
from companion.journal.files import FILE
from companion.journal.journal import Journal, JournalDamagedError, JournalError
from companion.journal.lock import LOCK
from companion.words import english
from tests.journals import fill, lines
from tests.waiting import within_patience
from tests.web_table import CODE, ORIGIN, form, stand, wish

HALF = "\\ud800"  # as JSON writes half a character


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/wishes", f'{{"do": "roll-virtual", "seat": 0, "id": "{HALF}"}}'),
        ("/api/wishes", f'{{"do": "roll-virtual", "seat": 0, "moment": "{HALF}"}}'),
        ("/api/wishes", f'{{"do": "roll-virtual", "seat": 0, "deep": [[{{"a": ["{HALF}"]}}]]}}'),
        ("/api/wishes", f'{{"do": "roll-virtual", "seat": 0, "{HALF}": 1}}'),
        ("/api/wishes", b'{"do": "roll-virtual", "seat": 0, "id": "\xed\xa0\x80"}'),
        ("/api/seats", f'{{"name": "{HALF}", "code": "{CODE}"}}'),
        ("/api/seats", f'{{"name": "Zoe", "id": "{HALF}", "code": "{CODE}"}}'),
        ("/api/press", f'"{HALF}"'),
    ],
)
def test_half_a_character_in_a_body_is_refused_and_the_next_wish_is_kept(
    path: str, body: str | bytes, tmp_path: Path
) -> None:
    here = stand(tmp_path)
    here.start()
    before = here.table.journal.next_id
    answer = here.phone(0).post(path, data=body, content_type="application/json", headers=ORIGIN)
    assert (answer.status_code, answer.get_json()["error"]) == (400, "bad-request")
    assert here.table.journal.next_id == before
    assert wish(here.phone(0), "roll-virtual", seat=0, id="next").status_code == 200
    assert [entry.command for entry in here.table.journal.entries()][-1] == "next"


def test_a_whole_character_of_two_halves_is_a_text(tmp_path: Path) -> None:
    here = stand(tmp_path)
    body = json.dumps({"name": "Zoe 🎲", "code": CODE})
    assert "\\ud83c" in body
    phone = here.phone()
    assert form(phone, "/join", name="Anna", code=CODE).status_code == 303
    answer = phone.post("/api/seats", data=body, content_type="application/json", headers=ORIGIN)
    assert answer.status_code == 201
    assert [seat.name for seat in here.table.snapshot.seats] == ["Anna", "Zoe 🎲"]


# --- files that are brought ------------------------------------------------------------------------------

DIGITS = "1" * 5001
VECTORS = Path(__file__).parent / "vectors" / "games.jsonl"


def finished_game(folder: Path) -> str:
    """A line of our own export."""
    assert main(["import", str(VECTORS), "--state", str(folder / "there")]) == 0
    assert main(["export", "1", "--state", str(folder / "there"), "--out", str(folder / "game")]) == 0
    return (folder / "game").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("first 0", f"first {DIGITS}"),
        ("first 0", "first \u00b2"),  # a digit that is no number
        ("patience 0", f"patience {DIGITS}"),
        ("locks", "locks never, once"),
        ('"events":["', f'"events":["0 crosses R{DIGITS} in 1","'),
        ('"events":["', f'"events":["{DIGITS} done","'),
        ('{"date":', f'{{"more":{DIGITS},"date":'),
        ('{"date":', f'{{"more":{"[" * 100_000},"date":'),
        ('{"date":', '{"more":"\\ud800","date":'),
    ],
)
def test_a_game_that_no_rule_could_have_written_is_one_line_and_the_next_is_kept(
    written: str, instead: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = finished_game(tmp_path)
    assert written in good
    (tmp_path / "games").write_text(good.replace(written, instead, 1) + good, encoding="utf-8")
    capsys.readouterr()
    assert main(["import", str(tmp_path / "games"), "--state", str(tmp_path / "state")]) == 1
    said = capsys.readouterr()
    assert said.out == "1 games kept, 0 were there already, 1 cannot be kept\n"
    assert said.err.startswith("boxlid import: line 1: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b"[" * 30_000,
        b'{"a":' * 10_000,
        DIGITS.encode(),
        b'{"format": %s}' % DIGITS.encode(),
        b"\xff\xfe\xfd",
        b" " * 100_000,
        b"",
        b"\0" * 40,
    ],
)
def test_a_set_up_that_nobody_kept_is_one_line_and_begins_anew(content: bytes, tmp_path: Path) -> None:
    (tmp_path / PROGRESS).write_bytes(content)
    with pytest.raises(ProgressError) as error:
        load(tmp_path)
    told = english(error.value)
    assert "its steps begin anew" in told
    assert "\n" not in told


# --- files that are not what they seem -------------------------------------------------------------------


def test_a_pipe_or_a_giant_among_the_boards_is_a_broken_one_and_the_others_are_played(
    tmp_path: Path,
) -> None:
    (tmp_path / "good.board").write_text(str(house_board()), encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.board")
    (tmp_path / "giant.board").write_bytes(b"#" * 1_000_000)
    (tmp_path / "zero.board").symlink_to("/dev/zero")
    (tmp_path / "nowhere.board").symlink_to("nowhere")
    (tmp_path / "folder.board").mkdir()
    shelf = within_patience(lambda: Shelf(tmp_path))
    assert isinstance(shelf, Shelf)
    assert [each.id for each in shelf.own] == ["good"]
    broken = {each.id: each.text for each in shelf.broken}
    assert set(broken) == {"pipe", "giant", "zero", "nowhere", "folder"}
    assert broken["pipe"] == "a board file is wanted, pipe.board cannot be read: it is no plain file"
    assert "longer than 65536 bytes" in broken["giant"]


def test_a_pipe_in_the_place_of_key_or_progress_is_named(tmp_path: Path) -> None:
    for name in ("key", PROGRESS):
        os.mkfifo(tmp_path / name)
    for do in (lambda: load_key(tmp_path), lambda: load(tmp_path)):
        assert "it is no plain file" in str(within_patience(do))


# --- files of another owner ------------------------------------------------------------------------------

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everything; without root, taking away the right to write is enough."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may use."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode", [0o400, 0o444])
@pytest.mark.parametrize("name", [FILE, LOCK])
def test_a_journal_of_another_owner_is_named_with_what_to_do_and_stays_as_it_is(
    name: str, mode: int, open_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(open_folder) as journal:
        fill(journal, 10)
    for path in open_folder.iterdir():
        path.chmod(0o666)
    before = (open_folder / FILE).read_bytes()
    (open_folder / name).chmod(mode)
    with as_nobody():
        with pytest.raises(JournalError, match="who may write there") as error:
            Journal(open_folder)
        assert "\n" not in str(error.value)
        assert not isinstance(error.value, JournalDamagedError)
        assert main(["import", str(VECTORS), "--state", str(open_folder)]) == 1
        assert capsys.readouterr().err.count("\n") == 1
    assert (open_folder / FILE).read_bytes() == before
    (open_folder / name).chmod(0o600)
    assert len(lines(open_folder)) == 10
