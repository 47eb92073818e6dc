"""Whether the locked versions fit pyproject.toml; --digest says what they are made from. Fetches nothing."""

import hashlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCKED = ("run", "dev")
FROM = re.compile(r"^# Made by make lock; never by hand\. From: (\w+)$", re.MULTILINE)
# name==version ; marker \ and then its hashes, a line each
ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)( ; [^\\\n]+)?(.*(?:\n    .*)*)", re.MULTILINE)
TO_DO = "renew the locked versions: make lock"


def digest(root: Path = ROOT) -> str:
    """A short word for everything that decides which versions are right."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["project"]
    parts = [
        wanted["requires-python"],
        *sorted(wanted["dependencies"]),
        *sorted(wanted["optional-dependencies"]["mqtt"]),
        *sorted(wanted["optional-dependencies"]["club"]),
        *sorted(wanted["optional-dependencies"]["dev"]),
        *project["build-system"]["requires"],
        (root / "tools" / "constraints.txt").read_text(encoding="utf-8"),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def versions(text: str) -> dict[tuple[str, str], str]:
    """The version of each package, by its name and where it is wanted."""
    return {(name, marker.strip()): version for name, version, marker, _ in ENTRY.findall(text)}


def drift(root: Path = ROOT) -> Iterator[str]:
    """What is not as it must be, a line each."""
    texts = {name: (root / "tools" / "locked" / f"{name}.txt").read_text(encoding="utf-8") for name in LOCKED}
    for name, text in texts.items():
        made_from = FROM.search(text)
        if made_from is None or made_from[1] != digest(root):
            yield f"tools/locked/{name}.txt is not of this pyproject.toml; {TO_DO}"
        for package, version, _, rest in ENTRY.findall(text):
            if "--hash=sha256:" not in rest:
                yield f"tools/locked/{name}.txt has no hash for {package}=={version}; {TO_DO}"
    run, dev = (versions(texts[name]) for name in LOCKED)
    for (package, _), version in run.items():
        if version not in {found for (other, _), found in dev.items() if other == package}:
            yield f"{package}=={version} runs, but is not what the tests run with; {TO_DO}"


def main() -> int:
    if sys.argv[1:] == ["--digest"]:
        print(digest())
        return 0
    found = list(drift())
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
