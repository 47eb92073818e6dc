"""The evening that the demo shows: who sits there, how far their sheets are, which throws come. No pace."""

from companion.game import Setup, SheetCorrected
from companion.rules import Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, What

PLAYERS = (("Anna", Mark.CIRCLE), ("Max", Mark.STAR), ("Laura", Mark.DIAMOND))
VISITOR = 0  # whose phone is shown
# A whole game takes half an hour; the visitor joins when rows are about to be closed.
SHEETS = (
    "R2 R3 R5 R6 R8 Y2 Y4 Y5 Y6 G12 G11 G8 G7 B12 B10 B9 M1",
    "R3 R4 R7 Y3 Y4 Y6 Y8 Y9 G11 G10 G9 B11 B10 B8 B7 B6 M1",
    "R2 R4 R5 Y2 Y3 G12 G10 G9 G7 G6 G5 B12 B11 B9 B8",
)
# The throws follow from it: a row is closed early, and the game ends soon after. Should the simulated table
# ever throw otherwise, `python -m tests.evenings` finds another.
SEED = 53
MOST_ROLLS = 14  # whatever the dice say, the show ends


def opening() -> tuple[What, ...]:
    """The events that set the table."""
    names = tuple(name for name, _ in PLAYERS)
    return (
        *(SeatTaken(name, mark, name) for name, mark in PLAYERS),  # each has a phone, as in the story
        GameStarted(Setup(names)),
        *(SheetCorrected(seat, seat, Sheet.parse(text)) for seat, text in enumerate(SHEETS)),
    )
