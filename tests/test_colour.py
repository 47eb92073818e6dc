"""Bodies measured on drawn faces, and dice given their colours together in several lights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_pips import BLACK, BLUE, KRAFT, WHITE, YELLOW, Colour, drawn
from vision.colour.bodies import (
    DARK_PIPS,
    LIGHT_PIPS,
    Assignment,
    Body,
    assign,
    linear,
    measure_body,
    measure_rim,
    name_alone,
)
from vision.colour.known import assign_known, in_linear_light
from vision.dice.shade import lighter_pips
from vision.dice.spots import PATTERNS, Spot
from vision.judgement.judge import COLOUR_SURE
from vision.memory.calibration import DieSample, Lab
from vision.reading import ALL_SIX, DieColour

DAYLIGHT = {
    DieColour.WHITE: Body(0.75, 0.74, 0.70),
    DieColour.RED: Body(0.45, 0.03, 0.03),
    DieColour.YELLOW: Body(0.70, 0.55, 0.05),
    DieColour.GREEN: Body(0.05, 0.25, 0.07),
    DieColour.BLUE: Body(0.04, 0.09, 0.40),
}
LIGHTS = {
    "daylight": (1.0, 1.0, 1.0),
    "lamp": (1.2, 0.85, 0.5),
    "led": (0.9, 1.0, 1.15),
    "dusk": (0.3, 0.32, 0.36),
}


def bodies_in(light: tuple[float, float, float], colours: tuple[DieColour, ...] = ALL_SIX) -> list[Body]:
    scaled = [np.minimum(DAYLIGHT[c].numbers * light, 1.0) for c in colours]
    return [Body(*(float(v) for v in s)) for s in scaled]


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS.keys())
def test_six_dice_get_their_colours_in_any_usual_light(light: tuple[float, float, float]) -> None:
    given_colours = assign(bodies_in(light), ALL_SIX)
    assert given_colours.colours == ALL_SIX
    assert given_colours.expected
    assert given_colours.chance > 0.85


@given(st.permutations(range(6)))
def test_the_order_of_the_dice_does_not_matter(order: list[int]) -> None:
    shuffled = tuple(ALL_SIX[i] for i in order)
    assert assign(bodies_in(LIGHTS["lamp"], shuffled), ALL_SIX).colours == shuffled


@pytest.mark.parametrize("locked", [DieColour.RED, DieColour.YELLOW, DieColour.GREEN, DieColour.BLUE])
def test_a_die_of_a_locked_colour_is_named_though_nobody_expects_it(locked: DieColour) -> None:
    expected = tuple(c for c in ALL_SIX if c is not locked)
    given_colours = assign(bodies_in(LIGHTS["daylight"]), expected)
    assert locked in given_colours.colours
    assert not given_colours.expected


def test_two_dice_that_look_alike_are_never_told_apart_for_sure() -> None:
    bodies = bodies_in(LIGHTS["daylight"])
    bodies[3] = bodies[2]  # the yellow die looks as red as the red one
    given_colours = assign(bodies, ALL_SIX)
    assert min(given_colours.chances) < 0.6


def with_pips(body: Body, lighter: float) -> Body:
    return replace(body, pips=lighter)


def test_the_pips_tell_apart_what_one_lamp_makes_alike() -> None:
    bodies = bodies_in(LIGHTS["daylight"])
    bodies[3] = bodies[0]  # the yellow die looks white
    by_bodies = assign(bodies, ALL_SIX)
    assert min(by_bodies.chances) < 0.6
    dark, light = -50.0, 40.0
    shades = (dark, dark, light, light, light, light)
    by_pips = assign([with_pips(b, lighter) for b, lighter in zip(bodies, shades, strict=True)], ALL_SIX)
    assert by_pips.colours == ALL_SIX
    assert by_pips.chance > 0.8


SHADED = {
    DieColour.WHITE: Body(0.093, 0.093, 0.091, -26.0),
    DieColour.GREEN: Body(0.014, 0.089, 0.022, 4.0),
    DieColour.BLUE: Body(0.015, 0.032, 0.060, 14.0),
}
LIT = {
    DieColour.WHITE: Body(0.982, 0.982, 0.965, -44.0),
    DieColour.YELLOW: Body(0.965, 0.939, 0.397, -55.0),
    DieColour.RED: Body(0.880, 0.122, 0.117, 12.0),
}


def test_a_white_die_in_the_shadow_is_not_taken_for_the_yellow_one() -> None:
    colours = assign([*SHADED.values(), *LIT.values()], ALL_SIX)
    assert colours.colours == (*SHADED, *LIT)


@pytest.mark.parametrize("lighter", [-50.0, -2.0, 40.0])
def test_pips_of_an_unusual_set_do_not_hide_its_colours(lighter: float) -> None:
    bodies = [with_pips(b, lighter) for b in bodies_in(LIGHTS["daylight"])]
    assert assign(bodies, ALL_SIX).colours == ALL_SIX


@pytest.mark.parametrize(("pips", "sites"), PATTERNS)
@pytest.mark.parametrize(("body", "pip"), [(WHITE, BLACK), (BLUE, WHITE), (YELLOW, BLACK), (YELLOW, WHITE)])
def test_dark_pips_are_told_from_light_ones(
    pips: int, sites: Sequence[Spot], body: Colour, pip: Colour
) -> None:
    image, corners = drawn(sites, body, pip, 30.0)
    lighter = lighter_pips(image, corners, pips)
    assert (lighter > LIGHT_PIPS) == (pip == WHITE)
    assert (lighter < DARK_PIPS) == (pip == BLACK)


def test_one_white_die_less_is_noticed() -> None:
    five = ALL_SIX[1:]
    given_colours = assign(bodies_in(LIGHTS["daylight"], five), ALL_SIX)
    assert Counter(given_colours.colours)[DieColour.WHITE] == 1


def test_no_dice_have_no_colours() -> None:
    assert assign([], ALL_SIX).colours == ()
    assert Assignment((), (), True).chance == 0.0


def test_more_dice_than_a_set_holds_get_no_colours_together() -> None:
    given_colours = assign([*bodies_in(LIGHTS["daylight"]), Body(0.2, 0.2, 0.2)], ALL_SIX)
    assert not given_colours.expected
    assert given_colours.chance == 0.0


@pytest.mark.parametrize(("pips", "sites"), PATTERNS)
@pytest.mark.parametrize(("body", "pip"), [(WHITE, BLACK), (BLUE, WHITE), (YELLOW, BLACK)])
def test_the_body_is_measured_between_the_pips(
    pips: int, sites: Sequence[Spot], body: Colour, pip: Colour
) -> None:
    image, corners = drawn(sites, body, pip, 30.0)
    blue, green, red = (float(v) for v in linear(np.array(body) / 255))
    measured = measure_body(image, corners)
    assert measured.numbers == pytest.approx((red, green, blue), abs=0.04)


@pytest.mark.parametrize("body", [BLUE, YELLOW, (40, 130, 30)])
@pytest.mark.parametrize("floor", [KRAFT, (60, 60, 190), (90, 140, 60)])
def test_a_lamp_that_gleams_in_a_face_leaves_the_rim_its_colour(body: Colour, floor: Colour) -> None:
    image, corners = drawn(PATTERNS[3][1], body, WHITE, 30.0)
    image[(image == KRAFT).all(2)] = floor
    gleam = np.zeros(image.shape[:2], np.float32)
    cv2.circle(gleam, (47, 47), 11, 1.0, -1)
    veil = cv2.GaussianBlur(gleam, (0, 0), 1.5)[..., None]
    shown = (image * (1 - veil) + 245 * veil).astype(np.uint8)
    blue, green, red = (float(v) for v in linear(np.array(body) / 255))
    along_rim, in_middle = (
        np.linalg.norm(measure(shown, corners).numbers - (red, green, blue))
        for measure in (measure_rim, measure_body)
    )
    assert along_rim < 0.08
    assert in_middle > 2 * along_rim


@pytest.mark.parametrize(
    ("rgb", "colour"),
    [
        ((235, 235, 228), DieColour.WHITE),
        ((240, 220, 180), DieColour.WHITE),  # under a lamp
        ((190, 20, 25), DieColour.RED),
        ((235, 200, 20), DieColour.YELLOW),
        ((20, 140, 60), DieColour.GREEN),
        ((25, 50, 160), DieColour.BLUE),
        ((30, 30, 32), DieColour.BLACK),
        ((120, 30, 140), DieColour.OTHER),
        ((230, 120, 20), DieColour.OTHER),
    ],
)
def test_a_die_alone_is_named_by_its_hue(rgb: tuple[int, int, int], colour: DieColour) -> None:
    red, green, blue = (float(v) for v in linear(np.array(rgb) / 255))
    assert name_alone(Body(red, green, blue)) is colour


@pytest.mark.parametrize(
    ("rgb", "pips", "colour"),
    [
        ((165, 200, 235), -40.0, DieColour.WHITE),
        ((165, 200, 235), 20.0, DieColour.BLUE),
        ((250, 200, 135), -40.0, DieColour.WHITE),
        ((240, 180, 130), -40.0, DieColour.WHITE),
        ((240, 180, 130), 20.0, DieColour.OTHER),
    ],
)
def test_a_pale_die_in_the_light_of_sky_or_lamp_is_told_by_its_pips(
    rgb: tuple[int, int, int], pips: float, colour: DieColour
) -> None:
    red, green, blue = (float(v) for v in linear(np.array(rgb) / 255))
    assert name_alone(Body(red, green, blue, pips)) is colour


SAMPLES = (
    DieSample(DieColour.WHITE, Lab(88, 6, 30), Lab(10, 0, 0)),
    DieSample(DieColour.WHITE, Lab(80, 7, 32), Lab(10, 0, 0)),
    DieSample(DieColour.RED, Lab(45, 55, 45), Lab(80, 5, 25)),
    DieSample(DieColour.YELLOW, Lab(80, 10, 62), Lab(10, 0, 0)),
    DieSample(DieColour.GREEN, Lab(38, -20, 30), Lab(80, 5, 25)),
    DieSample(DieColour.BLUE, Lab(28, 3, 2), Lab(80, 5, 25)),
)


@pytest.mark.parametrize("brightness", [0.5, 1.0, 1.15])
def test_calibrated_dice_are_told_apart_where_a_lamp_makes_white_yellow_and_blue_grey(
    brightness: float,
) -> None:
    seen = [np.minimum(in_linear_light(s.body) * brightness, 1.0) for s in SAMPLES]
    bodies = [Body(*(float(v) for v in s)) for s in seen]
    given_colours = assign_known(bodies, ALL_SIX, SAMPLES)
    assert given_colours.colours == ALL_SIX
    assert given_colours.chance > 0.95


def test_pips_tell_a_white_die_in_a_shadow_from_a_green_one() -> None:
    """Where one white die and the green one lie in a person's shadow, they are much alike."""
    numbers = [in_linear_light(s.body) for s in SAMPLES]
    numbers[0] = numbers[4] = (numbers[0] * numbers[4] ** 2) ** (1 / 3)
    bodies = [Body(*(float(v) for v in seen)) for seen in numbers]
    blind = assign_known(bodies, ALL_SIX, SAMPLES)
    pips = [s.pip.lightness - s.body.lightness for s in SAMPLES]
    told = assign_known([replace(b, pips=p) for b, p in zip(bodies, pips, strict=True)], ALL_SIX, SAMPLES)
    assert blind.chance < 0.8
    assert told.colours == ALL_SIX
    assert told.chance > 0.9
    for white, green in ((0.0, -12.0), (0.0, -30.0), (30.0, 0.0)):  # a lamp that pips do not mirror
        amiss = (white, *pips[1:4], green, *pips[5:])
        one_wrong = [replace(b, pips=p) for b, p in zip(bodies, amiss, strict=True)]
        assert assign_known(one_wrong, ALL_SIX, SAMPLES).chance < COLOUR_SURE


def test_a_red_die_whose_face_a_lamp_makes_white_does_not_change_names_with_a_white_one_in_shade() -> None:
    numbers = [in_linear_light(s.body) for s in SAMPLES]
    numbers[2], numbers[0] = numbers[0] * 1.05, numbers[0] * (0.7, 0.6, 0.5)
    bodies = [Body(*(float(v) for v in seen)) for seen in numbers]
    pips = [s.pip.lightness - s.body.lightness for s in SAMPLES]
    pips[2] = -3.0  # hard to say in that light
    told = assign_known([replace(b, pips=p) for b, p in zip(bodies, pips, strict=True)], ALL_SIX, SAMPLES)
    assert assign_known(bodies, ALL_SIX, SAMPLES).colours[0] is DieColour.RED
    assert told.colours == ALL_SIX


def test_a_calibrated_die_that_is_not_in_play_is_named() -> None:
    bodies = [Body(*(float(v) for v in in_linear_light(s.body))) for s in SAMPLES]
    expected = tuple(c for c in ALL_SIX if c is not DieColour.GREEN)
    given_colours = assign_known(bodies, expected, SAMPLES)
    assert given_colours.colours[4] is DieColour.GREEN
    assert not given_colours.expected


def test_no_dice_at_a_calibrated_table_are_none() -> None:
    nothing = assign_known([], ALL_SIX, SAMPLES)
    assert nothing.colours == ()
    assert not nothing.expected


def test_more_dice_than_were_calibrated_get_no_colours() -> None:
    assert not assign_known([Body(0.5, 0.5, 0.5)] * 7, ALL_SIX, SAMPLES).expected
