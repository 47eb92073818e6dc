"""The snapshot: which event may follow which, the series beside the games, and the lines of the journal."""

from collections.abc import Sequence

import pytest

from companion.game import EndedBy, Event, Game, Phase, Setup, SheetCorrected, parse_event
from companion.rules import NotationError, RuleError
from companion.table.seats import Mark, SeatHeld, SeatLeft, SeatsOrdered, SeatTaken
from companion.table.snapshot import (
    GameStarted,
    Imported,
    Snapshot,
    TableCleared,
    What,
    begins_series,
    is_imported,
    parse_line,
    write_line,
)
from tests.tabling import BY_HAND, ROLL

NAMES = ("Anna", "Ben")
SETUP = Setup(NAMES, house=BY_HAND)
# Anna throws four misthrows, Ben three in between.
LOSING = [f"{ROLL}|0 done|1 done|0 done", f"{ROLL}|0 done|1 done|1 done"] * 4
ENDING = "|".join(LOSING[:-1]).split("|")


def after(*happened: What, snapshot: Snapshot | None = None) -> Snapshot:
    snapshot = snapshot or Snapshot()
    for what in happened:
        snapshot = snapshot.after(what, snapshot.version + 1)
    return snapshot


def events(lines: Sequence[str] = ENDING) -> list[Event]:
    return [parse_event(line) for line in lines]


LOBBY = after(SeatTaken("Anna", Mark.STAR, "a"), SeatTaken("Ben", Mark.CIRCLE, "b"))


def game_of(snapshot: Snapshot) -> Game:
    assert snapshot.game is not None
    return snapshot.game


def test_a_game_begins_for_those_on_the_seats_and_is_named_by_its_entry() -> None:
    started = LOBBY.after(GameStarted(SETUP), 17)
    assert game_of(started) == Game.begin(SETUP)
    assert (started.game_id, started.version, started.series) == (17, LOBBY.version + 1, None)


@pytest.mark.parametrize("players", [("Ben", "Anna"), ("Anna",), ("Anna", "Ben", "Cleo")])
def test_a_game_for_others_than_those_on_the_seats_is_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match="the players are those on the seats: Anna, Ben"):
        after(GameStarted(Setup(players)), snapshot=LOBBY)


def test_a_game_needs_somebody_on_the_seats() -> None:
    with pytest.raises(RuleError, match="those on the seats: nobody"):
        after(GameStarted(SETUP))


def test_a_game_under_way_is_neither_replaced_nor_cleared() -> None:
    playing = after(GameStarted(SETUP), snapshot=LOBBY)
    with pytest.raises(RuleError, match="stop it before starting another"):
        after(GameStarted(SETUP), snapshot=playing)
    with pytest.raises(RuleError, match="stop it before clearing the table"):
        after(TableCleared(), snapshot=playing)


def test_a_finished_game_stays_until_it_is_cleared_or_another_begins() -> None:
    over = after(GameStarted(SETUP), *events(), snapshot=LOBBY)
    assert game_of(over).ended_by is EndedBy.PENALTIES
    cleared = after(TableCleared(), snapshot=over)
    assert (cleared.game, cleared.game_id, cleared.moment) == (None, None, "lobby")
    assert game_of(after(GameStarted(SETUP), snapshot=over)).phase is Phase.ROLL


def test_without_a_game_nothing_is_played() -> None:
    with pytest.raises(RuleError, match="no game is being played"):
        after(parse_event(ROLL), snapshot=LOBBY)


def test_a_sheet_corrected_to_what_it_is_changes_nothing_and_is_no_correction() -> None:
    playing = after(GameStarted(SETUP), snapshot=LOBBY)
    same = after(SheetCorrected(0, 1, game_of(playing).sheets[1]), snapshot=playing)
    assert same.game is playing.game
    assert same.corrected is None


def test_who_comes_while_a_game_is_played_waits_and_sits_down_once_the_table_is_cleared() -> None:
    playing = after(GameStarted(SETUP), SeatTaken("Cleo", Mark.SQUARE, None), snapshot=LOBBY)
    assert ([seat.name for seat in playing.waiting], playing.seats) == (["Cleo"], LOBBY.seats)
    assert after(SeatLeft(len(LOBBY.seats)), snapshot=playing).waiting == ()
    assert after(SeatHeld(len(LOBBY.seats), "new"), snapshot=playing).waiting[0].holder == "new"
    cleared = after(*events(), TableCleared(), snapshot=playing)
    assert ([seat.name for seat in cleared.seats][-1], cleared.waiting) == ("Cleo", ())


@pytest.mark.parametrize("what", [SeatLeft(0), SeatsOrdered((1, 0))])
def test_seats_change_in_the_lobby_only_but_phones_may_always_change(what: What) -> None:
    assert after(what, snapshot=LOBBY).seats != LOBBY.seats
    playing = after(GameStarted(SETUP), snapshot=LOBBY)
    with pytest.raises(RuleError, match="seats change in the lobby"):
        after(what, snapshot=playing)
    assert after(SeatHeld(0, None), snapshot=playing).seats[0].holder is None


# --- series --------------------------------------------------------------------------------------------


def test_a_series_notes_each_game_at_its_end_and_goes_on() -> None:
    first = after(GameStarted(SETUP, 2, 1), *events(), snapshot=LOBBY)
    assert first.series is not None
    assert first.series.results == ((-20, -15),)
    second = after(TableCleared(), GameStarted(SETUP, 2, 2), *events(), snapshot=first)
    assert second.series is not None
    assert second.series.over


def test_a_stopped_game_does_not_count_and_is_played_again() -> None:
    stopped = after(GameStarted(SETUP, 2, 1), parse_event("0 stops"), snapshot=LOBBY)
    assert stopped.series is not None
    assert stopped.series.results == ()
    with pytest.raises(RuleError, match="game 1 of the series comes next, got 2"):
        after(GameStarted(SETUP, 2, 2), snapshot=stopped)


def test_the_result_of_a_game_that_is_opened_again_is_taken_back() -> None:
    over = after(GameStarted(SETUP, 2, 1), *events(), snapshot=LOBBY)
    reopened = after(parse_event("0 reopens 0"), snapshot=over)
    assert reopened.series is not None
    assert reopened.series.results == ()


@pytest.mark.parametrize(
    ("start", "refusal"),
    [
        (GameStarted(SETUP, 6, 1), "a series has 1 to 5 games, got game 1 of 6"),
        (GameStarted(SETUP, 2, 3), "got game 3 of 2"),
        (GameStarted(SETUP, 2, 0), "got game 0 of 2"),
        (GameStarted(SETUP, 2, 2), "no series of 2 games by Anna, Ben goes on here"),
    ],
)
def test_a_series_that_cannot_be_is_refused(start: GameStarted, refusal: str) -> None:
    with pytest.raises(RuleError, match=refusal):
        after(start, snapshot=LOBBY)


def test_a_series_of_others_or_of_another_length_does_not_go_on() -> None:
    over = after(GameStarted(SETUP, 3, 1), *events(), TableCleared(), snapshot=LOBBY)
    with pytest.raises(RuleError, match="no series of 2 games"):
        after(GameStarted(SETUP, 2, 2), snapshot=over)
    swapped = after(SeatsOrdered((1, 0)), snapshot=over)
    with pytest.raises(RuleError, match="no series of 3 games by Ben, Anna"):
        after(GameStarted(Setup(("Ben", "Anna")), 3, 2), snapshot=swapped)


def test_a_single_game_ends_the_series_before_it() -> None:
    over = after(GameStarted(SETUP, 3, 1), *events(), snapshot=LOBBY)
    assert after(GameStarted(SETUP), snapshot=over).series is None


# --- moments -------------------------------------------------------------------------------------------


def test_the_moment_changes_with_game_turn_phase_and_dice_but_not_with_choices() -> None:
    seen = [after(GameStarted(SETUP), snapshot=LOBBY)]
    for line in (ROLL, "0 done", "1 done", "0 done", ROLL):
        seen.append(after(parse_event(line), snapshot=seen[-1]))
    moments = [snapshot.moment for snapshot in seen]
    assert moments[1] == moments[2]  # Anna is done: nothing of Ben's has changed
    assert len(set(moments)) == 5


# --- lines ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    [
        GameStarted(SETUP),
        GameStarted(Setup(("Zoë  the 1st", 'Say "hi", 2'), 1), 5, 4),
        TableCleared(),
        SeatTaken("Anna B.", Mark.STAR, "abc"),
        SeatHeld(0, None),
        SeatLeft(2),
        SeatsOrdered((1, 0)),
        *events(ENDING[:3]),
    ],
)
def test_what_happened_survives_its_line(what: What) -> None:
    assert parse_line(write_line(what)) == what
    assert not is_imported(write_line(what))


@pytest.mark.parametrize(
    "line", [f"game started x 1 {SETUP}", f"game started 1 ² {SETUP}", "game over", "0 sings"]
)
def test_a_line_that_says_nothing_known_is_named(line: str) -> None:
    with pytest.raises(NotationError):
        parse_line(line)


def test_a_single_game_and_the_first_of_a_series_begin_anew() -> None:
    assert begins_series(write_line(GameStarted(SETUP)))
    assert begins_series(write_line(GameStarted(SETUP, 5, 1)))
    assert not begins_series(write_line(GameStarted(SETUP, 5, 2)))
    assert not begins_series("table cleared")


def test_an_imported_game_survives_its_line_and_is_none_of_the_tables() -> None:
    imported = Imported(SETUP, 1234567890.123)
    assert is_imported(str(imported))
    assert Imported.parse(str(imported)) == imported
    with pytest.raises(NotationError):
        parse_line(str(imported))
    for broken in ("game imported yesterday " + str(SETUP), "game imported 5.0 nobody"):
        with pytest.raises(NotationError, match="game imported"):
            Imported.parse(broken)
