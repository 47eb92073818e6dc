"""Which version this is, how it was installed, how it is upgraded. Looks where the program lies."""

import sys
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import companion
from companion.findings.check import Check, ok

PACKAGE = Path("/usr/share/boxlid")
APPLIANCE = Path("/opt/boxlid/versions")


class Installation(Enum):
    """Each way to install, by what is said of it."""

    PACKAGE = "{version}, the Debian package; to upgrade: sudo apt install ./boxlid_NEW_all.deb"
    APPLIANCE = "{version}, a service from a clone; to upgrade, there: git pull && sudo make install"
    PIPX = "{version}, by pipx; to upgrade: pipx install --force ./boxlid-NEW-py3-none-any.whl"
    UV = "{version}, by uv; to upgrade: uv tool install --force ./boxlid-NEW-py3-none-any.whl"
    CLONE = "{version}, run in a clone; to upgrade, there: git pull"
    PIP = "{version}, by pip; to upgrade: pip install ./boxlid-NEW-py3-none-any.whl"


@dataclass(frozen=True)
class Place:
    """Where the program and its Python are; tests have places of their own."""

    program: Path = Path(companion.__file__).parent.parent
    python: Path = Path(sys.prefix)


HERE = Place()


def installation(place: Place = HERE) -> Installation:
    """What the program's place tells: each installer leaves a mark of its own."""
    program, python = place.program, place.python
    marks = {
        Installation.PACKAGE: program == PACKAGE,
        Installation.APPLIANCE: python.is_relative_to(APPLIANCE),
        Installation.PIPX: (python / "pipx_metadata.json").exists(),
        Installation.UV: (python / "uv-receipt.toml").exists(),
        Installation.CLONE: (program / "pyproject.toml").exists(),
    }
    return next((kind for kind, is_so in marks.items() if is_so), Installation.PIP)


def own_version() -> str:
    try:
        return version("boxlid")
    except PackageNotFoundError:  # run from its folder, never installed
        return "?"


def version_check() -> Check:
    return ok("version", installation().value, version=own_version())
