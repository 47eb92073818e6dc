"""A table seen from aside and shown as from above: what is square on the table is square in the view."""

import math

import numpy as np
import pytest

from vision.image.arrays import Numbers
from vision.image.overhead import FOCAL, carried, overhead
from vision.reading import Point
from vision.simulation.geometry import Optics, Pinhole, look_down

SHAPE = (1200, 1600, 3)
EDGE = 16.0
SQUARE = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * EDGE / 2
PLACES = ((0.0, 0.0), (70.0, 30.0), (-60.0, 45.0), (20.0, -50.0))


def camera(degrees: float, way: float = 0.7) -> Pinhole:
    return look_down(330.0, math.radians(degrees), way, (0.0, 0.0), Optics(1600, 1200, FOCAL * 1600, 0.3))


def lean_of(view: Pinhole) -> Point:
    right, down, _ = view.axes @ np.array([0.0, 0.0, -1.0])
    return float(right), float(down)


def squares(view: Pinhole) -> list[Numbers]:
    return [np.asarray(view.project(SQUARE + np.array((x, y, 0))), np.float64) for x, y in PLACES]


@pytest.mark.parametrize("degrees", [0.0, 25.0, 45.0, 58.0])
def test_squares_on_the_table_are_squares_of_one_size_from_above(degrees: float) -> None:
    camera_aside = camera(degrees)
    seen = squares(camera_aside)
    view = overhead(SHAPE, lean_of(camera_aside), np.concatenate(seen), (40.0, 30.0), 2.0)
    assert view is not None
    sides = np.concatenate([_sides(carried(square, view.matrix)) for square in seen])
    assert np.ptp(sides) < 0.01 * sides.mean()


@pytest.mark.parametrize("degrees", [25.0, 50.0])
def test_the_point_below_the_camera_is_where_upright_lines_meet(degrees: float) -> None:
    camera_aside = camera(degrees)
    seen = squares(camera_aside)
    view = overhead(SHAPE, lean_of(camera_aside), np.concatenate(seen), (40.0, 30.0), 2.0)
    assert view is not None
    for x, y in PLACES:
        foot, top = carried(_seen(camera_aside, (x, y, 0.0), (x, y, EDGE)), view.matrix)
        way, outward = top - foot, foot - view.below
        assert abs(way[0] * outward[1] - way[1] * outward[0]) < 0.01 * np.hypot(*way) * np.hypot(*outward)
        assert np.hypot(*outward) / view.focal == pytest.approx(np.hypot(*_off(camera_aside, x, y)), rel=0.01)


def test_a_place_in_the_view_is_carried_back_to_the_picture() -> None:
    camera_aside = camera(50.0)
    seen = np.concatenate(squares(camera_aside))
    view = overhead(SHAPE, lean_of(camera_aside), seen, (40.0, 30.0), 2.0)
    assert view is not None
    assert np.abs(view.back(carried(seen, view.matrix)) - seen).max() < 0.01


def test_the_view_holds_all_points_and_shows_what_lies_there() -> None:
    camera_aside = camera(50.0)
    seen = squares(camera_aside)
    image = np.zeros(SHAPE, np.uint8)
    x, y = seen[1].mean(0).astype(int)
    image[y - 6 : y + 7, x - 6 : x + 7] = 255
    view = overhead(SHAPE, lean_of(camera_aside), np.concatenate(seen), (40.0, 12.0), 2.0)
    assert view is not None
    shown = view.of(image)
    assert shown.shape[1::-1] == view.size
    row, column = np.unravel_index(int(shown[..., 0].argmax()), shown.shape[:2])
    assert np.hypot(*(carried(seen[1].mean(0)[None], view.matrix)[0] - (column, row))) < 4


def test_what_is_at_the_horizon_is_not_shown_from_above() -> None:
    points = np.array([(800.0, 100.0), (800.0, 1000.0)])
    assert overhead(SHAPE, (0.0, math.sin(math.radians(60))), points, (40.0, 30.0), 2.0) is None


def _sides(ring: Numbers) -> Numbers:
    return np.asarray(np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1))


def _off(view: Pinhole, x: float, y: float) -> Numbers:
    """How far aside of the camera a place of the table is, in heights of the camera."""
    return np.asarray((np.array((x, y)) - view.centre[:2]) / view.centre[2], np.float64)


def _seen(view: Pinhole, *places: tuple[float, float, float]) -> Numbers:
    return np.asarray(view.project(np.array(places)), np.float64)
