"""Who comes late, who is not there, and who is in the next game, over HTTP."""

from pathlib import Path

from flask.testing import FlaskClient

from companion.game import Edition, Phase, Setup
from companion.table.seats import Mark, SeatHeld, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from tests.games import event
from tests.web_table import CODE, TOKENS, Stand, post, stand, wish
from web.access.identity import hash_of
from web.access.phones_away import AWAY_SECONDS


def names(snapshot: Snapshot) -> tuple[str, ...]:
    assert snapshot.game is not None
    return snapshot.game.setup.players


def late(here: Stand, name: str = "Zoe") -> FlaskClient:
    """A phone that joins while a game is played."""
    phone = here.phone()
    assert post(phone, "/api/seats", {"name": name, "mark": "", "code": CODE}).status_code == 201
    return phone


def test_who_comes_late_watches_and_plays_in_the_next_game(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    zoe = late(here)
    shown = zoe.get("/api/view").get_json()["view"]
    assert [(seat["name"], seat["mine"]) for seat in shown["waiting"]] == [("Zoe", True)]
    assert (len(shown["seats"]), shown["own"]) == (2, [])
    assert shown["game"]["players"][0]["name"] == "Anna"
    assert zoe.get("/phone").status_code == 200
    assert wish(zoe, "cross", cell="R7").status_code == 409  # no player yet
    here.play(event("0 stops"))
    assert wish(here.phone(0), "again").status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Ben", "Zoe")
    assert zoe.get("/api/view").get_json()["view"]["own"][0]["seat"] == 2


def test_again_where_the_edition_has_no_room_for_who_waits_leaves_them_watching(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(4, edition=Edition.DELUXE)
    zoe = late(here)
    here.play(event("0 stops"))
    assert wish(here.phone(0), "again").status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Ben", "Cem", "Dora")
    assert here.table.snapshot.game is not None
    assert here.table.snapshot.game.phase is Phase.ROLL
    shown = zoe.get("/api/view").get_json()["view"]
    assert [(seat["name"], seat["mine"]) for seat in shown["waiting"]] == [("Zoe", True)]


def test_a_place_in_the_next_game_is_given_up_again_and_waits_in_the_lobby_too(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    zoe = late(here)
    late(here, "Yan")
    assert post(here.phone(), "/api/seats", {"name": "zoe", "mark": "", "code": CODE}).status_code == 409
    assert wish(zoe, "leave").status_code == 200
    assert [seat.name for seat in here.table.snapshot.waiting] == ["Yan"]
    assert wish(here.phone(0), "leave").get_json()["error"] == "playing"  # of the game that is played
    here.play(event("0 stops"))
    assert wish(here.phone(0), "clear").status_code == 200
    assert [seat.name for seat in here.table.snapshot.seats] == ["Anna", "Ben", "Yan"]


def test_a_seat_without_a_phone_is_started_only_if_somebody_says_so(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(3)
    here.play(SeatHeld(1, None))
    shown = here.phone(0).get("/api/view").get_json()["view"]
    assert [seat["absent"] for seat in shown["seats"]] == [False, True, False]
    refused = wish(here.phone(0), "start")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "absent")
    assert "Ben" in refused.get_json()["text"]
    assert wish(here.phone(0), "start", absent="perhaps").status_code == 400
    assert wish(here.phone(0), "start", absent="leave", first=1).status_code == 409
    assert wish(here.phone(0), "start", absent="leave", first=2).status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Cem")
    assert [seat.name for seat in here.table.snapshot.seats] == ["Anna", "Cem"]
    players = here.phone(0).get("/api/view").get_json()["view"]["game"]["players"]
    assert [player["active"] for player in players] == [False, True]


def test_a_seat_without_a_phone_plays_if_the_table_wants_it(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    here.play(SeatHeld(1, None))
    assert wish(here.phone(0), "start", absent="play").status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Ben")


def test_who_sat_out_at_the_end_is_asked_about_before_the_next_game(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(3)
    here.play(event("1 says 0 plays no more"))
    here.play(event("1 stops"))
    assert wish(here.phone(1), "again").get_json()["error"] == "absent"
    assert wish(here.phone(1), "again", absent="leave").status_code == 200
    snapshot = here.table.snapshot
    assert names(snapshot) == ("Ben", "Cem")
    assert snapshot.game is not None
    assert (snapshot.game.active, snapshot.game.phase, snapshot.game.away) == (0, Phase.ROLL, frozenset())


# --- phones that are away --------------------------------------------------------------------------------


def test_a_seat_whose_phone_is_away_for_a_minute_is_started_only_if_somebody_says_so(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(3)
    show_and_leave(here, 1)
    here.clock.now += AWAY_SECONDS - 1
    assert away(here) == []
    here.clock.now += 1
    assert away(here) == ["Ben"]
    refused = wish(here.phone(0), "start")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "absent")
    assert wish(here.phone(0), "start", absent="leave").status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Cem")


def test_a_phone_that_asks_for_something_is_back_at_once(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    show_and_leave(here, 1)
    here.clock.now += AWAY_SECONDS
    assert away(here) == ["Ben"]
    assert wish(here.phone(1), "start").status_code == 200
    assert away(here) == []
    here.clock.now += AWAY_SECONDS - 1
    assert here.phone(1).get("/api/view").status_code == 200  # one that finds no place for a stream asks
    here.clock.now += AWAY_SECONDS - 1
    assert away(here) == []


def test_a_phone_that_never_showed_the_table_is_not_away(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    here.clock.now += 10 * AWAY_SECONDS
    assert wish(here.phone(0), "start").status_code == 200
    assert names(here.table.snapshot) == ("Anna", "Ben")


def test_all_seats_of_a_phone_are_away_with_it_and_those_in_the_next_game_too(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    here.play(SeatTaken("Bela", Mark.STAR, hash_of(TOKENS[1])))
    here.play(GameStarted(Setup(("Anna", "Ben", "Bela"))))
    here.play(SeatTaken("Bruno", Mark.DIAMOND, hash_of(TOKENS[1])))
    show_and_leave(here, 1)
    here.clock.now += AWAY_SECONDS
    assert away(here) == ["Ben", "Bela", "Bruno"]
    here.play(event("0 stops"))
    assert wish(here.phone(0), "again", absent="leave").status_code == 200
    assert names(here.table.snapshot) == ("Anna",)


def test_a_phone_that_is_away_is_one_new_view_and_nothing_in_the_journal(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    show_and_leave(here, 1)
    version, kept = here.table.snapshot.version, here.table.journal.next_id
    for _ in range(20):
        here.clock.now += AWAY_SECONDS
        assert away(here) == ["Ben"]
    assert (here.table.snapshot.version, here.table.journal.next_id) == (version + 1, kept)


def test_a_phone_that_does_not_come_back_after_a_restart_is_away_a_minute_later(tmp_path: Path) -> None:
    before = stand(tmp_path)
    before.start(2)
    before.table.journal.close()
    here = stand(tmp_path)
    assert away(here) == []
    here.clock.now += AWAY_SECONDS
    show_and_leave(here, 0)
    assert away(here) == ["Ben"]


def test_a_phone_whose_seat_was_given_to_another_is_forgotten(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(2)
    show_and_leave(here, 1)
    here.clock.now += AWAY_SECONDS
    here.play(SeatHeld(1, hash_of(TOKENS[4])))
    assert away(here) == []
    assert here.table.snapshot.phones_away == frozenset()


def show_and_leave(here: Stand, seat: int) -> None:
    """A phone shows the table, and its stream ends."""
    answer = here.phone(seat).get("/api/live", buffered=False)
    next(iter(answer.response))
    answer.close()


def away(here: Stand) -> list[str]:
    """Whose phones are away, as the display is told."""
    view = here.display().get("/api/view").get_json()["view"]
    return [seat["name"] for seat in (*view["seats"], *view["waiting"]) if seat["phone_away"]]
