"""Which cameras are connected, without opening any: those in use by somebody else are found too."""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

_NUMBER = re.compile(r"video(\d+)")
_PLATFORM = "/platform/"  # decoders and scalers of the computer itself are video devices too
_USB = "/usb"
_FAULTS = (RuntimeError, ValueError, OSError, IndexError, KeyError, AttributeError)


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A connected camera: its setting, as CameraSetting parses it, and what it calls itself."""

    setting: str
    name: str


def found_cameras(
    root: Path = Path("/"), pi_cameras: Callable[[], Sequence[str]] | None = None
) -> tuple[FoundCamera, ...]:
    """Pi cameras first, then USB cameras, each by its number."""
    models = (pi_cameras or _pi_cameras)()
    found = [FoundCamera(f"picamera:{number}", model) for number, model in enumerate(models)]
    return (*found, *_usb_cameras(root))


def _usb_cameras(root: Path) -> list[FoundCamera]:
    """A camera may have several devices; the first of each gives pictures, the others data about them."""
    found = []
    for device in sorted(root.glob("sys/class/video4linux/video*"), key=_number):
        place = str(device.resolve())
        if _read(device / "index") not in ("0", None) or (_PLATFORM in place and _USB not in place):
            continue
        found.append(FoundCamera(f"usb:{_number(device)}", _read(device / "name") or device.name))
    return found


def _number(device: Path) -> int:
    match = _NUMBER.fullmatch(device.name)
    return int(match[1]) if match else 0


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _pi_cameras() -> Sequence[str]:
    """The models on the ribbon cables; none where there is no picamera2."""
    try:
        module = importlib.import_module("picamera2")
        known = cast(Sequence[Mapping[str, object]], module.Picamera2.global_camera_info())
    except (ImportError, *_FAULTS):
        return ()
    # picamera2 lists USB cameras as well
    return tuple(str(each.get("Model", "")) for each in known if _USB not in str(each.get("Id", "")))
