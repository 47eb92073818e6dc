"""How far the broker has acknowledged the journal, in a small file beside it. Written whole or not at all."""

import json
import logging
from dataclasses import dataclass
from pathlib import Path

from boxlid.fields import FieldsError, read
from companion.journal.entry import NOTHING, Link
from companion.journal.files import put_in_place
from companion.journal.journal import Journal
from companion.process.plain_file import read_plain

FILE = "mqtt.json"
LONGEST_FILE = 1000
_log = logging.getLogger(__name__)


class KeptPosition:
    """The newest entry of which everything, and of all before it, was acknowledged."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def read(self, journal: Journal) -> Link:
        """Nothing was kept: from now on. What was kept is of another journal, or damaged: from the beginning,
        for a result that comes twice harms nobody, and one that never comes is lost."""
        try:
            found = _parse(read_plain(self._path, LONGEST_FILE))
        except FileNotFoundError:
            newest = journal.entry(journal.next_id - 1)
            return NOTHING if newest is None else newest.link
        except OSError as error:
            _log.warning("%s cannot be read (%s); all results are sent again", self._path, error.strerror)
            return NOTHING
        entry = None if found is None else journal.entry(found.id)
        if found is None or entry is None or entry.link != found:
            return NOTHING
        return found

    def write(self, position: Link) -> None:
        """OSError if the disk refuses it."""
        made = self._path.with_suffix(".part")
        made.write_text(json.dumps({"entry": position.id, "chain": position.chain}), encoding="utf-8")
        put_in_place(made, self._path)


@dataclass(frozen=True, slots=True)
class _Kept:
    entry: int
    chain: str


def _parse(content: bytes) -> Link | None:
    try:
        found = read(_Kept, json.loads(content))
    except (FieldsError, ValueError, RecursionError):
        return None
    return Link(found.entry, found.chain)
