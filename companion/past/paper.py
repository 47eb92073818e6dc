"""A game that was played on paper: from its sheets to a game of the history. Knows no pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.game import Edition, PaperEnded, Setup
from companion.rules import CLASSIC, COLOURS, Layout, Sheet, layout_named
from companion.table.snapshot import Imported

EDITIONS = (Edition.ORIGINAL, Edition.DELUXE)  # what the board of On Board gave stands on no sheet
_LOCKED = 2  # crosses that a lock brings: the last number and the lock itself


@dataclass(frozen=True, slots=True)
class RowCount:
    """A row as it is counted on paper: its crosses, and whether the lock is one of them."""

    crosses: int
    locked: bool = False


@dataclass(frozen=True, slots=True)
class PaperPlayer:
    """One player's sheet at the end."""

    name: str
    rows: tuple[RowCount, ...]  # red, yellow, green, blue
    misthrows: int = 0


class PaperFault(StrEnum):
    """What on the sheets cannot be. Pages translate by kind."""

    NOBODY = "nobody"
    NO_NAME = "no-name"
    SAME_NAME = "same-name"
    ROW = "row"
    MISTHROWS = "misthrows"
    DATE = "date"


class PaperError(Exception):
    """What on the sheets cannot be, and whose it is."""

    def __init__(self, kind: PaperFault, name: str = "", lock: str = "") -> None:
        super().__init__(" ".join(filter(None, (kind, name, lock))))
        self.kind, self.name, self.lock = kind, name, lock


def paper_game(
    edition: Edition, layout: str, players: Sequence[PaperPlayer], at: float
) -> tuple[Imported, PaperEnded]:
    """The game to keep; PaperError if these sheets are not those of a finished game."""
    found = layout_named(layout)
    names = [player.name.casefold() for player in players]
    for player, name in zip(players, names, strict=True):
        if names.count(name) > 1:
            raise PaperError(PaperFault.SAME_NAME, player.name)
    setup = Setup(tuple(player.name for player in players), edition=edition, layout=found)
    return Imported(setup, at), PaperEnded(tuple(_sheet(found, player) for player in players))


def _sheet(layout: Layout, player: PaperPlayer) -> Sheet:
    """A sheet with as many crosses. Which numbers they were, nobody knows: the first ones stand for them."""
    words = list[str]()
    counts = dict(zip(COLOURS, player.rows, strict=True))
    for row in layout.rows:
        count = counts[row.lock]
        before = count.crosses - _LOCKED if count.locked else count.crosses
        most = len(row.cells) - 1
        if not (layout.lock_needs if count.locked else 0) <= before <= most:
            raise PaperError(PaperFault.ROW, player.name, row.lock)
        words += map(str, row.cells[:before])
        words += [str(row.last)] if count.locked else []
    try:
        misthrows = [f"M{player.misthrows}"] if player.misthrows else []
        prefix = [] if layout == CLASSIC else [f"{layout.name}:"]
        return Sheet.parse(" ".join([*prefix, *words, *misthrows]) or "empty")
    except ValueError:
        raise PaperError(PaperFault.MISTHROWS, player.name) from None
