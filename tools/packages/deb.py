"""The Debian package: the wheel's files, the appliance's units, and Debian's parts instead of PyPI's.

    python -m tools.packages.deb [--out FOLDER]

Made by dpkg-deb alone; docs/decisions/082 tells why.
"""

import argparse
import gzip
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tools.packages.python import build_wheel
from tools.packages.source import EXECUTABLE, PLAIN, ROOT, ReleaseError, Source, copy_of

HOME = "usr/share/boxlid"
DOCUMENTS = "usr/share/doc/boxlid"
# where the clone's installer has things, and where the package has them; the files are the same
MOVED = {
    "/opt/boxlid/current/bin/boxlid": f"/{HOME}/program",
    "/opt/boxlid/README.md": f"/{DOCUMENTS}/README.md",
}
# a file of the project, its place in the package, its rights
FILES = (
    ("systemd/command", "usr/bin/boxlid", EXECUTABLE),
    ("systemd/boxlid.service", "usr/lib/systemd/system/boxlid.service", PLAIN),
    ("systemd/boxlid.socket", "usr/lib/systemd/system/boxlid.socket", PLAIN),
    ("systemd/sysusers.conf", "usr/lib/sysusers.d/boxlid.conf", PLAIN),
    ("systemd/polkit.rules", "usr/share/polkit-1/rules.d/50-boxlid.rules", PLAIN),
    ("systemd/avahi.service", "etc/avahi/services/boxlid.service", PLAIN),
    ("systemd/boxlid.toml", f"{HOME}/systemd/boxlid.toml", PLAIN),
    ("systemd/common.sh", f"{HOME}/systemd/common.sh", PLAIN),
    ("systemd/hotspot.sh", f"{HOME}/systemd/hotspot.sh", EXECUTABLE),
    ("systemd/kiosk.sh", f"{HOME}/systemd/kiosk.sh", EXECUTABLE),
    ("systemd/deb/program", f"{HOME}/program", EXECUTABLE),
    ("systemd/deb/rtupdate", "usr/share/python3/runtime.d/boxlid.rtupdate", EXECUTABLE),
    ("systemd/deb/copyright", f"{DOCUMENTS}/copyright", PLAIN),
    ("README.md", f"{DOCUMENTS}/README.md", PLAIN),
    ("SECURITY.md", f"{DOCUMENTS}/SECURITY.md", PLAIN),
)
LINKS = {
    "usr/sbin/boxlid-hotspot": "../share/boxlid/systemd/hotspot.sh",
    "usr/sbin/boxlid-kiosk": "../share/boxlid/systemd/kiosk.sh",
}
# pure Python of which bookworm has a version that is too old: the locked one lies beside the program
BUNDLED = ("paho-mqtt",)
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")


def build_deb(source: Source, wheel: Path, out: Path, work: Path) -> Path:
    tree = work / "deb"
    _unpack(wheel, tree / HOME)
    for name in BUNDLED:
        _bundle(name, tree)
    for name, place, mode in FILES:
        _write(tree / place, _moved((source.folder / name).read_bytes()), mode)
    for page in sorted((source.folder / "docs").iterdir()):
        if page.suffix in (".md", ".svg"):
            _write(tree / DOCUMENTS / "docs" / page.name, page.read_bytes(), PLAIN)
    _write(tree / DOCUMENTS / "changelog.gz", gzip.compress(_changelog(source), 9, mtime=0), PLAIN)
    for link, target in LINKS.items():
        (tree / link).parent.mkdir(parents=True, exist_ok=True)
        (tree / link).symlink_to(target)
    _control(source, tree)
    _settle(tree, source.epoch)
    made = out / f"boxlid_{source.version}_all.deb"
    command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "--threads-max=1", str(tree), str(made)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(source.epoch)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"the Debian package could not be built: {done.stderr.strip()}")
    return made


def _unpack(wheel: Path, home: Path) -> None:
    """The modules of the program stay its own: its folder, not Debian's for everybody's."""
    with zipfile.ZipFile(wheel) as built:
        for name in built.namelist():
            if ".dist-info/" not in name or name.endswith("/METADATA"):
                _write(home / name, built.read(name), PLAIN)


def _bundle(name: str, tree: Path) -> None:
    """Modules and licences as they are installed here; a release makes sure that this is what is locked."""
    try:
        parts = distribution(name)
    except PackageNotFoundError:
        raise ReleaseError(f"{name} is not installed here: tools/setup.sh dev") from None
    for part in sorted(parts.files or ()):
        content = Path(str(parts.locate_file(part)))
        if part.suffix == ".py":
            _write(tree / HOME / part, content.read_bytes(), PLAIN)
        elif "licenses" in part.parts:
            _write(tree / DOCUMENTS / name / part.name, content.read_bytes(), PLAIN)


def _moved(content: bytes) -> bytes:
    for old, new in MOVED.items():
        content = content.replace(old.encode(), new.encode())
    return content


def _control(source: Source, tree: Path) -> None:
    for name in SCRIPTS:
        _write(tree / "DEBIAN" / name, (source.folder / "systemd/deb" / name).read_bytes(), EXECUTABLE)
    files = sorted(each for each in tree.rglob("*") if each.is_file() and not each.is_symlink())
    inside = [each for each in files if "DEBIAN" not in each.relative_to(tree).parts[:1]]
    sums = [
        f"{hashlib.md5(each.read_bytes(), usedforsecurity=False).hexdigest()}  {each.relative_to(tree)}\n"
        for each in inside
    ]
    settings = [f"/{each.relative_to(tree)}\n" for each in inside if each.is_relative_to(tree / "etc")]
    _write(tree / "DEBIAN/md5sums", "".join(sums).encode(), PLAIN)
    _write(tree / "DEBIAN/conffiles", "".join(settings).encode(), PLAIN)
    size = sum(-(-each.stat().st_size // 1024) for each in inside)
    control = (source.folder / "systemd/deb/control").read_text(encoding="utf-8")
    control = re.sub(r"(?m)^#.*\n", "", control).format(version=source.version, size=size)
    _write(tree / "DEBIAN/control", control.encode(), PLAIN)


def _changelog(source: Source) -> bytes:
    """The newest part of CHANGELOG.md, in Debian's form."""
    text = (source.folder / "CHANGELOG.md").read_text(encoding="utf-8")
    points = re.split(r"(?m)^- ", re.split(r"(?m)^## .*\n", text)[1].strip())
    told = "\n".join(
        textwrap.fill(" ".join(point.split()), 79, initial_indent="  * ", subsequent_indent="    ")
        for point in points
        if point
    )
    control = (source.folder / "systemd/deb/control").read_text(encoding="utf-8")
    by = control.partition("Maintainer: ")[2].partition("\n")[0]
    date = datetime.fromtimestamp(source.epoch, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return f"boxlid ({source.version}) unstable; urgency=medium\n\n{told}\n\n -- {by}  {date}\n".encode()


def _write(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def _settle(tree: Path, epoch: int) -> None:
    """One date and plain rights, folders too: the same bytes whoever builds it, and when."""
    for path in [*tree.rglob("*"), tree]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(EXECUTABLE)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        try:
            source = copy_of(ROOT, work / "source")
            print(build_deb(source, build_wheel(source, work, work), options.out, work))
        except ReleaseError as error:
            print(f"deb: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
