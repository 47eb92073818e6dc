"""Where tests keep their files: in memory if there is room, for journals wait for the disk at each event."""

import os
import shutil
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
BROWSER = Path(__file__).parent / "browser"
ROOM = 4 << 30  # bytes: on a small machine it is the memory that the tests need


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and _has_room(MEMORY):
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)


@pytest.hookimpl(tryfirst=True)  # before those that run side by side look for the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where tests run side by side, those of a file stay together, and those in a browser share one."""
    for item in items:
        in_browser = item.path.is_relative_to(BROWSER)
        item.add_marker(pytest.mark.xdist_group("browser" if in_browser else item.path.name))


def _has_room(folder: Path) -> bool:
    """Programs are built and run there too, which some containers do not allow."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    may_run = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return may_run and shutil.disk_usage(folder).free >= ROOM
