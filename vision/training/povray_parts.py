"""What lies in the pictures of `worlds.py`, as text that POV-Ray understands: dice, places, clutter, lamps.

Millimetres, z upward, the table's top at z = 0. Knows no camera and no picture.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from vision.image.arrays import Numbers

BODIES = {
    "white": (232, 229, 220),
    "red": (178, 24, 20),
    "yellow": (236, 200, 24),
    "green": (26, 118, 52),
    "blue": (24, 66, 164),
    "black": (24, 24, 26),
    "orange": (226, 112, 20),
    "purple": (96, 38, 120),
}
AXES: dict[int, Numbers] = {
    1: np.array([0.0, 0, 1]),
    6: np.array([0.0, 0, -1]),
    2: np.array([1.0, 0, 0]),
    5: np.array([-1.0, 0, 0]),
    3: np.array([0.0, 1, 0]),
    4: np.array([0.0, -1, 0]),
}
SITES: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True, slots=True)
class DieStyle:
    """What all dice of one set share."""

    size: float
    rounding: float  # of an edge, in edges; below 0.02 sharp
    ball: float  # radius of the ball that cuts the corners, in edges; 1 cuts nothing
    pip_radius: float
    spread: float  # of the pips from the middle, in edges
    narrow: float  # the six's rows nearer to each other: 1 for square
    drilled: bool
    big_one: bool
    left_handed: bool
    gloss: float
    yellow_has_dark_pips: bool

    @classmethod
    def drawn(cls, rng: Generator) -> "DieStyle":
        kind = rng.choice(["sharp", "soft", "ball"], p=[0.3, 0.4, 0.3])
        return cls(
            float(rng.choice([12.0, 14.0, 16.0, 16.0])),
            {"sharp": 0.025, "soft": rng.uniform(0.06, 0.14), "ball": 0.04}[str(kind)],
            rng.uniform(0.66, 0.74) if kind == "ball" else 1.0,
            rng.uniform(0.08, 0.115),
            rng.uniform(0.22, 0.285),
            rng.uniform(0.72, 1.0) if rng.random() < 0.4 else 1.0,
            bool(rng.random() < 0.55),
            bool(rng.random() < 0.3),
            bool(rng.random() < 0.5),
            float(rng.choice([0.0, 0.15, 0.4, 0.8])),
            bool(rng.random() < 0.3),
        )


@dataclass(slots=True)
class Die:
    """One die as it lies: its turn, its middle, what it shows."""

    colour: str
    pips: int
    turn: Numbers
    middle: Numbers
    body: tuple[int, int, int]
    spot: tuple[int, int, int]
    inside: bool = True
    tilt: float = 0.0
    state: str = "flat"

    def top(self, style: DieStyle) -> Numbers:
        """The corners of its most upward face, of the sharp-edged cube."""
        one, other, out = (self.turn @ axis for axis in basis(self.pips, style.left_handed))
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        return np.array([self.middle + style.size / 2 * (out + a * one + b * other) for a, b in corners])


def basis(pips: int, left_handed: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Two directions along the face with that number, and the way out of it."""
    out = AXES[pips] * (np.array([1, 1 if not left_handed else -1, 1]))
    one = np.roll(out, 1)
    return one, np.cross(out, one), out


def turned(pips: int, left_handed: bool, yaw: float, lean: float, way: float) -> Numbers:
    """The turn that brings a number up, then round, then leaning towards `way`."""
    one, other, out = basis(pips, left_handed)
    upright = np.array([one, other, out])
    c, s = math.cos(yaw), math.sin(yaw)
    round_ = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    axis = np.array([-math.sin(way), math.cos(way), 0])
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    tip = np.eye(3) + math.sin(lean) * k + (1 - math.cos(lean)) * (k @ k)
    return np.asarray(tip @ round_ @ upright)


def rgb(colour: tuple[float, ...], bright: float = 1.0) -> str:
    """A colour as seen, 0 to 255, for POV-Ray."""
    r, g, b = (min(1.0, bright * c / 255) for c in colour)
    return f"srgb <{r:.4f},{g:.4f},{b:.4f}>"


def vector(v: Numbers | tuple[float, ...]) -> str:
    return "<" + ",".join(f"{float(x):.4f}" for x in v) + ">"


def pip_places(style: DieStyle, pips: int) -> list[tuple[float, float]]:
    """Where the pips of a face lie on it, in edges."""
    squeeze = style.narrow if pips == 6 else 1.0
    return [(a * style.spread * squeeze, b * style.spread) for a, b in SITES[pips]]


def die_text(die: Die, style: DieStyle, flat: str = "") -> str:
    """The die; `flat` replaces its looks by one plain colour."""
    s = style.size
    body = flat or (
        f"texture {{ pigment {{ {rgb(die.body)} }} finish {{ ambient 0 diffuse 0.8 specular {style.gloss * 0.5:.2f}"
        f" roughness {0.01 + 0.04 * (1 - style.gloss):.3f} reflection {{ 0, {0.25 * style.gloss:.2f} fresnel on }} conserve_energy }} }}"
        " interior { ior 1.45 }"
    )
    spot = (
        flat or f"texture {{ pigment {{ {rgb(die.spot)} }} finish {{ ambient 0 diffuse 0.8 specular 0.1 }} }}"
    )
    shape = _rounded_cube(s, style.rounding * s)
    if style.ball < 1:
        shape = f"intersection {{ {shape} sphere {{ 0, {style.ball * s:.3f} }} }}"
    marks = []
    for number in range(1, 7):
        one, other, out = basis(number, style.left_handed)
        radius = style.pip_radius * s * (1.6 if number == 1 and style.big_one else 1.0)
        for a, b in pip_places(style, number):
            at = s * (a * one + b * other) + out * s / 2
            if style.drilled:
                away = radius * 0.55
                marks.append(f"sphere {{ {vector(at + out * away)}, {math.hypot(radius, away):.3f} {spot} }}")
            else:
                marks.append(
                    f"cylinder {{ {vector(at - out * 0.3)}, {vector(at + out * 0.03)}, {radius:.3f} {spot} }}"
                )
    how = "difference" if style.drilled else "union"
    rows = ",".join(f"{x:.6f}" for x in (*die.turn.T.ravel(), *die.middle))
    return f"{how} {{ object {{ {shape} {body} }} {' '.join(marks)} matrix <{rows}> }}"


def _rounded_cube(s: float, r: float) -> str:
    h, i = s / 2, s / 2 - r
    parts = [
        f"box {{ <-{h},-{i},-{i}>, <{h},{i},{i}> }}",
        f"box {{ <-{i},-{h},-{i}>, <{i},{h},{i}> }}",
        f"box {{ <-{i},-{i},-{h}>, <{i},{i},{h}> }}",
    ]
    signs = (-1, 1)
    for a in signs:
        for b in signs:
            parts.append(f"cylinder {{ <{a * i},{b * i},-{i}>, <{a * i},{b * i},{i}>, {r} }}")
            parts.append(f"cylinder {{ <{a * i},-{i},{b * i}>, <{a * i},{i},{b * i}>, {r} }}")
            parts.append(f"cylinder {{ <-{i},{a * i},{b * i}>, <{i},{a * i},{b * i}>, {r} }}")
            parts += [f"sphere {{ <{a * i},{b * i},{c * i}>, {r} }}" for c in signs]
    return f"union {{ {' '.join(parts)} }}"


def surface(rng: Generator, kind: str = "") -> str:
    """What something is made of: paint, wood, felt, leather, cloth, stone."""
    kind = kind or str(rng.choice(["paint", "wood", "felt", "leather", "cloth", "stone"]))
    base = tuple(np.clip(rng.uniform(25, 225) * np.clip(rng.normal(1, 0.15, 3), 0.3, 1.3), 5, 240))
    dull = f"finish {{ ambient 0 diffuse 0.8 specular {rng.uniform(0, 0.1):.2f} roughness 0.05 }}"
    if kind == "wood":
        light = np.array(
            rng.choice([(190, 140, 90), (150, 96, 56), (112, 70, 44), (214, 178, 130), (84, 56, 40)])
        )
        dark = light * rng.uniform(0.55, 0.85)
        turn = f"rotate <{rng.uniform(82, 98):.1f},{rng.uniform(-4, 4):.1f},{rng.uniform(0, 360):.0f}>"
        grain = f"wood turbulence {rng.uniform(0.03, 0.12):.3f} color_map {{ [0 {rgb(tuple(dark))}] [0.6 {rgb(tuple(light))}] [1 {rgb(tuple(dark))}] }}"
        return f"texture {{ pigment {{ {grain} scale {rng.uniform(4, 14):.1f} translate <{rng.uniform(20, 90):.0f},30,0> {turn} }} {dull} }}"
    if kind == "felt":
        base = tuple(
            np.array(
                rng.choice(
                    [(20, 84, 44), (120, 20, 28), (28, 44, 96), (30, 30, 34), (90, 84, 78), (60, 24, 70)]
                )
            )
            * rng.uniform(0.7, 1.4)
        )
    if kind == "leather":
        base = tuple(
            np.array(rng.choice([(30, 24, 22), (96, 52, 30), (60, 20, 22), (24, 30, 44), (150, 110, 74)]))
            * rng.uniform(0.8, 1.3)
        )
        bumps = f"normal {{ crackle {rng.uniform(0.2, 0.6):.2f} scale {rng.uniform(1.2, 3):.1f} }}"
        return f"texture {{ pigment {{ {rgb(base)} }} {bumps} finish {{ ambient 0 diffuse 0.75 specular 0.25 roughness 0.08 }} }}"
    if kind in {"felt", "cloth", "stone"}:
        other = tuple(np.clip(np.array(base) * rng.uniform(0.72, 0.94), 0, 255))
        how = {
            "felt": "bozo scale 0.6",
            "cloth": f"checker {rgb(base)} {rgb(other)} scale {rng.uniform(0.8, 18):.1f}",
            "stone": "granite scale 40",
        }[kind]
        pattern = (
            how
            if kind == "cloth"
            else f"{how.split(' scale')[0]} color_map {{ [0 {rgb(base)}] [1 {rgb(other)}] }} scale {how.split()[-1]}"
        )
        bumps = "normal { bumps 0.5 scale 0.7 }" if kind == "felt" else ""
        return f"texture {{ pigment {{ {pattern} rotate z*{rng.uniform(0, 90):.0f} }} {bumps} {dull} }}"
    shine = rng.choice([0.0, 0.0, 0.06])
    return f"texture {{ pigment {{ {rgb(base)} }} finish {{ ambient 0 diffuse 0.8 specular 0.2 roughness 0.03 reflection {shine} }} }}"


@dataclass(slots=True)
class Place:
    """What dice lie in: its outline on the floor, the floor's height, the text of walls and floor."""

    kind: str
    outline: Numbers  # of the inner floor
    floor: float
    wall: float
    text: str
    reach: float = field(default=100.0)

    @property
    def is_walled(self) -> bool:
        return self.wall > 4


def ring(count: int, radius: float, turn: float = 0.0) -> Numbers:
    angles = turn + np.arange(count) * 2 * math.pi / count
    return np.column_stack([np.cos(angles), np.sin(angles)]) * radius


def place(rng: Generator, kind: str) -> Place:
    """A place of that kind round the middle of the table."""
    floor_look, wall_look = (
        surface(rng, str(rng.choice(["felt", "leather", "paint", "wood", "cloth"]))),
        surface(rng),
    )
    turn = rng.uniform(0, 2 * math.pi)
    thick, wall = rng.uniform(2, 6), rng.uniform(14, 34)
    if kind == "bare":
        reach = rng.uniform(45, 95)
        return Place(kind, ring(48, reach), 0.0, 0.0, "", reach)
    if kind == "round":
        outline = ring(64, rng.uniform(62, 115))
    elif kind in {"hexagon", "octagon"}:
        outline = ring(6 if kind == "hexagon" else 8, rng.uniform(70, 120), turn)
    else:
        half = np.array([rng.uniform(70, 110), rng.uniform(52, 90)])
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        c, s = math.cos(turn), math.sin(turn)
        outline = outline @ np.array([[c, s], [-s, c]])
    if kind == "wood":
        floor_look = wall_look = surface(rng, "wood")
        thick, wall = rng.uniform(6, 14), rng.uniform(9, 26)
        if rng.random() < 0.4:
            floor_look = surface(rng, "felt")
    if kind == "lid":
        wall_look = surface(rng, "paint")
        floor_look = wall_look if rng.random() < 0.5 else surface(rng, "paint")
        thick = rng.uniform(1, 2)
    if kind == "mat":
        height = rng.uniform(1, 3)
        if rng.random() < 0.5:
            outline = ring(64, rng.uniform(75, 125))
        text = _prism(outline, 0.02, height, floor_look)
        return Place(kind, outline, height, 0.0, text, float(np.abs(outline).max()))
    floor = rng.uniform(1, 3)
    outer = outline * (
        1 + thick / np.linalg.norm(outline, axis=1, keepdims=True) * (1.0 if len(outline) > 8 else 1.15)
    )
    text = _prism(outline * 1.001, 0.02, floor, floor_look)
    text += f"\ndifference {{ {_prism(outer, 0.03, floor + wall, wall_look)} {_prism(outline, floor - 0.5, floor + wall + 5, wall_look)} }}"
    return Place(kind, outline, floor, wall, text, float(np.abs(outline).max()))


def _prism(outline: Numbers, low: float, high: float, look: str) -> str:
    """A straight column over an outline; POV-Ray's own stands on y, so it is laid round."""
    points = [*outline, outline[0]]
    listed = ",".join(f"<{x:.3f},{y:.3f}>" for x, y in points)
    # (x, height, z) of a prism to (x, z, height): a mirroring that keeps the outline as it is
    return f"prism {{ linear_spline {low:.3f}, {high:.3f}, {len(points)}, {listed} matrix <1,0,0, 0,0,1, 0,1,0, 0,0,0> {look} }}"


def print_text(rng: Generator, where: tuple[float, float], height: float, size: float) -> str:
    """A printed picture of a die's face: flat, on whatever lies there."""
    ink, ground = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    half, turn = size / 2, rng.uniform(0, 90)
    sites = SITES[int(rng.integers(1, 7))]
    look = "finish { ambient 0 diffuse 0.8 }"
    marks = [
        f"cylinder {{ <{a * size * 0.25:.2f},{b * size * 0.25:.2f},0>, <{a * size * 0.25:.2f},{b * size * 0.25:.2f},0.08>, {size * 0.1:.2f} pigment {{ {rgb(tuple(ink))} }} {look} }}"
        for a, b in sites
    ]
    square = f"box {{ <-{half},-{half},0>, <{half},{half},0.05> pigment {{ {rgb(tuple(ground))} }} {look} }}"
    at = vector((*where, height + 0.01))
    return f"union {{ {square} {' '.join(marks)} rotate z*{turn:.1f} translate {at} }}"


def clutter_text(rng: Generator, where: tuple[float, float]) -> str:
    """A card, a cup, a pencil, a score pad, a coin: things that lie about a table."""
    kind = rng.choice(["card", "cup", "pencil", "pad", "coin", "card"])
    spin, at = f"rotate z*{rng.uniform(0, 360):.0f}", f"translate {vector((*where, 0.02))}"
    look = "finish { ambient 0 diffuse 0.8 specular 0.15 }"
    ink = [rgb(tuple(rng.uniform(0, 255, 3))) for _ in range(4)]
    if kind == "card":
        marks = " ".join(
            f"cylinder {{ <{x},{y},0>, <{x},{y},0.4>, {rng.uniform(3, 7):.1f} pigment {{ {ink[0]} }} }}"
            for x in (-15, 15)
            for y in (-28, 0, 28)
        )
        return f"union {{ box {{ <-29,-44,0>, <29,44,0.35> pigment {{ {rgb((238, 236, 228))} }} }} {marks} {look} {spin} {at} }}"
    if kind == "cup":
        tall, wide = rng.uniform(50, 95), rng.uniform(28, 42)
        hole = f"cylinder {{ <0,0,4>, <0,0,{tall + 1}>, {wide - 3} pigment {{ {ink[1]} }} }}"
        return f"difference {{ cylinder {{ 0, <0,0,{tall}>, {wide} pigment {{ {ink[0]} }} }} {hole} {look} {at} }}"
    if kind == "pencil":
        return f"cylinder {{ <-80,0,3.5>, <80,0,3.5>, 3.5 pigment {{ {ink[0]} }} {look} {spin} {at} }}"
    if kind == "coin":
        return f"cylinder {{ 0, <0,0,2>, {rng.uniform(8, 13):.1f} pigment {{ {rgb((178, 150, 90))} }} finish {{ ambient 0 diffuse 0.5 specular 0.6 }} {at} }}"
    rows = " ".join(
        f"box {{ <-66,{y - 9},0>, <66,{y + 9},0.3> pigment {{ {c} }} }}"
        for y, c in zip(
            (-36, -12, 12, 36), [rgb(BODIES[n]) for n in ("blue", "green", "yellow", "red")], strict=True
        )
    )
    return f"union {{ box {{ <-75,-52,0>, <75,52,0.25> pigment {{ {rgb((240, 240, 236))} }} }} {rows} {look} {spin} {at} }}"


def lamps_text(rng: Generator) -> str:
    """One or two lamps and the light of the room."""
    warm = rng.choice([0, 1, 2])
    tint = [(1.0, 1.0, 1.0), (1.0, 0.82, 0.6), (0.9, 0.96, 1.0)][int(warm)]
    out = []
    for strength in [0.75, 0.3][: int(rng.integers(1, 3))]:
        far, high, angle = rng.uniform(100, 900), rng.uniform(500, 1400), rng.uniform(0, 2 * math.pi)
        soft = rng.uniform(20, 260)
        at = (far * math.cos(angle), far * math.sin(angle), high)
        light = np.array(tint) * 0.5 * strength
        out.append(
            f"light_source {{ {vector(at)} rgb {vector(light)} area_light <{soft:.0f},0,0>, <0,{soft:.0f},0>, 3, 3 adaptive 0 jitter }}"
        )
    room = np.array(tint) * rng.uniform(0.02, 0.07)
    for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 0)):
        out.append(f"light_source {{ <{x * 900},{y * 900},1100> rgb {vector(room)} shadowless }}")
    bright = rng.uniform(0.05, 0.25)
    out.append(
        f"sky_sphere {{ pigment {{ gradient z color_map {{ [0 rgb {bright * 0.4:.2f}] [0.9 rgb {bright * 0.5:.2f}] [0.93 rgb {bright * 2:.2f}] }} }} }}"
    )
    return "\n".join(out)
