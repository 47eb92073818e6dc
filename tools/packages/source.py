"""What packages are made from: tracked files, version and date of a working folder. Builds nothing."""

import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PLAIN, EXECUTABLE = 0o644, 0o755


class ReleaseError(Exception):
    """What stands in the way, in one sentence that says what to do."""


@dataclass(frozen=True)
class Source:
    """A folder with the project's files, and the second that all of them are given."""

    folder: Path
    version: str
    epoch: int


def version_of(folder: Path) -> str:
    """The one place where it stands is pyproject.toml."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"packages are made in a clone: git {arguments[0]} says {done.stderr.strip()}")
    return done.stdout


def epoch_of(folder: Path) -> int:
    """The date everything is given: SOURCE_DATE_EPOCH, else that of the newest commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not re.fullmatch(r"\d{9,10}", given):
        raise ReleaseError(f"SOURCE_DATE_EPOCH is to be seconds since 1970, got {given!r}")
    return int(given or git(folder, "log", "-1", "--format=%ct"))


def copy_of(folder: Path, copy: Path) -> Source:
    """The tracked files as they are now, with plain rights and one date: whoever builds gets the same."""
    epoch = epoch_of(folder)
    for name in sorted(filter(None, git(folder, "ls-files", "-z").split("\0"))):
        old, new = folder / name, copy / name
        if not old.is_file():  # removed, and not yet committed
            continue
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(old, new)
        new.chmod(EXECUTABLE if old.stat().st_mode & 0o100 else PLAIN)
        os.utime(new, (epoch, epoch))
    return Source(copy, version_of(copy), epoch)
