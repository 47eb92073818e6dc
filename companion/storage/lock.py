"""The lock on a state folder. Its file also remembers the newest kept entry, beside the database."""

import contextlib
import fcntl
import hashlib
import os
from pathlib import Path

from companion.storage.entry import Link
from companion.storage.errors import JournalError

LOCK = "journal.lock"
_LONGEST = 200  # bytes


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
        text = f"{link.id} {link.chain}"
        line = f"{text} {_check(text)}".ljust(_LONGEST - 1) + "\n"
        with contextlib.suppress(OSError):  # the entry is kept already; a full disk shall not deny that
            os.pwrite(self._file, line.encode(), 0)

    def remembered(self) -> Link | None:
        """The entry noted last; None if there is no note, or not what was written."""
        words = os.pread(self._file, _LONGEST, 0).decode("ascii", "replace").split()
        match words:
            case [number, chain, check] if check == _check(f"{number} {chain}"):
                return Link(int(number), chain)
        return None

    def forget(self) -> None:
        os.ftruncate(self._file, 0)

    def release(self) -> None:
        """Let another companion in."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _check(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
