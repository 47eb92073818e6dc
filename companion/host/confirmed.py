"""Rolls that the players let stand teach the calibrated table, once their turn is over."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.game import Phase
from companion.host.seeing import Look
from companion.rules import Roll
from companion.table.snapshot import Snapshot
from vision.calibration.teaching import TeachingError, labelled, measured
from vision.memory import taught
from vision.memory.calibration import Calibration, CalibrationError, is_complete
from vision.reading import DieColour


@dataclass(frozen=True, slots=True)
class Stands:
    """A look, and the dice as they counted in the end: read, tapped or put right."""

    look: Look
    dice: tuple[tuple[DieColour, int], ...]


@dataclass(frozen=True, slots=True)
class _OpenRoll:
    look: Look
    game_id: int | None
    turn: int


class Confirmed:
    """Keeps the newest look of the turn until it is over."""

    def __init__(self) -> None:
        self._open: _OpenRoll | None = None

    def looked(self, look: Look, at: Snapshot) -> None:
        """Another look of the same turn takes the place of the one before; a photograph is no lid's light."""
        if at.game is None or look.photograph:
            self._open = None
        else:
            self._open = _OpenRoll(look, at.game_id, at.game.number)

    def stands(self, now: Snapshot) -> Stands | None:
        """Told once: the turn is over and its dice are settled."""
        was, game = self._open, now.game
        if was is None:
            return None
        if game is None or now.game_id != was.game_id or game.number < was.turn or game.number > was.turn + 1:
            self._open = None
            return None
        is_over = game.number == was.turn + 1 or game.phase is Phase.OVER
        if not is_over or game.turn is None:
            return None
        self._open = None
        if game.number > was.turn and game.phase is not Phase.ROLL:  # its dice are out of view
            return None
        return Stands(was.look, dice_of(game.turn.roll))


def dice_of(roll: Roll) -> tuple[tuple[DieColour, int], ...]:
    whites = [(DieColour.WHITE, pips) for pips in roll.white]
    return (*whites, *((DieColour(colour.value), pips) for colour, pips in roll.coloured))


class Lessons:
    """What such rolls teach, kept beside the calibration in `path`. A disk that refuses stops no game."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._confirmed = Confirmed()

    def looked(self, look: Look, at: Snapshot) -> None:
        self._confirmed.looked(look, at)

    def after(self, now: Snapshot, known: Calibration | None) -> Calibration | None:
        """What is known of the table once a roll stands; None if nothing was learnt."""
        stands = self._confirmed.stands(now)
        if stands is None or known is None or not is_complete(known.samples):
            return None
        try:
            dice = labelled(stands.look.reading.dice, stands.dice)
            samples = measured(stands.look.image, dice)
            return replace(known, taught=taught.teach(self._path, samples, self._now()).rolls)
        except (TeachingError, CalibrationError):
            return None

    def forget(self) -> None:
        """CalibrationError if the disk refuses."""
        taught.forget(self._path)
