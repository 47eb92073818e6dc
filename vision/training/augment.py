"""Views of labelled pictures for training: turned, tilted, scaled, badly lit, blurred. Knows no network."""

import math

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.image.arrays import Floats, Image

Matrix = NDArray[np.float64]

SHEET = np.random.default_rng(0).standard_normal((800, 800, 3), np.float32)


def similarity(scale: float, angle: float, source: Matrix, target: Matrix) -> Matrix:
    """Turn and scale so that `source` comes to lie on `target`."""
    c, s = scale * math.cos(angle), scale * math.sin(angle)
    move = target - np.array([(c, -s), (s, c)]) @ source
    return np.array([(c, -s, move[0]), (s, c, move[1]), (0, 0, 1)])


def tilt(rng: Generator, size: tuple[int, int], strength: float) -> Matrix:
    """A perspective change that moves the corners by up to `strength` of the size."""
    width, height = size
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = square + rng.uniform(-strength, strength, (4, 2)) * (width, height)
    return cv2.getPerspectiveTransform(square, moved.astype(np.float32))


def carry(matrix: Matrix, points: Matrix) -> Matrix:
    """Points through a homography."""
    return cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), matrix)[:, 0]


def warp(rng: Generator, image: Image, matrix: Matrix, size: tuple[int, int]) -> Image:
    """The view; where much smaller, shrunk by area first as at run time."""
    scale = math.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    if scale < 0.7:
        shrink = max(scale * rng.uniform(1.0, 1.5), 16 / min(image.shape[:2]))
        small = (max(16, round(image.shape[1] * shrink)), max(16, round(image.shape[0] * shrink)))
        sx, sy = small[0] / image.shape[1], small[1] / image.shape[0]
        image = cv2.resize(image, small, interpolation=cv2.INTER_AREA).astype(np.uint8)
        matrix = matrix @ np.array([(1 / sx, 0, 0.5 / sx - 0.5), (0, 1 / sy, 0.5 / sy - 0.5), (0, 0, 1)])
    border = cv2.BORDER_REPLICATE if rng.random() < 0.4 else cv2.BORDER_CONSTANT
    fill = tuple(float(v) for v in rng.uniform(0, 255, 3))
    return cv2.warpPerspective(
        image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill
    ).astype(np.uint8)


def spoil(rng: Generator, image: Image, blur: float = 0.55) -> Image:
    """Other colours, light, blur and noise: what changes with cameras and lamps."""
    look = image.astype(np.float32)
    look = _recolour(rng, look)
    if rng.random() < 0.3:
        look = _uneven(rng, look)
    if rng.random() < 0.15:
        _things(rng, look)
    if rng.random() < blur:
        look = _blur(rng, look)
    if rng.random() < 0.6:
        coarse = _noise(rng, look.shape) * np.float32(rng.triangular(0, 2, 14))
        if rng.random() < 0.3:
            coarse = cv2.GaussianBlur(coarse, (0, 0), 0.8) * 2
        look += coarse
    spoilt = np.clip(look, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        quality = int(rng.integers(25, 90))
        _, code = cv2.imencode(".jpg", spoilt, [cv2.IMWRITE_JPEG_QUALITY, quality])
        spoilt = cv2.imdecode(code, cv2.IMREAD_COLOR).astype(np.uint8)
    return spoilt


def _noise(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """Normal noise cut from a sheet made once: drawing it anew each time took a third of the training."""
    x, y = rng.integers(0, SHEET.shape[0] - shape[0]), rng.integers(0, SHEET.shape[1] - shape[1])
    return SHEET[x : x + shape[0], y : y + shape[1], rng.permutation(3)]


def _recolour(rng: Generator, look: Floats) -> Floats:
    if rng.random() < 0.5:
        look = np.ascontiguousarray(look[..., rng.permutation(3)])
    if rng.random() < 0.15:
        grey = look @ rng.dirichlet((1, 1, 1)).astype(np.float32)
        look = look + (grey[..., None] - look) * rng.uniform(0.5, 1.0)
    if rng.random() < 0.12:
        look = 255 - look
    gain = rng.uniform(0.75, 1.25, 3) if rng.random() < 0.8 else rng.uniform(0.3, 1.4, 3)
    look = np.clip(look * (gain / 255).astype(np.float32), 0, 1)
    look = look ** np.float32(math.exp(rng.uniform(-0.6, 0.6))) * 255
    return (look - 128) * np.float32(rng.uniform(0.5, 1.4)) + np.float32(128 + rng.uniform(-50, 50))


def _uneven(rng: Generator, look: Floats) -> Floats:
    height, width = look.shape[:2]
    coarse = rng.uniform(0.5, 1.3, (int(rng.integers(2, 5)), int(rng.integers(2, 5)))).astype(np.float32)
    field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:
        mask = np.zeros((height, width), np.float32)
        points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (width, height)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 6))
        field *= 1 - mask * np.float32(rng.uniform(0.2, 0.7))
    return look * field[..., None]


def _things(rng: Generator, look: Floats) -> None:
    """Something small in front, a glint or a crumb."""
    height, width = look.shape[:2]
    for _ in range(int(rng.integers(1, 5))):
        place = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        axes = (int(rng.integers(1, 8)), int(rng.integers(1, 8)))
        colour = [float(v) for v in rng.uniform(0, 255, 3)] if rng.random() < 0.5 else [255.0] * 3
        cv2.ellipse(look, place, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)


def _blur(rng: Generator, look: Floats) -> Floats:
    kind = rng.random()
    if kind < 0.6:
        return cv2.GaussianBlur(look, (0, 0), rng.uniform(0.3, 1.3))
    if kind < 0.8:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, math.pi)
        end = (round(length + math.cos(angle) * length / 2), round(length + math.sin(angle) * length / 2))
        start = (2 * length - end[0], 2 * length - end[1])
        cv2.line(kernel, start, end, 1.0)
        return cv2.filter2D(look, -1, kernel / kernel.sum())
    soft = cv2.GaussianBlur(look, (0, 0), 1.0)
    return look + (look - soft) * np.float32(rng.uniform(0.3, 1.5))
