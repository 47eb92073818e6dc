"""`boxlid watch`: what goes on in a video or before a camera, one line a change. Judges nothing itself."""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from companion.commands.read import as_text
from companion.commands.reading import add_reading_arguments, calibration_in, reader_of
from companion.commands.settings import given_settings
from companion.process.command_error import CallFault, CommandError
from companion.sight.camera_setting import setting_of
from companion.sight.reading_told import sentences, told
from vision.cameras.address import AddressError
from vision.cameras.camera import CameraError
from vision.cameras.choice import CameraSetting, CameraSettingError, open_camera
from vision.cameras.kinds import CameraKind
from vision.cameras.steady import Steady
from vision.cameras.video import HIGHEST_RATE, LOWEST_RATE, Filmed, film_in
from vision.cameras.watch import adjustable
from vision.image.picture import Picture
from vision.memory.calibration import Calibration
from vision.watching import Change, State, Watching

DEVICE = "/dev/video"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="VIDEO|CAMERA",
        help="a video, a folder of pictures, a device as 0 or /dev/video0, or auto, picamera:0, usb:0 …",
    )
    add_reading_arguments(parser)
    parser.add_argument(
        "--rate", type=float, metavar="N", help="pictures a second (a folder: 5; a video tells it itself)"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the camera's settings, a boxlid.toml")


def run(options: argparse.Namespace) -> int:
    if options.rate is not None and not LOWEST_RATE <= options.rate <= HIGHEST_RATE:
        raise CommandError(CallFault.RATE, 2, lowest=LOWEST_RATE, highest=HIGHEST_RATE)
    calibration = calibration_in(options.calibration)
    known = calibration if not options.any else None
    steady = Steady() if known is None else Steady(known.lid, (known.width, known.height))
    watching = Watching(reader_of(options, calibration), steady)
    for change in _changes(watching, _film(options, calibration)):
        print(_as_json(options.what, change) if options.json else _as_text(change), flush=True)
    return 0


def _changes(watching: Watching, film: Iterable[Filmed]) -> Iterator[Change]:
    """What was read of the last rest is told whatever ends the pictures."""
    trouble = None
    try:
        for filmed in film:
            if change := watching.take_in(filmed):
                yield change
    except CameraError as error:
        trouble = error
    if change := watching.end():
        yield change
    if trouble is not None:
        raise trouble


def _film(options: argparse.Namespace, calibration: Calibration | None) -> Iterator[Filmed]:
    path = Path(options.what)
    if path.is_dir() or path.is_file():
        return film_in(path, options.rate)
    return _live(_camera(options), calibration)


def _camera(options: argparse.Namespace) -> CameraSetting:
    """The camera that was named, as large as the settings have it."""
    named: str = options.what
    if not named.isdecimal() and "/" in named:
        named = str(Path(named).resolve()) if Path(named).exists() else named
    named = named.removeprefix(DEVICE)
    if named.isdecimal():
        named = f"usb:{named}"
    wanted = replace(given_settings(options.config).camera, kind=CameraKind.AUTO)
    try:
        return setting_of(wanted, named)
    except (AddressError, CameraSettingError) as error:
        if named.partition(":")[0] in set(CameraKind):
            raise CommandError(CallFault.TEXT, 2, text=error.statement) from None
        raise CommandError(CallFault.NOTHING_TO_WATCH, what=options.what) from None


def _live(setting: CameraSetting, calibration: Calibration | None) -> Iterator[Filmed]:
    """What the camera sees from now on, exposure held as it was when the table was learnt."""
    camera = open_camera(setting)
    try:
        adjusts = adjustable(camera)
        if adjusts is not None and calibration is not None and calibration.lock is not None:
            adjusts.lock(calibration.lock)
        first = frame = camera.frame()
        while True:
            yield Filmed(Picture(frame.image), frame.taken - first.taken)
            frame = camera.frame()
    finally:
        camera.close()


def _as_json(what: str, change: Change) -> str:
    """The change as users script against it."""
    reading = None if change.reading is None else {"photo": what, **told(change.reading)}
    line = {"at": round(change.at, 3), "state": str(change.state), "reading": reading}
    return json.dumps(line, ensure_ascii=False)


def _as_text(change: Change) -> str:
    moment = f"{change.at:7.2f} s  {change.state}"
    if change.state is not State.REST or change.reading is None:
        return moment
    return as_text(moment, change.reading, sentences(change.reading.problems))
