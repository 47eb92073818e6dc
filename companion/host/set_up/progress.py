"""How far the set-up has come, kept as JSON so that it can be left and resumed. Knows no pixels."""

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from boxlid.errors import BoxlidError, StatementKind
from boxlid.fields import Between, FieldsError, read
from companion.game import entered_name, look_of
from companion.host.set_up.places import Ground
from companion.journal.files import put_in_place
from companion.process.plain_file import read_plain
from companion.rules import RuleError
from companion.table.eyes import Place
from companion.view.setting_up import MOST_NAMES, Shape, Step
from vision.cameras.choice import CameraSetting
from vision.memory.calibration import CameraLock

FOLDER = "set-up"
FILE = "progress.json"
FORMAT = 1
LONGEST_FILE = 64 * 1024
_NEXT = (Step.LID, Step.EMPTY, Step.DICE, Step.ROLLS)  # each is worth nothing once the one before changes


class ProgressFault(StatementKind):
    """What is wrong with what was kept of a set-up."""

    UNREADABLE = "progress.unreadable"


class ProgressError(BoxlidError):
    """The file is not what was kept."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What was chosen, found and confirmed so far. Corners are fractions of the picture."""

    done: frozenset[Step] = frozenset()
    language: str = ""
    camera: str = ""
    ground: Ground = field(default_factory=Ground)
    moved: bool = False  # a person put the corners where they are
    lock: CameraLock | None = None  # what the camera held for the picture of the empty lid
    right: int = 0
    seen: tuple[str, ...] = ()  # lamps seen lit
    unseen: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    @property
    def step(self) -> Step | None:
        """The first that is not done; None if all are."""
        return next((step for step in Step if step not in self.done), None)

    def reached(self, step: Step) -> "Progress":
        """That step is done; what was built on its last time has to be done again."""
        return replace(self.without(step), done=(self.done | {step}) - set(_after(step)))

    def without(self, step: Step) -> "Progress":
        """That step is to be done (again), and all that was built on it."""
        gone = {step, *_after(step)}
        fresh = replace(self, done=self.done - gone)
        return replace(fresh, right=0) if Step.ROLLS in gone else fresh

    def judged(self, lamp: str, *, seen: bool) -> "Progress":
        """What the person says of that lamp counts, not what was said before."""
        good, bad = set(self.seen) - {lamp}, set(self.unseen) - {lamp}
        (good if seen else bad).add(lamp)
        return replace(self, seen=tuple(sorted(good)), unseen=tuple(sorted(bad)))


def _after(step: Step) -> tuple[Step, ...]:
    if step is Step.CAMERA:
        return _NEXT
    return _NEXT[_NEXT.index(step) + 1 :] if step in _NEXT else ()


def keep(progress: Progress, folder: Path) -> None:
    """Whole or not at all, also when the power goes. OSError if the disk says no."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f".{FILE}.{os.getpid()}.new"
    made.unlink(missing_ok=True)
    made.touch(mode=0o600)  # a camera's address may hold a key
    made.write_text(_as_json(progress), encoding="utf-8")
    put_in_place(made, folder / FILE)


def load(folder: Path) -> Progress:
    """What was kept; nothing done if nothing was. ProgressError if the file is not ours."""
    path = folder / FILE
    if not path.exists():
        return Progress()
    try:
        return read(_Kept, json.loads(read_plain(path, LONGEST_FILE)), others=True).progress
    except (OSError, FieldsError, ValueError, RecursionError, RuleError) as error:
        why = error.statement if isinstance(error, BoxlidError) else str(error)
        told = str(error.strerror) if isinstance(error, OSError) else why
        raise ProgressError(ProgressFault.UNREADABLE, path=path, why=told) from error


def _as_json(progress: Progress) -> str:
    lock = progress.lock
    numbers: list[float | None] | None = None
    if lock is not None:
        numbers = [lock.exposure_microseconds, lock.gain, lock.red_gain, lock.blue_gain]
        numbers += [lock.lens_position, lock.kelvin]
    values = {
        "format": FORMAT,
        "done": [step for step in Step if step in progress.done],
        "language": progress.language,
        "camera": progress.camera,
        "shape": progress.ground.shape,
        "corners": [[place.x, place.y] for place in progress.ground.corners],
        "moved": progress.moved,
        "lock": numbers,
        "right": progress.right,
        "seen": progress.seen,
        "unseen": progress.unseen,
        "players": progress.players,
    }
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class _Kept:
    """The file as it stands. Without a shape the place has corners: boxes could lie in lids only."""

    format: Annotated[int, Between(FORMAT, FORMAT)]
    done: tuple[Step, ...]
    language: str
    camera: str
    corners: tuple[tuple[float, float], ...]
    moved: bool
    lock: tuple[int, float, float, float, float | None, float | None] | None
    right: int
    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    players: tuple[str, ...]
    shape: Shape = Shape.CORNERS

    @property
    def progress(self) -> Progress:
        if self.camera:
            CameraSetting.parse(self.camera)
        ground = Ground(self.shape, tuple(Place(x, y) for x, y in self.corners))
        if self.corners and ground.fault is not None:
            raise ValueError("corners that go round a place wanted")
        return Progress(
            frozenset(self.done),
            self.language,
            self.camera,
            ground,
            self.moved,
            None if self.lock is None else CameraLock(*self.lock),
            self.right,
            self.seen,
            self.unseen,
            checked_names(self.players),
        )


def checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as a seat takes them, each once; RuleError names the one that is none."""
    entered = [entered_name(name) for name in names if name.strip()]
    kept = tuple({look_of(name): name for name in entered}.values())
    if len(kept) > MOST_NAMES:
        raise RuleError(f"at most {MOST_NAMES} names are kept, got {len(kept)}")
    return kept
