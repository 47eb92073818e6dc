"""Power cuts leave a prefix with all that was acknowledged; damage is said in one line and never hidden."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import database
from companion.journal.files import FILE, WAL
from companion.journal.journal import Doubt, DoubtKind, Journal, JournalDamagedError
from companion.journal.wal import Wal, scan
from tests.journals import Copied, copied, failure, fill, flipped, lines

FRAME, LOG_HEADER, PAGE = 24 + 4096, 32, 4096
SEED = 11


@pytest.fixture(scope="module")
def in_log(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """Everything but the tables themselves is in the log still."""
    return copied(tmp_path_factory.mktemp("in-log"), 40)


@pytest.fixture(scope="module")
def in_both(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """Many entries in the database alone, newer ones in the log alone."""
    return copied(tmp_path_factory.mktemp("in-both"), 25, earlier=120)


@pytest.fixture(scope="module")
def log_used_again(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """The log has begun anew, over frames of its earlier use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "CHECKPOINT_PAGES", 20)
        made = copied(tmp_path_factory.mktemp("again"), 70)
    assert len(made.log) < 45 * FRAME  # seventy entries did not fit: it began anew
    return made


def opened(folder: Path) -> tuple[str, ...] | JournalDamagedError:
    """The lines in the journal, or the refusal: one line, and not a byte changed."""
    before = {path.name: path.read_bytes() for path in (folder / FILE, folder / WAL)}
    try:
        return tuple(lines(folder))
    except JournalDamagedError as error:
        refusal = error
    assert "\n" not in str(refusal)
    assert "is damaged (" in str(refusal)
    assert "nothing was changed" in str(refusal)
    assert "boxlid restore" in str(refusal)
    assert {name: (folder / name).read_bytes() for name in before} == before
    return refusal


# --- power cuts ----------------------------------------------------------------------------------------


def cuts(data: bytes) -> Iterator[int]:
    """Every frame boundary, and random places within."""
    yield from range(LOG_HEADER, len(data) + 1, FRAME)
    rng = random.Random(SEED)
    yield from (rng.randrange(len(data)) for _ in range(20))


@pytest.mark.parametrize("note", [True, False])
def test_a_cut_log_opens_to_a_prefix_with_all_that_was_acknowledged(
    tmp_path: Path, in_log: Copied, note: bool
) -> None:
    for cut in cuts(in_log.log):
        found = opened(in_log.put(tmp_path / "state", log=in_log.log[:cut], note=note))
        assert isinstance(found, tuple), f"cut at {cut}"
        acknowledged = sum(size <= cut for size in in_log.log_sizes)
        assert len(found) >= acknowledged, f"cut at {cut}"
        assert found == in_log.lines[: len(found)]


def test_a_cut_log_leaves_all_that_was_in_the_database(tmp_path: Path, in_both: Copied) -> None:
    for cut in cuts(in_both.log):
        found = opened(in_both.put(tmp_path / "state", log=in_both.log[:cut]))
        assert isinstance(found, tuple), f"cut at {cut}"
        assert len(found) >= sum(size <= cut for size in in_both.log_sizes) >= 120
        assert found == in_both.lines[: len(found)]


def test_a_cut_log_that_was_used_before_opens_to_a_prefix(tmp_path: Path, log_used_again: Copied) -> None:
    for cut in cuts(log_used_again.log):
        found = opened(log_used_again.put(tmp_path / "state", log=log_used_again.log[:cut]))
        assert isinstance(found, tuple), f"cut at {cut}"
        assert found == log_used_again.lines[: len(found)]
    assert found


def test_a_journal_goes_on_after_a_power_cut(tmp_path: Path, in_log: Copied) -> None:
    folder = in_log.put(tmp_path / "state", log=in_log.log[: LOG_HEADER + 5 * FRAME + 100])
    with Journal(folder) as journal:
        before = len(journal.entries())
        journal.append("after the cut")
    assert lines(folder)[before:] == ["after the cut"]


def test_entries_that_the_disk_had_promised_and_lost_are_counted(
    tmp_path: Path, in_log: Copied, caplog: pytest.LogCaptureFixture
) -> None:
    folder = in_log.put(tmp_path / "state", log=in_log.log[: in_log.log_sizes[36]])
    for _ in range(2):  # until somebody decides
        with Journal(folder) as journal:
            assert journal.doubt == Doubt(DoubtKind.LOST, 3)
    assert caplog.text.count("missing from the journal: lost 3") == 1
    with Journal(folder) as journal:
        journal.settle()
        assert journal.doubt is None
    with Journal(folder) as journal:
        assert journal.doubt is None


def test_a_torn_last_transaction_is_a_power_cut(tmp_path: Path, in_log: Copied) -> None:
    """It was never acknowledged, so no note knows of it: half a frame, zeros, or an older use's leftovers."""
    start = in_log.log_sizes[-2]
    half = in_log.log[: start + 600]
    for rest in (b"", bytes(FRAME - 600), random.Random(SEED).randbytes(FRAME - 600)):
        found = opened(in_log.put(tmp_path / "state", log=half + rest, note=False))
        assert found == in_log.lines[:-1]


def test_a_power_cut_while_the_log_is_moved_into_the_database_loses_nothing(
    tmp_path: Path, in_both: Copied
) -> None:
    """Some sectors are new, some are old, and the log is there still: it has them all."""
    moved = in_both.put(tmp_path / "moved")
    Journal(moved).close()
    new, old, rng = (moved / FILE).read_bytes(), in_both.database, random.Random(SEED)
    assert new != old
    for _ in range(30):
        length = rng.randrange(len(old), len(new) + 1)
        sectors = [rng.choice((new, old))[at : at + 512] for at in range(0, length, 512)]
        sectors = [sector or bytes(512) for sector in sectors]  # where the old file had ended
        found = opened(in_both.put(tmp_path / "state", database=b"".join(sectors)[:length]))
        assert found == in_both.lines


@pytest.mark.parametrize("whole", [True, False])
def test_a_cut_database_gives_everything_or_says_that_it_is_damaged(
    tmp_path: Path, in_log: Copied, in_both: Copied, whole: bool
) -> None:
    made, rng, said = in_log if whole else in_both, random.Random(SEED), 0
    places = [*range(0, len(made.database), PAGE), *(rng.randrange(len(made.database)) for _ in range(15))]
    for cut in places:
        for note in (True, False):
            found = opened(made.put(tmp_path / "state", database=made.database[:cut], note=note))
            assert found == made.lines or isinstance(found, JournalDamagedError), f"cut at {cut}"
            said += isinstance(found, JournalDamagedError)
    assert said


# --- flipped bytes -------------------------------------------------------------------------------------


def places(size: int, each: int, head: int) -> Iterator[int]:
    """The first bytes, each of them, and some of every stretch of a page behind."""
    rng = random.Random(SEED)
    yield from range(head)
    for start in range(0, size, each):
        yield from (min(start + rng.randrange(each), size - 1) for _ in range(4))


def test_a_flipped_byte_of_the_database_is_said_or_changed_nothing(tmp_path: Path, in_both: Copied) -> None:
    said = 0
    for place in places(len(in_both.database), PAGE, head=100):
        damaged = flipped(in_both.database, place, 1 << place % 8)
        found = opened(in_both.put(tmp_path / "state", database=damaged, note=False))
        assert found == in_both.lines or isinstance(found, JournalDamagedError), f"byte {place}"
        said += isinstance(found, JournalDamagedError)
    assert said > 40


def test_a_flipped_byte_of_an_empty_journal_is_said_or_changed_nothing(tmp_path: Path) -> None:
    """Its pages say what the tables are; with them changed, it would not guard its entries any more."""
    made = copied(tmp_path / "empty", 0)
    said = 0
    for place in places(len(made.database), PAGE // 4, head=100):
        found = opened(made.put(tmp_path / "state", database=flipped(made.database, place, 0x20)))
        assert found == () or isinstance(found, JournalDamagedError), f"byte {place}"
        said += isinstance(found, JournalDamagedError)
    assert said > 10


def test_a_flipped_byte_of_the_log_is_said_or_changed_nothing(tmp_path: Path, in_log: Copied) -> None:
    """SQLite alone would drop, in silence, every entry behind that byte."""
    said = 0
    heads = [at for size in in_log.log_sizes[-3:-1] for at in range(size, size + 24)]
    for place in [*places(len(in_log.log), FRAME, head=LOG_HEADER + 24), *heads]:
        found = opened(in_log.put(tmp_path / "state", log=flipped(in_log.log, place)))
        assert found == in_log.lines or isinstance(found, JournalDamagedError), f"byte {place}"
        said += isinstance(found, JournalDamagedError)
    assert said > 100


def test_a_flipped_byte_of_a_log_that_was_used_before_is_said_or_changed_nothing(
    tmp_path: Path, log_used_again: Copied
) -> None:
    harmless = 0
    for place in places(len(log_used_again.log), FRAME, head=LOG_HEADER):
        found = opened(log_used_again.put(tmp_path / "state", log=flipped(log_used_again.log, place)))
        assert found == log_used_again.lines or isinstance(found, JournalDamagedError), f"byte {place}"
        harmless += isinstance(found, tuple)
    assert harmless  # in frames of the earlier use


def test_without_the_note_only_the_last_transaction_may_pass_for_a_power_cut(
    tmp_path: Path, in_log: Copied
) -> None:
    last = in_log.log_sizes[-2]
    for place in [*places(last, FRAME, head=0), *range(last - FRAME, last - FRAME + 24)]:
        found = opened(in_log.put(tmp_path / "state", log=flipped(in_log.log, place), note=False))
        assert found == in_log.lines or isinstance(found, JournalDamagedError), f"byte {place}"


def test_several_damaged_frames_are_found_too(tmp_path: Path, in_log: Copied) -> None:
    damaged = in_log.log
    for frame in (3, 4, 9):
        damaged = flipped(damaged, LOG_HEADER + frame * FRAME + 500)
    assert isinstance(opened(in_log.put(tmp_path / "state", log=damaged, note=False)), JournalDamagedError)


@pytest.mark.parametrize("place", [18, 19])
def test_a_header_that_would_forbid_writing_is_damage_and_no_matter_of_permissions(
    tmp_path: Path, place: int
) -> None:
    made = copied(tmp_path / "made", 3)
    for mask in (0x01, 0x02, 0x03, 0x04, 0xFF):
        data = flipped(made.database, place, mask)
        assert isinstance(opened(made.put(tmp_path / "state", database=data)), JournalDamagedError)


@pytest.mark.parametrize(
    ("made", "found"),
    [(b"BEFORE DELETE", b"BEFORE UPDATE"), (b"only grows", b"also rests"), (b"at REAL", b"at reAL")],
)
def test_tables_that_are_not_those_that_were_made_are_damage(
    tmp_path: Path, made: bytes, found: bytes
) -> None:
    """SQLite would open them, and with the first of these let entries be deleted."""
    Journal(tmp_path).close()
    data = (tmp_path / FILE).read_bytes()
    assert made in data
    (tmp_path / FILE).write_bytes(data.replace(made, found))
    assert "its tables are not those that were made" in str(failure(tmp_path))


def test_damage_that_no_entry_shows_yet_is_found_before_it_spreads(tmp_path: Path) -> None:
    """The count of free pages: reading does not mind, the next writing would."""
    with Journal(tmp_path) as journal:
        fill(journal, 30)
    (tmp_path / FILE).write_bytes(flipped((tmp_path / FILE).read_bytes(), 39, 0x05))
    assert "freelist" in str(failure(tmp_path)).lower()


def test_an_entry_that_somebody_else_wrote_is_damage(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 3)
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("INSERT INTO events VALUES (4, NULL, '0 done', NULL, NULL, 1.0, 'forged')")
    other.commit()
    other.close()
    with pytest.raises(JournalDamagedError, match="entry 4 is not what was written"):
        Journal(tmp_path)


def test_what_a_log_holds_is_told(tmp_path: Path, in_log: Copied) -> None:
    path = tmp_path / "log"
    assert scan(path) is Wal.EMPTY
    middle = LOG_HEADER + 7 * FRAME + 1000
    for data, wal in (
        (b"", Wal.EMPTY),
        (bytes(5000), Wal.EMPTY),
        (in_log.log[:LOG_HEADER], Wal.EMPTY),
        (in_log.log, Wal.WHOLE),
        (in_log.log[:-1], Wal.WHOLE),
        (flipped(in_log.log, len(in_log.log) - 1), Wal.TORN),
        (flipped(in_log.log, middle), Wal.BROKEN),
        (flipped(in_log.log, 0), Wal.BROKEN),
        (flipped(in_log.log, 20), Wal.BROKEN),
    ):
        path.write_bytes(data)
        assert scan(path) is wal
