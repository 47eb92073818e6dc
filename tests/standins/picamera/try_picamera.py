"""Runs inside the Debian folder of tools/try_picamera.sh: our camera over the real picamera2 and libcamera.

Open, configure, capture, time out, look, open again, close: each step says what it saw, and ends the run
if it is not what it should be.
"""

import inspect
import sys
import textwrap
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

from companion.words import english

STANDINS, PROJECT, FRAMES = sys.argv[1:4]
sys.path[:0] = [STANDINS, PROJECT]

import cv2  # noqa: E402
import libcamera  # noqa: E402
import numpy as np  # noqa: E402
from memfd_allocator import MemfdAllocator  # type: ignore[import-not-found]  # noqa: E402

from vision.cameras import picamera as ours  # noqa: E402
from vision.cameras.camera import CameraError, Frame  # noqa: E402
from vision.image.arrays import Image  # noqa: E402

SIZE = (1280, 720)
MOST_DIFFERENT = 12.0  # grey levels: the virtual camera gives the full range of NV12, a Pi the narrow one


@cache
def forget_status(inner: ModuleType) -> None:
    """libcamera's virtual camera (0.4) never sets a frame's status: what is read is what lay in memory.

    picamera2 throws frames away by that status, so here, and only here, it takes them all.
    """
    looks = ".metadata.status == libcamera.FrameMetadata.Status.Success"
    source = textwrap.dedent(inspect.getsource(inner.Picamera2.process_requests))
    if source.count(looks) != 1:
        sys.exit("this picamera2 looks at a frame's status in another way: change forget_status")
    made: dict[str, object] = {}
    exec(source.replace(looks, ".metadata is not None"), vars(inner), made)
    inner.Picamera2.process_requests = made["process_requests"]


def load() -> SimpleNamespace:
    """picamera2 as our class loads it, with what a machine without a Pi's camera needs."""
    module = ours.load_picamera2()
    inner = sys.modules["picamera2.picamera2"]
    vars(inner)["DmaAllocator"] = MemfdAllocator  # close() makes a fresh one by this name

    forget_status(inner)

    class Virtual(module.Picamera2):  # type: ignore[misc,name-defined]
        """A virtual camera has no raw stream, which picamera2 asks for the sensor's modes."""

        def _get_raw_modes(self) -> list[dict[str, object]]:
            stream = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0)
            return [{"format": str(stream.pixel_format), "size": (stream.size.width, stream.size.height)}]

    return SimpleNamespace(Picamera2=lambda number: Virtual(number, allocator=MemfdAllocator()))


def picture_shown() -> list[Image]:
    paths = sorted(Path(FRAMES).glob("*.jpg"))
    return [cast(Image, cv2.resize(cast(Image, cv2.imread(str(path))), SIZE)) for path in paths]


def difference(frame: Frame, known: list[Image]) -> float:
    """How far the frame is from the nearest of the pictures the virtual camera shows."""
    return min(float(np.abs(frame.image.astype(int) - image.astype(int)).mean()) for image in known)


def step(words: str, do: Callable[[], str]) -> None:
    began = time.monotonic()
    print(f"{words}: {do()} ({time.monotonic() - began:.2f} s)", flush=True)


def refused(do: Callable[[], object]) -> str:
    try:
        do()
    except CameraError as error:
        return f"CameraError: {english(error)}"
    sys.exit("that should have been refused")


def main() -> None:
    known = picture_shown()
    camera = ours.PiCamera(0, SIZE, load=cast(Callable[[], ModuleType], load))

    def opened() -> str:
        camera.open()
        streams = camera._streams  # what was really configured is what is tried here
        return ", ".join(f"{name} {each.form} {each.width}x{each.height}" for name, each in streams.items())

    def captured() -> str:
        frame = camera.frame(timeout=5)
        off = difference(frame, known)
        if frame.image.shape != (SIZE[1], SIZE[0], 3) or off > MOST_DIFFERENT:
            sys.exit(f"not the picture shown: {frame.image.shape}, {off:.1f} grey levels off")
        swapped = difference(Frame(frame.image[:, :, ::-1], 0, 0), known)
        if swapped < off:
            sys.exit("red and blue are swapped")
        return f"frame {frame.number}, {off:.1f} grey levels off the picture shown ({swapped:.1f} if swapped)"

    def looked() -> str:
        glance = camera.glance(timeout=5)
        return f"a grey glance of {glance.shape[1]}x{glance.shape[0]}"

    def paced() -> str:
        began = time.monotonic()
        for _ in range(20):
            camera.frame(timeout=5)
        return f"20 frames, {20 / (time.monotonic() - began):.0f} a second"

    def closed() -> str:
        camera.close()
        return refused(lambda: camera.frame(timeout=1))

    step("open", opened)
    step("capture", captured)
    step("glance", looked)
    step("go on", paced)
    step("no time", lambda: refused(lambda: camera.frame(timeout=0)))
    step("and again", captured)
    step("close", closed)
    for turn in range(2):
        step(f"open anew, {turn + 1}", opened)
        step("capture", captured)
        step("close", closed)
    missing = ours.PiCamera(7, SIZE, load=cast(Callable[[], ModuleType], load))
    step("a camera that is not there", lambda: refused(missing.open))
    print("all as it should be")


main()
