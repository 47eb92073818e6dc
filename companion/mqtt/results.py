"""The result of one game, and the ids of games and events, from the entries of the journal."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from companion.game import EndedBy, Game
from companion.journal.journal import Entry
from companion.mqtt.payloads import PlayerResult, ResultPayload, SeriesState
from companion.past.records import Begun, moment

_HASH = 16  # letters of it, enough to be met once only


class ResultStatus(StrEnum):
    """Whether a result counts."""

    FINAL = "final"
    REOPENED = "reopened"  # the game goes on after all; another result follows
    DELETED = "deleted"


class Origin(StrEnum):
    """How the game was played."""

    TABLE = "table"
    PAPER = "paper"


def id_of(entry: Entry) -> str:
    """Unique for ever: the hash names the journal up to that entry, also after a restored backup."""
    return f"{entry.chain[:_HASH]}:{entry.id}"


def time_of(entry: Entry) -> str:
    return _iso(moment(entry.at))


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game with the entry that started it and the newest one that says something of its result."""

    start: Entry
    begun: Begun
    newest: Entry
    game: Game
    origin: Origin
    series: SeriesState | None = None


def result_of(ended: EndedGame, status: ResultStatus) -> ResultPayload:
    game, begun = ended.game, _iso(ended.begun.date)
    at = begun if ended.origin is Origin.PAPER else time_of(ended.newest)
    return ResultPayload(
        id=id_of(ended.start),
        revision=ended.newest.id,
        status=status,
        at=time_of(ended.newest),
        started=begun,
        ended=at if status is ResultStatus.FINAL else None,
        edition=game.setup.edition,
        sheet=game.setup.layout.name,
        series=ended.series,
        source=ended.origin,
        stopped=game.ended_by is EndedBy.STOPPED,
        ended_by=game.ended_by,
        turns=0 if game.before is None else game.before.number,
        players=_columns(game) if status is ResultStatus.FINAL else (),
    )


def _columns(game: Game) -> tuple[PlayerResult, ...]:
    scores, stopped = game.scores, game.ended_by is EndedBy.STOPPED
    return tuple(
        PlayerResult(
            seat=seat,
            name=game.setup.players[seat],
            program=game.setup.level(seat),
            points=scores[seat],
            place=None if stopped else 1 + sum(other > scores[seat] for other in scores),
            misthrows=sheet.misthrows,
            rows=sheet.row_points(),
            extra=game.extra_points(seat),
            sheet=str(sheet),
        )
        for seat, sheet in enumerate(game.sheets)
    )
