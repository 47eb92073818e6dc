"""Stand-ins in C, compiled when a test wants one; preloaded, they take the place of the system's calls."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE


def compiled(name: str, folder: Path) -> Path:
    """The library of that name, made in the folder."""
    if shutil.which("gcc") is None:
        pytest.fail("stand-ins for a disk are compiled with gcc: apt-get install gcc", pytrace=False)
    source, made = Path(__file__).with_name(f"{name}.c"), folder / f"{name}.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
    subprocess.run(command, check=True, timeout=PATIENCE)
    return made
