"""Pictures by a renderer that is neither ours nor Blender: `python -m vision.training.worlds --help`.

POV-Ray (`apt-get install povray`) draws dice in round, hexagonal, octagonal and wooden trays, in lids, on
mats and on bare tables, with exact truth as in the rendered lids' `truth.jsonl`. Knows no reader.
"""

import argparse
import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from vision.training.povray_parts import (
    BODIES,
    Die,
    DieStyle,
    Numbers,
    Place,
    basis,
    clutter_text,
    die_text,
    lamps_text,
    pip_places,
    place,
    print_text,
    surface,
    turned,
    vector,
)

KINDS = ("round", "hexagon", "octagon", "wood", "lid", "mat", "bare")
SET = ("white", "white", "red", "yellow", "green", "blue")
WIDTH, HEIGHT = 1024, 768
Aside = Sequence[float]  # the least and the most degrees a camera is tilted by


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera: where it is, its axes as rows (right, down, forward), its focal length in pixels."""

    at: Numbers
    axes: Numbers
    focal: float

    @classmethod
    def drawn(cls, rng: Generator, reach: float, aside: Aside | None = None) -> "Eye":
        wide = rng.choice([rng.uniform(27, 45), rng.uniform(50, 70), rng.uniform(70, 90)], p=[0.3, 0.4, 0.3])
        focal = WIDTH / 2 / math.tan(math.radians(wide) / 2)
        tilt = math.radians(
            rng.choice([rng.uniform(0, 8), rng.uniform(8, 25), rng.uniform(25, 40)], p=[0.4, 0.35, 0.25])
        )
        if aside is not None:
            tilt = math.radians(rng.uniform(*aside))
        spin, roll = rng.uniform(0, 2 * math.pi, 2)
        away = focal * 2 * reach / (rng.uniform(0.6, 0.97) * HEIGHT)
        away = max(away, 130.0)
        back = np.array([math.sin(tilt) * math.cos(spin), math.sin(tilt) * math.sin(spin), math.cos(tilt)])
        aim = np.array([*rng.normal(0, 0.08 * reach, 2), 0.0])
        side = np.cross(-back, [math.cos(roll), math.sin(roll), 0.0])
        side /= np.linalg.norm(side)
        return cls(aim + away * back, np.array([side, np.cross(-back, side), -back]), focal)

    def sees(self, points: Numbers) -> Numbers:
        """Where points are in the picture."""
        seen = (np.atleast_2d(points) - self.at) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + ((WIDTH - 1) / 2, (HEIGHT - 1) / 2))

    def text(self) -> str:
        right, down, forward = self.axes
        return (
            f"camera {{ perspective location {vector(self.at)} right {vector(right * WIDTH / self.focal)}"
            f" up {vector(-down * HEIGHT / self.focal)} direction {vector(forward)} }}"
        )


@dataclass(frozen=True, slots=True)
class Table:
    """What stays from throw to throw."""

    kind: str
    seed: int
    place: Place
    eye: Eye
    style: DieStyle
    bodies: tuple[tuple[int, int, int], ...]  # of the six
    ground: str
    lamps: str
    clutter: str
    look: dict[str, float]

    @classmethod
    def drawn(cls, kind: str, seed: int, crowded: bool, aside: Aside | None = None) -> "Table":
        rng = np.random.default_rng(seed)
        where = place(rng, kind)
        style = DieStyle.drawn(rng)
        bodies = [_body(rng, colour) for colour in SET]
        bodies[1] = bodies[0]
        ground = surface(rng, str(rng.choice(["wood", "wood", "cloth", "stone", "paint"])))
        return cls(
            kind,
            seed,
            where,
            Eye.drawn(rng, where.reach * 1.08, aside),
            style,
            tuple(bodies),
            _tabletop(rng, ground, kind),
            lamps_text(rng),
            _clutter(rng, where, style, crowded),
            _look(rng),
        )


def _body(rng: Generator, colour: str) -> tuple[int, int, int]:
    r, g, b = np.clip(np.array(BODIES[colour]) * rng.normal(1, 0.06) + rng.normal(0, 5, 3), 4, 250)
    return int(r), int(g), int(b)


def _tabletop(rng: Generator, look: str, kind: str) -> str:
    """The table, of planks now and then."""
    text = f"plane {{ z, 0 {look} }}"
    if rng.random() < (0.6 if kind == "bare" else 0.3):
        wide, turn = rng.uniform(70, 140), rng.uniform(0, 180)
        gaps = " ".join(
            f"box {{ <-2000,{i * wide - 0.8},-1>, <2000,{i * wide + 0.8},0.02> }}" for i in range(-8, 9)
        )
        where = f"rotate z*{turn:.0f} translate x*{rng.uniform(0, 50):.0f}"
        text += f"\nunion {{ {gaps} pigment {{ rgb 0.02 }} {where} }}"
    return text


def _clutter(rng: Generator, where: Place, style: DieStyle, crowded: bool) -> str:
    parts = []
    for _ in range(int(rng.integers(1, 5)) if crowded else 0):
        angle, far = rng.uniform(0, 2 * math.pi), where.reach * rng.uniform(1.1, 1.4) + 60
        parts.append(clutter_text(rng, (far * math.cos(angle), far * math.sin(angle))))
    if rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 5))):
            spot = rng.uniform(-0.5, 0.5, 2) * where.reach
            parts.append(print_text(rng, (spot[0], spot[1]), where.floor, style.size * rng.uniform(0.7, 1.9)))
    return "\n".join(parts)


def _look(rng: Generator) -> dict[str, float]:
    """How the camera spoils what it sees."""
    return {
        "level": rng.uniform(0.24, 0.5),
        "red": rng.normal(1, 0.05),
        "blue": rng.normal(1, 0.07),
        "blur": rng.choice([0.0, 0.6, 1.0, 1.6]),
        "noise": rng.uniform(0.5, 4.0),
        "vignette": rng.uniform(0, 0.3),
        "jpeg": float(rng.integers(72, 96)),
    }


def throw(rng: Generator, table: Table, play: tuple[str, ...], leans: bool, apart: float = 1.02) -> list[Die]:
    """Dice in the place, some of them leaning on its wall or on something small."""
    dice: list[Die] = []
    for colour in play:
        for _ in range(400):
            die = _lying(rng, table, colour, leans and rng.random() < 0.2)
            if die is not None and all(_clear(die, other, table.style.size, apart) for other in dice):
                dice.append(die)
                break
        else:
            return throw(rng, table, play, leans, apart)
    return dice


def _lying(rng: Generator, table: Table, colour: str, leans: bool) -> Die | None:
    style, s = table.style, table.style.size
    lean = math.radians(rng.uniform(4, 45)) if leans else 0.0
    yaw, way = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
    outline = table.place.outline
    spot = outline.mean(0) + rng.uniform(-1, 1, 2) * np.abs(outline).max()
    if leans and table.place.is_walled:  # with one edge up the wall
        i = int(rng.integers(len(outline)))
        a, b = outline[i], outline[(i + 1) % len(outline)]
        inward = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a)
        reach = s / 2 * (math.cos(lean) + math.sin(lean))
        spot = a + rng.uniform(0.3, 0.7) * (b - a) + inward * reach * 1.02
        way = yaw = math.atan2(inward[1], inward[0])
    pips = int(rng.integers(1, 7))
    turn = turned(pips, style.left_handed, yaw, lean, way)
    corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * s / 2 @ turn.T
    low = -corners[:, 2].min()
    foot = corners[:, :2] + spot
    if not leans or not table.place.is_walled:
        signed = [
            cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True) for x, y in foot
        ]
        if min(signed) < 0.4:
            return None
    index = SET.index(colour) if colour in SET else 0
    body = table.bodies[index] if colour in SET else BODIES[colour]
    dark = colour == "white" or (colour == "yellow" and style.yellow_has_dark_pips)
    spot_colour = (18, 18, 20) if dark else (238, 238, 234)
    middle = np.array([*spot, table.place.floor + low])
    return Die(
        colour, pips, turn, middle, body, spot_colour, True, math.degrees(lean), "cocked" if lean else "flat"
    )


def _clear(one: Die, other: Die, size: float, apart: float) -> bool:
    """Whether two dice do not touch: an axis in the plane parts them."""
    halves = []
    for die in (one, other):
        corners = (
            np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * size / 2 @ die.turn.T
        )
        halves.append(corners[:, :2] + die.middle[:2])
    for die in (one, other):
        for axis in die.turn.T[:, :2]:
            long = np.linalg.norm(axis)
            if long < 0.3:
                continue
            p, q = (h @ axis / long for h in halves)
            if max(p.min() - q.max(), q.min() - p.max()) > (apart - 1) * size:
                return True
    return False


def beside(rng: Generator, table: Table, count: int) -> list[Die]:
    """Dice outside the place."""
    dice: list[Die] = []
    while len(dice) < count:
        angle, far = rng.uniform(0, 2 * math.pi), table.place.reach * rng.uniform(1.15, 1.5) + 12
        spot = np.array([math.cos(angle), math.sin(angle)]) * far
        outline = table.place.outline
        if cv2.pointPolygonTest(outline.astype(np.float32), (float(spot[0]), float(spot[1])), True) > -30:
            continue
        colour = str(rng.choice([*SET, "black", "orange", "purple"]))
        pips = int(rng.integers(1, 7))
        turn = turned(pips, table.style.left_handed, rng.uniform(0, 6), 0.0, 0.0)
        middle = np.array([*spot, table.style.size / 2])
        pip = (18, 18, 20) if colour == "white" else (238, 238, 234)
        dice.append(Die(colour, pips, turn, middle, BODIES[colour], pip, False, 0.0, "outside"))
    return dice


def rendered(table: Table, dice: list[Die], more: str = "", plain: bool = False) -> Numbers:
    """The picture, linear light 0 to 1; plain: only which die is where, as shades."""
    parts = ["#version 3.7;", "global_settings { assumed_gamma 1.0 max_trace_level 6 }", table.eye.text()]
    if plain:
        shades = [
            f"texture {{ pigment {{ rgb {(i + 1) / 40:.4f} }} finish {{ ambient 1 diffuse 0 }} }}"
            for i in range(len(dice))
        ]
        parts += ["background { rgb 0 }", table.place.text]
        parts += [die_text(die, table.style, shade) for die, shade in zip(dice, shades, strict=True)]
    else:
        parts += [table.lamps, table.ground, table.place.text, table.clutter, more]
        parts += [die_text(die, table.style) for die in dice]
    with tempfile.TemporaryDirectory() as folder:
        scene, out = Path(folder) / "scene.pov", Path(folder) / "scene.png"
        scene.write_text("\n".join(parts))
        how = ["-A", "+Q1"] if plain else ["+A0.3", "+AM1", "+R2"]
        command = [
            "povray",
            f"+I{scene}",
            f"+O{out}",
            f"+W{WIDTH}",
            f"+H{HEIGHT}",
            "+FN16",
            "-D",
            "+WT1",
            "-GA",
            *how,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        image = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
        if image is None:
            raise RuntimeError(f"POV-Ray drew nothing: {done.stderr[-600:]}")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.asarray((image[..., :3].astype(np.float64) / 65535) ** 2.2)


def photographed(light: Numbers, look: dict[str, float], rng: Generator) -> Numbers:
    """What a camera makes of it."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    off = ((x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2) / (WIDTH**2 / 4)
    light = light * (1 - look["vignette"] * off / 1.56)[..., None] * (look["blue"], 1, look["red"])
    gain = (look["level"] ** 2.2) / max(1e-4, float(np.median(light)))
    light = light * min(gain, 0.96 / max(1e-4, float(np.percentile(light, 99.2))))
    if look["blur"]:
        light = cv2.GaussianBlur(light, (0, 0), look["blur"])
    shown = np.clip(light, 0, 1) ** (1 / 2.2) * 255 + rng.normal(0, look["noise"], light.shape)
    return np.asarray(np.clip(shown, 0, 255).astype(np.uint8))


def truth_of(table: Table, dice: list[Die], image: Numbers, which: Numbers) -> list[dict[str, Any]]:
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    told = []
    for i, die in enumerate(dice):
        corners = table.eye.sees(die.top(table.style))
        x, y = table.eye.sees(die.top(table.style).mean(0))[0]
        inside = np.zeros((HEIGHT, WIDTH), np.uint8)
        middle = corners.mean(0)
        cv2.fillConvexPoly(inside, np.round(middle + (corners - middle) * 0.8).astype(np.int32), 1)
        mine = np.abs(which - (i + 1) / 40) < 0.012
        told.append(
            {
                "colour": die.colour,
                "pips": die.pips if die.state != "cocked" else None,
                "true_pips": die.pips,
                "x": round(float(x), 2),
                "y": round(float(y), 2),
                "corners": np.round(corners, 2).tolist(),
                "tilt_deg": round(die.tilt, 2),
                "in_lid": die.inside,
                "in_frame": bool(0 < x < WIDTH and 0 < y < HEIGHT),
                "visible": round(float(mine[inside > 0].mean()), 3) if inside.any() else 0.0,
                "state": die.state,
                "size_mm": table.style.size,
                "body_rgb": die.body,
                "pip_rgb": die.spot,
                "contrast": round(_contrast(table, die, lab), 1),
            }
        )
    return told


def _contrast(table: Table, die: Die, lab: Numbers) -> float:
    """The least distance of a pip's colour from its surroundings."""
    one, other, out = (die.turn @ axis for axis in basis(die.pips, table.style.left_handed))
    s, least = table.style.size, 99.0

    def seen(a: float, b: float) -> Numbers:
        u, v = np.round(table.eye.sees(die.middle + s * (out / 2 + a * one + b * other))[0]).astype(int)
        return np.asarray(lab[min(max(v, 0), HEIGHT - 1), min(max(u, 0), WIDTH - 1)])

    for a, b in pip_places(table.style, die.pips):
        pip = np.median(
            [seen(a + d, b + e) for d, e in ((0, 0), (0.03, 0), (-0.03, 0), (0, 0.03), (0, -0.03))], axis=0
        )
        far = table.style.pip_radius * (1.6 if die.pips == 1 and table.style.big_one else 1.0) + 0.05
        round_ = [seen(a + far * d, b + far * e) for d, e in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        least = min(least, float(np.linalg.norm(pip - np.median(round_, axis=0))))
    return least


def kept(folder: Path, name: str, at: Table, dice: list[Die], rng: Generator, **more: Any) -> dict[str, Any]:
    """One picture drawn, spoilt and written, and its truth."""
    extra = more.pop("text", "")
    look = more.pop("look", at.look)
    image = photographed(rendered(at, dice, extra), look, rng)
    which = rendered(at, dice, plain=True)[..., 1] if dice else np.zeros((HEIGHT, WIDTH))
    cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, int(look["jpeg"])])
    outline = np.column_stack([at.place.outline, np.full(len(at.place.outline), at.place.floor)])
    ring = np.round(at.eye.sees(outline), 2).tolist() if at.kind != "bare" else None
    axis = at.eye.axes[2]
    return {
        "file": name,
        "seed": at.seed,
        "preset": at.kind,
        "width": WIDTH,
        "height": HEIGHT,
        "lid_corners": ring if at.kind in {"lid", "wood"} else None,
        "place": ring,
        "dice": truth_of(at, dice, image, which),
        "camera": {
            "f_px": round(at.eye.focal, 1),
            "tilt_deg": round(math.degrees(math.acos(-axis[2])), 1),
            "fov": round(2 * math.degrees(math.atan(WIDTH / 2 / at.eye.focal)), 1),
        },
        "tags": [],
        **more,
    }


def single(folder: Path, kind: str, seed: int, aside: Aside | None = None) -> dict[str, Any]:
    """One throw at a table of its own."""
    rng = np.random.default_rng(seed + 500_000)
    table = Table.drawn(kind, seed, crowded=rng.random() < 0.5, aside=aside)
    play, tags = _in_play(rng)
    thrown = play
    if rng.random() < 0.08:
        thrown = tuple(np.delete(np.array(play), rng.integers(len(play))))
    dice = throw(rng, table, thrown, leans=rng.random() < 0.3)
    if kind != "bare" and rng.random() < 0.2:
        dice += beside(rng, table, int(rng.integers(1, 4)))
    return kept(folder, f"{kind}_{seed}.jpg", table, dice, rng, tags=tags)


def _in_play(rng: Generator) -> tuple[tuple[str, ...], list[str]]:
    if rng.random() > 0.12:
        return SET, []
    gone = [
        str(c) for c in rng.choice(["red", "yellow", "green", "blue"], int(rng.integers(1, 3)), replace=False)
    ]
    return tuple(c for c in SET if c not in gone), [f"locked:{','.join(gone)}"]


def fixed_table(folder: Path, number: int, seed: int, throws: int) -> None:
    """An installation: its place empty, six dice to calibrate with, throws."""
    rng = np.random.default_rng(seed + 700_000)
    kind = KINDS[number % len(KINDS)]
    table = Table.drawn(kind, seed, crowded=rng.random() < 0.5)
    folder = folder / f"table_{number:03d}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("w") as out:
        for step in range(-2, throws):
            name = {-2: "empty.jpg", -1: "calibrate.jpg"}.get(step, f"throw_{step:02d}.jpg")
            play, tags = _in_play(rng) if step >= 0 else (SET, [])
            dice = (
                []
                if step == -2
                else throw(
                    rng, table, play, leans=step >= 0 and rng.random() < 0.2, apart=1.4 if step < 0 else 1.02
                )
            )
            now, look, text = table, dict(table.look), ""
            if step >= 0:
                look |= {
                    "level": look["level"] * rng.uniform(0.92, 1.08),
                    "red": look["red"] * rng.normal(1, 0.01),
                }
                if rng.random() < 0.2:
                    angle = rng.uniform(0, 6.3)
                    at = (500 * math.cos(angle), 500 * math.sin(angle), 600.0)
                    text = f"sphere {{ {vector(at)}, 240 no_image no_reflection pigment {{ rgb 0.2 }} }}"
                    tags = [*tags, "person-shadow"]
            done = kept(
                folder,
                name,
                now,
                dice,
                rng,
                tags=tags,
                look=look,
                text=text,
                kind={-2: "empty", -1: "calibrate"}.get(step, "throw"),
                table=number,
            )
            out.write(json.dumps(done) + "\n")
            out.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="vision.training.worlds", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for pictures and truth.jsonl")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--singles", type=int, default=0, help="pictures of a table each, of all kinds in turn"
    )
    parser.add_argument(
        "--aside",
        type=float,
        nargs=2,
        metavar=("LEAST", "MOST"),
        help="degrees by which the camera of single pictures looks from the side, as a phone's does",
    )
    parser.add_argument("--tables", type=int, default=0, help="fixed tables")
    parser.add_argument("--throws", type=int, default=8, help="of each fixed table")
    options = parser.parse_args()
    if shutil.which("povray") is None:
        parser.error("povray is not installed: apt-get install povray")
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "truth.jsonl").open("a") as out:
        for i in range(options.singles):
            done = single(options.out, KINDS[i % len(KINDS)], options.seed + i, options.aside)
            out.write(json.dumps(done) + "\n")
            out.flush()
    for number in range(options.tables):
        fixed_table(options.out, number, options.seed + 1000 + number, options.throws)


if __name__ == "__main__":
    main()
