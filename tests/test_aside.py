"""Photographs taken from far aside: the table is looked at as from above, and two looks must agree."""

import json
import math
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision.dice.aside import lean_of
from vision.dice.finder import find_dice
from vision.dice.looks import look_for
from vision.dice.standing import Scene, Top, stands
from vision.dice.tops import without_sides
from vision.reader import read_any, read_dice
from vision.scoring.outcomes import Outcome, outcome_of
from vision.scoring.sources import Drawn, Shot, thrown
from vision.simulation.style import Mount

SIZE = (1600, 1200)
FAR_ASIDE, FROM_ABOVE = Mount((300, 360), (44, 52), 67.0), Mount((300, 360), (0, 6), 67.0)
PLAIN = (2, 3)  # of the throws: dice that everybody reads, and the reader must


@cache
def shots() -> tuple[Shot, ...]:
    return tuple(thrown(6, 31, Drawn(mount=FAR_ASIDE, size=SIZE)))


@pytest.mark.parametrize("which", PLAIN)
def test_dice_photographed_from_far_aside_are_read(
    which: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shot = shots()[which]
    photo = tmp_path / "aside.jpg"
    assert cv2.imwrite(str(photo), shot.image)
    assert main(["read", "--json", str(photo)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["certain"] is True
    assert Counter((die["colour"], die["pips"]) for die in answer["dice"]) == Counter(
        (die.colour, die.pips) for die in shot.scene.inside
    )
    for die in answer["dice"]:  # where they lie in the photograph, not in the view from above
        near = [true for true in shot.scene.inside if math.hypot(true.x - die["x"], true.y - die["y"]) < 12]
        assert [true.colour for true in near] == [die["colour"]]


def test_nothing_that_is_seen_from_far_aside_is_certain_and_wrong() -> None:
    for shot in shots():
        assert outcome_of(shot.scene, read_dice(shot.image, shot.scene.expected)) is not Outcome.WRONG


def test_a_picture_from_above_is_not_looked_at_from_elsewhere() -> None:
    shot = next(thrown(1, 31, Drawn(mount=FROM_ABOVE, size=SIZE)))
    faces = look_for(shot.image, find_dice(shot.image))
    assert len(faces) >= 6
    assert lean_of(shot.image, faces, 6) is None


def test_how_the_camera_leans_is_seen_by_the_shapes_of_dice() -> None:
    shot = shots()[PLAIN[0]]
    aside = lean_of(shot.image, look_for(shot.image, find_dice(shot.image)), 6)
    assert aside is not None
    assert math.degrees(math.asin(math.hypot(*aside.lean))) == pytest.approx(48, abs=9)


def test_any_dice_far_aside_are_read_by_their_tops() -> None:
    shot = shots()[PLAIN[0]]
    seen = read_any(shot.image).dice
    true = [min(shot.scene.dice, key=lambda d: math.hypot(d.x - die.x, d.y - die.y)) for die in seen]
    assert [die.pips for die in seen] == [die.pips for die in true]
    assert len(seen) == 6


def test_feet_that_networks_see_too_near_make_no_die_lean() -> None:
    above = ((0.0, 0.0), 400.0)
    flat = [
        Top((x, 500.0), 30.0, (-0.5 * x / math.hypot(x, 500), -0.5 * 500 / math.hypot(x, 500)))
        for x in (-90.0, 0.0, 120.0)
    ]
    leaning = replace(flat[0], foot=(0.4, -0.1))
    side = replace(flat[1], foot=(0.0, 0.4))
    found = stands([*flat, leaning, side], Scene((900, 900), above=above))
    assert [round(stand.stray, 3) for stand in found[:3]] == [0.0] * 3
    assert found[3].stray > 0.4
    assert [stand.against > 0 for stand in found] == [False, False, False, False, True]
    assert stands([], Scene((900, 900), above=above)) == ()


def test_a_side_is_no_die_where_its_top_was_found() -> None:
    shot = shots()[PLAIN[0]]
    (face, *_) = look_for(shot.image, find_dice(shot.image))
    above = ((0.0, 0.0), 400.0)
    top = replace(face, x=0.0, y=500.0, size=40.0, stand=replace(face.stand, against=0.0))
    side = replace(top, y=500.0 - 40 * (1 + 500 / 400) / 2, stand=replace(face.stand, against=0.3))
    elsewhere = replace(side, x=200.0)
    assert without_sides([top, side, elsewhere], above) == [top, elsewhere]
    assert without_sides([top, side, elsewhere], None) == [top, side, elsewhere]
    assert np.hypot(side.x - top.x, side.y - top.y) > 0.74 * top.size
