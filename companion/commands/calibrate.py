"""`boxlid calibrate`: learns the table without and with the six dice, from pictures or by camera."""

import argparse
from dataclasses import replace
from math import isfinite
from pathlib import Path

import cv2

from companion.checks.parts import is_running
from companion.commands.settings import given_settings
from companion.host.set_up.joining import progress_in
from companion.process.command_error import CallFault, CommandError
from companion.settings.state_folder import CALIBRATION, default_state_folder
from companion.sight.camera_setting import setting_of
from companion.sight.in_force import put_in_force
from companion.sight.reading_told import sentences
from companion.words import english
from vision.calibration.learning import Learnt, calibrate
from vision.cameras.address import AddressError
from vision.cameras.camera import Camera
from vision.cameras.choice import CameraSetting, CameraSettingError, open_camera
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import adjustable
from vision.image.arrays import Image
from vision.image.picture import open_picture
from vision.memory import calibration as calibrations
from vision.memory.calibration import Calibration, CameraLock
from vision.overlay import draw_overlay
from vision.place.lid import Lid
from vision.place.outline import LEAST_CORNERS, MOST_CORNERS, OutlineFault, fault_of_outline, going_round
from vision.reading import Outline

AUTO, WHOLE = "auto", "whole"
LEARN = "learn"  # the words for a table that is learnt
WARM_UP_FRAMES = 12  # exposure and white balance settle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--empty", type=Path, metavar="FILE", help="a picture of the place without dice")
    parser.add_argument(
        "--dice", type=Path, metavar="FILE", help="a picture of the six dice in it, flat and apart"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="default: where the companion looks for it, the old one kept"
    )
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the companion keeps its calibration")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a boxlid.toml")
    parser.add_argument(
        "--camera", help="auto, picamera:0, usb:0, folder:PATH or simulated; default: that of `boxlid run`"
    )
    parser.add_argument(
        "--place",
        default=AUTO,
        metavar="WHERE",
        help='what dice lie in: auto (default), whole (all that is seen), or corners "x,y x,y x,y …"',
    )
    parser.add_argument("--overlay", type=Path, metavar="FILE", help="draw what was learnt into a picture")


def run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    if (options.empty is None) != (options.dice is None):
        missing = "--empty" if options.empty is None else "--dice"
        raise CommandError(CallFault.BOTH_PICTURES, 2, missing=missing)
    corners = _corners(options.place)
    scale, lock = 1.0, None
    if options.empty is not None:
        first, second = open_picture(options.empty), open_picture(options.dice)
        empty, dice, scale = first.image, second.image, first.scale
    else:
        empty, dice, lock = _taken(_meant(options))
    taught = None if corners is None else _place(corners, scale, empty)
    learnt = calibrate(empty, dice, lock, taught, everywhere=options.place == WHOLE)
    if options.overlay is not None and learnt.reading is not None:
        _draw(options.overlay, dice, learnt)
    if learnt.calibration is None:
        raise CommandError(CallFault.TEXT, text=" ".join(sentences(learnt.problems, LEARN)))
    print(
        f"calibrated: {_found(learnt.calibration.lid)} and six dice"
        f" of {learnt.calibration.die_edge:.0f} pixels"
    )
    _keep(learnt.calibration, empty, options.out, options.state or default_state_folder())
    for warning in sentences(learnt.warnings, LEARN):
        print(f"but: {warning}")
    return 0


def _keep(learnt: Calibration, empty: Image, out: Path | None, state: Path) -> None:
    """In the file asked for; else where the companion looks for it, and the one before stays beside it."""
    if out is not None:
        calibrations.save(learnt, out, empty)
        print(f"kept in {out}")
        return
    kept = put_in_force(learnt, empty, state)
    if kept.lost is not None:
        print(f"the one before is not kept: {english(kept.lost)}")
    if kept.before is not None:
        print(f"the one before is now {kept.before}")
    print(f"kept in {state / CALIBRATION}")
    if is_running(state):
        print("the companion that is running takes it up at its next start")


def _found(place: Outline | None) -> str:
    if place is None:
        return "the whole picture"
    return "lid" if len(place) == 4 else f"place with {len(place)} corners"


def _corners(text: str) -> Outline | None:
    """The corners given, in pixels; None for the words that stand for a place."""
    if text in {AUTO, WHOLE}:
        return None
    pairs = [part.split(",") for part in text.split()]
    try:
        corners = tuple((float(x), float(y)) for x, y in pairs)
    except ValueError:
        corners = ()
    if len(corners) < LEAST_CORNERS or not all(isfinite(v) for corner in corners for v in corner):
        raise CommandError(CallFault.CORNERS, 2, got=text)
    return corners


def _place(corners: Outline, scale: float, image: Image) -> Lid:
    """The place with those corners, which must lie in the picture and go round something."""
    height, width = image.shape[:2]
    here = tuple(((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) for x, y in corners)
    match fault_of_outline(tuple((x + 0.5, y + 0.5) for x, y in here), width, height):
        case None:
            return Lid(going_round(here))
        case OutlineFault.OUTSIDE:
            wanted = f"corners in the picture of {width * scale:.0f} by {height * scale:.0f} pixels"
        case OutlineFault.MANY:
            wanted = f"at most {MOST_CORNERS} corners, got {len(here)}"
        case OutlineFault.FEW | OutlineFault.CROSSED | OutlineFault.SMALL:
            wanted = "corners that go round a place, one after the other"
    raise CommandError(CallFault.TEXT, 2, text=f"--place wants {wanted}")


def _meant(options: argparse.Namespace) -> CameraSetting:
    """The camera that was named, else the one that `boxlid run` would use; the settings say how large."""
    wanted = given_settings(options.config).camera
    if options.camera is not None:
        try:
            return setting_of(replace(wanted, kind=CameraKind.AUTO), options.camera)
        except (AddressError, CameraSettingError) as error:
            raise CommandError(CallFault.TEXT, 2, text=error.statement) from error
    if wanted.kind is CameraKind.SIMULATED:
        raise CommandError(CallFault.SIMULATED)
    notes: list[str] = []
    chosen = progress_in(options.state or default_state_folder(), notes).camera
    for note in notes:
        print(f"but: {note}")
    return setting_of(wanted, chosen)


def _taken(setting: CameraSetting) -> tuple[Image, Image, CameraLock | None]:
    """Both pictures with the camera; exposure and white balance are held from the first to the second."""
    camera = open_camera(setting)
    try:
        _ask("Take all dice out of the lid")
        empty = _settled(camera)
        adjusts = adjustable(camera)
        lock = adjusts.settings() if adjusts else None
        if adjusts and lock:
            adjusts.lock(lock)
        _ask("Put the six dice into the lid, flat and apart")
        return empty, _settled(camera), lock
    finally:
        camera.close()


def _ask(what: str) -> None:
    try:
        input(f"{what}, then press Enter. ")
    except EOFError as error:
        raise CommandError(CallFault.NO_KEYBOARD, what=what.lower()) from error


def _settled(camera: Camera) -> Image:
    for _ in range(WARM_UP_FRAMES):
        frame = camera.frame()
    return frame.image


def _draw(path: Path, dice: Image, learnt: Learnt) -> None:
    if learnt.reading is None:
        return
    problems = sentences((*learnt.problems, *learnt.warnings), LEARN)
    picture = draw_overlay(dice, learnt.reading, problems)
    if not cv2.imwrite(str(path), picture):
        raise CommandError(CallFault.NO_OVERLAY_WRITTEN, path=path)
