"""What one fixed table looks like, kept as TOML beside the picture of its empty lid; not how it is learnt."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import cast
from zlib import crc32

import cv2
import numpy as np

from boxlid.errors import BoxlidError, StatementKind
from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour, Outline, Point

FORMAT = 1


class CalibrationFault(StatementKind):
    """What is wrong with a calibration, or with keeping it."""

    NONE = "calibration.none"
    UNREADABLE = "calibration.unreadable"
    DAMAGED = "calibration.damaged"
    NO_EMPTY_LID = "calibration.no-empty-lid"
    EMPTY_LID_GONE = "calibration.empty-lid-gone"
    EMPTY_LID_NOT_STORED = "calibration.empty-lid-not-stored"
    EMPTY_LID_MISSING = "calibration.empty-lid-missing"
    NOT_WRITTEN = "calibration.not-written"
    DISK_FULL = "calibration.disk-full"
    NOT_DELETED = "calibration.not-deleted"


class CalibrationError(BoxlidError):
    """A calibration cannot be kept or read back."""


@dataclass(frozen=True, slots=True)
class Lab:
    """A colour in CIELAB as people see distances: lightness 0 to 100, a towards red, b towards yellow."""

    lightness: float
    a: float
    b: float

    def distance(self, other: "Lab", lightness: float = 1.0) -> float:
        """How different two colours look; `lightness` weighs a difference in brightness alone."""
        up = lightness * (self.lightness - other.lightness)
        return float(np.hypot(np.hypot(up, self.a - other.a), self.b - other.b))


@dataclass(frozen=True, slots=True)
class DieSample:
    """One die of the set as this camera sees it under this lamp; both white dice have a sample each."""

    colour: DieColour
    body: Lab
    pip: Lab


@dataclass(frozen=True, slots=True)
class TaughtRoll:
    """The dice of a roll that players confirmed, as they looked then; `at` in seconds since 1970."""

    at: float
    dice: tuple[DieSample, ...]


@dataclass(frozen=True, slots=True)
class CameraLock:
    """Exposure and white balance to hold from now on, so that colours stay what was measured.

    A Pi camera balances white by the gains of red and blue, a USB camera by the light's temperature.
    """

    exposure_microseconds: int
    gain: float
    red_gain: float
    blue_gain: float
    lens_position: float | None = None
    kelvin: float | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's lens as the dice tell it: focal length over the picture's long side, and how surely."""

    focal: float
    stray: float  # natural logarithm: how far it may be off


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fixed table: all places are pixels of a picture `width` by `height`.

    `lid` holds the corners of the floor that dice lie on in order round it, four for a box lid, None where
    all that the picture shows counts; `die_edge` is the edge of a top face in its middle; `reference` is the
    picture of the empty place.
    """

    width: int
    height: int
    lid: Outline | None
    die_edge: float
    samples: tuple[DieSample, ...]
    lock: CameraLock | None = None
    reference: Path | None = None
    tilt: Point | None = None  # the camera's lean as sine: the way in the picture to the point below it
    lens: Lens | None = None  # None: the calibration was made before lenses were kept
    taught: tuple[TaughtRoll, ...] = ()  # since; kept in a file of its own

    def bodies(self, colour: DieColour) -> tuple[Lab, ...]:
        """The body colours measured for that die: two for white, one for the others, none if never seen."""
        return tuple(sample.body for sample in self.samples if sample.colour is colour)

    def pips(self, colour: DieColour) -> tuple[Lab, ...]:
        """The pip colours measured for that die, in the order of `bodies`."""
        return tuple(sample.pip for sample in self.samples if sample.colour is colour)

    def scaled(self, width: int, height: int) -> "Calibration":
        """The same table as a picture of another size shows it."""
        across, down = width / self.width, height / self.height
        lid = None if self.lid is None else tuple((x * across, y * down) for x, y in self.lid)
        edge = self.die_edge * (across * down) ** 0.5
        return replace(self, width=width, height=height, lid=lid, die_edge=edge)

    def empty_lid(self) -> Image | None:
        """The reference picture at this calibration's size, None if it was never kept."""
        if self.reference is None:
            return None
        picture = _picture(self.reference, self.reference.stat().st_mtime_ns)
        if picture.shape[:2] != (self.height, self.width):
            size = (self.width, self.height)
            picture = cast(Image, cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        return picture


@lru_cache(maxsize=2)
def _picture(path: Path, changed: int) -> Image:  # noqa: ARG001 - `changed` tells a new picture from the old one
    """Kept between readings: decoding takes as long as reading the dice."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise CalibrationError(CalibrationFault.NO_EMPTY_LID, name=path.name)
    return cast(Image, picture)


def save(calibration: Calibration, path: Path, empty: Image | None = None) -> Calibration:
    """Keep a calibration so that a power cut leaves the old one or the new one; `empty` goes beside it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if empty is not None:
            # the picture's name changes with its content: an old TOML never points at a new picture
            name = f"{path.stem}-empty-{crc32(empty.tobytes()):08x}.png"
            done, encoded = cv2.imencode(".png", empty)
            if not done:
                raise CalibrationError(CalibrationFault.EMPTY_LID_NOT_STORED)
            write_whole(path.with_name(name), encoded.tobytes())
            calibration = replace(calibration, reference=path.with_name(name))
        write_whole(path, as_toml(calibration).encode())
        for old in path.parent.glob(f"{path.stem}-empty-????????.png"):
            if calibration.reference is None or old.name != calibration.reference.name:
                old.unlink()
    except OSError as error:
        why = str(error.strerror)
        raise CalibrationError(CalibrationFault.NOT_WRITTEN, path=path, why=why) from error
    return calibration


def write_whole(path: Path, content: bytes) -> None:
    """Write, fsync, rename, fsync the folder."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.new")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def load(path: Path) -> Calibration:
    """Read a calibration back; CalibrationError says what is wrong with the file."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CalibrationError(CalibrationFault.NONE, path=path) from error
    except OSError as error:
        raise CalibrationError(CalibrationFault.UNREADABLE, path=path, why=str(error.strerror)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CalibrationError(CalibrationFault.DAMAGED, path=path, why=str(error)) from error
    try:
        calibration = _from_toml(values, path.parent)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise CalibrationError(CalibrationFault.DAMAGED, path=path, why=what) from error
    if calibration.reference is not None and not calibration.reference.is_file():
        name = calibration.reference.name
        raise CalibrationError(CalibrationFault.EMPTY_LID_GONE, path=path, name=name)
    return calibration


def as_toml(calibration: Calibration) -> str:
    """The calibration as text, as `load` takes it."""
    reference = calibration.reference
    lines = [
        "# What the camera sees at this table. Made by boxlid calibrate; colours are CIELAB.",
        f"format = {FORMAT}",
        f"size = [{calibration.width}, {calibration.height}]",
        f"die_edge = {float(calibration.die_edge):.3f}",
    ]
    if calibration.lid is not None:
        corners = [[round(float(x), 2), round(float(y), 2)] for x, y in calibration.lid]
        # companions that know box lids only read the four corners of one
        lines.append(f"{'lid' if len(corners) == 4 else 'place'} = {corners}")
    if calibration.tilt is not None:
        lines.append(f"tilt = {[round(float(v), 4) for v in calibration.tilt]}")
    if calibration.lens is not None:
        lines.append(
            f"lens = {[round(float(v), 4) for v in (calibration.lens.focal, calibration.lens.stray)]}"
        )
    if reference is not None:
        lines.append(f'reference = "{reference.name}"')
    if calibration.lock is not None:
        lock = calibration.lock
        lines += ["", "[camera]", f"exposure_microseconds = {int(lock.exposure_microseconds)}"]
        lines += [f"gain = {float(lock.gain):.6g}", f"red_gain = {float(lock.red_gain):.6g}"]
        lines.append(f"blue_gain = {float(lock.blue_gain):.6g}")
        if lock.lens_position is not None:
            lines.append(f"lens_position = {float(lock.lens_position):.6g}")
        if lock.kelvin is not None:
            lines.append(f"kelvin = {float(lock.kelvin):.6g}")
    for sample in calibration.samples:
        body, pip = ([round(float(v), 2) for v in (c.lightness, c.a, c.b)] for c in (sample.body, sample.pip))
        lines += ["", "[[dice]]", f'colour = "{sample.colour}"', f"body = {body}", f"pip = {pip}"]
    return "\n".join(lines) + "\n"


def _from_toml(values: Mapping[str, object], folder: Path) -> Calibration:
    if values["format"] != FORMAT:
        raise ValueError(f"format {values['format']} instead of {FORMAT}")
    width, height = (int(v) for v in _numbers(values["size"], 2))
    edge = _numbers([values["die_edge"]], 1)[0]
    if min(width, height) < 1 or not 1 < edge < max(width, height):
        raise ValueError(f"a die of {edge} pixels in a picture of {width} by {height}")
    reference = values.get("reference")
    return Calibration(
        width,
        height,
        _place(values),
        edge,
        _samples(values.get("dice", [])),
        _lock(values.get("camera")),
        folder / Path(str(reference)).name if reference is not None else None,
        cast(Point, tuple(_numbers(values["tilt"], 2))) if "tilt" in values else None,
        _lens(values["lens"]) if "lens" in values else None,
    )


def _place(values: Mapping[str, object]) -> Outline | None:
    corners = values.get("lid", values.get("place"))
    if corners is None:
        return None
    if "lid" in values and (not isinstance(corners, list) or len(corners) != 4):
        raise ValueError("lid needs four corners")
    if not isinstance(corners, list) or len(corners) < 3:
        raise ValueError("place needs three corners or more")
    return tuple(cast(Point, tuple(_numbers(corner, 2))) for corner in corners)


def _lens(values: object) -> Lens:
    focal, stray = _numbers(values, 2)
    if min(focal, stray) <= 0:
        raise ValueError(f"lens wants two numbers above 0, got {values!r}")
    return Lens(focal, stray)


def _samples(tables: object) -> tuple[DieSample, ...]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise TypeError("dice are no tables")
    return tuple(
        DieSample(
            DieColour(table["colour"]), Lab(*_numbers(table["body"], 3)), Lab(*_numbers(table["pip"], 3))
        )
        for table in tables
    )


def _lock(table: object) -> CameraLock | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise TypeError("camera is no table")
    wanted = ("exposure_microseconds", "gain", "red_gain", "blue_gain")
    exposure, gain, red, blue = _numbers([table[name] for name in wanted], 4)
    lens, kelvin = (
        _numbers([table[name]], 1)[0] if name in table else None for name in ("lens_position", "kelvin")
    )
    return CameraLock(int(exposure), gain, red, blue, lens, kelvin)


def _numbers(values: object, count: int) -> list[float]:
    """That many finite numbers, or ValueError."""
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{count} numbers wanted, got {values!r}")
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        raise ValueError(f"numbers wanted, got {values!r}")
    numbers = [float(value) for value in values]
    if not np.isfinite(numbers).all():
        raise ValueError(f"finite numbers wanted, got {values!r}")
    return numbers


def closest_pair(
    samples: tuple[DieSample, ...], lightness: float = 1.0
) -> tuple[float, DieSample, DieSample]:
    """The two samples of different colours that are hardest to tell apart, and their distance."""
    pairs = [(a, b) for a, b in combinations(samples, 2) if a.colour is not b.colour]
    apart = [(a.body.distance(b.body, lightness), a, b) for a, b in pairs]
    return min(apart, key=lambda pair: pair[0])


def is_complete(samples: tuple[DieSample, ...]) -> bool:
    """Whether all six dice were measured."""
    return sorted(sample.colour for sample in samples) == sorted(ALL_SIX)
