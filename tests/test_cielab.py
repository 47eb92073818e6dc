"""CIELAB as its definition has it, near what OpenCV makes of the same picture."""

import cv2
import numpy as np
import pytest

from vision.cielab import cielab, light_of, linear, of_light, shown

BYTES = np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    ("red_green_blue", "lab"),
    [
        ((255, 255, 255), (100.0, 0.0, 0.0)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((10, 10, 10), (2.74, 0.0, 0.0)),
    ],
)
def test_known_colours_are_where_the_definition_has_them(
    red_green_blue: tuple[int, int, int], lab: tuple[float, float, float]
) -> None:
    pixel = np.array([[red_green_blue[::-1]]], np.uint8)
    assert cielab(pixel)[0, 0] == pytest.approx(lab, abs=0.03)


def test_it_is_near_what_opencv_makes_of_the_same_picture() -> None:
    theirs = cv2.cvtColor(BYTES.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    away = np.abs(cielab(BYTES) - theirs)
    assert away.mean() < 0.1
    assert away.max() < 0.5


def test_light_and_colour_lead_back_to_each_other() -> None:
    light = linear(BYTES / 255)
    assert light_of(of_light(light)) == pytest.approx(light, abs=1e-4)
    assert np.array_equal(np.rint(shown(light) * 255), BYTES)
