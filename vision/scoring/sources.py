"""Where labelled pictures come from: folders of any kind, and throws drawn on the spot. Reads no dice."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from zlib import crc32

import numpy as np

from vision.calibration.learning import calibrate
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.image.picture import PictureError, open_picture
from vision.memory.calibration import Calibration, save
from vision.scoring.truth import TrueDie, TrueScene, load
from vision.simulation.sensor import USUAL_SIZE
from vision.simulation.shape import Shape
from vision.simulation.style import Mount
from vision.simulation.table import MountedTable, SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState

EMPTY, DICE = "empty.jpg", "calibrate.jpg"
THROWS_A_TABLE = 6
PICTURES_A_PART = 5
ODD = 0.3  # of drawn throws: a die leans, lies on another, fell beside the lid, or glares
AT_REST = 3.0  # seconds after a throw


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to read, what lies there, and what is known of the table; truth in pixels of the file."""

    image: Image
    scene: TrueScene
    known: Calibration | None = None
    scale: float = 1.0  # pixels of the file for one of the picture's


Part = Callable[[], Iterable[Shot]]


@dataclass(frozen=True, slots=True)
class Source:
    """Pictures of one origin, in parts that other processes can open; photographs hold dice of any kind."""

    name: str
    parts: tuple[Part, ...]
    photographs: bool = False

    @property
    def shots(self) -> Iterator[Shot]:
        return chain.from_iterable(part() for part in self.parts)


def sources_in(folder: Path, work: Path) -> list[Source]:
    """Every set of pictures in a folder and in the folders below it; ValueError if there is none."""
    truths = sorted(folder.rglob("truth.jsonl"))
    sets: dict[Path, list[Path]] = {}
    for truth in truths:
        place = truth.parent
        is_table = (place / EMPTY).exists() and (place / DICE).exists()
        sets.setdefault(place.parent if is_table else place, []).append(place)
    found = [
        Source(str(name), tuple(part for place in places for part in _rendered(place, work)))
        for name, places in sorted(sets.items())
    ]
    labelled = [labels.parent for labels in sorted(folder.rglob("labels.json"))]
    found += [Source(str(place), _parts(load(place)), photographs=True) for place in labelled]
    if not found:
        raise ValueError(f"{folder} holds no truth.jsonl and no labels.json, nor do the folders in it")
    return found


def _rendered(place: Path, work: Path) -> tuple[Part, ...]:
    if not ((place / EMPTY).exists() and (place / DICE).exists()):
        return _parts(load(place))
    return (partial(_at_table, place, work),)


def _parts(scenes: list[TrueScene]) -> tuple[Part, ...]:
    some = (scenes[i : i + PICTURES_A_PART] for i in range(0, len(scenes), PICTURES_A_PART))
    return tuple(partial(_opened, part, None) for part in some)


def _at_table(place: Path, work: Path) -> Iterator[Shot]:
    """The throws at a table that is learnt first."""
    known = calibrated(place, work / f"{place.name}-{crc32(bytes(place.resolve()))}.toml")
    yield from _opened([scene for scene in load(place) if scene.path.name not in {EMPTY, DICE}], known)


def _opened(scenes: list[TrueScene], known: Calibration | None) -> Iterator[Shot]:
    for scene in scenes:
        try:
            picture = open_picture(scene.path)
        except PictureError:
            continue
        yield Shot(picture.image, scene, known, picture.scale)


def calibrated(table: Path, out: Path) -> Calibration | None:
    """The calibration of a table, kept as the program keeps it; None if it cannot be learnt."""
    empty = open_picture(table / EMPTY).image
    learnt = calibrate(empty, open_picture(table / DICE).image)
    return save(learnt.calibration, out, empty) if learnt.calibration else None


# ---------------------------------------------------------------- drawn


@dataclass(frozen=True, slots=True)
class Drawn:
    """How tables are drawn: what dice fall into, how all cameras are held, whether each is learnt first."""

    shape: Shape = Shape.LID
    mount: Mount | None = None
    size: tuple[int, int] = USUAL_SIZE
    learnt: Path | None = None  # the folder in which that is kept

    @property
    def name(self) -> str:
        learnt = "" if self.learnt is None else ", learnt first"
        return f"simulated table, {self.shape}{learnt}"

    @property
    def prefix(self) -> str:
        """Of the names of pictures."""
        return "" if self.shape is Shape.LID else f"{self.shape}-"

    def table(self, seed: int) -> SimulatedTable:
        if self.mount is not None:
            return MountedTable(self.mount, seed, StepClock(), self.size)
        return SimulatedTable(seed, clock=StepClock(), size=self.size, shape=self.shape)


def simulated(throws: int, first: int = 1, drawn: Drawn | None = None) -> Source:
    """Throws at simulated tables, another one every few throws; `first` is the first table's seed."""
    so = drawn or Drawn()
    return Source(so.name, throws_at(throws, first, so))


def throws_at(throws: int, first: int, drawn: Drawn) -> tuple[Part, ...]:
    """Throws as the camera of each table sees them, a table a part."""
    return tuple(
        partial(thrown, min(THROWS_A_TABLE, throws - number), first + number // THROWS_A_TABLE, drawn)
        for number in range(0, throws, THROWS_A_TABLE)
    )


def thrown(throws: int, seed: int, drawn: Drawn) -> Iterator[Shot]:
    """So many throws at one table."""
    table, rng = drawn.table(seed), np.random.default_rng(seed)
    camera = SimulatedCamera(table)
    camera.open()
    known = (
        None if drawn.learnt is None else _learnt(table, camera, drawn.learnt / f"{drawn.shape}-{seed}.toml")
    )
    for number in range(throws):
        table.throw(odd=bool(rng.random() < ODD))
        table.clock.wait(AT_REST)
        yield Shot(camera.frame().image, drawn_scene(table, f"{drawn.prefix}{seed}-{number}"), known)


def _learnt(table: SimulatedTable, camera: SimulatedCamera, out: Path) -> Calibration | None:
    empty = camera.frame().image
    table.lay_out()
    learnt = calibrate(empty, camera.frame().image)
    table.clear()
    return save(learnt.calibration, out, empty) if learnt.calibration else None


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
    place = np.array(truth.lid, np.float64) if truth.lid else None
    return TrueScene(Path(name), tuple(dice), place, group="drawn", source="simulated", expected=table.dice)
