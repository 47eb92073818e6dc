"""Out of damaged pages come entries that were written, and no others."""

import random
import struct
from pathlib import Path

import pytest

from companion.journal import database
from companion.journal.entry import NOTHING, Draft, Link
from companion.journal.files import FILE, WAL
from companion.journal.journal import Entry, Journal
from companion.journal.salvage import chained, readable
from tests.journals import copied, failure, fill

PAGE, SEED = 4096, 11


def drafted(lines: list[str], after: Link = NOTHING) -> list[Entry]:
    made = list[Entry]()
    for line in lines:
        made.append(Draft(line).entry(made[-1].link if made else after, 12.0))
    return made


def test_all_kinds_of_entries_are_read_from_pages_that_sqlite_refuses(tmp_path: Path) -> None:
    times = iter((12.0, -7.5, 1e12, float("inf"), *map(float, range(100))))
    with Journal(tmp_path, clock=lambda: next(times)) as journal:
        journal.append("Zoë 🎲", command=None, seat=None)
        journal.append("x", command="c" * 64, seat=1)
        journal.append("x" * 3000, seat=4)
        for number in range(80):
            journal.append(f"{number}", seat=number * 10**number % 2**62)
        journal.append("start", starts_game=True)
        wanted = list(journal.entries())
    assert readable(tmp_path / FILE) == wanted
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(b"no header of SQLite's".ljust(100) + data[100:])
    assert readable(tmp_path / FILE) == wanted


def test_whatever_is_flipped_what_is_read_was_written(tmp_path: Path) -> None:
    made, rng, shorter = copied(tmp_path / "made", 30), random.Random(SEED), 0
    for _ in range(60):
        log = bytearray(made.log)
        for _ in range(rng.choice((1, 40, 400, 4000))):
            log[rng.randrange(len(log))] = rng.randrange(256)
        found = [entry.line for entry in readable(made.put(tmp_path / "state", log=bytes(log)) / FILE)]
        assert found == list(made.lines[: len(found)])
        shorter += len(found) < len(made.lines)
    assert 0 < shorter < 60


@pytest.mark.parametrize(
    "rest", [b"\xff" * PAGE, bytes(PAGE), b"\x0d\0\0\xff\xff\0\0\0\x08\0".ljust(PAGE, b"\xff")]
)
def test_pages_of_nothing_hold_no_entries(rest: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\x0d" + rest[1:PAGE] + rest[:7])
    (tmp_path / WAL).write_bytes(rest * 3)
    assert readable(tmp_path / FILE) == []
    assert readable(tmp_path / "none.db") == []
    assert readable(tmp_path / ("longer than a name may be" * 20)) == []


def test_what_sqlite_says_of_a_damaged_file_need_not_be_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It quotes what stands in the file; an error of the text is no crash but damage."""

    def quotes(*_: object) -> None:
        b"\xd4\x00".decode()

    with Journal(tmp_path) as journal:
        fill(journal, 3)
    monkeypatch.setattr(database, "_check_pages", quotes)
    assert "a text in it is no UTF-8" in str(failure(tmp_path))


def test_of_two_branches_the_longer_is_read_whole() -> None:
    trunk = drafted(["a", "b"])
    short, long = drafted(["c", "d"], trunk[-1].link), drafted(["e", "f", "g"], trunk[-1].link)
    forged = [Entry(3, None, "h", None, None, 12.0, "forged")]
    assert chained([*short, *forged, *reversed(long), *trunk, *trunk]) == [*trunk, *long]
    assert chained(long) == []  # nothing before it
    assert chained([]) == []


def test_entries_are_joined_over_files(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 50)
        backup = journal.backup()
        fill(journal, 50, seed=2)
    data = (tmp_path / FILE).read_bytes()
    leaves = [at for at in range(PAGE, len(data), PAGE) if data[at] == 0x0D]
    for at in leaves[:2]:  # the oldest entries
        data = data[:at] + struct.pack(">H", 0xFFFF) * (PAGE // 2) + data[at + PAGE :]
    (tmp_path / FILE).write_bytes(data)
    assert readable(tmp_path / FILE) == []
    assert len(readable(tmp_path / FILE, backup)) == 100
