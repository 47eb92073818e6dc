"""Pictures spoilt on purpose, as lenses, sensors, lamps and people do; the truth follows. Reads nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.scoring.truth import Points, TrueDie, TrueScene
from vision.simulation.hand import reach_in

COVERED = 24  # grey levels by which a place changes that a hand or a gleam covers
TWO_AT_ONCE = 0.25  # of the pictures
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A picture, what is left of its truth, and how it was spoilt."""

    image: Image
    scene: TrueScene
    way: str


Way = Callable[[Image, TrueScene, Generator], tuple[Image, TrueScene]]


def spoilt(image: Image, scene: TrueScene, rng: Generator, *, fixed: bool = False) -> Spoilt:
    """In a way drawn by lot, now and then in two; a `fixed` camera stays where it is."""
    ways = {name: way for name, way in WAYS.items() if not fixed or name not in ANOTHER_VIEW}
    count = 2 if rng.random() < TWO_AT_ONCE else 1
    names = sorted(str(name) for name in rng.choice(list(ways), count, replace=False))
    for name in names:
        image, scene = ways[name](image, scene, rng)
    return Spoilt(image, scene, names[0] if count == 1 else "two at once")


# ---------------------------------------------------------------- lens and sensor


def blurred(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    return _image(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.6, 4.5)))), scene


def shaken(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """A camera that moved while it looked."""
    length, way = int(rng.integers(3, 16)), rng.uniform(0, pi)
    kernel = np.zeros((2 * length + 1,) * 2, np.float32)
    step = (length * cos(way) / 2, length * sin(way) / 2)
    ends = [(round(length + s * step[0]), round(length + s * step[1])) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return _image(cv2.filter2D(image, -1, kernel / kernel.sum())), scene


def noisy(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    grain = _floats(rng.normal(0, rng.uniform(4, 32), image.shape))
    if rng.random() < 0.5:  # in blots, as small sensors have it once they smooth
        grain = _floats(2 * cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.7, 1.5))))
    return _image(image + grain), scene


def packed(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """A JPEG made small."""
    _, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(6, 45))])
    again = cv2.imdecode(content, cv2.IMREAD_COLOR)
    return image if again is None else _image(again), scene


def exposed(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """Too short or too long."""
    light = (image.astype(np.float32) / 255) ** 2.2 * np.exp(rng.uniform(-2.6, 1.3))
    return _image(255 * np.clip(light, 0, 1) ** (1 / 2.2)), scene


def cast(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """A white balance gone astray."""
    light = (image.astype(np.float32) / 255) ** 2.2 * np.exp(rng.normal(0, 0.28, 3)).astype(np.float32)
    return _image(255 * np.clip(light, 0, 1) ** (1 / 2.2)), scene


# ---------------------------------------------------------------- lamps and people


def gleaming(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """Lamps mirrored on the dice or beside them."""
    light: NDArray[np.float32] = np.zeros(image.shape[:2], np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y, size = _near_a_die(image, scene, rng, 0.7)
        axes = [max(1, round(size * v)) for v in rng.uniform(0.15, 0.7, 2)]
        cv2.ellipse(light, (round(x), round(y)), axes, float(rng.uniform(0, 180)), 0, 360, 1.0, cv2.FILLED)
        soft = max(0.8, size * float(rng.uniform(0.02, 0.15)))
        light = _floats(cv2.GaussianBlur(light, (0, 0), soft))
    strength = np.float32(rng.uniform(0.5, 1.0))
    return _covered_by(_image(image + strength * light[..., None] * (252.0 - image)), image, scene)


def grasped(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """A hand over the dice or beside them, from any side."""
    turns = int(rng.integers(0, 4))
    x, y, size = _near_a_die(image, scene, rng, 3.0)
    over = np.rot90(image, turns).copy()  # it is painted on
    height, width = image.shape[:2]
    aim = ((x, y), (y, width - 1 - x), (width - 1 - x, height - 1 - y), (height - 1 - y, x))[turns]
    reach_in(over, aim, size * float(rng.uniform(5, 9)), float(rng.uniform(0.3, 1.0)))
    return _covered_by(np.ascontiguousarray(np.rot90(over, -turns)), image, scene)


def hidden(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """Something flat over a part of the dice: a card, a sleeve, a cup's edge."""
    x, y, size = _near_a_die(image, scene, rng, 0.9)
    sides = size * rng.uniform(0.5, 3.0, 2)
    ring = cv2.boxPoints(((x, y), (float(sides[0]), float(sides[1])), float(rng.uniform(0, 90))))
    out = image.copy()
    cv2.fillConvexPoly(out, np.round(ring).astype(np.int32), [int(v) for v in rng.integers(0, 256, 3)])
    return _covered_by(out, image, scene)


# ---------------------------------------------------------------- another view


def turned(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), 1.0)
    return _warped(image, scene, np.vstack([matrix, (0, 0, 1)]), (width, height))


def resized(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    by = float(np.exp(rng.uniform(np.log(0.3), np.log(1.5))))
    size = (max(16, round(image.shape[1] * by)), max(16, round(image.shape[0] * by)))
    small = _image(cv2.resize(image, size, interpolation=cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR))
    fx, fy = size[0] / image.shape[1], size[1] / image.shape[0]
    return small, _carried(scene, np.array([(fx, 0, fx / 2 - 0.5), (0, fy, fy / 2 - 0.5), (0, 0, 1)]), size)


def cut(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """Less of the picture: dice at its edge are halved or gone."""
    height, width = image.shape[:2]
    left, right = (int(rng.uniform(0, 0.3) * width) for _ in range(2))
    top, bottom = (int(rng.uniform(0, 0.3) * height) for _ in range(2))
    part = np.ascontiguousarray(image[top : height - bottom, left : width - right])
    matrix = np.array([(1.0, 0, -left), (0, 1.0, -top), (0, 0, 1)])
    return part, _carried(scene, matrix, (part.shape[1], part.shape[0]))


def aslant(image: Image, scene: TrueScene, rng: Generator) -> tuple[Image, TrueScene]:
    """The picture seen from a little aside, as a phone shows another screen's."""
    height, width = image.shape[:2]
    ring = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = ring + rng.uniform(-0.09, 0.09, (4, 2)).astype(np.float32) * (width, height)
    matrix = cv2.getPerspectiveTransform(ring, moved.astype(np.float32))
    return _warped(image, scene, np.asarray(matrix, np.float64), (width, height))


WAYS: dict[str, Way] = {
    "blur": blurred,
    "shake": shaken,
    "noise": noisy,
    "jpeg": packed,
    "exposure": exposed,
    "white balance": cast,
    "glare": gleaming,
    "hand": grasped,
    "hidden": hidden,
    "turned": turned,
    "resized": resized,
    "cut": cut,
    "aslant": aslant,
}
ANOTHER_VIEW = {"turned", "resized", "cut", "aslant"}


# ---------------------------------------------------------------- what follows for the truth


def _image(values: NDArray[np.generic]) -> Image:
    return np.clip(np.rint(np.asarray(values, np.float32)), 0, 255).astype(np.uint8)


def _floats(values: NDArray[np.generic]) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def _near_a_die(image: Image, scene: TrueScene, rng: Generator, far: float) -> tuple[float, float, float]:
    """A place at most `far` of a die's size from a die's middle, and that size."""
    if not scene.inside:
        return image.shape[1] / 2, image.shape[0] / 2, image.shape[0] / 12
    die = scene.inside[int(rng.integers(len(scene.inside)))]
    x, y = np.array([die.x, die.y]) + rng.uniform(-far, far, 2) * die.size
    return float(x), float(y), die.size


def _covered_by(now: Image, before: Image, scene: TrueScene) -> tuple[Image, TrueScene]:
    """Dice of which less is seen than before."""
    changed = np.abs(now.astype(np.int16) - before).max(2) > COVERED
    dice = tuple(replace(d, visible=d.visible * (1 - _share(changed, outline_of(d)))) for d in scene.dice)
    return now, replace(scene, dice=dice)


def _share(mask: NDArray[np.bool_], outline: Points) -> float:
    """How much of an outline lies on the mask."""
    inside = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    return float(mask[inside > 0].mean()) if inside.any() else 0.0


def outline_of(die: TrueDie) -> Points:
    """The face's corners, or an upright square of its size."""
    if die.corners is not None:
        return die.corners
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    return np.asarray((die.x, die.y) + ring * die.size / 2)


def _warped(image: Image, scene: TrueScene, matrix: Matrix, size: tuple[int, int]) -> tuple[Image, TrueScene]:
    out = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return _once(_image(out), matrix, size, image.shape), _carried(scene, matrix, size)


def _once(out: Image, matrix: Matrix, size: tuple[int, int], shape: Sequence[int]) -> Image:
    """What lies outside the picture that was, greyed: a mirrored die there would be a die more."""
    whole = np.full(tuple(shape[:2]), 255, np.uint8)
    seen = cv2.warpPerspective(whole, matrix, size, flags=cv2.INTER_NEAREST)
    out[seen == 0] = np.median(out.reshape(-1, 3), axis=0).astype(np.uint8)
    return out


def _carried(scene: TrueScene, matrix: Matrix, size: tuple[int, int]) -> TrueScene:
    """The truth in a picture to which the matrix leads; what lies outside it is not seen."""
    lid = None if scene.lid is None else _led(scene.lid, matrix)
    return replace(scene, dice=tuple(_moved(die, matrix, size) for die in scene.dice), lid=lid)


def _moved(die: TrueDie, matrix: Matrix, size: tuple[int, int]) -> TrueDie:
    ring = _led(outline_of(die), matrix)
    (x, y), edge = _led(np.array([(die.x, die.y)]), matrix)[0], _edge(ring)
    frame = np.array([(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])], np.float32)
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(ring.astype(np.float32)), frame)
    visible = die.visible * min(1.0, float(shared) / max(edge**2, 1e-6))
    corners = None if die.corners is None else ring
    in_frame = die.in_frame and 0 < x < size[0] and 0 < y < size[1]
    return replace(
        die, x=float(x), y=float(y), size=edge, corners=corners, visible=visible, in_frame=in_frame
    )


def _led(points: Points, matrix: Matrix) -> Points:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[:, None], matrix)[:, 0])


def _edge(ring: Points) -> float:
    return float(np.sqrt(abs(cv2.contourArea(ring.astype(np.float32))))) + 1e-6
