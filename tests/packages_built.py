"""What `make release` builds, made once for all tests of it, however many workers run them."""

import fcntl
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.packages.release import build
from tools.packages.source import ROOT, version_of


@dataclass(frozen=True)
class Built:
    """The folder of a release."""

    folder: Path
    version: str = version_of(ROOT)

    @property
    def wheel(self) -> Path:
        return self.folder / f"boxlid-{self.version}-py3-none-any.whl"

    @property
    def archive(self) -> Path:
        return self.folder / f"boxlid-{self.version}.tar.gz"

    @property
    def deb(self) -> Path:
        return self.folder / f"boxlid_{self.version}_all.deb"

    @property
    def inside(self) -> Path:
        return self.folder / f"boxlid-{self.version}.cdx.json"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Built:
    """The first worker that wants it builds it; the others wait for that."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "packages"
    with (folder.parent / "packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "SHA256SUMS").exists():  # is written last
            folder.mkdir()
            build(ROOT, folder)
    return Built(folder)
