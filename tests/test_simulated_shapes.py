"""Trays of each shape, a mat and a bare table: drawn with their walls, learnt by command, read for sure."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.host import Host, Options
from companion.settings.config import Config, SimulationConfig
from vision.calibration.learning import calibrate
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.memory.calibration import save
from vision.reader import read_dice
from vision.reading import DieColour
from vision.scoring.outcomes import Outcome, outcome_of
from vision.scoring.sources import drawn_scene
from vision.simulation.furnishing import style_in
from vision.simulation.geometry import LidPlace
from vision.simulation.scene import Painter
from vision.simulation.shape import Shape
from vision.simulation.style import style_of, view_of
from vision.simulation.table import ROLLING_SECONDS, SimulatedTable
from vision.simulation.throwing import DieState, flights, thrown
from vision.simulation.trays import Disc, Regular, Tray

SMALL = (512, 384)
WALLED = [shape for shape in Shape if shape not in {Shape.MAT, Shape.BARE}]
SEEDS = (201, 202, 203)
THROWS = 4


def table(shape: Shape, seed: int = 3, size: tuple[int, int] = SMALL) -> SimulatedTable:
    return SimulatedTable(seed, clock=StepClock(), size=size, shape=shape)


def inside(ring: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    return cv2.pointPolygonTest(np.array(ring, np.float32), (x, y), False) > 0


# ---------------------------------------------------------------- how it is drawn


@pytest.mark.parametrize("seed", range(6))
def test_a_table_has_lamp_and_dice_of_its_seed_whatever_the_dice_fall_into(seed: int) -> None:
    styles = [style_in(np.random.default_rng(seed), shape) for shape in Shape]
    assert styles[0] == style_of(np.random.default_rng(seed))
    assert all(
        (style.lamp, style.dice, style.top) == (styles[0].lamp, styles[0].dice, styles[0].top)
        for style in styles
    )
    assert len({(style.tray, style.is_bare) for style in styles}) == len(Shape)


@pytest.mark.parametrize("shape", [shape for shape in Shape if shape is not Shape.BARE])
def test_floor_and_rim_are_drawn_where_the_truth_says(shape: Shape) -> None:
    style = style_in(np.random.default_rng(2), shape)
    view = view_of(np.random.default_rng(5), style.tray, *SMALL)
    with_it = Painter(style, view).scene(LidPlace()).image
    without = Painter(style_in(np.random.default_rng(2), Shape.BARE), view).scene(LidPlace()).image
    changed = cv2.absdiff(with_it, without).max(axis=2) > 12
    ring = style.tray.floor() * (1 - 6 / style.tray.width)
    floor, beside = np.zeros(SMALL[::-1], np.uint8), np.ones(SMALL[::-1], np.uint8)
    cv2.fillPoly(floor, [np.round(view.project(ring)).astype(np.int32)], 1)
    wide = ring * (1 + 2 * (style.tray.thickness + 3 * style.tray.wall) / style.tray.width)
    cv2.fillPoly(beside, [np.round(view.project(wide)).astype(np.int32)], 0)
    assert changed[floor > 0].mean() > 0.9
    assert changed[beside > 0].mean() < 0.5 * changed[floor > 0].mean()


@pytest.mark.parametrize("shape", Shape)
def test_dice_come_to_rest_inside_and_are_seen_to_move_there(shape: Shape) -> None:
    over = table(shape)
    for _ in range(8):
        over.throw()
        truth = over.truth()
        assert all(die.state is DieState.FLAT for die in truth.dice)
        assert bool(truth.lid) == (shape is not Shape.BARE)
        assert all(inside(truth.lid, die.x, die.y) for die in truth.dice if truth.lid)
    before = over.picture()
    over.clock.wait(1.0)
    moving = over.picture()
    over.clock.wait(ROLLING_SECONDS)
    assert not np.array_equal(before, moving)
    assert not np.array_equal(moving, over.picture())


@pytest.mark.parametrize("shape", WALLED)
def test_walls_keep_rolling_dice_in(shape: Shape) -> None:
    for seed in range(4):
        random = np.random.default_rng(seed)
        style = style_in(random, shape)
        for flight in flights(random, style, thrown(random, style, tuple(DieColour)[:5], 0.0)):
            for at in np.arange(flight.begins, flight.begins + flight.lasts, 0.02):
                stand = flight.at(float(at), style)
                assert stand is not None
                low = stand.centre[2] - np.abs(stand.turned[2]).sum() * style.dice.edge / 2
                if low < style.tray.wall - 0.1:
                    assert style.tray.within(stand.centre) > 0.5 * style.dice.edge


@pytest.mark.parametrize("shape", Shape)
def test_a_die_leans_on_the_wall_or_where_there_is_none_on_another_die(shape: Shape) -> None:
    leaning = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        style = style_in(random, shape)
        lying = thrown(random, style, tuple(DieColour)[:5], 1.0)
        edge = style.dice.edge
        for die in (die for die in lying if die.state is DieState.COCKED):
            leaning += 1
            others = [other.stand.centre for other in lying if other is not die]
            next_die = min(float(np.hypot(*(die.stand.centre - other)[:2])) for other in others)
            gap = float(style.tray.within(die.stand.centre))
            assert gap > 0.5 * edge
            assert gap < 0.75 * edge if style.tray.has_walls else next_die < 1.3 * edge
    assert leaning > 10


@pytest.mark.parametrize("tray", [Disc.of(200, 30, 3), Regular.of(6, 200, 30, 3), Regular.of(8, 190, 30, 3)])
def test_ways_meet_the_wall_where_the_inside_ends(tray: Tray) -> None:
    random = np.random.default_rng(1)
    start = np.array([12.0, -7.0], np.float32)
    ways = random.normal(size=(200, 2)).astype(np.float32)
    away, looks = tray.ahead(start, ways)
    met = start + ways * away[:, None]
    assert np.abs(tray.within(met)).max() < 0.01
    assert ((looks * ways).sum(axis=1) < 0).all()
    assert np.linalg.norm(looks, axis=1) == pytest.approx(np.ones(200), abs=1e-5)
    far = random.normal(size=(200, 2)).astype(np.float32)
    far *= 300 / np.linalg.norm(far, axis=1)[:, None]
    enters, leaves = tray.crossed(far, -far)
    assert (enters < leaves).all()
    outer = far - far * enters[:, None]
    assert np.abs(tray.within(outer) + tray.thickness).max() < 0.8  # a corner's tip is a little farther out
    kept = tray.kept_in(far, 10.0)
    assert tray.within(kept).min() > 9.9


@pytest.mark.parametrize("shape", Shape)
def test_a_locked_die_is_put_beside_the_place_or_away_from_a_bare_table(shape: Shape) -> None:
    over = table(shape)
    over.throw()
    over.clock.wait(ROLLING_SECONDS)
    over.take_out(DieColour.RED)
    with_it = over.picture()
    over.put_back()
    empty = over.picture()
    over.take_out(DieColour.RED)
    assert Counter(over.dice)[DieColour.RED] == 0
    aside = cv2.absdiff(over.picture(), empty).max(axis=2) > 60
    assert aside.any() == (shape is not Shape.BARE)
    assert with_it.shape == empty.shape


@pytest.mark.parametrize("shape", Shape)
def test_what_was_spoilt_is_nudged_flat_into_the_place(shape: Shape) -> None:
    over = table(shape)
    over.faults = 1.0
    for _ in range(8):
        over.throw()
        over.nudge()
        over.clock.wait(1.0)
        truth = over.truth()
        assert all(die.state is DieState.FLAT and die.pips for die in truth.dice)
        assert all(inside(truth.lid, die.x, die.y) for die in truth.dice if truth.lid)


# ---------------------------------------------------------------- how it is read


def written(image: Image, path: Path) -> str:
    assert cv2.imwrite(str(path), image)
    return str(path)


@pytest.mark.parametrize("shape", Shape)
def test_the_commands_learn_it_and_read_its_throws(
    shape: Shape, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = table(shape, 2, (1024, 768))
    out = str(tmp_path / "table.toml")
    empty = written(over.picture(1), tmp_path / "empty.png")
    over.lay_out()
    dice = written(over.picture(2), tmp_path / "dice.png")
    assert main(["calibrate", "--place", "auto", "--empty", empty, "--dice", dice, "--out", out]) == 0
    said = capsys.readouterr().out
    assert ("the whole picture" in said) == (shape is Shape.BARE)
    over.throw()
    over.clock.wait(ROLLING_SECONDS)
    assert (
        main(["read", "--json", "--calibration", out, written(over.picture(3), tmp_path / "throw.png")]) == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert answer["certain"]
    lying = sorted((str(die.colour), die.pips) for die in over.truth().dice)
    assert sorted((die["colour"], die["pips"]) for die in answer["dice"]) == lying


@pytest.mark.slow
@pytest.mark.parametrize("shape", Shape)
def test_no_throw_is_read_wrong_and_plain_ones_are_read_for_sure(shape: Shape, tmp_path: Path) -> None:
    told: Counter[Outcome] = Counter()
    for seed in SEEDS:
        over = table(shape, seed, (1024, 768))
        empty = over.picture(1)
        over.lay_out()
        learnt = calibrate(empty, over.picture(2)).calibration
        assert learnt is not None
        known = save(learnt, tmp_path / f"{seed}.toml", empty)
        for number in range(THROWS):
            over.throw(odd=number == THROWS - 1)
            over.clock.wait(ROLLING_SECONDS)
            image, scene = over.picture(number), drawn_scene(over, str(number))
            told[outcome_of(scene, read_dice(image, over.dice, known))] += 1
            assert outcome_of(scene, read_dice(image, over.dice)) is not Outcome.WRONG
    assert told[Outcome.WRONG] == 0, told
    assert told[Outcome.RIGHT] >= len(SEEDS) * THROWS - 1, told


# ---------------------------------------------------------------- the setting


def test_the_place_is_a_setting_and_what_is_learnt_of_one_is_kept_apart(tmp_path: Path) -> None:
    homes = set()
    for config, asked in (
        (Config(), None),
        (Config(simulation=SimulationConfig(Shape.ROUND)), None),
        (Config(), Shape.ROUND),
        (Config(simulation=SimulationConfig(Shape.ROUND)), Shape.MAT),
    ):
        with Host(config, Options(tmp_path, simulate=True, place=asked)) as host:
            assert host.simulated_table is not None
            homes.add(host.home.name)
            corners = len(host.simulated_table.truth().lid)
            assert (corners > 8) == (asked is Shape.ROUND or (asked is None and config != Config()))
    assert homes == {"simulated-1-1280x720", "simulated-1-1280x720-round", "simulated-1-1280x720-mat"}
