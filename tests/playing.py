"""Short words for tests that play: a game from sheets, a roll, crosses and passes by their notation."""

from dataclasses import replace

from companion.game import (
    Crossed,
    Done,
    Edition,
    Event,
    Game,
    HouseRules,
    LocksTakeEffect,
    Moved,
    Rolled,
    Setup,
)
from companion.rules import COLOURS, Cell, Colour, Roll, Sheet, Side

NAMES = ("Anna", "Max", "Laura", "Linus", "Emma")
BY_HAND = HouseRules(pass_by_itself=False)


def seated(
    *sheets: str,
    active: int = 0,
    house: HouseRules = BY_HAND,
    board: Side | None = None,
    pieces: tuple[int, ...] | None = None,
) -> Game:
    """A game waiting for its roll, with these sheets; rows somebody closed are closed."""
    edition = Edition.ON_BOARD if board else Edition.ORIGINAL
    setup = Setup(NAMES[: len(sheets)], active, edition, board=board, house=house)
    parsed = tuple(Sheet.parse(sheet) for sheet in sheets)
    closed = frozenset[Colour]().union(*[sheet.locks for sheet in parsed])
    game = Game.begin(setup)
    return replace(game, sheets=parsed, closed=closed, pieces=game.pieces if pieces is None else pieces)


def roll(game: Game, white: tuple[int, int], **coloured: int) -> Game:
    """The game with that roll; coloured dice in play that are not named show a 1."""
    dice = [(colour, coloured.get(colour.value, 1)) for colour in COLOURS if colour in game.dice_in_play]
    return game.apply(Rolled(Roll(white, tuple(dice))))


def cross(game: Game, seat: int, cell: str, action: int = 1) -> Game:
    return game.apply(Crossed(seat, Cell.parse(cell), action))


def done(game: Game, *seats: int) -> Game:
    for seat in seats:
        game = game.apply(Done(seat))
    return game


def choose(game: Game, *cells: str | None) -> Game:
    """Action 1 of everybody: a cell or None for each seat, then all are done."""
    for seat, cell in enumerate(cells):
        if cell is not None:
            game = cross(game, seat, cell)
    return done(game, *game.deciding)


def second(game: Game, cell: str | None) -> Game:
    """Action 2 of the active player, done."""
    seat = game.active
    if cell is not None:
        game = cross(game, seat, cell, 2)
    return done(game, seat)


def third(game: Game, space: int | None) -> Game:
    """Action 3 of the active player, done."""
    seat = game.active
    if space is not None:
        game = game.apply(Moved(seat, space))
    return done(game, seat)


def play(game: Game, *events: Event) -> Game:
    for event in events:
        game = game.apply(event)
    return game


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(Cell.parse(word) for word in text.split())


def sheets(game: Game) -> tuple[str, ...]:
    return tuple(str(sheet) for sheet in game.sheets)


FIVE_RED, FIVE_YELLOW, FIVE_GREEN = "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5 Y6", "G12 G11 G10 G9 G8"
CLOSED_GREEN = f"{FIVE_GREEN} G2"
AUTO = HouseRules()
LATE_LOCKS = HouseRules(locks_take_effect=LocksTakeEffect.END_OF_TURN, pass_by_itself=False)
