"""Where thrown dice come to lie, and the way they fly there; knows no pixels."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from vision.reading import DieColour
from vision.simulation.dice import FACES, PosedDie, cube_corners, face_axis, top_face
from vision.simulation.geometry import Array, turn, turn_z
from vision.simulation.style import Style
from vision.simulation.trays import Wall

UP = np.array([0, 0, 1], np.float32)
ACROSS = np.array([1, 0, 0], np.float32)
TRIES = 400
OUT_OF_SIGHT = 600.0  # millimetres
HAND_SECONDS = 0.5  # the dice are picked up
FLIGHT_SECONDS = 1.1
LAST_START = 0.15


class DieState(StrEnum):
    """How a die came to lie."""

    FLAT = "flat"
    COCKED = "cocked"  # leans on a wall, or on another die
    STACKED = "stacked"  # lies on another die
    UNDER = "under"  # another die lies on it
    OUTSIDE = "outside"  # fell beside the lid


@dataclass(frozen=True, eq=False, slots=True)
class Lying:
    """A die at rest."""

    stand: PosedDie
    state: DieState


@dataclass(frozen=True, eq=False, slots=True)
class Flight:
    """The way of one die from the hand to its rest."""

    rest: PosedDie
    start: Array
    axis: Array
    angle: float
    begins: float
    lasts: float

    def at(self, seconds: float, style: Style) -> PosedDie | None:
        """The die that long after the throw; None while the hand still holds it."""
        share = (seconds - self.begins) / self.lasts
        if share < 0:
            return None
        if share >= 1:
            return self.rest
        now, before = self._pose(share, style), self._pose(max(0.0, share - 0.012 / self.lasts), style)
        return PosedDie(now.colour, now.centre, now.turned, now.centre - before.centre)

    def _pose(self, share: float, style: Style) -> PosedDie:
        edge = style.dice.edge
        left = (1 - share) ** 2
        turned = turn(self.axis, self.angle * (1 - share) ** 1.6) @ self.rest.turned
        place = self.rest.centre + (self.start - self.rest.centre) * left
        lift = float(np.abs(turned[2]).sum()) * edge / 2
        over = float(self.rest.centre[2]) - float(np.abs(self.rest.turned[2]).sum()) * edge / 2
        height = _bounce(share) + over * share**6
        if style.tray.has_walls and height < style.tray.wall:
            place[:2] = style.tray.kept_in(place[:2], edge * 0.6, self.rest.centre[:2])
        return PosedDie(self.rest.colour, np.array([*place[:2], lift + height], np.float32), turned)


def _bounce(share: float) -> float:
    """Height in millimetres over the floor: falls in, bounces twice, rolls out."""
    if share < 0.34:
        return 120 * (1 - (share / 0.34) ** 2)
    for (begin, end), height in zip(pairwise((0.34, 0.62, 0.80)), (26, 7), strict=True):
        if share < end:
            inner = (share - begin) / (end - begin)
            return height * 4 * inner * (1 - inner)
    return 0.0


def flights(random: np.random.Generator, style: Style, rests: tuple[Lying, ...]) -> tuple[Flight, ...]:
    """A throw of all dice from one side of the lid."""
    side = float(random.uniform(0, 2 * math.pi))
    towards = np.array([math.cos(side), math.sin(side), 0], np.float32)
    found = []
    for rest in rests:
        away = style.tray.length / 2 + random.uniform(50, 80)
        start = towards * away + random.normal(0, 14, 3).astype(np.float32) * np.array([1, 1, 0], np.float32)
        rolls = np.cross(UP, rest.stand.centre - start) + random.normal(0, 0.25, 3) * away
        spin = float(random.uniform(5, 9))
        begins = HAND_SECONDS + random.uniform(0, LAST_START)
        lasts = FLIGHT_SECONDS - random.uniform(0, LAST_START)
        found.append(Flight(rest.stand, start, rolls.astype(np.float32), spin, begins, lasts))
    return tuple(found)


def topple(rest: Lying, random: np.random.Generator, style: Style) -> Flight:
    """A leaning die nudged flat: it falls on the face that is nearly up, and stays in the lid."""
    _, up = top_face(rest.stand, style.dice.left_handed)
    axis = np.cross(up, UP)
    angle = math.acos(float(np.clip(up @ UP, -1, 1)))
    turned = (turn(axis, angle) @ rest.stand.turned) if angle > 1e-3 else rest.stand.turned
    half = style.dice.edge / 2
    place = style.tray.kept_in(rest.stand.centre[:2], half * 1.45) + random.normal(0, 0.5, 2)
    flat = PosedDie(rest.stand.colour, np.array([*place, half], np.float32), turned.astype(np.float32))
    return Flight(flat, rest.stand.centre, axis if angle > 1e-3 else ACROSS, -angle, 0.0, 0.35)


def thrown(
    random: np.random.Generator, style: Style, colours: tuple[DieColour, ...], faults: float
) -> tuple[Lying, ...]:
    """Where the dice come to lie; with probability `faults` one of them does not lie as it should."""
    lying: list[Lying] = []
    for colour in colours:
        lying.append(Lying(_flat(random, style, colour, lying), DieState.FLAT))
    if len(lying) > 1 and random.random() < faults:
        _spoil(random, style, lying)
    return tuple(lying)


def laid_out(random: np.random.Generator, style: Style, colours: tuple[DieColour, ...]) -> tuple[Lying, ...]:
    """Dice put down flat and apart, as calibration asks."""
    columns = -(-len(colours) // 2)
    order = random.permutation(len(colours))
    found = []
    for colour, spot in zip(colours, order, strict=True):
        column, row = spot % columns, spot // columns
        x = ((column + 0.5) / columns - 0.5) * style.tray.length * 0.8 + random.uniform(-6, 6)
        y = ((row + 0.5) / 2 - 0.5) * style.tray.width * 0.8 + random.uniform(-6, 6)
        found.append(Lying(_stand(random, style, colour, x, y), DieState.FLAT))
    return tuple(found)


def _turned(random: np.random.Generator, pips: int, yaw: float, left_handed: bool) -> Array:
    """A die turned so that this number is up."""
    axis, sign = face_axis(pips, left_handed)
    up = np.zeros(3, np.float32)
    up[axis] = sign
    if abs(up[2]) > 0.5:
        turned = turn(ACROSS, math.pi) if up[2] < 0 else np.eye(3, dtype=np.float32)
    else:
        turned = turn(np.cross(up, UP), math.pi / 2)
    quarter = float(random.integers(4)) * math.pi / 2
    return (turn_z(yaw + quarter) @ turned).astype(np.float32)


def _stand(
    random: np.random.Generator, style: Style, colour: DieColour, x: float, y: float, yaw: float | None = None
) -> PosedDie:
    pips = int(random.integers(1, len(FACES) + 1))
    angle = random.uniform(0, 2 * math.pi) if yaw is None else yaw
    centre = np.array([x, y, style.dice.edge / 2], np.float32)
    return PosedDie(colour, centre, _turned(random, pips, angle, style.dice.left_handed))


def _flat(random: np.random.Generator, style: Style, colour: DieColour, lying: list[Lying]) -> PosedDie:
    """A free place in the lid; now and then side by side with another die."""
    edge = style.dice.edge
    room = np.array([style.tray.length, style.tray.width]) / 2 - edge * 0.75
    for trial in range(TRIES):
        x, y = (float(v) for v in random.uniform(-room, room))
        yaw = None
        if lying and trial < 8 and random.random() < 0.12:
            beside = lying[int(random.integers(len(lying)))].stand
            yaw = math.atan2(*_flat_axis(beside)[::-1]) + random.normal(0, 0.06)
            way = yaw + float(random.integers(4)) * math.pi / 2
            x = float(beside.centre[0]) + math.cos(way) * edge * 1.06
            y = float(beside.centre[1]) + math.sin(way) * edge * 1.06
        elif any(math.dist((x, y), other.stand.centre[:2]) < edge * 1.5 for other in lying):
            continue
        new = _stand(random, style, colour, x, y, yaw)
        inside = (style.tray.within(cube_corners(new, edge)) > edge * 0.03).all()
        if inside and all(_apart(new, other.stand, edge) for other in lying):
            return new
    raise RuntimeError(f"no room for {len(lying) + 1} dice in a place of {style.tray.length:.0f} mm")


def _flat_axis(stand: PosedDie) -> tuple[float, float]:
    """The direction in the plane of a side of a flat die."""
    axis = int(np.argmin(np.abs(stand.turned[2])))
    return float(stand.turned[0, axis]), float(stand.turned[1, axis])


def _apart(one: PosedDie, other: PosedDie, edge: float) -> bool:
    """Whether two flat dice do not overlap: some side's direction parts them."""
    corners, others = cube_corners(one, edge)[:, :2], cube_corners(other, edge)[:, :2]
    for stand in (one, other):
        x, y = _flat_axis(stand)
        for direction in (np.array([x, y]), np.array([-y, x])):
            a, b = corners @ direction, others @ direction
            if a.min() > b.max() or b.min() > a.max():
                return True
    return False


def _spoil(random: np.random.Generator, style: Style, lying: list[Lying]) -> None:
    """One die leans on the wall, lies on another one, or falls beside the lid."""
    which = int(random.integers(len(lying)))
    kind = random.choice([DieState.COCKED, DieState.STACKED, DieState.OUTSIDE], p=[0.6, 0.2, 0.2])
    if kind == DieState.COCKED:
        _lean(random, style, lying, which)
    elif kind == DieState.STACKED:
        _stack(random, style, lying, which)
    else:
        lying[which] = Lying(beside(random, style, lying[which].stand.colour, 0), DieState.OUTSIDE)


def _lean(random: np.random.Generator, style: Style, lying: list[Lying], which: int) -> None:
    """One edge stands on the floor, one touches a wall, or another die where there are no walls."""
    edge, colour = style.dice.edge, lying[which].stand.colour
    others = [other.stand for i, other in enumerate(lying) if i != which]
    walls = [(wall, others) for wall in style.tray.walls(edge)]
    if not style.tray.has_walls:
        walls = [
            (wall, [other for other in others if other is not held])
            for held in others
            for wall in _sides(held, edge)
        ]
    for _ in range(TRIES):
        wall, away_from = walls[int(random.integers(len(walls)))]
        leaning = _leaning(random, style, colour, wall)
        fits = style.tray.has_walls or style.tray.within(leaning.centre) > edge
        if fits and all(math.dist(leaning.centre[:2], o.centre[:2]) > edge * 1.6 for o in away_from):
            lying[which] = Lying(leaning, DieState.COCKED)
            return


def _sides(stand: PosedDie, edge: float) -> Iterator[Wall]:
    """The sides of a flat die, as walls that others may lean on."""
    for quarter in range(4):
        angle = math.atan2(*_flat_axis(stand)[::-1]) + quarter * math.pi / 2
        x, y = (float(v) for v in stand.centre[:2])
        away = x * math.cos(angle) + y * math.sin(angle) - edge / 2
        yield Wall(angle, away, edge / 4, y * math.cos(angle) - x * math.sin(angle))


def _leaning(random: np.random.Generator, style: Style, colour: DieColour, wall: Wall) -> PosedDie:
    edge = style.dice.edge
    tilt = math.radians(random.uniform(16, 42))
    outward = np.array([math.cos(wall.angle), math.sin(wall.angle), 0], np.float32)
    along = np.cross(UP, outward)
    flat = _stand(random, style, colour, 0, 0, wall.angle)
    turned = turn(along, tilt) @ flat.turned
    reach = float(np.abs(outward @ turned).sum()) * edge / 2
    height = float(np.abs(turned[2]).sum()) * edge / 2
    place = outward * (wall.away - reach) + along * random.uniform(-1, 1) * wall.reach + along * wall.middle
    return PosedDie(colour, np.array([*place[:2], height], np.float32), turned.astype(np.float32))


def _stack(random: np.random.Generator, style: Style, lying: list[Lying], which: int) -> None:
    under = (which + 1) % len(lying)
    below = lying[under].stand
    edge = style.dice.edge
    x, y = (float(v) for v in below.centre[:2] + random.uniform(-0.3, 0.3, 2) * edge)
    top = _stand(random, style, lying[which].stand.colour, x, y)
    lying[which] = Lying(PosedDie(top.colour, top.centre + UP * edge, top.turned), DieState.STACKED)
    lying[under] = Lying(below, DieState.UNDER)


def beside(random: np.random.Generator, style: Style, colour: DieColour, place: int) -> PosedDie:
    """On the table along the long side; `place` keeps dice that are put aside apart. Out of sight where
    nothing says which dice count."""
    edge, tray = style.dice.edge, style.tray
    y = tray.spread(0)[1] / 2 + tray.thickness + edge * (1.6 if place else 1.9)
    if style.is_bare:
        y += OUT_OF_SIGHT
    x = (
        (place - 2.5) * edge * 1.9 + random.uniform(-0.2, 0.2) * edge
        if place
        else random.uniform(-0.3, 0.3) * tray.length
    )
    return _stand(random, style, colour, float(x), -float(y) if place else float(y))
