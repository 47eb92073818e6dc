"""What a phone that plays by itself wants next, from the view it was sent. Knows no rules."""

import random
from dataclasses import dataclass
from typing import cast

from companion.view.wish_kinds import (
    WISHES,
    AnyWish,
    CrossCell,
    EnterRoll,
    PlayAgain,
    ReopenTurn,
    SayDone,
    StartGame,
    TakeCrossBack,
    WishKind,
)

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where to send it, and what; `acknowledged` wishes make events that must never be lost.

    `rolls`: somebody throws dice for it, so it keeps to the pace of the table.
    """

    path: str
    body: Json
    acknowledged: bool = True
    rolls: bool = False


def seat_of(view: Json) -> int | None:
    own = cast(list[Json], view["own"])
    seats = [seat for seat in cast(list[Json], view["seats"]) if seat["mine"]]
    if own:
        return cast(int, own[0]["seat"])
    return cast(int, seats[0]["seat"]) if seats else None


def next_wish(view: Json, players: int, rng: random.Random) -> Wanted | None:
    """None while there is nothing to do but wait for others."""
    seat = seat_of(view)
    if seat is None:
        return None
    game = cast(Json | None, view["game"])
    if game is None:
        starts = seat == 0 and len(cast(list[Json], view["seats"])) == players
        return _wish(view, seat, StartGame()) if starts else None
    if game["phase"] == "over":
        return _wish(view, seat, PlayAgain()) if seat == 0 else None
    own = cast(list[Json], view["own"])[0]
    if game["phase"] == "roll":
        return _roll(view, game, seat, rng) if game["active"] == seat else None
    if rng.random() < 0.01 and own["corrects"]:
        return _wish(view, seat, ReopenTurn())
    return _choose(view, game, own, rng) if own["deciding"] else None


def _wish(view: Json, seat: int, wish: WishKind) -> Wanted:
    return Wanted("/api/wishes", WISHES.write(wish, AnyWish(seat=seat, moment=str(view["moment"]))))


def _roll(view: Json, game: Json, seat: int, rng: random.Random) -> Wanted | None:
    """Press; where the camera asks, tap the numbers in, as far as they were not read."""
    eyes = cast(Json, view["eyes"])
    if game["drawing"] or eyes["state"] in ("reading", "moving"):
        return None
    if eyes["state"] != "ask":
        return Wanted("/api/press", {}, acknowledged=False, rolls=True)
    read: dict[str, list[int]] = {}
    for die in cast(list[Json], eyes["dice"]):
        if die["pips"]:
            read.setdefault(cast(str, die["colour"]), []).append(cast(int, die["pips"]))
    dice = [f"{name[0].upper()}{(read.get(name) or [rng.randint(1, 6)]).pop()}" for name in _names(game)]
    return _wish(view, seat, EnterRoll(" ".join(dice)))


def _names(game: Json) -> list[str]:
    return cast(list[str], game["in_play"])


def _choose(view: Json, game: Json, own: Json, rng: random.Random) -> Wanted:
    action = 1 if game["phase"] == "first" else 2
    seat = cast(int, own["seat"])
    if own["first" if action == 1 else "second"] is None:
        fits = list[tuple[int, str]]()
        for row in cast(list[Json], own["rows"]):
            left_out = 0
            for cell in cast(list[Json], row["cells"]):
                if action in cast(list[int], cell["legal"]):
                    fits.append((left_out, cast(str, cell["cell"])))
                left_out = 0 if cell["state"] == "crossed" else left_out + (cell["state"] == "open")
        near = [cell for left_out, cell in sorted(fits) if left_out <= rng.choice((0, 1, 2, 2, 3))]
        if near:
            return _wish(view, seat, CrossCell(near[0], action))
    elif rng.random() < 0.03:
        return _wish(view, seat, TakeCrossBack())
    return _wish(view, seat, SayDone())
