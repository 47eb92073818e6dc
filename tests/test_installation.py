"""The doctor names the installation and how it is upgraded, by the marks that each installer leaves."""

import json
from pathlib import Path

import pytest

from companion.checks.installation import APPLIANCE, PACKAGE, Installation, InstalledPlace, installation
from companion.cli import main
from tools.packages.source import ROOT, version_of


@pytest.mark.parametrize(
    ("program", "python", "mark", "kind"),
    [
        (PACKAGE, Path("/usr"), "", Installation.PACKAGE),
        ("lib/site-packages", APPLIANCE / "0.1.0-20270101-120000", "", Installation.APPLIANCE),
        ("lib/site-packages", ".", "pipx_metadata.json", Installation.PIPX),
        ("lib/site-packages", ".", "uv-receipt.toml", Installation.UV),
        ("lib/site-packages", ".", "", Installation.PIP),
        (".", ".venv", "pyproject.toml", Installation.CLONE),
    ],
)
def test_each_installation_is_known_by_its_mark(
    tmp_path: Path, program: str | Path, python: str | Path, mark: str, kind: Installation
) -> None:
    if mark:
        (tmp_path / mark).touch()
    assert installation(InstalledPlace(tmp_path / program, tmp_path / python)) is kind


def test_the_doctor_begins_with_the_version_and_how_to_upgrade_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--json", "--state", str(tmp_path)])
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    said = f"{version_of(ROOT)}, run in a clone; to upgrade, there: git pull"
    assert (first["what"], first["state"], first["text"]) == ("version", "ok", said)
