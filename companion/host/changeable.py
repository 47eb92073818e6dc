"""A camera that can be exchanged for another while it is watched. Knows no settings and no dice."""

import threading
from collections.abc import Callable

from vision.cameras.camera import Camera, CameraError, CameraName, CameraSays, Frame


class Changeable:
    """Makes the cameras that a watch asks for; after `change` the one in use ends, and it asks anew."""

    def __init__(self, make: Callable[[], Camera]) -> None:
        self._make = make
        self._mutex = threading.Lock()
        self._in_use: _Ending | None = None

    def make(self) -> Camera:
        with self._mutex:
            self._in_use = _Ending(self._make())
            return self._in_use

    def change(self) -> None:
        with self._mutex:
            if self._in_use is not None:
                self._in_use.ended.set()


class _Ending:
    """The camera itself, until it is to be exchanged."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.ended = threading.Event()

    @property
    def name(self) -> CameraName:
        return self._camera.name

    @property
    def found(self) -> Camera:
        """The camera within, for who adjusts it or takes its small pictures."""
        inner: Camera = getattr(self._camera, "found", None) or self._camera
        return inner

    def open(self) -> None:
        self._camera.open()

    def frame(self, timeout: float = 3.0) -> Frame:
        if self.ended.is_set():
            raise CameraError(CameraSays.REOPENING)
        return self._camera.frame(timeout)

    def close(self) -> None:
        self._camera.close()
