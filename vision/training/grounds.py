"""Grounds to lay dice on: felt, wood, cloth, carpet, prints, clutter and uneven light. Knows no dice."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from vision.image.arrays import Floats

SHEET = np.random.default_rng(0).standard_normal(1 << 19, np.float32)
KINDS = (0.28, 0.2, 0.17, 0.08, 0.08, 0.1, 0.09)  # how often each kind of surface comes


def ground(rng: Generator, width: int, height: int) -> Floats:
    """A surface as float BGR."""
    base, other = _tone(rng), _tone(rng)
    kind = rng.choice(
        ("plain", "grain", "wood", "checks", "print", "rough"), p=(0.3, 0.2, 0.2, 0.1, 0.1, 0.1)
    )
    pattern = {
        "plain": _plain,
        "grain": _grain,
        "wood": _wood,
        "checks": _checks,
        "print": _print,
        "rough": _rough,
        "twill": _twill,
    }[kind](rng, width, height)
    strength = rng.uniform(0.03, 0.3) if rng.random() < 0.6 else rng.uniform(0.3, 1.0)
    mixed = base + (other - base) * (pattern * strength)[..., None]
    turn = rng.integers(0, SHEET.size)
    speckle = np.roll(SHEET, turn)[: width * height].reshape(height, width) * np.float32(rng.uniform(0, 8))
    return np.asarray(mixed + speckle[..., None], np.float32)


def light_field(rng: Generator, width: int, height: int) -> Floats:
    """A smooth change of light over the picture, sometimes with a hard shadow's edge or a bright spot."""
    field = 1 + (_noise(rng, width, height, int(rng.integers(2, 4))) - 0.5) * rng.uniform(0, 0.6)
    if rng.random() < 0.25:
        mask = np.zeros((height // 2, width // 2), np.float32)
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (width / 2, height / 2)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 12))
        field *= 1 - rng.uniform(0.2, 0.7) * cv2.resize(mask, (width, height))
    if rng.random() < 0.15:
        mask = np.zeros((height // 4, width // 4), np.float32)
        place = (int(rng.integers(0, width // 4)), int(rng.integers(0, height // 4)))
        cv2.circle(mask, place, int(rng.integers(4, 30)), 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(4, 16))
        field += rng.uniform(0.3, 2.0) * cv2.resize(mask, (width, height))
    return field[..., None].astype(np.float32)


def clutter(rng: Generator, canvas: Floats, count: int) -> None:
    """Things that are no dice: discs, dots in rows, letters, pens, cards."""
    for _ in range(count):
        _THINGS[int(rng.integers(len(_THINGS)))](rng, canvas)


def _tone(rng: Generator) -> Floats:
    """Grounds are mostly dull: white, grey, brown; sometimes a strong colour."""
    value = rng.uniform(15, 250)
    saturation = rng.uniform(0, 90) if rng.random() < 0.7 else rng.uniform(90, 255)
    hue = rng.uniform(5, 25) if rng.random() < 0.4 else rng.uniform(0, 179)
    pixel = np.array([[(hue, saturation, value)]], np.float32).astype(np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _noise(rng: Generator, width: int, height: int, cells: int) -> Floats:
    coarse = rng.random((max(2, cells * height // width), cells)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def _plain(rng: Generator, width: int, height: int) -> Floats:
    return _noise(rng, width, height, int(rng.integers(2, 6)))


def _grain(rng: Generator, width: int, height: int) -> Floats:
    """Felt, card, carpet: noise of several sizes."""
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    cells = int(rng.integers(8, 40))
    while cells < width:
        total += weight * (_noise(rng, width, height, cells) - 0.5)
        cells, weight = cells * 2, weight * rng.uniform(0.6, 1.3)
    return total / max(1e-3, float(np.abs(total).max())) / 2 + 0.5


def _rough(rng: Generator, width: int, height: int) -> Floats:
    """A coarse weave or carpet of short threads."""
    cell = rng.uniform(2, 7)
    threads = rng.random((int(height / cell) + 2, int(width / cell) + 2)).astype(np.float32)
    if rng.random() < 0.5:
        kernel = np.ones((1, 3) if rng.random() < 0.5 else (3, 1), np.float32) / 3
        threads = cv2.filter2D(threads, -1, kernel)
    threads = np.where(threads > rng.uniform(0.3, 0.7), 1.0, threads).astype(np.float32)
    return cv2.resize(threads, (width, height), interpolation=cv2.INTER_LINEAR)


def _twill(rng: Generator, width: int, height: int) -> Floats:
    """Cloth or carpet of lumps in crooked rows, light and dark."""
    along, across = _coordinates(rng, width, height)
    bend = _noise(rng, width, height, int(rng.integers(10, 60))) * rng.uniform(1, 8)
    pitch = rng.uniform(2.5, 9)
    lumps = np.sin((along + bend) / pitch * math.pi) * np.sin(
        (across - bend) / (pitch * rng.uniform(0.5, 1)) * math.pi
    )
    return np.asarray(np.clip(lumps * rng.uniform(0.5, 2) + 0.5, 0, 1), np.float32)


def _coordinates(rng: Generator, width: int, height: int) -> tuple[Floats, Floats]:
    angle = rng.uniform(0, math.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)


def _wood(rng: Generator, width: int, height: int) -> Floats:
    along, across = _coordinates(rng, width, height)
    wobble = _noise(rng, width, height, int(rng.integers(3, 9))) * rng.uniform(10, 80)
    rings = np.sin((across + wobble + along * 0.02) / rng.uniform(2, 14))
    fine = np.sin((across + wobble * 0.3) / rng.uniform(0.7, 3)) * rng.uniform(0, 0.5)
    return ((rings + fine) / 3 + 0.5).astype(np.float32)


def _checks(rng: Generator, width: int, height: int) -> Floats:
    along, across = _coordinates(rng, width, height)
    pitch = rng.uniform(8, 70)
    a, b = (np.sin(along / pitch * math.pi) > 0), (np.sin(across / pitch * math.pi) > 0)
    return (a.astype(np.float32) + b * rng.choice((0.0, 1.0))) / 2


def _print(rng: Generator, width: int, height: int) -> Floats:
    pattern = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(3, 25))):
        points = rng.uniform(0, 1, 2) * (width, height) + rng.normal(0, 60, (int(rng.integers(3, 7)), 2))
        cv2.fillPoly(pattern, [np.round(points).astype(np.int32)], float(rng.random()), cv2.LINE_AA)
    return pattern


def _place(rng: Generator, canvas: Floats) -> tuple[int, int]:
    return int(rng.integers(0, canvas.shape[1])), int(rng.integers(0, canvas.shape[0]))


def _ink(rng: Generator) -> list[float]:
    return (
        [float(v) for v in rng.uniform(0, 255, 3)] if rng.random() < 0.6 else [float(rng.uniform(0, 255))] * 3
    )


def _discs(rng: Generator, canvas: Floats) -> None:
    radius = int(math.exp(rng.uniform(0.5, 3.8)))
    cv2.circle(canvas, _place(rng, canvas), radius, _ink(rng), int(rng.choice((-1, 2))), cv2.LINE_AA)


def _dots(rng: Generator, canvas: Floats) -> None:
    """Rows of dots, as on a die but on no die."""
    x, y = _place(rng, canvas)
    pitch, ink = rng.uniform(5, 30), _ink(rng)
    radius = max(1, int(pitch * rng.uniform(0.12, 0.4)))
    angle = rng.uniform(0, math.pi)
    c, s = math.cos(angle) * pitch, math.sin(angle) * pitch
    for i in range(int(rng.integers(1, 7))):
        for j in range(int(rng.integers(1, 4))):
            place = (int(x + c * i - s * j), int(y + s * i + c * j))
            cv2.circle(canvas, place, radius, ink, -1, cv2.LINE_AA)


def _letters(rng: Generator, canvas: Floats) -> None:
    letters = "".join(chr(int(v)) for v in rng.integers(48, 91, int(rng.integers(1, 9))))
    scale = rng.uniform(0.3, 2.0)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    thick = max(1, int(scale * 2))
    cv2.putText(mask, letters, _place(rng, canvas), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick)
    canvas[mask > 127] = _ink(rng)


def _pen(rng: Generator, canvas: Floats) -> None:
    thick = int(rng.integers(1, 12))
    cv2.line(canvas, _place(rng, canvas), _place(rng, canvas), _ink(rng), thick, cv2.LINE_AA)


def _card(rng: Generator, canvas: Floats) -> None:
    """A square or oblong patch: a die's shape without its pips."""
    side = math.exp(rng.uniform(2.3, 5))
    shape = (_place(rng, canvas), (side, side * rng.uniform(0.5, 1.6)), float(rng.uniform(0, 180)))
    corners = np.round(cv2.boxPoints(shape)).astype(np.int32)
    cv2.fillConvexPoly(canvas, corners, _ink(rng), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.polylines(canvas, [corners], True, _ink(rng), 1, cv2.LINE_AA)


def _button(rng: Generator, canvas: Floats) -> None:
    """A disc with a soft edge, darker or lighter to one side: a magnet, a coin, a stain."""
    x, y = _place(rng, canvas)
    radius = int(rng.integers(5, 40))
    y0, y1, x0, x1 = max(0, y - radius), y + radius, max(0, x - radius), x + radius
    patch = canvas[y0:y1, x0:x1]
    rows, columns = np.mgrid[y0 : y0 + patch.shape[0], x0 : x0 + patch.shape[1]].astype(np.float32)
    away = np.hypot(columns - x, rows - y) / radius
    cover = np.clip((1 - away) * rng.uniform(2, 12), 0, 1) * rng.uniform(0.3, 1)
    shade = 1 + (columns - x) / radius * rng.uniform(-0.4, 0.4)
    patch += cover[..., None] * (np.float32(_ink(rng)) * shade[..., None] - patch)


def _sheet(rng: Generator, canvas: Floats) -> None:
    """A score sheet: rows of boxes with digits."""
    x, y = _place(rng, canvas)
    pitch = int(rng.integers(9, 40))
    paper, ink = _ink(rng), _ink(rng)
    rows, columns = int(rng.integers(1, 6)), int(rng.integers(2, 12))
    size = (columns * pitch + 8, rows * pitch + 8)
    sheet = np.empty((size[1], size[0], 3), np.float32)
    sheet[:] = _ink(rng)
    cover = np.zeros(sheet.shape[:2], np.uint8)
    digits = np.zeros(sheet.shape[:2], np.uint8)
    for i in range(columns):
        for j in range(rows):
            at = (i * pitch + 5, j * pitch + 5)
            cv2.rectangle(cover, at, (at[0] + int(pitch * 0.8), at[1] + int(pitch * 0.8)), 255, -1)
            text = str(int(rng.integers(1, 13)))
            foot = (at[0] + pitch // 6, at[1] + int(pitch * 0.65))
            cv2.putText(digits, text, foot, cv2.FONT_HERSHEY_SIMPLEX, pitch / 50, 255, max(1, pitch // 18))
    sheet[cover > 0] = paper
    sheet[digits > 100] = ink
    turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += (x, y)
    extent = (canvas.shape[1], canvas.shape[0])
    mask = cv2.warpAffine(np.ones(sheet.shape[:2], np.float32), turn, extent)
    canvas += mask[..., None] * (cv2.warpAffine(sheet, turn, extent) - canvas)


def _stitches(rng: Generator, canvas: Floats) -> None:
    """A seam: short dashes in a row along a fold."""
    x, y = _place(rng, canvas)
    angle, pitch, ink = rng.uniform(0, 2 * math.pi), rng.uniform(4, 14), _ink(rng)
    for k in range(int(rng.integers(8, 60))):
        a = (int(x + math.cos(angle) * pitch * k), int(y + math.sin(angle) * pitch * k))
        b = (int(a[0] + math.cos(angle) * pitch * 0.5), int(a[1] + math.sin(angle) * pitch * 0.5))
        cv2.line(canvas, a, b, ink, int(rng.integers(1, 3)), cv2.LINE_AA)


def _crumbs(rng: Generator, canvas: Floats) -> None:
    """Spots strewn about, of the size of pips."""
    x, y = _place(rng, canvas)
    spread, size, ink = rng.uniform(10, 80), rng.uniform(1, 5), _ink(rng)
    for _ in range(int(rng.integers(3, 25))):
        place = (int(x + rng.normal(0, spread)), int(y + rng.normal(0, spread)))
        axes = (max(1, int(size * rng.uniform(0.6, 1.4))), max(1, int(size * rng.uniform(0.6, 1.4))))
        cv2.ellipse(canvas, place, axes, float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)


_THINGS = (_discs, _dots, _letters, _pen, _card, _button, _sheet, _stitches, _crumbs)
