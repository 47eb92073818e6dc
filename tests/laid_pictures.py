"""A folder as the companion's camera, into which a test lays the picture that is to be seen next."""

from pathlib import Path

import cv2
import numpy as np

from companion.host import Host
from companion.settings.config import CameraConfig, Config, VoiceConfig
from tests.waiting import until
from vision.cameras.camera import CameraError
from vision.cameras.kinds import CameraKind
from vision.image.arrays import Image

ALIKE = 4  # grey levels between two looks at the same picture, with the noise of a camera
LOOKS = 3  # the pictures of a folder are shown in turn


class LaidPictures:
    """Shows one picture, always another look at it: two would be a frozen camera's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()

    @property
    def config(self) -> Config:
        """Of a companion that looks into the folder."""
        camera = CameraConfig(kind=CameraKind.FOLDER, folder=str(self._folder))
        return Config(camera=camera, voice=VoiceConfig(on=False))

    def lay(self, file: Path) -> Image:
        image = cv2.imread(str(file))
        assert image is not None
        for number in range(LOOKS - 1):
            noise = np.random.default_rng(number).integers(0, 2, image.shape, np.uint8)
            unfinished = self._folder / "unfinished"
            unfinished.write_bytes(cv2.imencode(".png", cv2.add(image, noise))[1].tobytes())
            unfinished.replace(self._folder / f"{number}.png")
        return image.astype(np.uint8, copy=False)

    def lay_before(self, host: Host, file: Path) -> None:
        """Until the companion's camera shows nothing else any more."""
        image = self.lay(file)
        assert until(lambda: _sees(host, image))


def _sees(host: Host, image: Image) -> bool:
    try:
        looks = [host.camera.frame(timeout=1.0).image for _ in range(LOOKS)]
    except CameraError:
        return False
    return all(np.abs(look.astype(int) - image).max() < ALIKE for look in looks)
