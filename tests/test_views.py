"""Cameras held in every way: drawn as they are held, read as their pictures come."""

from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.benchmarks import photographs as answers
from companion.cli import main
from vision.dice.standing import tilts_by_lid
from vision.scoring.sources import Drawn, thrown
from vision.scoring.views import HANDS, PHOTOGRAPH, STANDS, VIDEO, as_sent, photographs, stands

PICTURES = Path(__file__).parent / "pictures"


def test_a_phone_that_leans_farther_sees_the_lid_more_aslant() -> None:
    slant = []
    for mount in HANDS.values():
        lid = next(thrown(1, 5, Drawn(mount=mount, size=(400, 300)))).scene.lid
        assert lid is not None
        slant.append(float(np.hypot(*tilts_by_lid(tuple(map(tuple, lid)), (300, 400))[0])))
    assert slant == sorted(slant)


def test_a_camera_that_hangs_higher_shows_smaller_dice() -> None:
    low, high = (
        next(thrown(1, 5, Drawn(mount=STANDS[name], size=VIDEO))).scene
        for name in ("phone on a glass, 15 cm", "phone on books, 30 cm")
    )
    assert low.dice[0].size > 1.7 * high.dice[0].size


def test_photographs_of_anybody_are_read_as_a_phone_sends_them(tmp_path: Path) -> None:
    (source,) = photographs(0, 1, [PICTURES / "places"], tmp_path)[:1]
    shot = next(iter(source.shots))
    plain = cv2.imread(str(shot.scene.path))
    assert plain is not None
    assert shot.known is None
    assert not np.array_equal(shot.image, plain)  # it was made a JPEG once more
    assert shot.image.shape == plain.shape


def test_drawn_photographs_have_the_size_that_a_phone_sends(tmp_path: Path) -> None:
    sources = photographs(1, 1, [], tmp_path)
    assert [source.name for source in sources] == list(HANDS)
    shot = next(iter(sources[0].shots))
    assert shot.image.shape[1::-1] == PHOTOGRAPH
    assert as_sent(shot.image).startswith(b"\xff\xd8")


def test_the_command_tells_how_well_each_stand_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.scoring.views.STANDS", dict(islice(STANDS.items(), 1)))
    assert main(["bench", "stands", "--throws", "1"]) == 0
    assert "phone on a glass, 15 cm: 1 pictures" in capsys.readouterr().out
    assert [source.name for source in stands(1, 1)] == ["phone on a glass, 15 cm"]


def test_the_command_tells_how_long_a_photograph_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PICTURES", 2)
    monkeypatch.setattr(answers, "WARM_UP", 1)
    assert main(["bench", "photographs", "--throws", "0"]) == 0
    assert "photograph of 1,600 pixels to its answer, median" in capsys.readouterr().out
