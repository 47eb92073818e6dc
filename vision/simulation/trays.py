"""Places of any shape in millimetres: where their walls stand, and what gets past them. Draws nothing."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from vision.simulation.geometry import Array, RoundLamp, dot, largest, length, smallest

LEAST_WALL = 5.0  # millimetres: a lower edge stops no die and throws no shadow on one
RING = 64  # corners by which a circle is told


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall from its inside: which way it stands, how far away, how far it goes to both sides of there.

    `middle`: how far beside that way its own middle is.
    """

    angle: float
    away: float
    reach: float
    middle: float = 0.0


@dataclass(frozen=True, slots=True)
class Tray(ABC):
    """A convex place round the origin, as long and as wide as its floor; its walls' height and thickness."""

    length: float
    width: float
    wall: float
    thickness: float

    @property
    def has_walls(self) -> bool:
        """Whether dice are kept in."""
        return self.wall >= LEAST_WALL

    @abstractmethod
    def floor(self) -> Array:
        """The floor's corners, in order round it."""

    @abstractmethod
    def within(self, points: Array) -> Array:
        """How far inside the walls points are; negative outside."""

    @abstractmethod
    def ahead(self, start: Array, ways: Array) -> tuple[Array, Array]:
        """How far along each way from one start the wall behind the inside is, and which way that looks."""

    @abstractmethod
    def crossed(self, points: Array, ways: Array) -> tuple[Array, Array]:
        """How far along ways they come to the place and leave it, its walls included."""

    @abstractmethod
    def kept_in(self, places: Array, room: float, rest: Array | None = None) -> Array:
        """Places, moved so far inside the walls that there is room; where `rest` lies there is."""

    @abstractmethod
    def walls(self, edge: float) -> Iterator[Wall]:
        """The walls that a die of that edge may lean on."""

    def spread(self, roll: float) -> tuple[float, float]:
        """How wide and how high it is in a picture that is turned by so much."""
        ring = self.floor()[:, :2].astype(float)
        across = ring @ (math.cos(roll), math.sin(roll))
        down = ring @ (-math.sin(roll), math.cos(roll))
        return float(across.max() - across.min()), float(down.max() - down.min())


@dataclass(frozen=True, slots=True)
class Walls(Tray):
    """Four walls."""

    def floor(self) -> Array:
        x, y = self.length / 2, self.width / 2
        return np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]], np.float32)

    def within(self, points: Array) -> Array:
        x, y = points[..., 0], points[..., 1]
        return cast(Array, np.minimum(self.length / 2 - np.abs(x), self.width / 2 - np.abs(y)))

    def ahead(self, start: Array, ways: Array) -> tuple[Array, Array]:
        half = np.array([self.length / 2, self.width / 2], np.float32)
        safe = np.where(np.abs(ways) < 1e-6, 1e-6, ways)
        away = (np.sign(safe) * half - start) / safe
        axis = (away[:, 1] < away[:, 0]).astype(int)
        every = np.arange(len(ways))
        looks = np.zeros_like(ways)
        looks[every, axis] = -np.sign(safe[every, axis])
        return smallest(away), looks

    def crossed(self, points: Array, ways: Array) -> tuple[Array, Array]:
        half = np.array([self.length / 2 + self.thickness, self.width / 2 + self.thickness], np.float32)
        safe = np.where(np.abs(ways) < 1e-3, 1e-3, ways)
        one, other = (-half - points) / safe, (half - points) / safe
        return largest(np.minimum(one, other)), smallest(np.maximum(one, other))

    def kept_in(self, places: Array, room: float, rest: Array | None = None) -> Array:
        limit = np.array([self.length, self.width], np.float32) / 2 - room
        if rest is not None:
            limit = np.maximum(limit, np.abs(rest))
        return cast(Array, np.clip(places, -limit, limit))

    def walls(self, edge: float) -> Iterator[Wall]:
        half = (self.length / 2, self.width / 2)
        for i in range(4):
            yield Wall(i * math.pi / 2, half[i % 2], half[1 - i % 2] - edge)

    def spread(self, roll: float) -> tuple[float, float]:
        across = abs(self.length * math.cos(roll)) + abs(self.width * math.sin(roll))
        return across, abs(self.length * math.sin(roll)) + abs(self.width * math.cos(roll))


@dataclass(frozen=True, slots=True)
class Disc(Tray):
    """One wall all round; as wide as long."""

    @classmethod
    def of(cls, width: float, wall: float, thickness: float) -> "Disc":
        return cls(width, width, wall, thickness)

    def floor(self) -> Array:
        turn = np.arange(RING) * (2 * math.pi / RING)
        ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(RING)], axis=1) * (self.width / 2)
        return cast(Array, ring.astype(np.float32))

    def within(self, points: Array) -> Array:
        return cast(Array, self.width / 2 - np.hypot(points[..., 0], points[..., 1]))

    def ahead(self, start: Array, ways: Array) -> tuple[Array, Array]:
        _, leaves = _through(start, ways, self.width / 2)
        looks = -(start + ways * leaves[..., None])
        return leaves, looks / np.maximum(length(looks), 1e-6)[..., None]

    def crossed(self, points: Array, ways: Array) -> tuple[Array, Array]:
        return _through(points, ways, self.width / 2 + self.thickness)

    def kept_in(self, places: Array, room: float, rest: Array | None = None) -> Array:
        limit = self.width / 2 - room
        if rest is not None:
            limit = max(limit, float(np.hypot(rest[0], rest[1])))
        far = np.maximum(np.hypot(places[..., 0], places[..., 1]), 1e-6)
        return places * np.minimum(1, limit / far)[..., None]

    def walls(self, edge: float) -> Iterator[Wall]:
        chord = math.sqrt((self.width / 2) ** 2 - (edge / 2) ** 2)
        for i in range(RING):
            yield Wall(i * 2 * math.pi / RING, chord, 0.0)


def _through(points: Array, ways: Array, radius: float) -> tuple[Array, Array]:
    """Where ways come into a circle and leave it; the same place if they miss it."""
    pace = np.maximum(dot(ways, ways), 1e-9)
    middle = -dot(points, ways) / pace
    root = np.sqrt(np.maximum(middle**2 - (dot(points, points) - radius**2) / pace, 0))
    return cast(Array, middle - root), cast(Array, middle + root)


@dataclass(frozen=True, slots=True)
class Regular(Tray):
    """So many walls of one length; an even number, for `width` goes from one to that which faces it."""

    sides: int

    @classmethod
    def of(cls, sides: int, width: float, wall: float, thickness: float) -> "Regular":
        return cls(width / math.cos(math.pi / sides), width, wall, thickness, sides)

    def _outward(self) -> Array:
        """The directions in which the walls stand."""
        turn = (np.arange(self.sides) + 0.5) * (2 * math.pi / self.sides)
        return np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32)

    def floor(self) -> Array:
        turn = np.arange(self.sides) * (2 * math.pi / self.sides)
        ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(self.sides)], axis=1) * (self.length / 2)
        return cast(Array, ring.astype(np.float32))

    def within(self, points: Array) -> Array:
        nearest: Array | None = None
        for x, y in self._outward():
            gap = self.width / 2 - (points[..., 0] * x + points[..., 1] * y)
            nearest = gap if nearest is None else np.minimum(nearest, gap)
        assert nearest is not None
        return nearest

    def ahead(self, start: Array, ways: Array) -> tuple[Array, Array]:
        outward = self._outward()
        speed = ways @ outward.T
        gaps = self.width / 2 - start @ outward.T
        away = np.where(speed > 1e-6, gaps / np.maximum(speed, 1e-6), np.inf)
        nearest = away.argmin(axis=1)
        return away[np.arange(len(ways)), nearest].astype(np.float32), -outward[nearest]

    def crossed(self, points: Array, ways: Array) -> tuple[Array, Array]:
        enters: Array = np.full(points.shape[:-1], -np.inf, np.float32)
        leaves: Array = np.full(points.shape[:-1], np.inf, np.float32)
        for x, y in self._outward():
            gap = self.width / 2 + self.thickness - (points[..., 0] * x + points[..., 1] * y)
            speed = ways[..., 0] * x + ways[..., 1] * y
            safe = np.where(np.abs(speed) < 1e-3, 1e-3, speed)
            away = gap / safe
            enters = np.where(safe < 0, np.maximum(enters, away), enters)
            leaves = np.where(safe > 0, np.minimum(leaves, away), leaves)
        return enters, leaves

    def kept_in(self, places: Array, room: float, rest: Array | None = None) -> Array:
        kept = np.array(places, np.float32)
        for _ in range(2):  # what is pushed off one wall in a corner may be pushed to the next
            for way in self._outward():
                limit = self.width / 2 - room
                if rest is not None:
                    limit = max(limit, float(rest @ way))
                kept -= np.maximum(kept @ way - limit, 0)[..., None] * way
        return kept

    def walls(self, edge: float) -> Iterator[Wall]:
        half = math.tan(math.pi / self.sides) * self.width / 2
        for i in range(self.sides):
            yield Wall((i + 0.5) * 2 * math.pi / self.sides, self.width / 2, half - edge)


def lamp_over_walls(points: Array, lamp: RoundLamp, tray: Tray, samples: int) -> Array:
    """How much of the lamp points inside see over the walls: 0 to 1."""
    seen = np.zeros(points.shape[:-1], np.float32)
    for light in lamp.points(samples):
        up = (tray.wall - points[..., 2]) / (light[2] - points[..., 2])
        np.maximum(up, 0, out=up)
        ways = light[:2] - points[..., :2]
        inside = tray.within(points[..., :2] + ways * up[..., None])
        seen += np.clip(inside / 2.0 + 0.5, 0, 1)  # two millimetres of softness hide the lamp's few points
    return seen / samples


def lamp_past_walls(points: Array, lamp: RoundLamp, tray: Tray, samples: int) -> Array:
    """How much of the lamp points of the table see past the place: 0 to 1."""
    seen = np.zeros(points.shape[:-1], np.float32)
    for light in lamp.points(samples):
        enters, leaves = tray.crossed(points[..., :2], light[:2] - points[..., :2])
        leaves = np.minimum(leaves, tray.wall / light[2])
        seen += np.clip(0.5 - (leaves - np.maximum(enters, 0)) * 60, 0, 1)
    return np.clip(seen / samples * 2, 0, 1)
