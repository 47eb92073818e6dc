"""What a correction changed, as those are told who see it."""

from companion.boards import house_board
from companion.game import (
    Change,
    Changed,
    DiceCorrected,
    Event,
    Game,
    PieceCorrected,
    Reopened,
    SheetCorrected,
)
from companion.game import changes as changes_of
from companion.rules import Roll, Sheet
from tests.playing import choose, roll, seated


def told(game: Game, event: Event) -> tuple[Change, ...]:
    return changes_of(event, game, game.apply(event))


def test_a_corrected_die_is_told_with_what_it_was_and_is() -> None:
    game = roll(seated("empty"), (4, 2), red=3)
    assert told(game, DiceCorrected(0, Roll.parse("W2 W1 R3 Y1 G1 B1"))) == (
        Change(Changed.DIE, "4", "1", "white"),
    )
    both = told(game, DiceCorrected(0, Roll.parse("W2 W4 R5 Y1 G1 B6")))
    assert both == (Change(Changed.DIE, "3", "5", "red"), Change(Changed.DIE, "1", "6", "blue"))


def test_a_corrected_sheet_is_told_with_crosses_and_misthrows() -> None:
    game = seated("R2 R5", "empty")
    assert told(game, SheetCorrected(1, 0, Sheet.parse("R2 G12 M1"))) == (
        Change(Changed.CROSS, "R5", None),
        Change(Changed.CROSS, None, "G12"),
        Change(Changed.MISTHROWS, "0", "1"),
    )


def test_a_corrected_piece_is_told_with_the_cells_it_stood_and_stands_on() -> None:
    side = house_board().front
    game = seated("empty", board=side, pieces=(5,))
    (change,) = told(game, PieceCorrected(0, 0, 9))
    assert change == Change(Changed.PIECE, str(side.cell(5)), str(side.cell(9)))
    assert told(game, PieceCorrected(0, 0, 0))[0].after is None
    assert told(game, PieceCorrected(0, 0, 5)) == ()


def test_going_back_to_a_turn_changes_no_die_and_no_sheet_by_itself() -> None:
    assert told(choose(roll(seated("empty"), (4, 2)), None), Reopened(0)) == ()
