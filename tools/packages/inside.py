"""The list of what is inside a release, in CycloneDX's form: own parts, networks, and what it is built on."""

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from tools.check_locked import versions
from tools.packages.deb import BUNDLED
from tools.packages.source import ReleaseError, Source

LICENCE = "MIT"
NETWORKS = "*/**/weights/*"
KINDS = {".onnx": "machine-learning-model", ".npz": "machine-learning-model", ".json": "data"}
# what stands for a part of PyPI in the Debian package, where its name is not python3- and the part's own
IN_DEBIAN = {"opencv-python-headless": "python3-opencv"}
# only builds the wheel
BUILDS = frozenset({"setuptools"})


def write_list(source: Source, out: Path) -> Path:
    reference = f"pkg:pypi/boxlid@{source.version}"
    parts = [*_networks(source), *_built_on(source)]
    listed: dict[str, object] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(source.epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": reference,
                "name": "boxlid",
                "version": source.version,
                "licenses": [{"license": {"id": LICENCE}}],
                "purl": reference,
            },
        },
        "components": parts,
        "dependencies": [
            {"ref": reference, "dependsOn": sorted(str(part["bom-ref"]) for part in parts)},
        ],
    }
    content = json.dumps(listed, sort_keys=True)
    listed["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"
    made = out / f"boxlid-{source.version}.cdx.json"
    made.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    return made


def _networks(source: Source) -> Iterator[Mapping[str, object]]:
    """Weights are made here, and nobody can see in them what they do: each is named with its hash."""
    for path in sorted(each for each in source.folder.glob(NETWORKS) if each.suffix in KINDS):
        name = str(path.relative_to(source.folder))
        yield {
            "type": KINDS[path.suffix],
            "bom-ref": name,
            "name": name,
            "version": source.version,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
            "licenses": [{"license": {"id": LICENCE}}],
        }


def _built_on(source: Source) -> Iterator[Mapping[str, object]]:
    """The locked versions, as pip and the clone's installer take them; the Debian package has Debian's."""
    text = (source.folder / "tools/locked/run.txt").read_text(encoding="utf-8")
    control = (source.folder / "systemd/deb/control").read_text(encoding="utf-8")
    for (name, _), version in sorted(versions(text).items()):
        if name in BUILDS:
            continue
        reference = f"pkg:pypi/{name}@{version}"
        debian = IN_DEBIAN.get(name, f"python3-{name}")
        asked = ", ".join(re.findall(rf"\b{re.escape(debian)}(?: \([^)]*\))?", control))
        there = "this very version" if name in BUNDLED else asked or f"{debian}, by what needs it"
        yield {
            "type": "library",
            "bom-ref": reference,
            "name": name,
            "version": version,
            "scope": "required",
            "licenses": [_licence(name)],
            "purl": reference,
            "properties": [{"name": "boxlid:in-the-debian-package", "value": there}],
        }


def _licence(name: str) -> Mapping[str, object]:
    """In its own words, which stand with the installed package."""
    try:
        about = metadata(name).json
    except PackageNotFoundError:
        raise ReleaseError(f"{name} is not installed here, so its licence is unknown: make check") from None
    if expression := about.get("license_expression"):
        return {"expression": expression}
    named = [
        each.rpartition(" :: ")[2] for each in about.get("classifier", []) if each.startswith("License :: ")
    ]
    said = str(about.get("license", "")).strip().partition("\n")[0]
    return {"license": {"name": ", ".join(named) or said or "see the package"}}
