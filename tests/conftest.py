"""Where tests keep their files: in memory if there is room, for journals wait for the disk at each event."""

import os
import shutil
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes: on a small machine it is the memory that the tests need


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and _has_room(MEMORY):
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)


def _has_room(folder: Path) -> bool:
    """Programs are built and run there too, which some containers do not allow."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    may_run = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return may_run and shutil.disk_usage(folder).free >= ROOM
