"""What a correction changed, piece by piece, for those who are told of it. Changes nothing itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.game.events import DiceCorrected, Event, PieceCorrected, SheetCorrected
from companion.game.position import Position
from companion.rules import COLOURS, START, Roll, Sheet


class Changed(StrEnum):
    """What kind of thing is another now."""

    DIE = "die"
    CROSS = "cross"
    MISTHROWS = "misthrows"
    PIECE = "piece"


@dataclass(frozen=True, slots=True)
class Change:
    """What it was and what it is: a die's pips, a cell such as R7, a count. None: no cross, or the start."""

    what: Changed
    before: str | None
    after: str | None
    colour: str | None = None  # of a die


def changes(event: Event, before: Position, after: Position) -> tuple[Change, ...]:
    """What the event, a correction, made of the position before it."""
    match event:
        case SheetCorrected(_, owner):
            return tuple(_on_sheet(before.sheets[owner], after.sheets[owner]))
        case PieceCorrected(_, owner):
            spaces = [_cell(position, owner) for position in (before, after)]
            return () if before.pieces == after.pieces else (Change(Changed.PIECE, *spaces),)
        case DiceCorrected(_, roll) if before.turn is not None:
            return tuple(_of_dice(before.turn.roll, roll))
        case _:
            return ()


def _of_dice(before: Roll, after: Roll) -> Iterator[Change]:
    """Die by die; the white ones are no first and second."""
    for colour in ("white", *COLOURS):
        was, now = Counter(_pips(before, colour)), Counter(_pips(after, colour))
        for old, new in zip((was - now).elements(), (now - was).elements(), strict=True):
            yield Change(Changed.DIE, str(old), str(new), colour)


def _pips(roll: Roll, colour: str) -> list[int]:
    return list(roll.white) if colour == "white" else [pips for name, pips in roll.coloured if name == colour]


def _on_sheet(before: Sheet, after: Sheet) -> Iterator[Change]:
    was, now = before.cells, after.cells
    yield from [Change(Changed.CROSS, str(cell), None) for cell in was if cell not in now]
    yield from [Change(Changed.CROSS, None, str(cell)) for cell in now if cell not in was]
    if before.misthrows != after.misthrows:
        yield Change(Changed.MISTHROWS, str(before.misthrows), str(after.misthrows))


def _cell(position: Position, owner: int) -> str | None:
    """The cell under the piece; None on the start."""
    space, side = position.pieces[owner], position.setup.board
    return None if side is None or space == START else str(side.cell(space))
