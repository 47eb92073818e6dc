"""A camera in the network: MJPEG or RTSP through OpenCV, its newest picture only, and how late that is."""

import math
import os
import socket
from collections.abc import Callable
from pathlib import Path

import cv2

from boxlid.errors import Statement
from vision.cameras.address import CredentialsError, StreamAddress, read_credentials
from vision.cameras.camera import CameraError, CameraSays, CameraTitle, Frame
from vision.cameras.capture import FFMPEG_OPTIONS, Capture, CaptureCamera, CaptureKind, quietly_opened
from vision.cameras.clock import Clock
from vision.image.arrays import Image

READ_SECONDS = 2.0
OPEN_SECONDS = 8.0  # some cameras show nothing before their next whole picture
ASK_SECONDS = 2.0  # whether anything answers at that address
LATE_SECONDS = 1.0  # later than its quickest pictures: they queue up on the way
CATCHING_UP = 0.005  # so much quicker than any before: the first ones were waiting
DRIFT = 0.001  # of a camera's clock, at most
# What waits on the way shows an earlier table: the buffer is small. TCP: a lost packet tears no picture.
STREAM_OPTIONS = "rtsp_transport;tcp|recv_buffer_size;131072|fflags;nobuffer"
FFMPEG_SAYS_NOTHING = "-8"  # it names addresses


class Lateness:
    """How much later a stream's pictures come than its quickest ones."""

    def __init__(self) -> None:
        self._quickest = math.inf
        self._at = -math.inf

    def of(self, stamp: float, now: float) -> float | None:
        """By the picture's own time; None while each comes quicker than those before, which were waiting."""
        if self._at > -math.inf:
            self._quickest += DRIFT * (now - self._at)
        self._at = now
        took, before = now - stamp, self._quickest
        self._quickest = min(before, took)
        return None if took < before - CATCHING_UP else took - self._quickest


def _open_stream(url: str) -> Capture:
    """FFmpeg takes its options from the environment, and from nowhere else that OpenCV lets through."""
    os.environ[FFMPEG_OPTIONS] = STREAM_OPTIONS
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", FFMPEG_SAYS_NOTHING)
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        round(1000 * OPEN_SECONDS),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        round(1000 * READ_SECONDS),
    ]
    return quietly_opened(url, cv2.CAP_FFMPEG, limits)


def has_ffmpeg() -> bool:
    """Whether this OpenCV can open streams at all."""
    return bool(cv2.videoio_registry.hasBackend(cv2.CAP_FFMPEG))


def title_of(address: StreamAddress) -> Statement:
    """What the camera there is called: by its machine, and no more of its address."""
    return Statement(CameraTitle.NETWORK, {"place": str(address)})


class NetworkCamera(CaptureCamera):
    """The camera at that address. `delay`: so many seconds after it was taken a picture is here, at most.

    The credentials' file is read at each opening; what is in it is told to nobody but the camera.
    """

    kind = CaptureKind(
        opening_seconds=OPEN_SECONDS + ASK_SECONDS,
        bad_reads=1,
        hangs=CameraSays.NETWORK_HANGS,
        dumb=CameraSays.NETWORK_DUMB,
        silent=CameraSays.NETWORK_SILENT,
        gone=CameraSays.NETWORK_GONE,
    )

    def __init__(
        self,
        address: StreamAddress,
        credentials: Path | None = None,
        size: tuple[int, int] = (1280, 720),
        delay: float = 0.0,
        *,
        make: Callable[[str], Capture] = _open_stream,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(title_of(address), clock)
        self._address = address
        self._credentials = credentials
        self._size = size
        self._make = make
        self._lateness = Lateness()
        self.delay = delay
        self.sends: tuple[int, int] | None = None  # pixels of its own pictures

    # --- in the thread that reads -------------------------------------------------------------------------

    def _capture(self) -> Capture:
        if not has_ffmpeg():
            raise CameraError(CameraSays.NO_FFMPEG)
        try:
            held = read_credentials(self._credentials) if self._credentials is not None else ""
        except CredentialsError as error:
            raise self._error(CameraSays.NOT_ASKED, reason=error.statement) from None
        return self._make(self._address.opened_by(held))

    def _missing(self) -> CameraError:
        place = (self._address.host, self._address.port)
        try:
            socket.create_connection(place, ASK_SECONDS).close()
        except OSError as error:
            why = (error.strerror or "no answer in time").lower()
            return self._error(CameraSays.NETWORK_ABSENT, why=why)
        return self._error(CameraSays.NO_PICTURES)

    def _begin(self, capture: Capture) -> None:  # noqa: ARG002 - it is told of nothing
        self._lateness = Lateness()

    def _frame_of(self, image: Image, number: int, capture: Capture) -> Frame | None:
        now = self._clock.now()
        self.sends = (image.shape[1], image.shape[0])
        if self._address.has_times:
            late = self._lateness.of(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000, now)
            if late is None:
                return None
            if late > LATE_SECONDS:
                raise self._error(CameraSays.LATE, seconds=round(late, 1))
        return Frame(_within(image, self._size), number, now - self.delay)


def _within(image: Image, size: tuple[int, int]) -> Image:
    """No larger than wanted, of its own shape."""
    scale = min(size[0] / image.shape[1], size[1] / image.shape[0])
    if scale >= 1:
        return image
    wanted = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return cv2.resize(image, wanted, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)
