"""Colours in CIELAB, where distances are as people see them. Knows no dice.

OpenCV does the same from tables, of which it keeps five megabytes, a little less exactly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Numbers = NDArray[np.float64]

# sRGB's primaries, each row over its white, for light given as blue, green, red
TO_XYZ = (
    np.array([(0.412453, 0.357580, 0.180423), (0.212671, 0.715160, 0.072169), (0.019334, 0.119193, 0.950227)])
    / np.array([[0.950456], [1.0], [1.088754]])
)[:, ::-1].astype(np.float32)
DARK = np.float32(0.008856)  # below it the scale is straight: eyes see no darker steps
STEEP, LIFT = np.float32(7.787), np.float32(16 / 116)


def linear(values: Array) -> Numbers:
    """sRGB 0 to 1 as linear light."""
    v = np.asarray(values, np.float64)
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def shown(values: Numbers) -> Numbers:
    """Linear light as sRGB 0 to 1."""
    v = np.clip(values, 0, 1)
    return np.where(v <= 0.0031308, 12.92 * v, 1.055 * v ** (1 / 2.4) - 0.055)


_LIGHT_OF_BYTES = linear(np.arange(256) / 255).astype(np.float32)


def cielab(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Lightness 0 to 100, a towards red, b towards yellow, of each pixel (blue, green, red)."""
    return of_light(_LIGHT_OF_BYTES[picture])


def of_light(light: Array) -> NDArray[np.float32]:
    """The same of linear light, 0 to 1."""
    seen = np.asarray(light, np.float32) @ TO_XYZ.T
    bent = np.where(seen > DARK, np.cbrt(seen), STEEP * seen + LIFT)
    x, y, z = bent[..., 0], bent[..., 1], bent[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def light_of(lab: Array) -> Numbers:
    """The linear light, blue, green, red, of such a colour; beyond 0 to 1 where no picture can show it."""
    y = (lab[..., 0] + 16) / 116
    bent = np.stack([y + lab[..., 1] / 500, y, y - lab[..., 2] / 200], axis=-1)
    seen = np.where(bent > np.cbrt(DARK), bent**3, (bent - LIFT) / STEEP)
    return np.asarray(seen @ np.linalg.inv(TO_XYZ).T)
