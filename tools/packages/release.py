"""Makes a release: wheel, source archive, Debian package, what is inside, checksums.

    python -m tools.packages.release [--out FOLDER]

Everything is built twice from what is committed, in two places, and has to be the same to the byte.
"""

import argparse
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version as version_installed
from pathlib import Path

from tools.check_locked import drift, versions
from tools.packages.deb import build_deb
from tools.packages.inside import write_list
from tools.packages.python import build_source_archive, build_wheel
from tools.packages.source import ROOT, ReleaseError, copy_of, git, version_of

SUMS = "SHA256SUMS"


def in_the_way(folder: Path) -> Iterator[str]:
    """What forbids a release, a line each."""
    changed = git(folder, "status", "--porcelain").splitlines()
    if changed:
        yield f"commit first: {', '.join(line[3:] for line in changed[:5])}{' …' if changed[5:] else ''}"
    yield from drift(folder)
    locked = versions((folder / "tools/locked/run.txt").read_text(encoding="utf-8"))
    for (name, _), version in sorted(locked.items()):
        if version_installed(name) != version:
            yield f"{name} {version_installed(name)} is installed, {version} is locked: tools/setup.sh dev"
    version = version_of(folder)
    top = re.search(r"(?m)^## (.*)$", (folder / "CHANGELOG.md").read_text(encoding="utf-8"))
    if top is None or top[1].split()[:1] != [version]:
        yield f"CHANGELOG.md begins with {top[1] if top else 'nothing'}; pyproject.toml has {version}"


def build(folder: Path, out: Path) -> None:
    """Everything into `out`, which is empty."""
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        source = copy_of(folder, work / "source")
        wheel = build_wheel(source, out, work)
        build_source_archive(source, wheel, out)
        build_deb(source, wheel, out, work)
        write_list(source, out)
    (out / SUMS).write_text("".join(_sums(out)), encoding="utf-8")


def _sums(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"


def differing(one: Path, other: Path) -> list[str]:
    """The names of what is not the same in both."""
    names = {each.name for folder in (one, other) for each in folder.iterdir()}
    both = [(name, one / name, other / name) for name in sorted(names)]
    return [
        name for name, a, b in both if not (a.exists() and b.exists() and a.read_bytes() == b.read_bytes())
    ]


def release(folder: Path, out: Path) -> None:
    problems = list(in_the_way(folder))
    if problems:
        raise ReleaseError("\n".join(problems))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(suffix="-again") as other:
        for place in (one, other):
            build(folder, Path(place))
        names = differing(Path(one), Path(other))
        if names:
            raise ReleaseError(f"built twice, and not the same: {', '.join(names)}")
        out.mkdir(parents=True, exist_ok=True)
        for path in sorted(Path(one).iterdir()):
            (out / path.name).write_bytes(path.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args()
    try:
        release(ROOT, options.out)
    except ReleaseError as error:
        for line in str(error).splitlines():
            print(f"release: {line}", file=sys.stderr)
        return 1
    print((options.out / SUMS).read_text(encoding="utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
