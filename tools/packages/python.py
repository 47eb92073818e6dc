"""The wheel, built by the locked setuptools, and the source archive, which holds every tracked file."""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from tools.packages.source import PLAIN, ReleaseError, Source

BUILT_FROM = ("boxlid", "companion", "vision", "hardware", "web", "pyproject.toml", "README.md", "LICENSE")


def build_wheel(source: Source, out: Path, work: Path) -> Path:
    """Fetches nothing: what builds it is installed already."""
    copy = work / "wheel"
    copy.mkdir()
    for name in BUILT_FROM:
        part = source.folder / name
        if part.is_dir():
            shutil.copytree(part, copy / name)
        else:
            shutil.copy2(part, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--no-cache-dir", "--wheel-dir", str(out), str(copy)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(source.epoch), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, umask=0o022, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"the wheel could not be built: {(done.stderr or done.stdout).strip()}")
    return out / f"boxlid-{source.version}-py3-none-any.whl"


def build_source_archive(source: Source, wheel: Path, out: Path) -> Path:
    """Every tracked file, and the wheel's description as PKG-INFO, in a fixed order with one date."""
    name = f"boxlid-{source.version}"
    with zipfile.ZipFile(wheel) as built:
        description = built.read(f"{name}.dist-info/METADATA")
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, source, f"{name}/PKG-INFO", description, PLAIN)
        for path in sorted(each for each in source.folder.rglob("*") if each.is_file()):
            mode = path.stat().st_mode & 0o777
            _add(archive, source, f"{name}/{path.relative_to(source.folder)}", path.read_bytes(), mode)
    made = out / f"{name}.tar.gz"
    with made.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=source.epoch) as packed:
        packed.write(plain.getvalue())
    return made


def _add(archive: tarfile.TarFile, source: Source, name: str, content: bytes, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = len(content), source.epoch, mode
    archive.addfile(entry, io.BytesIO(content))
