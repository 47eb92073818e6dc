"""Where labelled pictures come from: folders of any kind, and throws drawn on the spot. Reads no dice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.calibration.learning import calibrate
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.image.picture import PictureError, open_picture
from vision.memory.calibration import Calibration, save
from vision.scoring.truth import TrueDie, TrueScene, load
from vision.simulation.sensor import USUAL_SIZE
from vision.simulation.style import Mount
from vision.simulation.table import MountedTable, SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState

EMPTY, DICE = "empty.jpg", "calibrate.jpg"
THROWS_A_TABLE = 6
ODD = 0.3  # of drawn throws: a die leans, lies on another, fell beside the lid, or glares
AT_REST = 3.0  # seconds after a throw


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to read, what lies there, and what is known of the table; truth in pixels of the file."""

    image: Image
    scene: TrueScene
    known: Calibration | None = None
    scale: float = 1.0  # pixels of the file for one of the picture's


@dataclass(frozen=True, slots=True)
class Source:
    """Pictures of one origin; photographs hold dice of any kind, and no game's."""

    name: str
    shots: Iterable[Shot]
    photographs: bool = False


def sources_in(folder: Path, work: Path) -> list[Source]:
    """Every set of pictures in a folder and in the folders below it; ValueError if there is none."""
    truths = sorted(folder.rglob("truth.jsonl"))
    sets: dict[Path, list[Path]] = {}
    for truth in truths:
        place = truth.parent
        is_table = (place / EMPTY).exists() and (place / DICE).exists()
        sets.setdefault(place.parent if is_table else place, []).append(place)
    found = [Source(str(name), _rendered(places, work)) for name, places in sorted(sets.items())]
    labels = sorted(folder.rglob("labels.json"))
    found += [Source(str(place.parent), _photographed(place.parent), photographs=True) for place in labels]
    if not found:
        raise ValueError(f"{folder} holds no truth.jsonl and no labels.json, nor do the folders in it")
    return found


def _rendered(places: list[Path], work: Path) -> Iterator[Shot]:
    for place in places:
        is_table = (place / EMPTY).exists() and (place / DICE).exists()
        known = calibrated(place, work / f"{place.name}.toml") if is_table else None
        for scene in load(place):
            if not is_table or scene.path.name not in {EMPTY, DICE}:
                yield from _opened(scene, known)


def _photographed(place: Path) -> Iterator[Shot]:
    for scene in load(place):
        yield from _opened(scene, None)


def _opened(scene: TrueScene, known: Calibration | None) -> Iterator[Shot]:
    try:
        picture = open_picture(scene.path)
    except PictureError:
        return
    yield Shot(picture.image, scene, known, picture.scale)


def calibrated(table: Path, out: Path) -> Calibration | None:
    """The calibration of a table, kept as the program keeps it; None if it cannot be learnt."""
    empty = open_picture(table / EMPTY).image
    learnt = calibrate(empty, open_picture(table / DICE).image)
    return save(learnt.calibration, out, empty) if learnt.calibration else None


# ---------------------------------------------------------------- drawn


def simulated(throws: int, first: int = 1) -> Source:
    """Throws at simulated tables, another one every few throws; `first` is the first table's seed."""
    return Source("simulated table", thrown(throws, first))


def thrown(
    throws: int, first: int = 1, mount: Mount | None = None, size: tuple[int, int] = USUAL_SIZE
) -> Iterator[Shot]:
    """Throws as the camera of each table sees them; `mount` holds all of these cameras so."""
    for number in range(throws):
        if number % THROWS_A_TABLE == 0:
            seed = first + number // THROWS_A_TABLE
            clock = StepClock()
            table = (
                MountedTable(mount, seed, clock, size)
                if mount
                else SimulatedTable(seed, clock=clock, size=size)
            )
            camera, rng = SimulatedCamera(table), np.random.default_rng(seed)
            camera.open()
        table.throw(odd=bool(rng.random() < ODD))
        table.clock.wait(AT_REST)
        image = camera.frame().image
        yield Shot(image, drawn_scene(table, f"{seed}-{number % THROWS_A_TABLE}"))


def drawn_scene(table: SimulatedTable, name: str) -> TrueScene:
    truth = table.truth()
    dice = []
    for die in truth.dice:
        ring = np.array(die.corners, np.float64)
        edge = float(np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1).mean())
        inside = die.state is not DieState.OUTSIDE
        dice.append(
            TrueDie(
                die.x,
                die.y,
                edge,
                die.pips,
                str(die.colour),
                ring,
                str(die.state),
                die.visible,
                in_lid=inside,
                upward=die.pips,
                lean=die.lean,
            )
        )
    lid = np.array(truth.lid, np.float64)
    return TrueScene(Path(name), tuple(dice), lid, group="drawn", source="simulated", expected=table.dice)
