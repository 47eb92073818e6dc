"""The one small protocol behind which all cameras stand, and what goes wrong with them in one sentence."""

from dataclasses import dataclass
from typing import Protocol

from vision.image.arrays import Image


class CameraError(Exception):
    """The camera gives no picture: what was wanted, what was got, what to do, in one sentence."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: BGR, its number since the camera was opened, and when it was taken (monotonic seconds)."""

    image: Image
    number: int
    taken: float


class Camera(Protocol):
    """A source of frames. `frame` waits for a newer picture and raises CameraError if none comes."""

    @property
    def name(self) -> str: ...

    def open(self) -> None: ...

    def frame(self, timeout: float = 3.0) -> Frame: ...

    def close(self) -> None: ...
