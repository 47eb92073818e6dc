"""The lock on a state folder. Its file also remembers, beside the database, how far the journal had come."""

import contextlib
import fcntl
import hashlib
import os
from pathlib import Path

from companion.journal.doubt import Doubt
from companion.journal.entry import Link
from companion.journal.errors import JournalError

LOCK = "journal.lock"
_LINE = 200  # bytes; the first line is the newest entry, the second what is to be decided


class FolderLock:
    """Only one companion on one state folder; the lock goes with the process, even a killed one."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(
                f"the state folder {folder} cannot be written ({error.strerror}); "
                f"check who may write there, or choose another --state"
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            todo = "stop it, or choose another --state"
            raise JournalError(f"another Boxlid is using {folder}; {todo}") from None

    def remember(self, link: Link) -> None:
        """Note the newest entry once it is on disk. The note itself may be lost: it only ever lags behind."""
        with contextlib.suppress(OSError):  # the entry is kept already; a full disk shall not deny that
            self._write(0, f"{link.id} {link.chain}")

    def remembered(self) -> Link | None:
        """The entry noted last; None if there is no note, or not what was written."""
        match self._read(0):
            case [number, chain]:
                return Link(int(number), chain)
            case _:
                return None

    @property
    def tells_of_entries(self) -> bool:
        """Whether there were entries, or the note is not what was written: then there may have been."""
        noted = self.remembered()
        return noted.id > 0 if noted is not None else bool(os.pread(self._file, _LINE, 0).strip())

    def doubt(self, doubt: Doubt | None) -> None:
        """Keep what is to be decided over restarts; None: nothing."""
        self._write(1, "" if doubt is None else str(doubt))

    def doubted(self) -> Doubt | None:
        """What nobody decided yet."""
        return Doubt.parse(self._read(1))

    def begin(self, link: Link) -> None:
        """Another journal is about to be the one in use: it ends with that entry, and nothing is in doubt."""
        self._write(0, f"{link.id} {link.chain}")
        self._write(1, "")
        os.fsync(self._file)

    def _write(self, line: int, text: str) -> None:
        words = f"{text} {_check(text)}" if text else ""
        os.pwrite(self._file, (words.ljust(_LINE - 1) + "\n").encode(), line * _LINE)

    def _read(self, line: int) -> list[str]:
        words = os.pread(self._file, _LINE, line * _LINE).decode("ascii", "replace").split()
        return words[:-1] if words and words[-1] == _check(" ".join(words[:-1])) else []

    def release(self) -> None:
        """Let another companion in."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _check(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
