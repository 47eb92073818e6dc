"""Which version this is, how it was installed, how it is upgraded. Looks where the program lies."""

import sys
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import companion
from companion.findings.check import Check, ok
from companion.findings.kinds import Checked, Found

PACKAGE = Path("/usr/share/boxlid")
APPLIANCE = Path("/opt/boxlid/versions")


class Installation(Enum):
    """Each way to install, by what is said of it."""

    PACKAGE = Found.INSTALLED_PACKAGE
    APPLIANCE = Found.INSTALLED_APPLIANCE
    PIPX = Found.INSTALLED_PIPX
    UV = Found.INSTALLED_UV
    CLONE = Found.INSTALLED_CLONE
    PIP = Found.INSTALLED_PIP


@dataclass(frozen=True)
class InstalledPlace:
    """Where the program and its Python are; tests have places of their own."""

    program: Path = Path(companion.__file__).parent.parent
    python: Path = Path(sys.prefix)


HERE = InstalledPlace()


def installation(place: InstalledPlace = HERE) -> Installation:
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
    return ok(Checked.VERSION, installation().value, version=own_version())
