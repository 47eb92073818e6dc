"""Which dice lean: a die that stands flat shows its foot where the camera's place says. Sees no pixels.

From straight above a die hides its foot; beside the camera the foot shows towards the point below the camera,
the farther away the more. How the camera is tilted is told by all feet together, by the lid, whose floor is a
rectangle, and at a calibrated table by what was seen before; a leaning die tells another story.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.image.arrays import Numbers
from vision.memory.calibration import Lens
from vision.reading import Outline, Point

FOCAL = 0.86  # of the picture's long side: usual lenses lie between 0.77 and 0.98
LENSES = (0.58, 0.72, 0.88, 1.0, 1.14, 1.4, 1.8, 2.4)  # of it, from wide to tele
USUAL = 0.25  # logarithm: how far lenses usually are from it
TILT = 0.25  # of a usual camera, as sine
STEEPEST = 0.8
STRAY = 0.05  # of a foot seen by a network, in edges
COMMON_STRAY = 0.04  # of all feet together: networks see them a little short
LID_STRAY = 0.05  # of the tilt as a lid's corners tell it
KNOWN_STRAY = 0.04  # of a tilt measured before: six dice see it that well
SIZE_STRAY = 0.08  # of a face's size, in logarithms
SUREST_LENS = 0.08  # logarithm: half the way between two that are tried
LONG = 0.2  # edges: the way to a foot that nobody mistakes
ROUNDS = 8
FARTHEST_SEEN = 0.5  # edges: networks see feet no farther off, however far aside the camera stands
USUAL_LENS = Lens(FOCAL, USUAL)


@dataclass(frozen=True, slots=True)
class Top:
    """The top face of what may be a die, in pixels, the way to its foot in edges, how likely it is one."""

    middle: Point
    size: float
    foot: Point
    chance: float = 1.0
    stray: float = STRAY  # how far the foot may be from where it was seen

    @property
    def below(self) -> Point:
        """Where its foot is seen."""
        return self.middle[0] + self.size * self.foot[0], self.middle[1] + self.size * self.foot[1]

    @property
    def middle_of_die(self) -> Point:
        """Halfway from its face to its foot: the same for all faces of a die."""
        return (self.middle[0] + self.below[0]) / 2, (self.middle[1] + self.below[1]) / 2


@dataclass(frozen=True, slots=True)
class Stand:
    """How a die stands among the others."""

    stray: float  # how far its foot is from where it would be if it stood flat, in edges
    size: float  # its face against the others', the way it is seen taken out: above 1, it lies higher
    against: float = 0.0  # how far its foot is seen the wrong way, in edges, where it is far from its face


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known beside the dice: the picture's height and width, its lid, tilt and lens of before.

    Of a view from above it is known where the camera was, and how far away in pixels.
    """

    shape: tuple[int, int]
    lid: Outline | None = None
    tilt: Point | None = None
    above: tuple[Point, float] | None = None
    lens: Lens | None = None


@dataclass(frozen=True, slots=True)
class _Agreement:
    tilt: Numbers
    off: Numbers
    feet: Numbers  # the way to each foot if the die stands flat, in edges
    nearness: Numbers  # how much larger the tilt makes each face seem
    costs: Numbers  # of each lens


def stands(tops: Sequence[Top], scene: Scene) -> tuple[Stand, ...]:
    """How each die stands among those that are likely to be dice."""
    best = _best(tops, scene) if scene.above is None else _seen_from_above(tops, *scene.above)
    if best is None:
        return ()
    level = np.array([t.size for t in tops]) / best.nearness
    level /= _middle(level, _trust(tops))
    numbers = zip(best.off, level, _against(tops, best.feet), strict=True)
    return tuple(Stand(float(off), float(size), float(way)) for off, size, way in numbers)


def _against(tops: Sequence[Top], feet: Numbers) -> Numbers:
    """How far each foot is seen opposite to where it must be: then the face is a side, its top unseen."""
    long = np.linalg.norm(feet, axis=1)
    along = (np.array([t.foot for t in tops]) * feet).sum(1) / np.maximum(long, 1e-6)
    return np.where(long > LONG, np.maximum(-along, 0.0), 0.0)


def tilt_of(tops: Sequence[Top], scene: Scene) -> Point | None:
    """The camera's lean as sine, as the way in the picture to the point below it."""
    best = _best(tops, scene)
    return None if best is None else (float(best.tilt[0]), float(best.tilt[1]))


def lens_of(tops: Sequence[Top], scene: Scene) -> Lens | None:
    """The camera's lens, as likely as each of those tried explains the dice."""
    best = _best(tops, scene)
    if best is None:
        return None
    chances = np.exp(best.costs.min() - best.costs)
    chances /= chances.sum()
    logs = np.log(FOCAL * np.array(LENSES))
    middle = float(chances @ logs)
    stray = float(np.sqrt(chances @ (logs - middle) ** 2))
    return Lens(float(np.exp(middle)), max(stray, SUREST_LENS))


def _best(tops: Sequence[Top], scene: Scene) -> _Agreement | None:
    """What the dice agree on best, tried with several lenses."""
    return _agreed(_Dice.of(tops, scene.shape), _Told.of(scene)) if tops else None


def _seen_from_above(tops: Sequence[Top], below: Point, focal: float) -> _Agreement | None:
    """What is known of feet without asking the dice: those that all are seen far aside are seen too near."""
    if not tops:
        return None
    feet = (np.array(below) - np.array([t.middle for t in tops])) / focal
    long = np.linalg.norm(feet, axis=1, keepdims=True)
    feet *= np.minimum(1.0, FARTHEST_SEEN / np.maximum(long, 1e-6))
    off = np.linalg.norm(np.array([t.foot for t in tops]) - feet, axis=1)
    return _Agreement(np.zeros(2), off, feet, np.ones(len(tops)), np.zeros(len(LENSES)))


def _trust(tops: Sequence[Top]) -> Numbers:
    return np.asarray(np.maximum(np.array([t.chance for t in tops]), 1e-3))


def _middle(values: Numbers, weights: Numbers) -> float:
    """The median of values that count by their weights."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(below, below[-1] / 2))]])


@dataclass(frozen=True, slots=True)
class _Dice:
    """All tops, with each lens; places from the picture's middle and edges are in focal lengths."""

    places: Numbers
    edges: Numbers
    feet: Numbers
    trust: Numbers
    strays: Numbers

    @classmethod
    def of(cls, tops: Sequence[Top], shape: tuple[int, int]) -> "_Dice":
        height, width = shape
        focal = FOCAL * max(width, height) * np.array(LENSES)
        return cls(
            (np.array([t.middle for t in tops], float) - (width / 2, height / 2)) / focal[:, None, None],
            np.array([t.size for t in tops]) / focal[:, None],
            np.array([t.foot for t in tops], float),
            _trust(tops),
            np.array([t.stray for t in tops]),
        )

    def depths(self, upright: Numbers, slant: Numbers) -> Numbers:
        """How much of the tilt a way of one edge to the foot tells of."""
        shortened = np.sqrt(slant)  # a face seen at a slant is small
        return np.asarray(shortened + self.edges * upright)  # the foot is farther away than the face


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told of the tilt by something else than dice: that it is small, the lid, an earlier look."""

    tilts: Numbers  # with each lens
    strays: Numbers
    believed: Numbers  # those that may be quite wrong count less the farther off they are
    lens: Lens = USUAL_LENS

    @classmethod
    def of(cls, scene: Scene) -> "_Told":
        each = (len(LENSES), 2)
        told: list[tuple[Numbers, float, float]] = [(np.zeros(each), TILT, 0.0)]
        if scene.lid is not None and len(scene.lid) == 4:  # a round tray tells nothing
            told.append((tilts_by_lid(scene.lid, scene.shape), LID_STRAY, 1.0))
        if scene.tilt is not None:
            told.append((np.broadcast_to(scene.tilt, each), KNOWN_STRAY, 0.0))
        tilts, strays, believed = zip(*told, strict=True)
        lens = scene.lens or USUAL_LENS
        return cls(np.array(tilts).swapaxes(0, 1), np.array(strays), np.array(believed), lens)

    def weights(self, tilt: Numbers) -> Numbers:
        off = _lengths(self.tilts - tilt[:, None]) / (2 * self.strays)
        return np.asarray(1 / self.strays**2 / (1 + self.believed * off**2) ** 2)


def tilts_by_lid(lid: Outline, shape: tuple[int, int], lenses: Sequence[float] = LENSES) -> Numbers:
    """With each lens the tilt at which the lid's floor is a rectangle: parallel sides meet at the horizon."""
    height, width = shape
    corners = np.array(lid, float) - (width / 2, height / 2)
    places = corners / (FOCAL * max(width, height) * np.array(lenses))[:, None, None]
    rays = np.concatenate([places, np.ones((len(places), 4, 1))], axis=2)
    sides = _cross(rays, np.roll(rays, -1, axis=1))  # the plane through the camera and each side
    plumb = _cross(_cross(sides[:, 0], -sides[:, 2]), _cross(sides[:, 1], -sides[:, 3]))
    plumb /= np.maximum(np.linalg.norm(plumb, axis=1, keepdims=True), 1e-12)
    return np.where(plumb[:, 2:] > 0, plumb[:, :2], -plumb[:, :2])


def _cross(one: Numbers, other: Numbers) -> Numbers:
    """The cross product along the last axis; numpy's own takes ten times as long."""
    a, b, c = one[..., 0], one[..., 1], one[..., 2]
    d, e, f = other[..., 0], other[..., 1], other[..., 2]
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=-1)


def _told_by_sizes(dice: _Dice, weights: Numbers, upright: Numbers, tilt: Numbers) -> tuple[Numbers, Numbers]:
    """What the sizes of the faces say of the tilt, as they grow towards the camera, and how surely."""
    shares = weights / weights.sum(1, keepdims=True)
    slope = 1.5 * (dice.places - _summed(shares, dice.places)[:, None]) / upright[..., None]
    logs = np.log(dice.edges)
    logs = np.clip(logs - (logs * shares).sum(1, keepdims=True), -0.5, 0.5)
    odd = np.abs(logs - _along(slope, tilt)) / (2 * SIZE_STRAY)
    counted = weights / (1 + odd**2) ** 2 / SIZE_STRAY**2
    known = (slope * counted[..., None]).swapaxes(1, 2) @ slope
    return _summed(logs * counted, slope), known


def _summed(weights: Numbers, vectors: Numbers) -> Numbers:
    """The sum of each lens's vectors, by their weights."""
    return np.asarray((vectors * weights[..., None]).sum(1))


def _lengths(vectors: Numbers) -> Numbers:
    return np.asarray(np.hypot(vectors[..., 0], vectors[..., 1]))


def _along(vectors: Numbers, way: Numbers) -> Numbers:
    return np.asarray((vectors @ way[..., None])[..., 0])


def _agreed(dice: _Dice, told: _Told) -> _Agreement:
    """Where the dice agree best on a tilt, strays counting little, and how far each foot is off.

    The tilt is the sine of the camera's lean, as the way in the picture to the point below it.
    """
    tilt, weights = np.zeros((len(LENSES), 2)), np.tile(dice.trust, (len(LENSES), 1))
    spread = np.hypot(dice.strays, COMMON_STRAY)
    off, slant, depths = np.zeros_like(weights), np.ones_like(weights), np.ones_like(weights)
    for _ in range(ROUNDS):
        upright = np.sqrt(np.maximum(1 - (tilt**2).sum(1, keepdims=True), 0.1))
        slant = np.maximum(upright + _along(dice.places, tilt), 0.2)
        depths = dice.depths(upright, slant)
        seen = dice.feet * depths[..., None] + dice.places * upright[..., None]  # the tilt each foot tells of
        counted, others = weights / spread**2, told.weights(tilt)
        by_sizes, sureness = _told_by_sizes(dice, weights, upright, tilt)
        total = counted.sum(1) + others.sum(1)
        known = np.eye(2) * total[:, None, None] + sureness
        wanted = _summed(counted, seen) + _summed(others, told.tilts) + by_sizes
        tilt = np.linalg.solve(known, wanted[..., None])[..., 0]
        tilt = tilt * np.minimum(1.0, STEEPEST / np.maximum(_lengths(tilt), 1e-9))[:, None]
        off = _lengths(seen - tilt[:, None])
        weights = dice.trust / (1 + (off / (2 * spread)) ** 2) ** 2
    cost = (dice.trust * np.log1p((off / (2 * spread)) ** 2)).sum(1)
    cost += 0.5 * (told.weights(tilt) * ((told.tilts - tilt[:, None]) ** 2).sum(2)).sum(1)
    cost += 0.5 * (np.log(FOCAL * np.array(LENSES) / told.lens.focal) / told.lens.stray) ** 2
    best = int(np.argmin(cost))
    upright = np.sqrt(max(1 - float(tilt[best] @ tilt[best]), 0.1))
    feet = (tilt[best] - dice.places[best] * upright) / depths[best][:, None]
    return _Agreement(tilt[best], off[best], feet, slant[best] ** 1.5, cost)
