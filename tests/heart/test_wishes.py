"""What a phone may want, and the words in which it is refused."""

from pathlib import Path

import pytest

from boxlid.fields import FieldsError
from companion.game import (
    Crossed,
    Done,
    Edition,
    HouseRules,
    Leaning,
    LocksTakeEffect,
    Rolled,
    Setup,
    SheetCorrected,
    Source,
)
from companion.journal.journal import Journal
from companion.rules import Cell, NotationError, RuleError, Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from companion.view import WISHES, Asker, MoveOn, WishError, read_wish, refusal_view
from tests.viewing import CLOSING, FIRST_ROLL, NAMES, playing, read, seen


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return playing(tmp_path, FIRST_ROLL).snapshot


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ([], "bad-request"),
        ({}, "bad-request"),
        ({"do": "fly", "seat": 0}, "bad-request"),
        ({"do": "done", "seat": 0.5}, "bad-request"),
        ({"do": "done", "seat": 1}, "no-seat"),
        ({"do": "done", "seat": True}, "bad-request"),
        ({"do": "cross", "seat": 0}, "bad-request"),
        ({"do": "cross", "seat": 0, "cell": "R7", "action": 3}, "bad-request"),
        ({"do": "reopen", "seat": 0, "back": 10**9}, "bad-request"),
        ({"do": "start", "seat": 0, "games": 6}, "bad-request"),
        ({"do": "start", "seat": 0, "edition": "huge"}, "bad-request"),
        ({"do": "start", "seat": 0, "board": "printed"}, "rule"),
        ({"do": "done", "seat": 0, "id": ""}, "bad-request"),
        ({"do": "done", "seat": 0, "id": 5}, "bad-request"),
        ({"do": "done", "seat": 0, "moment": 5}, "bad-request"),
        ({"do": "order", "seat": 0, "order": [True]}, "bad-request"),
    ],
)
def test_a_wish_that_cannot_be_read_is_refused_by_kind(data: object, kind: str, snapshot: Snapshot) -> None:
    with pytest.raises((WishError, FieldsError)) as caught:
        read_wish(data, snapshot, Asker(frozenset({0})))
    assert isinstance(caught.value, WishError | FieldsError)
    assert refusal_view(caught.value).kind == kind


def test_a_new_game_has_the_house_rules_of_the_settings_unless_the_lobby_says_otherwise(
    tmp_path: Path,
) -> None:
    house = HouseRules(
        LocksTakeEffect.END_OF_TURN,
        scores_hidden=True,
        pass_by_itself=False,
        patience=45,
        leaning=Leaning.ROLLED_AGAIN,
    )
    table = Table(Journal(tmp_path))
    table.play(Command(SeatTaken("Anna", Mark.STAR, "anna")))

    def started(**said: object) -> HouseRules:
        wish = read_wish({"do": "start", **said}, table.snapshot, Asker(frozenset({0})), house=house)
        assert isinstance(wish, Command)
        assert isinstance(wish.what, GameStarted)
        return wish.what.setup.house

    assert started() == house
    other = started(
        locks="at-once", scores_hidden=False, pass_by_itself=True, patience=0, leaning="as-it-lies"
    )
    assert other == HouseRules()


def test_a_display_begins_games_but_plays_for_nobody(snapshot: Snapshot) -> None:
    display = Asker(frozenset(), display=True)
    assert isinstance(read_wish({"do": "again"}, snapshot, display), Command)
    for do in set(WISHES.of) - {"start", "again", "clear", "order", "leave", "free", "seat-program"}:
        with pytest.raises(WishError):
            read_wish({"do": do}, snapshot, display)


def test_playing_for_another_seat_is_said_openly(snapshot: Snapshot) -> None:
    found = read_wish({"do": "done", "seat": 0, "owner": 1}, snapshot, Asker(frozenset({0})))
    assert isinstance(found, Command)
    assert found.helping
    assert found.what == Done(1)


def test_a_phone_with_one_seat_need_not_name_it(snapshot: Snapshot) -> None:
    alone = read_wish({"do": "done"}, snapshot, Asker(frozenset({1})))
    assert isinstance(alone, Command)
    assert (alone.seat, alone.what) == (1, Done(1))
    with pytest.raises(WishError) as caught:
        read_wish({"do": "done"}, snapshot, Asker(frozenset({0, 1})))
    assert caught.value.kind == "no-seat"


def test_moving_on_is_asked_of_the_table(snapshot: Snapshot) -> None:
    assert read_wish({"do": "move-on", "seat": 0}, snapshot, Asker(frozenset({0}))) == MoveOn(0)


def test_a_virtual_roll_has_exactly_the_dice_in_play(tmp_path: Path) -> None:
    table = playing(tmp_path, CLOSING)
    for _ in range(20):
        what = read(table, {"do": "roll-virtual", "seat": 0})
        assert isinstance(what, Rolled)
        assert what.source is Source.VIRTUAL
        assert what.roll.colours == {"red", "yellow", "green", "blue"}


@pytest.mark.parametrize(("more", "drawn"), [({}, True), ({"first": 0}, False)])
def test_the_lot_is_shown_when_nobody_was_named_to_begin(
    tmp_path: Path, more: dict[str, int], drawn: bool
) -> None:
    table = Table(Journal(tmp_path))
    for name, mark in zip(NAMES, Mark, strict=False):
        table.play(Command(SeatTaken(name, mark, name.lower())))
    wish = read_wish({"do": "start", "seat": 0, **more}, table.snapshot, Asker(frozenset({0})))
    assert isinstance(wish, Command)
    table.play(wish)
    game = seen(table).game
    assert game is not None
    assert game.drawing is drawn


def test_again_passes_the_start_on_and_a_series_goes_on(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path))
    for name, mark in zip(NAMES, Mark, strict=False):
        table.play(Command(SeatTaken(name, mark, name.lower())))
    for _ in range(2):
        do = "again" if table.snapshot.game else "start"
        more = {} if table.snapshot.game else {"games": 2, "first": 0}
        table.play(Command(read(table, {"do": do, "seat": 0, **more})))
        full = Sheet.parse("R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12")
        table.play(Command(SheetCorrected(0, 0, full)))
    snapshot = table.snapshot
    assert snapshot.game is not None
    assert snapshot.game.setup.first == 1
    assert snapshot.series is not None
    assert snapshot.series.over


def test_a_refusal_of_the_rules_has_its_own_kind_and_number() -> None:
    with pytest.raises(RuleError) as caught:
        Setup(("Anna", "Ben", "Cem", "Dora", "Emil"), edition=Edition.DELUXE)
    refusal = refusal_view(caught.value)
    assert (refusal.kind, refusal.number) == ("too-many-players", 4)
    plain = refusal_view(RuleError("all seats are taken"))
    assert (plain.kind, plain.number) == ("rule", None)
    assert refusal_view(NotationError("no cell")).kind == "rule"


def test_refusals_have_a_kind_and_a_cells_reason(snapshot: Snapshot) -> None:
    with pytest.raises(RuleError) as caught:
        snapshot.after(Crossed(0, Cell.parse("R12")), 99)
    refusal = refusal_view(caught.value)
    assert refusal.kind == "illegal-cross"
    assert refusal.why is not None
    assert refusal.why.kind == "needs-crosses"
