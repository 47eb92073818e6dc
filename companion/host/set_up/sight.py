"""What a picture is good for, in words: light, focus, whether a lid is seen. For set-up and health."""

from companion.checks.parts import BRIGHT, DARK
from companion.host.answers import notice_of
from companion.view.setting_up import Focus, Light, Sight
from vision.image.arrays import Image
from vision.image.conditions import fault_of
from vision.image.sharpness import sharpness
from vision.place.lid import find_lid

DIM = 70.0  # of 255: it works, and a lamp would help
SHARP = 1.25  # times what just suffices


def sight_of(image: Image) -> Sight:
    """One look at a picture, for a person who adjusts lamp and lens."""
    sharp = sharpness(image)
    focus = Focus.SOFT if sharp < 1 else Focus.FAIR if sharp < SHARP else Focus.SHARP
    fault = fault_of(image)
    troubles = () if fault is None else (notice_of(fault),)
    return Sight(light_of(image), focus, round(100 * sharp), find_lid(image) is not None, troubles)


def light_of(image: Image) -> Light:
    mean = float(image.mean())
    if mean < DARK:
        return Light.DARK
    if mean > BRIGHT:
        return Light.GLARING
    return Light.DIM if mean < DIM else Light.GOOD
