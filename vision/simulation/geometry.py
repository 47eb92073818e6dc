"""Where things stand in millimetres and where a camera sees them; draws nothing.

The lid's floor is the plane z = 0 with the lid's centre at the origin; z grows towards the camera.
"""

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]  # millimetres need no certain precision


def dot(one: Array, other: Array) -> Array:
    """Sums of products over the last axis; NumPy's own reductions are slow on axes of three."""
    return cast(Array, np.einsum("...i,...i->...", one, other))


def length(ways: Array) -> Array:
    """Lengths along the last axis."""
    return cast(Array, np.sqrt(dot(ways, ways)))


def largest(values: Array) -> Array:
    """The greatest along a short last axis."""
    found: Array = values[..., 0]
    for i in range(1, values.shape[-1]):
        found = np.maximum(found, values[..., i])
    return found


def smallest(values: Array) -> Array:
    """The least along a short last axis."""
    return -largest(-values)


def turn_z(angle: float) -> Array:
    """A turn about the upright axis, in radians."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)


def turn(axis: Array, angle: float) -> Array:
    """A turn by an angle in radians about any axis (Rodrigues)."""
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turned: Array = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k
    return turned.astype(np.float32)


@dataclass(frozen=True, slots=True)
class LidPlace:
    """Where the lid lies on the table: moved and turned against the place it had at first."""

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    def on_table(self, points: Array) -> Array:
        """Points of the lid as points of the table."""
        return (points @ turn_z(self.angle).T + np.array([self.x, self.y, 0], np.float32)).astype(np.float32)

    def on_lid(self, points: Array) -> Array:
        """Points of the table as points of the lid."""
        moved = points - np.array([self.x, self.y, 0], np.float32)
        return (moved @ turn_z(self.angle)).astype(np.float32)

    def on_lid_turned(self, turned: Array) -> Array:
        """A thing's axes, as seen from the lid."""
        return (turn_z(-self.angle) @ turned).astype(np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Pinhole:
    """A pinhole camera: rows of `axes` point right, down and forward in the picture."""

    centre: Array
    axes: Array
    focal: float
    width: int
    height: int

    def project(self, points: Array) -> Array:
        """Pixels of points; one row x, y for each."""
        seen = (points - self.centre) @ self.axes.T
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2], np.float32)
        return (seen[..., :2] / seen[..., 2:3] * self.focal + middle).astype(np.float32)

    def rays(self, xs: Array, ys: Array) -> Array:
        """Unit directions through pixels."""
        right = (xs - (self.width - 1) / 2) / self.focal
        down = (ys - (self.height - 1) / 2) / self.focal
        ray = np.stack([right, down, np.ones_like(right)], axis=-1)
        ray /= length(ray)[..., None]
        return (ray @ self.axes).astype(np.float32)

    def from_lid(self, place: LidPlace) -> "Pinhole":
        """The same camera in the coordinates of a lid that lies elsewhere."""
        centre = place.on_lid(self.centre)
        return Pinhole(centre, self.axes @ turn_z(place.angle), self.focal, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Optics:
    """Picture size, focal length in pixels, and how the camera is turned about its own axis."""

    width: int
    height: int
    focal: float
    roll: float


def look_down(height: float, tilt: float, heading: float, aim: tuple[float, float], view: Optics) -> Pinhole:
    """A camera that looks at `aim` on the table from `height`, leaning by `tilt`, turned by `heading`."""
    forward = np.array(
        [math.sin(tilt) * math.cos(heading), math.sin(tilt) * math.sin(heading), -math.cos(tilt)]
    )
    centre = np.array([*aim, 0.0]) - forward * (height / math.cos(tilt))
    right = np.array([math.cos(view.roll), math.sin(view.roll), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(forward, right), forward])
    return Pinhole(centre.astype(np.float32), axes.astype(np.float32), view.focal, view.width, view.height)


@dataclass(frozen=True, slots=True)
class RoundLamp:
    """A round lamp: its rays come from `samples` points, so shadows are soft."""

    x: float
    y: float
    z: float
    radius: float

    def points(self, samples: int) -> Array:
        """Points spread evenly over the lamp (a sunflower's pattern)."""
        n = np.arange(samples, dtype=np.float32)
        distance = np.sqrt((n + 0.5) / samples) * self.radius
        angle = n * 2.3999632
        x, y = self.x + distance * np.cos(angle), self.y + distance * np.sin(angle)
        return np.stack([x, y, np.full(samples, self.z)], axis=1).astype(np.float32)
