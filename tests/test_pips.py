"""Faces drawn with known pips: both readings find them at any turn, in any colours, and refuse the rest."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.dice import pips
from vision.dice.pips import (
    CLOSER,
    GLANCE,
    Array,
    Eye,
    FaceReading,
    normalised,
    read_faces,
    rectified,
    square_corners,
    together,
    without_glare,
)
from vision.dice.spots import PATTERNS, Spot, read_spots
from vision.image.arrays import Image

Colour = tuple[int, int, int]
WHITE: Colour = (225, 228, 230)
BLACK: Colour = (25, 24, 22)
YELLOW: Colour = (40, 190, 215)
BLUE: Colour = (150, 70, 30)
KRAFT: Colour = (105, 140, 170)


def drawn(
    sites: Sequence[Spot],
    body: Colour,
    pip: Colour,
    degrees: float = 0.0,
    edge: float = 30.0,
    pitch: float = 0.25,
) -> tuple[Image, Array]:
    """A die of these pips in the middle of a picture, softened as a lens does, and its corners."""
    fine = 8
    size = 96 * fine
    image = np.full((size, size, 3), KRAFT, np.uint8)
    corners = square_corners(size / 2, size / 2, edge * fine, degrees)
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), body)
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    for x, y in sites:
        place = corners.mean(0) + x * pitch * across + y * pitch * down
        cv2.circle(image, (round(place[0]), round(place[1])), round(0.1 * edge * fine), pip, -1)
    small = cv2.resize(image, (96, 96), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.6).astype(np.int16)
    noise = np.random.default_rng(7).integers(-4, 5, soft.shape)
    shown = np.clip(soft + noise, 0, 255).astype(np.uint8)
    return shown, square_corners(47.5, 47.5, edge, degrees)


@pytest.mark.parametrize(("pips", "sites"), PATTERNS)
@pytest.mark.parametrize("degrees", [0.0, 20.0, 45.0, 77.0])
@pytest.mark.parametrize(("body", "pip"), [(WHITE, BLACK), (BLUE, WHITE), (YELLOW, WHITE), (YELLOW, BLACK)])
def test_spots_in_a_legal_pattern_are_counted_at_any_turn(
    pips: int, sites: Sequence[Spot], degrees: float, body: Colour, pip: Colour
) -> None:
    image, corners = drawn(sites, body, pip, degrees)
    assert read_spots(image, corners).pips == pips


@pytest.mark.parametrize("eye", [GLANCE, CLOSER])
@pytest.mark.parametrize(("pips", "sites"), PATTERNS)
def test_the_networks_read_the_same_faces(pips: int, sites: Sequence[Spot], eye: Eye) -> None:
    faces = [drawn(sites, body, pip, 33.0) for body, pip in ((WHITE, BLACK), (BLUE, WHITE), (YELLOW, BLACK))]
    for image, corners in faces:
        (reading,) = read_faces(image, [corners], eye=eye)
        assert reading.pips == pips


def test_a_face_that_two_turns_read_differently_is_turned_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However sure one of them is."""
    image, corners = drawn(PATTERNS[6][1], WHITE, BLACK, 0.0)
    asked: list[int] = []

    def said(eye: Eye, crops: Sequence[Image], steps: Sequence[int]) -> Array:
        asked.extend(steps)
        logits = np.zeros((len(crops), len(steps), 14), np.float32)
        for turn, step in enumerate(steps):
            logits[:, turn, 4 if step == 0 else 2] = 20 if step == 0 else 2
        return logits

    monkeypatch.setattr(pips, "_said", said)
    read_faces(image, [corners])
    assert asked == [0, 1, 2, 3]


def test_a_closer_look_reads_a_face_that_mirrors_a_lamp() -> None:
    image, corners = drawn(PATTERNS[6][1], BLUE, WHITE, 20.0)
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 0.8)
    veil = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None]
    veiled = np.clip(image + (245 - image.astype(np.float32)) * veil, 0, 255).astype(np.uint8)
    (reading,) = read_faces(veiled, [corners], eye=CLOSER)
    assert reading.pips == 5
    assert reading.confidence > 0.9


def test_a_six_may_be_a_rectangle() -> None:
    sites = [(-1, -0.75), (0, -0.75), (1, -0.75), (-1, 0.75), (0, 0.75), (1, 0.75)]
    image, corners = drawn(sites, WHITE, BLACK, 12.0)
    assert read_spots(image, corners).pips == 6


@pytest.mark.parametrize("degrees", [0.0, 90.0, 200.0])
def test_a_six_whose_pips_run_into_each_other_is_no_other_number(degrees: float) -> None:
    image, corners = drawn(PATTERNS[8][1], BLUE, WHITE, degrees)
    middle = corners.mean(0)
    across, down = (corners[1] - corners[0]) * 0.25, (corners[3] - corners[0]) * 0.25
    for side in (-1, 1):
        start, end = middle + side * down - across, middle + side * down + across
        cv2.line(image, np.rint(start).astype(int).tolist(), np.rint(end).astype(int).tolist(), WHITE, 5)
    reading = read_spots(image, corners)
    assert reading.pips in {0, 6} or reading.confidence < 0.06


@pytest.mark.parametrize(("pips", "sites"), PATTERNS)
def test_spots_are_seen_across_the_edge_of_a_shadow(pips: int, sites: Sequence[Spot]) -> None:
    """Half of the face is dark: neither half's colour is the body's."""
    image, corners = drawn(sites, YELLOW, WHITE, 20.0)
    right, down = np.meshgrid(np.arange(96), np.arange(96))
    dark = np.where(right + 0.6 * down > 47.5 * 1.6, 0.4, 1.0)[..., None]
    shown = cv2.GaussianBlur((image * dark).astype(np.uint8), (0, 0), 0.5).astype(np.uint8)
    reading = read_spots(shown, corners)
    assert reading.pips == pips
    assert reading.confidence <= 0.5  # it is never plain


@pytest.mark.parametrize(("pips", "seen"), [(3, 1), (5, 1), (5, 4), (6, 4)])
def test_a_gleam_that_leaves_a_trace_of_the_pips_it_hides_is_no_sure_number(pips: int, seen: int) -> None:
    sites, kept = (next(s for n, s in PATTERNS if n == number) for number in (pips, seen))
    whole, corners = drawn(sites, YELLOW, BLACK, 20.0)
    less, _ = drawn(kept, YELLOW, BLACK, 20.0)
    shown = cv2.addWeighted(whole, 0.4, less, 0.6, 0).astype(np.uint8)
    reading = read_spots(shown, corners)
    assert reading.pips == pips or reading.confidence < 0.06
    assert read_spots(less, corners).confidence > 0.5


def test_one_bar_or_two_that_cross_are_no_number() -> None:
    for lines in (((-1, 0, 1, 0),), ((-1, 0, 1, 0), (0, -1, 0, 1)), ((-1, -1, 1, -1), (-1, 0, 1, 0))):
        image, corners = drawn([], WHITE, BLACK)
        for x, y, to_x, to_y in lines:
            start, end = (
                (round(47.5 + 7.5 * v) for v in (x, y)),
                (round(47.5 + 7.5 * v) for v in (to_x, to_y)),
            )
            cv2.line(image, tuple(start), tuple(end), BLACK, 4)
        assert read_spots(image, corners).pips == 0


def test_spots_that_are_in_no_legal_pattern_are_no_number() -> None:
    for sites in (
        [(-1, -1), (1, -1)],  # two in a row
        [(-1, -1), (1, -1), (-1, 1)],  # a four that lacks one
        [(-1, -1)],  # one in a corner
        [(0, -1), (0, 0), (0, 1)],  # a six cut in half
    ):
        image, corners = drawn(sites, WHITE, BLACK)
        assert read_spots(image, corners).pips == 0


def test_a_blank_face_is_no_number_in_either_reading() -> None:
    image, corners = drawn([], WHITE, BLACK, 30.0)
    assert read_spots(image, corners).pips == 0
    (reading,) = read_faces(image, [corners])
    assert reading.pips == 0


def test_a_place_without_a_die_is_no_face() -> None:
    noise = np.random.default_rng(1).integers(90, 140, (96, 96, 3)).astype(np.uint8)
    (reading,) = read_faces(noise, [square_corners(47.5, 47.5, 30.0)])
    assert reading.pips == 0


def test_the_network_moves_a_badly_placed_face_where_it_belongs() -> None:
    image, corners = drawn(PATTERNS[6][1], WHITE, BLACK, 10.0)
    (reading,) = read_faces(image, [square_corners(50.0, 45.5, 33.0, 10.0)])
    assert np.abs(reading.corners.mean(0) - corners.mean(0)).max() < 1.5


def test_the_network_sees_no_colours() -> None:
    image, corners = drawn(PATTERNS[5][1], BLUE, WHITE, 25.0)
    answers = [read_faces(im, [corners])[0].pips for im in (image, image[..., ::-1].copy(), 255 - image)]
    assert answers == [4, 4, 4]


def test_a_face_larger_than_its_crop_is_averaged_not_picked_apart() -> None:
    checks = np.indices((400, 400)).sum(0) % 2 * 255
    image = np.repeat(checks[..., None], 3, 2).astype(np.uint8)
    crop, _ = rectified(image, square_corners(200.0, 200.0, 300.0), 32, 1.0)
    assert abs(float(crop.mean()) - 127.5) < 8
    assert float(crop.std()) < 40


def test_crops_of_one_grey_do_not_divide_by_nothing() -> None:
    assert np.isfinite(normalised([np.full((36, 36, 3), 9, np.uint8)])).all()


def test_no_faces_are_read_without_asking_the_network() -> None:
    assert read_faces(np.zeros((32, 32, 3), np.uint8), []) == ()


def veiled(body: int, pips: int) -> Image:
    """A face with one pip in its middle, on a floor darker than both."""
    image = np.full((80, 80, 3), 40, np.uint8)
    image[20:60, 20:60] = body
    image[36:44, 36:44] = pips
    return image


def test_a_face_under_a_lamp_is_darkened_until_its_pips_show() -> None:
    seen = without_glare(veiled(246, 228), square_corners(39.5, 39.5, 40.0))
    body, pip = int(seen[25, 25, 0]), int(seen[40, 40, 0])
    assert 150 < body < 200
    assert body - pip > 2 * (246 - 228)


def test_a_face_that_is_not_bright_stays_as_it_is() -> None:
    image = veiled(90, 30)
    assert np.array_equal(without_glare(image, square_corners(39.5, 39.5, 40.0)), image)


def test_a_face_beyond_the_picture_s_edge_can_be_darkened_too() -> None:
    image = veiled(250, 240)
    for place in (-30.0, 39.5, 120.0):
        assert without_glare(image, square_corners(place, place, 40.0)).shape == image.shape


def test_of_two_readings_together_each_can_doubt_the_other() -> None:
    corners = square_corners(10.0, 10.0, 20.0)
    sure = FaceReading((0.9, 0.02, 0.02, 0.02, 0.02, 0.01, 0.01), corners)
    other = FaceReading((0.02, 0.9, 0.02, 0.02, 0.02, 0.01, 0.01), corners + 5)
    assert together(sure, sure).chances == pytest.approx(sure.chances)
    torn = together(sure, other)
    assert torn.chances[0] == pytest.approx(torn.chances[1])
    assert sum(torn.chances) == pytest.approx(1.0)
    assert np.array_equal(torn.corners, corners)
