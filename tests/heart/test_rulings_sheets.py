"""Ruling R15 on sheets put right inside a turn: what lay before changes, what the turn settled stays."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.boards import house_board
from companion.game import (
    DiceCorrected,
    EndedBy,
    Event,
    Game,
    Phase,
    Reopened,
    Rolled,
    Setup,
    SheetCorrected,
)
from companion.rules import Cell, Colour, Roll, RuleError, Sheet
from tests.playing import (
    AUTO,
    CLOSED_GREEN,
    FIVE_GREEN,
    FIVE_RED,
    choose,
    cross,
    done,
    play,
    roll,
    seated,
    second,
    sheets,
)
from tests.random_games import any_setup, next_events


def moments(seed: int) -> list[Game]:
    """Every position of a random game: all phases, sheets, house rules and editions come up."""
    rng = random.Random(seed)
    game = Game.begin(any_setup(rng))
    found = [game]
    while game.phase is not Phase.OVER:
        for event in next_events(game, rng, eager=0.8):
            game = game.apply(event)
            found.append(game)
    return found[:-1]


def plain(game: Game) -> Game:
    """Without what may be taken back with one tap: a correction ends that."""
    return replace(game, newest=None, until=None)


def put_right(game: Game, owner: int, sheet: Sheet) -> Game:
    return game.apply(SheetCorrected(0, owner, sheet))


@given(st.integers(0, 100_000))
@settings(max_examples=25)
def test_r15_a_sheet_saved_unchanged_changes_nothing_for_anybody_in_any_phase(seed: int) -> None:
    for game in moments(seed):
        for owner in range(game.players):
            assert put_right(game, owner, game.sheets[owner]) == game


@given(st.integers(0, 100_000))
@settings(max_examples=25)
def test_r15_a_sheet_changed_and_changed_back_leaves_the_turn_as_it_was(seed: int) -> None:
    for game in moments(seed):
        for owner, sheet in enumerate(game.sheets):
            if sheet.misthrows < 3:
                marked = put_right(game, owner, sheet.mark_misthrow())
                assert marked.sheets[owner] == sheet.mark_misthrow()
                assert (marked.phase, marked.deciding) == (game.phase, game.deciding)
                assert plain(put_right(marked, owner, sheet)) == plain(game)


@given(st.integers(0, 100_000), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_r15_what_a_turn_settled_stays_or_is_shown_to_its_owner(seed: int, rng: random.Random) -> None:
    for game in moments(seed):
        before, owner = game.before, rng.randrange(game.players)
        sheet = another(game.sheets[owner], rng)
        if before is None or game.phase is Phase.ROLL or sheet is None:
            continue
        if sheet.without(set(game.sheets[owner].cells) - set(before.sheets[owner].cells)) is None:
            with pytest.raises(RuleError, match="nobody could have had the sheet"):
                put_right(game, owner, sheet)
            continue
        after = put_right(game, owner, sheet)
        if after.phase is Phase.OVER:
            continue
        assert after.turn is not None
        lost = {(seat, cell) for seat, cell in after.turn.lost}
        for seat in range(game.players):
            made = set(game.sheets[seat].cells) - set(before.sheets[seat].cells)
            kept = {*after.sheets[seat].cells, after.turn.choices[seat], after.turn.second}
            assert all(cell in kept or (seat, cell) in lost for cell in made)
            if seat != owner and not lost and after.phase is game.phase:
                assert after.sheets[seat] == game.sheets[seat]


def another(sheet: Sheet, rng: random.Random) -> Sheet | None:
    """The sheet with one cross more or less; None if that is none."""
    cells = {*sheet.cells} ^ {rng.choice([cell for row in sheet.layout.rows for cell in row.cells])}
    prefix = "" if sheet.layout.name == "classic" else f"{sheet.layout.name}: "
    try:
        return Sheet.parse(f"{prefix}{' '.join(map(str, cells)) or 'empty'}")
    except RuleError:
        return None


# --- one by one ------------------------------------------------------------------------------------------


def test_r15_in_action_2_everybodys_crosses_of_action_1_stay_and_nobody_decides_again() -> None:
    game = choose(roll(seated("R2", "Y3"), (3, 4), red=5), "R7", "B7")
    again = put_right(game, 0, Sheet.parse("R2 R5 R7 G12"))
    assert sheets(again) == ("R2 R5 R7 G12", "Y3 B7")
    assert (again.phase, again.deciding, again.passing_is_misthrow) == (Phase.SECOND, (0,), False)
    assert again.turn is not None
    assert again.turn.lost == ()


def test_r15_a_cross_of_the_turn_left_out_of_the_corrected_sheet_stays_all_the_same() -> None:
    game = choose(roll(seated("R2", "Y3"), (3, 4), red=5), "R7", "B7")
    assert sheets(put_right(game, 1, Sheet.parse("Y3 Y4"))) == ("R2 R7", "Y3 Y4 B7")


def test_r15_in_action_3_the_crosses_of_both_actions_and_the_chosen_space_stay() -> None:
    start = seated("R2", "Y3", board=house_board().front, pieces=(0, 0))
    game = second(choose(roll(start, (3, 4), red=5), "R7", "B7"), "R8")
    again = put_right(game, 0, Sheet.parse("R2 R7 R8 Y2"))
    assert (again.phase, sheets(again)) == (Phase.THIRD, ("R2 R7 R8 Y2", "Y3 B7"))
    lost = put_right(game, 0, Sheet.parse("R7 R8 R11"))
    assert lost.phase is Phase.FIRST
    assert lost.turn is not None
    assert lost.turn.lost == ((0, Cell.parse("R7")), (0, Cell.parse("R8")))


def test_r15_a_cross_of_action_2_that_does_not_fit_any_more_is_chosen_again_in_action_2() -> None:
    start = seated("R2", "Y3", board=house_board().front, pieces=(0, 0))
    game = second(choose(roll(start, (3, 4), blue=5), "R7", "B7"), "B9")
    again = put_right(game, 0, Sheet.parse("R2 R7 B9 B8"))
    assert (again.phase, sheets(again)) == (Phase.SECOND, ("R2 R7 B8", "Y3 B7"))
    assert again.turn is not None
    assert again.turn.lost == ((0, Cell.parse("B9")),)


def test_r15_who_could_cross_nothing_is_asked_once_the_corrected_sheet_lets_them() -> None:
    start = roll(seated("empty", "R8 Y8 G6 B6", house=AUTO), (3, 4))
    assert start.deciding == (0,)  # Max passed by himself
    assert put_right(start, 1, Sheet.parse("R8 Y8 G6")).deciding == (0, 1)
    assert done(put_right(start, 1, Sheet.parse("R8 Y8 G6")), 0).phase is Phase.FIRST
    passed = done(roll(seated("empty", "empty"), (3, 4)), 1)
    assert put_right(passed, 1, Sheet.parse("R2")).deciding == (0,)  # Max said so himself


def test_r15_a_row_closed_by_a_correction_takes_its_die_out_of_the_turn_that_goes_on() -> None:
    game = cross(choose(roll(seated("empty", FIVE_GREEN), (3, 4), green=2), "R7", "B7"), 0, "G6", 2)
    again = put_right(game, 1, Sheet.parse(f"{CLOSED_GREEN} B7"))
    assert (again.phase, sheets(again)) == (Phase.SECOND, ("R7", f"{CLOSED_GREEN} B7"))
    assert again.closed == {Colour.GREEN}
    assert again.turn is not None
    assert again.turn.lost == ((0, Cell.parse("G6")),)
    assert not [cell for cell in again.legal_second() if cell.colour is Colour.GREEN]
    back = put_right(again, 1, Sheet.parse(f"{FIVE_GREEN} B7"))
    assert (back.phase, back.closed) == (Phase.SECOND, frozenset())


def test_r15_a_row_opened_by_a_correction_is_without_its_die_until_the_next_roll() -> None:
    game = choose(roll(seated("empty", CLOSED_GREEN), (3, 4)), "R7", "B7")
    again = put_right(game, 1, Sheet.parse(f"{FIVE_GREEN} B7"))
    assert (again.phase, sheets(again)) == (Phase.SECOND, ("R7", f"{FIVE_GREEN} B7"))
    corrected = play(again, DiceCorrected(0, Roll.parse("W3 W4 R2 Y1 B1")))
    assert corrected.phase is Phase.SECOND
    assert Colour.GREEN in second(corrected, None).dice_in_play


def test_r15_a_sheet_that_nobody_could_have_had_before_the_turn_is_refused() -> None:
    game = choose(roll(seated("R2 R3 R4 R5", "empty"), (3, 4)), "R7", None)
    with pytest.raises(RuleError, match="without this turn's crosses, nobody could have had the sheet"):
        put_right(game, 0, Sheet.parse("R2 R3 R4 R5 R7 R12"))


def test_r15_a_correction_that_ends_the_game_in_a_turn_can_be_gone_back_on() -> None:
    game = choose(roll(seated("R2", "empty"), (3, 4)), "R7", "B7")
    two = put_right(game, 1, Sheet.parse(f"{FIVE_RED} R12 {CLOSED_GREEN} B7"))
    assert (two.phase, two.ended_by) == (Phase.OVER, EndedBy.LOCKS)
    four = put_right(game, 1, Sheet.parse("B7 M4"))
    assert (four.phase, four.ended_by) == (Phase.OVER, EndedBy.PENALTIES)
    back = play(four, Reopened(0))
    assert (back.phase, sheets(back)) == (Phase.FIRST, ("R2", "empty"))


# --- between turns ---------------------------------------------------------------------------------------


def test_r15_between_turns_the_sheet_is_just_as_it_is_said() -> None:
    ended = second(choose(roll(seated("R2", "Y3"), (3, 4), red=5), "R7", "B7"), "R8")
    again = put_right(ended, 0, Sheet.parse("R2 R7"))  # R8 was never crossed
    assert sheets(again) == ("R2 R7", "Y3 B7")
    assert (again.phase, again.active, again.number) == (Phase.ROLL, 1, 2)
    mine = put_right(ended, 1, Sheet.parse("Y3 Y4"))
    assert sheets(mine) == ("R2 R7 R8", "Y3 Y4")
    assert mine.turn is not None
    assert mine.turn.choices == (Cell.parse("R7"), None)


def test_r15_dice_corrected_after_a_sheet_was_leave_the_corrected_sheet() -> None:
    ended = second(choose(roll(seated("R2", "Y3"), (3, 4), red=5), "R7", None), "R8")
    game = put_right(ended, 0, Sheet.parse("R2 R7 G12 M1"))
    again = play(game, DiceCorrected(1, Roll.parse("W3 W4 R2 Y1 G1 B1")))
    assert (again.phase, sheets(again)) == (Phase.SECOND, ("R2 R7 G12 M1", "Y3"))
    assert sheets(play(game, Reopened(0))) == ("R2 G12 M1", "Y3")


def test_r15_going_back_over_a_sheet_that_could_not_be_before_finds_the_old_one() -> None:
    ended = second(choose(roll(seated("R2 R3 R4 R5", "Y3"), (6, 3), red=6), "R9", None), None)
    closed = put_right(ended, 0, Sheet.parse("R2 R3 R4 R5 R9 R12"))
    assert closed.closed == {Colour.RED}
    assert sheets(play(closed, Reopened(0))) == ("R2 R3 R4 R5", "Y3")
    over = put_right(ended, 0, Sheet.parse("M4"))
    assert over.ended_by is EndedBy.PENALTIES
    nearly = put_right(
        second(choose(roll(seated("empty", "Y3"), (6, 3)), None, None), None), 0, Sheet.parse("M2")
    )
    assert sheets(play(nearly, Reopened(0)))[0] == "M1"


def test_r15_before_the_first_roll_a_sheet_is_just_as_it_is_said() -> None:
    assert sheets(put_right(seated("R2", "Y3"), 1, Sheet.parse("M1"))) == ("R2", "M1")


def test_r15_a_game_of_the_first_rules_is_corrected_as_it_was() -> None:
    """Journals of before are played again to where they came."""
    first = Setup.parse(str(Setup(("Anna", "Max"))).replace(", rules 2", ""))
    rolled = Rolled(Roll.parse("W3 W4 R5 Y1 G1 B1"))
    events: list[Event] = [rolled]
    game = choose(play(replace(Game.begin(first)), *events), "R7", "B7")
    assert game.phase is Phase.SECOND
    again = put_right(game, 0, Sheet.parse("R7"))
    assert again.phase is Phase.FIRST  # one more cross for the same sum, as it was then
    assert again.turn is not None
    assert again.turn.lost == ((0, Cell.parse("R7")),)
    closed = put_right(game, 1, Sheet.parse(CLOSED_GREEN))
    assert (closed.phase, closed.turn) == (Phase.ROLL, None)
    between = put_right(second(game, None), 0, Sheet.parse("R7"))
    assert (between.phase, between.turn) == (Phase.ROLL, None)
