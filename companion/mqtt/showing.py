"""The state that a table publishes, as a function of the snapshot: what its display shows, and no more."""

from dataclasses import dataclass

from companion.mqtt.payloads import (
    LOBBY,
    Closing,
    PlayerState,
    RolledDie,
    SeriesState,
    StatePayload,
)
from companion.table.snapshot import Snapshot
from companion.view import view
from companion.view.values import GameView, Presence, View


@dataclass(frozen=True, slots=True)
class KnownGame:
    """What the journal knows of the game on the table: ids that are unique for ever, and when it began."""

    id: str
    started: str
    first: str  # of its series; of a single game its own


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells an older state from a newer one."""

    run: str
    sequence: int


def state_of(snapshot: Snapshot, stamp: Stamp, known: KnownGame | None) -> StatePayload:
    """`known` is of the game on the table, none in the lobby."""
    shown = view(snapshot)
    if shown.game is None or known is None:
        return StatePayload(stamp.run, stamp.sequence, LOBBY, _waiting(shown), shown.eyes.state)
    game = shown.game
    return StatePayload(
        run=stamp.run,
        sequence=stamp.sequence,
        phase=game.phase,
        players=_players(game),
        camera=shown.eyes.state,
        game=known.id,
        started=known.started,
        edition=game.edition,
        sheet=game.sheet,
        series=_series(shown, known),
        turn=game.number,
        active=game.active,
        white_sum=game.white_sum,
        dice=tuple(RolledDie(die.colour, die.pips) for die in game.dice),
        deciding=game.deciding,
        announced=tuple(Closing(closing.seat, closing.colour) for closing in game.announced),
        closed=game.closed,
        scores_hidden=game.scores_hidden,
        last_turns=game.last_turns,
        ended_by=game.ended_by,
        winners=game.winners,
    )


def _waiting(shown: View) -> tuple[PlayerState, ...]:
    """Who sits at the table before the game."""
    return tuple(
        PlayerState(
            seat=seat.seat,
            name=seat.name,
            mark=seat.mark,
            program=seat.level,
            presence=Presence.HERE,
            active=False,
            deciding=False,
            score=None,
            misthrows=0,
        )
        for seat in shown.seats
    )


def _players(game: GameView) -> tuple[PlayerState, ...]:
    return tuple(
        PlayerState(
            seat=player.seat,
            name=player.name,
            mark=player.mark,
            program=player.level,
            presence=player.presence,
            active=player.active,
            deciding=player.deciding,
            score=player.score,
            misthrows=player.misthrows,
        )
        for player in game.players
    )


def _series(shown: View, known: KnownGame) -> SeriesState | None:
    series = shown.series
    return None if series is None else SeriesState(known.first, series.number, series.games)
