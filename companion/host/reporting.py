"""What the camera saw last, for the page that shows it, and packed for a report if its owner asks."""

import json
import threading
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import cv2

from companion.host.answers import notice_of, shown_dice
from companion.host.seeing import Look, crop, jpeg
from companion.journal.files import put_in_place
from companion.sight.reading_told import sentences, told
from companion.view.sighting import ReportError, Sighting
from companion.words import english
from vision.image.arrays import Image
from vision.image.box import box_of_reading
from vision.memory.calibration import CalibrationError
from vision.overlay import draw_close_up, draw_overlay

REPORTS = "reports"  # in the state folder
MOST_REPORTS = 30


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a report says beside the reading itself."""

    version: str
    camera: str
    simulated: bool
    roll: str  # as it counts in the game at this moment; empty between rolls


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the host has what this shows."""

    last: Callable[[], Look | None]
    circumstances: Callable[[], Circumstances]
    calibration: Path
    folder: Path
    taught: Callable[[], int]  # rolls that taught the table
    forget: Callable[[], None]
    now: Callable[[], float] = time.time


class LastLook:
    """Numbers the looks, so that a page never mixes two of them."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._mutex = threading.Lock()
        self._number = 0
        self._look: Look | None = None

    def _newest(self) -> tuple[str, Look] | None:
        with self._mutex:
            look = self._sources.last()
            if look is not self._look:
                self._look = look
                self._number += 1
            return None if look is None else (str(self._number), look)

    def _find(self, identity: str) -> Look | None:
        newest = self._newest()
        return newest[1] if newest is not None and newest[0] == identity else None

    # --- for the page ----------------------------------------------------------------------------------

    def last(self) -> Sighting | None:
        newest = self._newest()
        if newest is None:
            return None
        identity, look = newest
        reading = look.reading
        height, width = look.image.shape[:2]
        near = box_of_reading(look.image, reading)
        return Sighting(
            id=identity,
            certain=reading.certain,
            milliseconds=round(reading.milliseconds),
            expected=tuple(look.expected),
            dice=shown_dice(reading.dice),
            problems=tuple(map(notice_of, reading.problems)),
            width=width,
            height=height,
            near_width=near.width,
            near_height=near.height,
            learnt=self._sources.calibration.exists(),
            simulated=self._sources.circumstances().simulated,
            taught=self._sources.taught(),
        )

    def picture(self, identity: str, letters: Mapping[str, str]) -> bytes | None:
        look = self._find(identity)
        return None if look is None else jpeg(draw_close_up(look.image, look.reading, letters))

    def die(self, identity: str, name: str) -> bytes | None:
        return crop(self._find(identity), name)

    def forget(self) -> None:
        try:
            self._sources.forget()
        except CalibrationError as error:
            raise ReportError("disk-full", english(error)) from None

    # --- for a report ----------------------------------------------------------------------------------

    def report(self, identity: str) -> bytes | None:
        look = self._find(identity)
        return None if look is None else self._packed(look)

    def keep(self, identity: str) -> str | None:
        look = self._find(identity)
        if look is None:
            return None
        folder = self._sources.folder / REPORTS
        name = time.strftime("report-%Y%m%d-%H%M%S.zip", time.gmtime(self._sources.now()))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if len(list(folder.glob("report-*.zip"))) >= MOST_REPORTS:
                text = f"{MOST_REPORTS} reports are kept at most; delete some in {folder}"
                raise ReportError("too-many-reports", text)
            made = folder / f"{name}.part"
            made.write_bytes(self._packed(look))
            put_in_place(made, folder / name)
        except OSError as error:
            raise ReportError("disk-full", f"the report could not be written: {error.strerror}") from None
        return f"{REPORTS}/{name}"

    def _packed(self, look: Look) -> bytes:
        overlay = draw_overlay(look.image, look.reading, sentences(look.reading.problems))
        files = {
            "picture.png": _encoded(".png", look.image),
            "overlay.jpg": jpeg(overlay) or b"",
            "reading.json": self._told(look).encode(),
        }
        if self._sources.calibration.exists():
            files["calibration.toml"] = self._sources.calibration.read_bytes()
        made = BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return made.getvalue()

    def _told(self, look: Look) -> str:
        """The reading, and what it was made in: no name of a player, no score, nothing of the network."""
        around = self._sources.circumstances()
        report = {
            "version": around.version,
            "camera": around.camera,
            "simulated": around.simulated,
            "expected": list(look.expected),
            **told(look.reading),
            "in_the_game": around.roll or None,
        }
        return json.dumps(report, indent=1)


def _encoded(kind: str, image: Image) -> bytes:
    done, data = cv2.imencode(kind, image)
    if not done:
        raise ReportError("no-picture", "the picture cannot be written")
    return data.tobytes()
