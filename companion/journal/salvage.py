"""Entries out of damaged files, page by page, where SQLite gives up. The hash chain says which are true.

A page of entries is written whole with each of them, so what a broken page loses often stands in another copy
of it: in the write-ahead log, in the file, in a backup.
"""

import contextlib
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.journal.database import PAGE, readable_rows
from companion.journal.entry import NOTHING, Entry, Link
from companion.journal.files import log_of
from companion.journal.wal import FRAME_HEAD, LOG_HEAD

_LEAF, _LEAF_HEAD = 0x0D, 8  # SQLite's page of table rows, and where the places of its rows begin
_Value = int | float | str | None
_COLUMNS = 7
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of each kind of whole number
_WRITTEN: dict[int, _Value] = {0: None, 8: 0, 9: 1}  # kinds that are the value
_FLOAT, _TEXT = 7, 13


def readable(*paths: Path) -> list[Entry]:
    """The longest unbroken chain of entries, from the first on, in these databases and logs together."""
    return chained(entry for path in paths for entry in _found_in(path))


def chained(found: Iterable[Entry]) -> list[Entry]:
    """The longest chain that these entries make: each hash vouches for its entry and for all before it."""
    numbered: dict[int, dict[Entry, None]] = {}
    for entry in found:
        numbered.setdefault(entry.id, {})[entry] = None
    before: dict[Link, tuple[Link, Entry]] = {}
    ends = [NOTHING]
    while steps := [
        (end, entry) for entry in numbered.get(ends[0].id + 1, ()) for end in ends if entry.follows(end)
    ]:
        before |= {entry.link: (end, entry) for end, entry in steps}
        ends = [entry.link for _, entry in steps]
    link, chain = ends[0], list[Entry]()
    while link != NOTHING:
        link, entry = before[link]
        chain.append(entry)
    return chain[::-1]


def _found_in(path: Path) -> Iterator[Entry]:
    """All that may be an entry, in no order, old copies too."""
    yield from readable_rows(path)
    for page in _pages(path):
        yield from _rows(page)


def _pages(path: Path) -> Iterator[bytes]:
    data, log = _bytes(path), _bytes(log_of(path))
    yield from (data[at : at + PAGE] for at in range(0, len(data), PAGE))
    starts = range(LOG_HEAD + FRAME_HEAD, len(log), FRAME_HEAD + PAGE)
    yield from (log[at : at + PAGE] for at in starts)


def _bytes(path: Path) -> bytes:
    """What cannot be read holds nothing; a pipe would be waited for."""
    with contextlib.suppress(OSError):
        return path.read_bytes() if path.is_file() else b""
    return b""


def _rows(page: bytes) -> Iterator[Entry]:
    """The rows of a page that look like entries."""
    if len(page) < PAGE or page[0] != _LEAF:
        return
    (count,) = struct.unpack_from(">H", page, 3)
    for place in range(_LEAF_HEAD, min(_LEAF_HEAD + 2 * count, PAGE - 1), 2):
        (at,) = struct.unpack_from(">H", page, place)
        with contextlib.suppress(IndexError, ValueError, struct.error):  # no row, or no entry
            yield _entry(page, at)


def _entry(page: bytes, at: int) -> Entry:
    """The row there; if it is none, an error, or an entry whose hash is wrong."""
    _, at = _varint(page, at)  # the row's length
    number, at = _varint(page, at)
    length, kind_at = _varint(page, at)
    value_at, values = at + length, list[_Value]()
    for _ in range(_COLUMNS):
        kind, kind_at = _varint(page, kind_at)
        value, value_at = _value(page, kind, value_at)
        values.append(value)
    match values:
        case [
            _,
            int() | None as game,
            str(line),
            str() | None as command,
            int() | None as seat,
            int() | float() as moment,  # SQLite writes 12.0 as 12
            str(chain),
        ]:
            return Entry(number, game, line, command, seat, float(moment), chain)
        case _:
            raise ValueError("this is no entry")


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's, seven bits a byte, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | page[place] & 0x7F
        if page[place] < 0x80:
            return value, place + 1
    return value << 8 | page[at + 8], at + 9


def _value(page: bytes, kind: int, at: int) -> tuple[_Value, int]:
    """A value of that kind, and where it ends."""
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(page[at:end], "big", signed=True), end
    if kind in _WRITTEN:
        return _WRITTEN[kind], at
    if kind == _FLOAT:
        (real,) = struct.unpack_from(">d", page, at)
        return float(real), at + 8
    if kind >= _TEXT and kind % 2:
        end = at + (kind - _TEXT) // 2
        return page[at:end].decode(), end
    raise ValueError("an entry has no value of that kind")
