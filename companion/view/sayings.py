"""What is said aloud when one snapshot follows another. Owns no words and makes no sound."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.game import EndedBy, Phase
from companion.rules import COLOURS, Colour
from companion.table.eyes import EyesState
from companion.table.snapshot import Snapshot

ALOUD = {EyesState.ASK: "ask", EyesState.TROUBLE: "trouble"}


@dataclass(frozen=True, slots=True)
class Saying:
    """One announcement: its kind, and what its sentence needs."""

    kind: str
    names: tuple[str, ...] = ()
    colour: Colour | None = None
    number: int = 0


def sayings(before: Snapshot, after: Snapshot) -> tuple[Saying, ...]:
    """What there is to say now, the rule book's loud announcements first."""
    if before.game_id != after.game_id:
        before = Snapshot(eyes=before.eyes)
    return (
        *_white_sum(before, after),
        *_closing(before, after),
        *_locked(before, after),
        *_crosses(before, after),
        *_misthrow(before, after),
        *_presence(before, after),
        *_last_round(before, after),
        *_end(before, after),
        *_turn(before, after),
        *_eyes(before, after),
    )


def _roll(snapshot: Snapshot) -> tuple[int, str] | None:
    """Which turn was rolled, and the dice: two rolls may be alike."""
    game = snapshot.game
    if game is None or game.turn is None or game.before is None:
        return None
    return game.before.number, str(game.turn.roll)


def _white_sum(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    game = after.game
    if game is not None and game.turn is not None and _roll(after) != _roll(before):
        yield Saying("white_sum", number=game.turn.roll.white_sum)


def _closing(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    if after.game is None:
        return
    known = before.game.announced if before.game is not None else ()
    for seat, colour in after.game.announced:
        if (seat, colour) not in known:
            yield Saying("closing", (after.game.setup.players[seat],), colour)


def _locked(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    if after.game is None or before.game is None:
        return
    new = after.game.closed - before.game.closed
    yield from (Saying("locked", colour=colour) for colour in COLOURS if colour in new)


def _crosses(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    """What players of the program crossed: nobody else says it for them."""
    was, now = before.game, after.game
    if was is None or now is None or before.corrected != after.corrected:
        return
    for seat, name in enumerate(now.setup.players):
        if after.plays_itself(seat):
            known = was.sheets[seat].cells
            for cell in now.sheets[seat].cells:
                if cell not in known:
                    yield Saying("crosses", (name,), cell.colour, cell.number)


def _misthrow(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    was, now = before.game, after.game
    if was is None or now is None or not _is_next_turn(before, after):
        return
    seat = was.active
    if now.sheets[seat].misthrows > was.sheets[seat].misthrows:
        yield Saying("misthrow", (now.setup.players[seat],))


def _presence(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    """Who sits out, plays no more, or is back."""
    was, now = before.game, after.game
    if was is None or now is None:
        return
    for seat, name in enumerate(now.setup.players):
        if seat in now.gone - was.gone:
            yield Saying("plays_no_more", (name,))
        elif seat in now.away - was.away:
            yield Saying("sits_out", (name,))
        elif seat in was.away - now.away:
            yield Saying("back", (name,))


def _last_round(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    was, now = before.game, after.game
    if was is not None and now is not None and was.last_turns is None and now.last_turns:
        yield Saying("last_round")


def _end(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    was, now = before.game, after.game
    if now is None or now.ended_by is None or (was is not None and was.ended_by is not None):
        return
    if now.ended_by is EndedBy.STOPPED:
        yield Saying("stopped")
        return
    names = tuple(now.setup.players[seat] for seat in now.winners)
    yield Saying("winner" if len(names) == 1 else "winners", names, number=max(now.scores))


def _turn(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    now = after.game
    if now is None or now.phase is not Phase.ROLL or after.lot_ends_at is not None:
        return
    was = before.game
    if (
        was is None
        or before.lot_ends_at is not None
        or was.active != now.active
        or _is_next_turn(before, after)
    ):
        kind = "roll_for" if after.plays_itself(now.active) else "turn"
        yield Saying(kind, (now.setup.players[now.active],))


def _eyes(before: Snapshot, after: Snapshot) -> Iterator[Saying]:
    kind = ALOUD.get(after.eyes.state)
    if kind is not None and before.eyes.state is not after.eyes.state:
        yield Saying(kind)


def _is_next_turn(before: Snapshot, after: Snapshot) -> bool:
    was, now = before.game, after.game
    if was is None or now is None:
        return False
    return now.number > was.number or (now.ended_by is not None and was.ended_by is None)
