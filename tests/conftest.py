"""Where tests keep their files, and simulated tables that are drawn once: what would cost a run its minutes.

Files are kept in memory if there is room, for journals wait for the disk at each event.
"""

import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.packages_built import built
from vision.simulation.geometry import LidPlace
from vision.simulation.scene import Painter, StillScene

__all__ = ["built"]  # a fixture of whoever wants it

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes: on a small machine it is the memory that the tests need
MOST_SCENES = 40  # three megabytes each
HEART = Path(__file__).parent / "heart"
# how long an example takes says how busy the machine is, and nothing of what is tested
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Only tests of the heart count for its coverage; to watch the others would double their time."""
    for item in items:
        if not item.path.is_relative_to(HEART):
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture(scope="session", autouse=True)
def scenes_drawn_once() -> Iterator[None]:
    """A table without dice takes a second to draw, follows from its style, and is wanted by many tests."""
    draw, kept = Painter.scene, dict[bytes, StillScene]()

    def drawn_once(painter: Painter, place: LidPlace, dark: bool = False) -> StillScene:
        key = pickle.dumps((painter.style, painter.view, place, dark))
        if key not in kept:
            kept[key] = draw(painter, place, dark)
            if len(kept) > MOST_SCENES:
                del kept[next(iter(kept))]
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Painter, "scene", drawn_once)
        yield
