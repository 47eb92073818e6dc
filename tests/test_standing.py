"""Dice projected by an exact camera: flat ones agree on how it is tilted, a leaning one stands out."""

from dataclasses import replace

import numpy as np
import pytest

from vision.dice.standing import Scene, Top, lens_of, stands, tilt_of, tilts_by_lid
from vision.memory.calibration import Lens
from vision.reading import Corners

SHAPE = (768, 1024)
FOCAL = 0.86 * 1024
EDGE = 16.0
HEIGHT = 330.0
PLACES = ((-60.0, -40.0), (-10.0, 35.0), (50.0, -30.0), (70.0, 45.0), (15.0, -5.0), (-50.0, 20.0))


def camera(tilt: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A camera that looks down, tilted by that many degrees: its right, its down, its ahead."""
    a = np.deg2rad(tilt)
    return np.array([[1, 0, 0], [0, -np.cos(a), -np.sin(a)], [0, np.sin(a), -np.cos(a)]])


def seen(x: float, y: float, tilt: float, lean: float = 0.0, raised: float = 0.0, zoom: float = 1.0) -> Top:
    """The top of a die at that place of the floor, in millimetres from below the camera."""
    turn = camera(tilt)

    def picture(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[float, float]:
        right, down, ahead = turn @ (point - (0, -np.tan(np.deg2rad(tilt)) * HEIGHT * zoom, HEIGHT * zoom))
        right, down = zoom * FOCAL * right / ahead, zoom * FOCAL * down / ahead
        return right + SHAPE[1] / 2, down + SHAPE[0] / 2

    a = np.deg2rad(lean)
    up = np.array([np.sin(a), 0.0, np.cos(a)])
    across, along = np.array([np.cos(a), 0.0, -np.sin(a)]), np.array([0.0, 1.0, 0.0])
    top = np.array([x, y, EDGE + raised])
    middle = np.array(picture(top))
    ring = [
        np.array(picture(top + EDGE / 2 * (i * across + j * along)))
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    area = 0.5 * abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, [*ring[1:], ring[0]], strict=True)))
    size = float(np.sqrt(area))
    foot = (np.array(picture(top - EDGE * up)) - middle) / size
    return Top((float(middle[0]), float(middle[1])), size, (float(foot[0]), float(foot[1])))


@pytest.mark.parametrize("tilt", [0.0, 8.0, 20.0, 30.0])
def test_flat_dice_agree_however_the_camera_is_tilted(tilt: float) -> None:
    found = stands([seen(x, y, tilt) for x, y in PLACES], Scene(SHAPE))
    assert max(s.stray for s in found) < 0.04
    assert max(abs(s.size - 1) for s in found) < 0.03


@pytest.mark.parametrize("which", range(6))
def test_a_side_taken_for_a_top_has_its_foot_the_wrong_way(which: int) -> None:
    tops = [seen(x, y, 28.0) for x, y in PLACES]
    right, down = tops[which].foot
    side = replace(tops[which], foot=(-0.5 * right, -0.5 * down))
    found = [s.against for s in stands([*tops[:which], side, *tops[which + 1 :]], Scene(SHAPE))]
    assert found[which] > 0.1
    assert max(against for i, against in enumerate(found) if i != which) == 0


def test_from_straight_above_no_way_is_the_wrong_one() -> None:
    tops = [replace(seen(x, y, 0.0), foot=(-0.1, 0.1)) for x, y in PLACES]
    assert [s.against for s in stands(tops, Scene(SHAPE))] == [0.0] * 6


@pytest.mark.parametrize("tilt", [0.0, 8.0, 20.0])
@pytest.mark.parametrize("lean", [-30.0, -15.0, 15.0, 30.0])
@pytest.mark.parametrize("which", range(6))
def test_a_leaning_die_strays_and_the_others_do_not(tilt: float, lean: float, which: int) -> None:
    tops = [seen(x, y, tilt, lean if i == which else 0.0) for i, (x, y) in enumerate(PLACES)]
    strays = [s.stray for s in stands(tops, Scene(SHAPE))]
    assert strays[which] > 0.17
    assert max(s for i, s in enumerate(strays) if i != which) < 0.1


def test_a_die_on_another_is_larger_than_the_rest() -> None:
    tops = [seen(x, y, 5.0, raised=EDGE if i == 2 else 0.0) for i, (x, y) in enumerate(PLACES)]
    sizes = [s.size for s in stands(tops, Scene(SHAPE))]
    assert sizes[2] == max(sizes)
    assert sizes[2] > 1.03


def test_what_is_hardly_a_die_has_no_say() -> None:
    tops = [seen(x, y, 0.0) for x, y in PLACES]
    fakes = [replace(seen(x + 9, y - 9, 0.0, 40.0), chance=0.05) for x, y in PLACES]
    strays = [s.stray for s in stands([*tops, *fakes], Scene(SHAPE))]
    assert max(strays[:6]) < 0.1
    assert min(strays[6:]) > 0.3


def test_no_dice_stand_nowhere() -> None:
    assert stands([], Scene(SHAPE)) == ()


def test_a_foot_plainly_seen_the_wrong_way_is_a_sides_whatever_wall_is_near() -> None:
    flat = [seen(*place, 28.0) for place in PLACES]
    right, down = seen(0.0, -51.0, 28.0).foot
    side = replace(seen(0.0, -51.0, 28.0), foot=(-right, -down))
    assert stands([*flat, side], Scene(SHAPE, lid_seen(28.0)))[-1].against > 0.2


@pytest.mark.parametrize("tilt", [0.0, 20.0])
def test_a_die_that_leans_over_the_far_rim_strays(tilt: float) -> None:
    """Its foot would be outside the floor as well, but no wall stands before it."""
    flat = [seen(*place, tilt) for place in PLACES]
    *_, found = stands([*flat, seen(0.0, 68.0, tilt, lean=30.0)], Scene(SHAPE, lid_seen(tilt)))
    assert found.stray > 0.3


def lid_seen(tilt: float) -> Corners:
    """The floor of a lid below that camera."""
    turn = camera(tilt)
    ring = []
    for x, y in ((-90.0, -60.0), (90.0, -60.0), (90.0, 60.0), (-90.0, 60.0)):
        right, down, ahead = turn @ (np.array([x, y, 0.0]) - (0, -np.tan(np.deg2rad(tilt)) * HEIGHT, HEIGHT))
        ring.append((FOCAL * right / ahead + SHAPE[1] / 2, FOCAL * down / ahead + SHAPE[0] / 2))
    return ring[0], ring[1], ring[2], ring[3]


@pytest.mark.parametrize("tilt", [0.0, 8.0, 20.0, 30.0])
def test_the_lid_tells_how_the_camera_is_tilted(tilt: float) -> None:
    told = tilts_by_lid(lid_seen(tilt), SHAPE, (1.0,))[0]
    assert np.hypot(told[0], abs(told[1]) - np.sin(np.deg2rad(tilt))) < 0.005
    by_dice = tilt_of([seen(x, y, tilt) for x, y in PLACES], Scene(SHAPE))
    assert by_dice is not None
    assert np.hypot(told[0] - by_dice[0], told[1] - by_dice[1]) < 0.06


@pytest.mark.parametrize("lean", [-25.0, 25.0])
def test_dice_that_all_lean_alike_are_told_by_a_tilt_known_before(lean: float) -> None:
    """Of two that lean alike nothing tells but a tilt measured before."""
    tops = [seen(-40.0, 10.0, 12.0, lean), seen(45.0, 0.0, 12.0, lean)]
    before = tilt_of([seen(x, y, 12.0) for x, y in PLACES], Scene(SHAPE))
    alone = [s.stray for s in stands(tops, Scene(SHAPE))]
    known = [s.stray for s in stands(tops, Scene(SHAPE, tilt=before))]
    assert max(alone) < 0.25 < min(known)


def test_a_lid_seen_wrong_does_not_make_dice_lean() -> None:
    tops = [seen(x, y, 10.0) for x, y in PLACES]
    found = stands(tops, Scene(SHAPE, lid_seen(30.0)))
    assert max(s.stray for s in found) < 0.08


def test_a_foot_that_may_be_far_off_has_less_say() -> None:
    tops = [seen(x, y, 0.0) for x, y in PLACES[:2]]
    wrong = replace(seen(*PLACES[2], 0.0, 15.0), stray=0.05)
    said = tilt_of([*tops, wrong], Scene(SHAPE))
    doubted = tilt_of([*tops, replace(wrong, stray=0.5)], Scene(SHAPE))
    assert said is not None
    assert doubted is not None
    assert np.hypot(*doubted) < np.hypot(*said)


@pytest.mark.parametrize("zoom", [0.7, 1.0, 1.6])
def test_dice_tell_the_lens_and_how_surely(zoom: float) -> None:
    """The same dice as large in the picture: through a wide lens from near, through a long one from afar."""
    lens = lens_of([seen(x, y, 12.0, zoom=zoom) for x, y in PLACES], Scene(SHAPE))
    assert lens is not None
    assert abs(np.log(lens.focal / (zoom * FOCAL / SHAPE[1]))) < 2.5 * lens.stray
    assert lens.stray < 0.25


def test_of_a_lens_that_is_known_nothing_else_is_believed() -> None:
    tops = [seen(x, y, 12.0, zoom=1.6) for x, y in PLACES]
    known, wrong = Lens(1.6 * FOCAL / SHAPE[1], 0.05), Lens(0.5, 0.05)
    strays = [
        max(each.stray for each in stands(tops, Scene(SHAPE, tilt=(0.0, 0.0), lens=lens)))
        for lens in (known, wrong)
    ]
    assert strays[0] < strays[1]


def test_without_dice_no_lens_is_told() -> None:
    assert lens_of([], Scene(SHAPE)) is None
