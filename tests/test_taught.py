"""Rolls that people confirmed teach a calibrated table: what is learnt, and what never may be."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision.calibration.learning import calibrate
from vision.calibration.teaching import Label, TeachingError, labelled, measured
from vision.cameras.clock import StepClock
from vision.colour.bodies import Assignment, Body
from vision.colour.known import assign_known, assign_taught, in_linear_light
from vision.image.arrays import Image
from vision.judgement.taught import surer
from vision.memory import taught
from vision.memory.calibration import Calibration, DieSample, Lab, TaughtRoll, load, save
from vision.reader import read_dice
from vision.reading import ALL_SIX, DieColour, SeenDie
from vision.scoring import teaching
from vision.simulation.table import SimulatedCamera, SimulatedTable

WHITE, RED, GREEN, BLUE = DieColour.WHITE, DieColour.RED, DieColour.GREEN, DieColour.BLUE
GREY = Lab(50.0, 0.0, 0.0)
SIX = tuple(DieSample(colour, Lab(50.0 + 5 * i, 10.0 * i, 0.0), GREY) for i, colour in enumerate(ALL_SIX))


@dataclass(frozen=True)
class Table:
    """A calibrated simulated table with one throw, as files."""

    calibration: Path
    photo: Path
    image: Image
    labels: tuple[Label, ...]

    @property
    def dice(self) -> str:
        return ",".join(f"{colour}={pips}" for colour, pips in self.labels)


def thrown(folder: Path, seed: int, size: tuple[int, int] = (640, 480)) -> Table:
    table = SimulatedTable(seed, clock=StepClock(), size=size)
    camera = SimulatedCamera(table)
    camera.open()
    empty = camera.frame().image
    table.lay_out()
    learnt = calibrate(empty, camera.frame().image).calibration
    assert learnt is not None
    folder.mkdir(exist_ok=True)
    save(learnt, folder / "calibration.toml", empty)
    table.throw(odd=False)
    table.clock.wait(3.0)
    image = camera.frame().image
    cv2.imwrite(str(folder / "throw.png"), image)
    labels = tuple((die.colour, die.pips or 0) for die in table.truth().dice)
    return Table(folder / "calibration.toml", folder / "throw.png", image, labels)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return thrown(tmp_path_factory.mktemp("taught"), 3)


@pytest.fixture
def fresh(table: Table) -> Table:
    taught.forget(table.calibration)
    return table


def learn(table: Table, *more: str, dice: str | None = None, photo: Path | None = None) -> int:
    given = ["--calibration", str(table.calibration), "--dice", dice or table.dice, *more]
    return main(["learn", str(photo or table.photo), *given])


# the door


def test_a_confirmed_roll_is_kept_beside_the_calibration_and_changes_nothing_in_it(
    fresh: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    before = fresh.calibration.read_bytes()
    assert learn(fresh) == 0
    assert "1 of 10 rolls" in capsys.readouterr().out
    assert fresh.calibration.read_bytes() == before
    (roll,) = json.loads(taught.place_of(fresh.calibration).read_text())["rolls"]
    assert sorted(die["colour"] for die in roll["dice"]) == sorted(ALL_SIX)


def test_what_is_taught_is_bounded_and_forgotten_at_once(
    fresh: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(taught.MOST_ROLLS + 2):
        assert learn(fresh) == 0
    assert "10 of 10 rolls" in capsys.readouterr().out.splitlines()[-1]
    assert main(["learn", "--calibration", str(fresh.calibration), "--forget"]) == 0
    assert not taught.place_of(fresh.calibration).exists()
    assert load(fresh.calibration)


def test_the_next_reading_knows_what_was_taught(
    fresh: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rolls: list[int] = []

    def read(image: Image, expected: object, calibration: Calibration, leaning: object) -> object:
        rolls.append(len(calibration.taught))
        return read_dice(image)

    monkeypatch.setattr("companion.commands.reading.read_dice", read)
    call = ["read", "--calibration", str(fresh.calibration), str(fresh.photo)]
    assert main(call) == 0
    assert learn(fresh) == 0
    assert main(call) == 0
    assert rolls == [0, 1]


def swapped(table: Table) -> str:
    """One number is named otherwise."""
    (colour, pips), *others = table.labels
    return ",".join(f"{c}={p}" for c, p in [(colour, pips % 6 + 1), *others])


def test_dice_that_do_not_match_what_is_seen_teach_nothing(
    fresh: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(fresh, dice=swapped(fresh)) == 1
    assert "is seen, and not named" in capsys.readouterr().err
    assert learn(fresh, dice=",".join(fresh.dice.split(",")[:5])) == 1
    assert "nothing is learnt" in capsys.readouterr().err
    assert not taught.place_of(fresh.calibration).exists()


def test_a_picture_of_another_table_teaches_nothing(
    fresh: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = thrown(tmp_path, 5)
    assert learn(fresh, photo=other.photo, dice=other.dice) == 1
    assert "another table" in capsys.readouterr().err
    narrow = tmp_path / "narrow.png"
    cv2.imwrite(str(narrow), fresh.image[:, :480])
    assert learn(fresh, photo=narrow) == 1
    assert "another camera" in capsys.readouterr().err
    far = tmp_path / "far.png"
    cv2.imwrite(str(far), cv2.copyMakeBorder(fresh.image, 240, 240, 320, 320, cv2.BORDER_REPLICATE))
    assert learn(fresh, photo=far) == 1
    assert "another table" in capsys.readouterr().err
    assert not taught.place_of(fresh.calibration).exists()


def test_a_damaged_calibration_and_a_picture_that_is_none_are_one_line(
    fresh: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = replace(fresh, calibration=tmp_path / "calibration.toml")
    damaged.calibration.write_bytes(fresh.calibration.read_bytes()[:200])
    (tmp_path / "photo.jpg").write_bytes(b"no picture")
    nowhere = replace(fresh, calibration=tmp_path / "none.toml")
    for table, photo in (
        (damaged, None),
        (nowhere, None),
        (fresh, tmp_path / "photo.jpg"),
        (fresh, tmp_path / "none.jpg"),
    ):
        assert learn(table, photo=photo) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "dice", ["white=7", "white", "pink=3,white=1", "red=1,red=2", "white=1", "white=1,white=2,white=3", ""]
)
def test_dice_of_no_set_are_a_wrong_call(dice: str, fresh: Table, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--calibration", str(fresh.calibration), "--dice", dice]
    assert main(["learn", str(fresh.photo), *given]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# which dice teach


def die(colour: DieColour, pips: int, *, doubtful: bool = False) -> SeenDie:
    return SeenDie(colour, pips, 10, 10, 8, 0.9, doubtful=doubtful)


def named(seen: Sequence[SeenDie], confirmed: Sequence[Label]) -> list[Label]:
    return [(each.colour, each.pips) for each in labelled(seen, confirmed)]


def test_the_one_die_that_was_tapped_otherwise_is_what_people_said() -> None:
    seen = [die(WHITE, 3), die(RED, 2), die(GREEN, 5, doubtful=True)]
    said = [(WHITE, 3), (RED, 2), (BLUE, 6)]
    assert named(seen, said) == said


def test_of_doubtful_dice_that_may_be_either_none_teaches() -> None:
    seen = [die(WHITE, 3), die(RED, 3, doubtful=True), die(GREEN, 5, doubtful=True)]
    assert named(seen, [(WHITE, 3), (GREEN, 3), (RED, 5)]) == [(WHITE, 3)]
    assert len(named(seen, [(WHITE, 3), (RED, 3), (GREEN, 5)])) == 3


@pytest.mark.parametrize(
    "said", [[(WHITE, 3)], [(WHITE, 3), (GREEN, 2)], [(WHITE, 3), (RED, 5)], [(WHITE, 3), (RED, 2), (RED, 2)]]
)
def test_what_was_read_for_sure_is_never_taught_otherwise(said: list[Label]) -> None:
    with pytest.raises(TeachingError):
        labelled([die(WHITE, 3), die(RED, 2)], said)


# what is kept


def test_what_is_too_old_or_of_another_calibration_or_damaged_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text("one")
    assert len(taught.teach(path, SIX, 1000.0).rolls) == 1
    assert len(taught.teach(path, SIX, 2000.0).rolls) == 2
    assert taught.load(path, 3000.0).rolls[0].dice == SIX
    assert len(taught.load(path, 1500.0 + taught.MOST_SECONDS).rolls) == 1
    assert taught.load(path, -1e9).rolls == ()
    path.write_text("another")
    assert taught.load(path, 3000.0).rolls == ()
    assert len(taught.teach(path, SIX, 3000.0).rolls) == 1
    kept = taught.place_of(path).read_text()
    for bad in ("", "[]", "{}", kept[:-40], kept.replace("50.0", '"x"', 1), kept.replace("red", "white")):
        taught.place_of(path).write_text(bad)
        assert taught.load(path, 3000.0).rolls == ()


# what it changes


def bodies(samples: Sequence[DieSample], light: Sequence[float]) -> list[Body]:
    return [Body(*(in_linear_light(sample.body) * np.exp(light))) for sample in samples]


def sets() -> tuple[DieSample, ...]:
    colours = [(80, 0, 4), (79, 0, 6), (40, 55, 35), (72, 8, 65), (38, -30, 15), (35, 5, -42)]
    return tuple(
        DieSample(colour, Lab(*map(float, lab)), GREY) for colour, lab in zip(ALL_SIX, colours, strict=True)
    )


def test_a_light_in_which_the_dice_were_confirmed_makes_their_colours_surer() -> None:
    samples, light = sets(), (0.9, -0.6, -2.2)
    seen = bodies(samples, light)
    first = assign_known(seen, ALL_SIX, samples)
    now = taught_samples(samples, light)
    after = assign_taught(seen, ALL_SIX, samples, [now])
    assert after.colours == ALL_SIX
    assert after.chance >= first.chance
    five = [each for each in now if each.colour is not GREEN]
    assert assign_taught(seen, ALL_SIX, samples, [five]).colours == ALL_SIX


def taught_samples(samples: Sequence[DieSample], light: Sequence[float]) -> list[DieSample]:
    made = []
    for sample in samples:
        shown = np.clip(in_linear_light(sample.body) * np.exp(light), 0, 1)
        srgb = np.where(shown <= 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)
        lab = cv2.cvtColor(np.asarray(srgb[None, None, ::-1], np.float32), cv2.COLOR_BGR2Lab)[0, 0]
        made.append(replace(sample, body=Lab(*(float(v) for v in lab))))
    return made


def test_nothing_taught_touches_a_colour_that_was_named_surely() -> None:
    first = Assignment((RED, GREEN, BLUE), (0.9, 0.6, 0.6), expected=True)
    assert surer(first, Assignment((RED, BLUE, GREEN), (0.99, 0.97, 0.97), expected=True)) == Assignment(
        (RED, BLUE, GREEN), (0.9, 0.97, 0.97), expected=True
    )
    assert surer(first, Assignment((GREEN, RED, BLUE), (0.99, 0.99, 0.99), expected=True)) is first
    assert surer(first, Assignment((RED, GREEN, GREEN), (0.99, 0.99, 0.99), expected=False)) is first


def test_a_reading_that_was_certain_stays_as_it_was_whatever_was_taught(table: Table) -> None:
    known = load(table.calibration)
    seen = {die.colour: die for die in measured(table.image, read_dice(table.image, ALL_SIX, known).dice)}
    mixed = (
        *(die for die in known.samples if die.colour not in {RED, GREEN}),
        replace(seen[RED], body=seen[GREEN].body),
        replace(seen[GREEN], body=seen[RED].body),
    )
    poisoned = replace(known, taught=(TaughtRoll(0.0, mixed),) * 10)
    plain, after = read_dice(table.image, ALL_SIX, known), read_dice(table.image, ALL_SIX, poisoned)
    assert plain.certain
    assert (after.certain, after.dice) == (True, plain.dice)


def test_the_figures_read_each_throw_with_and_without_what_was_taught(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert teaching.main(["--simulated", "1", "--lamp", "bulb"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("lamp bulb x 1: ")
    assert "untaught" in lines[1]
    assert "wrong 0" in lines[2]
    assert " 0 made wrong" in lines[3]
