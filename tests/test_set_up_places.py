"""Where the dice lie, as a set-up keeps it: any shape or none, refused in words, doubted where dice miss."""

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.host.set_up.places import Ground
from companion.host.set_up.progress import FOLDER, Progress, keep, load
from companion.settings.state_folder import CALIBRATION
from companion.table.eyes import Place
from companion.view.setting_up import (
    DiceOutside,
    FindLid,
    KeepCorners,
    SetUpFault,
    SetUpRefused,
    Shape,
    Step,
    TakeDice,
    TakeEmpty,
)
from tests.fake_set_up import CORNERS
from tests.setting_up import Bench, bench, until_done
from vision.cameras.camera import Frame
from vision.cameras.clock import RealClock
from vision.image.arrays import Image
from vision.memory import calibration

TABLE = Path(__file__).parent / "pictures" / "places" / "table"  # a round tray
EMPTY, DICE = "empty.jpg", "calibrate.jpg"
PACE = 0.02

RING = [(0.5 + 0.3 * math.cos(n / 4), 0.5 + 0.3 * math.sin(n / 4)) for n in range(25)]


@pytest.mark.parametrize(
    ("corners", "fault"),
    [
        ([(0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)], SetUpFault.CROSSED),
        ([(0.2, 0.2), (0.25, 0.2), (0.25, 0.25), (0.2, 0.25)], SetUpFault.SMALL),
        ([(0.2, 0.2), (0.2, 0.2), (0.2, 0.2)], SetUpFault.SMALL),
        ([(0.2, 0.2), (1.2, 0.2), (0.8, 0.8), (0.2, 0.8)], SetUpFault.OUTSIDE),
        ([(0.2, 0.2), (math.nan, 0.2), (0.8, 0.8)], SetUpFault.OUTSIDE),
        ([(0.2, 0.2), (0.8, 0.2)], SetUpFault.FEW_CORNERS),
        ([], SetUpFault.FEW_CORNERS),
        (RING, SetUpFault.MANY_CORNERS),
    ],
)
def test_what_is_no_outline_is_refused_with_its_own_word_and_nothing_is_lost(
    corners: list[tuple[float, float]], fault: SetUpFault, tmp_path: Path
) -> None:
    places = tuple(Place(x, y) for x, y in corners)
    with bench(tmp_path) as at:
        before = at.do(KeepCorners(CORNERS, moved=True))
        with pytest.raises(SetUpRefused) as refused:
            at.do(KeepCorners(places, moved=True))
        assert refused.value.fault is fault
        after = at.set_up.view()
        assert (after.corners, after.done) == (before.corners, before.done)


@pytest.mark.parametrize(
    ("shape", "corners"),
    [
        (Shape.CORNERS, [(0.2, 0.2), (0.8, 0.2), (0.5, 0.8)]),
        (Shape.CORNERS, [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.5, 0.6), (0.2, 0.8)]),  # bent inwards
        (Shape.CORNERS, [(0.2, 0.8), (0.5, 0.8), (0.8, 0.8), (0.8, 0.2), (0.2, 0.2)]),  # one amid a side
        (Shape.ROUND, RING[:24]),
        (Shape.WHOLE, []),
    ],
)
def test_an_outline_of_any_shape_is_kept_and_read_back(
    shape: Shape, corners: list[tuple[float, float]], tmp_path: Path
) -> None:
    places = tuple(Place(x, y) for x, y in corners)
    with bench(tmp_path) as at:
        view = at.do(KeepCorners(places, moved=True, shape=shape))
        assert (view.shape, view.corners) == (shape, places)
        assert Step.LID in view.done
        assert load(at.home / FOLDER).ground == Ground(shape, places)


def test_a_set_up_kept_when_boxes_could_lie_in_lids_only_goes_on(tmp_path: Path) -> None:
    keep(Progress(done=frozenset({Step.LID}), ground=Ground(corners=CORNERS)), tmp_path)
    file = tmp_path / "progress.json"
    kept = json.loads(file.read_text())
    del kept["shape"]
    file.write_text(json.dumps(kept))
    assert load(tmp_path).ground == Ground(Shape.CORNERS, CORNERS)


# --- an outline that misses dice ---------------------------------------------------------------------------


class Still:
    """Shows the picture that a test lays before it, with the noise of a camera."""

    name = "pictures"

    def __init__(self, name: str) -> None:
        self.image = opened(name)
        self._clock, self._number = RealClock(), 0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def frame(self, timeout: float = 0.0) -> Frame:
        self._clock.wait(PACE)
        self._number += 1
        noise = np.random.default_rng(self._number).integers(0, 2, self.image.shape, np.uint8)
        return Frame(cv2.add(self.image, noise).astype(np.uint8), self._number, self._clock.now())


def opened(name: str) -> Image:
    image = cv2.imread(str(TABLE / name))
    assert image is not None
    return image.astype(np.uint8, copy=False)


LEFT = (Place(0.15, 0.1), Place(0.5, 0.1), Place(0.5, 0.95), Place(0.15, 0.95))  # half of the tray


def learnt_in_half(at: Bench, camera: Still) -> None:
    at.do(KeepCorners(LEFT, moved=True, anyway=True))
    at.do(TakeEmpty())
    camera.image = opened(DICE)


def test_a_round_tray_is_found_as_an_ellipse(tmp_path: Path) -> None:
    camera = Still(EMPTY)
    with bench(tmp_path, camera) as at:
        view = until_done(at.do, FindLid())
        assert (view.shape, view.doubt) == (Shape.ROUND, None)
        ring = np.array([(place.x * 640, place.y * 480) for place in view.corners], np.float32)
        truth = json.loads((TABLE / "truth.jsonl").read_text().splitlines()[0])
        true = np.array(truth["place"], np.float32)
        shared, _ = cv2.intersectConvexConvex(cv2.convexHull(ring), cv2.convexHull(true))
        assert shared / (cv2.contourArea(ring) + cv2.contourArea(true) - shared) > 0.85
        at.do(KeepCorners(view.corners, moved=False, shape=view.shape))
        at.do(TakeEmpty())
        camera.image = opened(DICE)
        assert at.kinds(at.do(TakeDice())) == []
        known = calibration.load(at.home / FOLDER / CALIBRATION)
        assert known.lid is not None
        assert len(known.lid) > 4


def test_an_outline_that_holds_fewer_dice_than_its_picture_is_doubted_before_it_is_kept(
    tmp_path: Path,
) -> None:
    with bench(tmp_path, Still(DICE)) as at:
        until_done(at.do, FindLid())
        view = at.do(KeepCorners(LEFT, moved=True))
        assert view.doubt is not None
        assert view.doubt.held < view.doubt.seen  # what is printed in the tray may look like dice too
        assert Step.LID not in view.done
        assert (view.corners, view.kept) == (LEFT, ())
        assert load(at.home / FOLDER).ground == Ground()
        view = at.do(KeepCorners(LEFT, moved=True, anyway=True))
        assert view.doubt is None
        assert Step.LID in view.done


@pytest.mark.parametrize("outside", [DiceOutside.KEEP, DiceOutside.WHOLE])
def test_dice_laid_beside_the_outline_are_asked_about_and_both_answers_are_learnt(
    outside: DiceOutside, tmp_path: Path
) -> None:
    camera = Still(EMPTY)
    with bench(tmp_path, camera) as at:
        until_done(at.do, FindLid())
        learnt_in_half(at, camera)
        view = at.do(TakeDice())
        assert at.kinds(view) == ["die-apart"]
        assert Step.DICE not in view.done
        assert len(view.dice) == 6
        assert not (at.home / FOLDER / CALIBRATION).exists()
        view = at.do(TakeDice(outside))
        assert at.kinds(view) == []
        assert Step.DICE in view.done
        known = calibration.load(at.home / FOLDER / CALIBRATION)
        whole = outside is DiceOutside.WHOLE
        assert (known.lid is None) == whole
        assert view.shape is (Shape.WHOLE if whole else Shape.CORNERS)
        assert load(at.home / FOLDER).ground == (Ground(Shape.WHOLE) if whole else Ground(corners=LEFT))
