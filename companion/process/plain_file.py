"""Reading a small file that anybody may have put there: only a plain one, and no more than it may hold."""

import errno
import os
import stat
from pathlib import Path


def read_plain(path: Path, most: int) -> bytes:
    """What the file holds. OSError says what is wrong with it; a pipe is not waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        found = file.read(most + 1)
    if len(found) > most:
        raise OSError(errno.EFBIG, f"it is longer than {most} bytes")
    return found
