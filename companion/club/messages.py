"""What comes from the broker, read: a message that is not as docs/mqtt.md has it is refused in one line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from boxlid.errors import StatementKind, statement
from boxlid.fields import LARGEST, As, Between, Clash, FieldsError, Length, Only, read
from companion.club.values import (
    Availability,
    Die,
    Result,
    Scored,
    Status,
    TableState,
    Told,
)
from companion.game.fields import is_utf8
from companion.game.names import LONGEST_NAME, check_name
from companion.mqtt.payloads import MOST_BYTES, VERSION
from companion.mqtt.topics import OFFLINE, ONLINE, box_of
from companion.rules import RuleError
from companion.words import english

MOST_PLAYERS = 8
MOST_ITEMS = 16
LONGEST = 80  # of an id or a word
MOST_POINTS = 10_000
_SHOWN = 60
_LONGEST_SAID = 200


class MessageError(Exception):
    """A message that is not to be believed: from where, and what is wrong with it."""


def read_message(prefix: str, topic: str, payload: bytes) -> Told | None:
    """What a box told; None if this topic is none of those the club reads. MessageError refuses it."""
    place = box_of(prefix, topic)
    if place is None:
        raise MessageError(f"{_short(topic)}: no table is called so")
    box, what = place
    if not payload:
        return None  # a retained message was taken away
    try:
        match what:
            case "available":
                return _availability(box, payload)
            case "state":
                return read(_StateSent, _json(box, payload), others=True).state
            case "result":
                return read(_ResultSent, _json(box, payload), others=True).result
            case _:
                return None
    except MessageError as error:
        raise MessageError(f"{topic}: {error}") from None
    except FieldsError as error:
        said = _short(english(error), _LONGEST_SAID)
        raise MessageError(f"{topic}: {said}") from None


def _availability(box: str, payload: bytes) -> Availability:
    words = {ONLINE.encode(): True, OFFLINE.encode(): False}
    if payload not in words:
        raise MessageError(f"{ONLINE} or {OFFLINE} wanted, got {_short(repr(payload[:_SHOWN]))}")
    return Availability(box, words[payload])


def _json(box: str, payload: bytes) -> dict[str, object]:
    if len(payload) > MOST_BYTES:
        raise MessageError(f"a message has {MOST_BYTES} bytes at most, got {len(payload)}")
    try:
        value: object = json.loads(payload.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise MessageError(f"it is not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        raise MessageError(f"it is no JSON: {_short(str(error))}") from None
    if not isinstance(value, dict) or not is_utf8(value):
        raise MessageError("a JSON object of whole characters is wanted")
    if value.get("version") != VERSION:
        raise MessageError(f"version {VERSION} is known, got {_short(repr(value.get('version')))}")
    if value.get("box") != box:
        raise MessageError(
            f"a table speaks for itself only, this says it is {_short(repr(value.get('box')))}"
        )
    return cast(dict[str, object], value)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


# --- the messages of a table, as far as a club reads them: fields may be added, and are left alone ---------


class MessageWanted(StatementKind):
    """What may stand in a message of a table."""

    PRINTABLE = "wanted.printable"
    TIME = "wanted.time"
    NAME = "wanted.player_name"
    SEAT = "wanted.seat"
    PLAYERS = "wanted.players_of_result"


def _is_name(text: str) -> bool:
    try:
        check_name(text)
    except RuleError:
        return False
    return True


def _seconds(text: str) -> float:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("a time without its zone")
    return at.timestamp()


_Word = Annotated[str, Length(0, LONGEST), Only(str.isprintable, MessageWanted.PRINTABLE, {"most": LONGEST})]
_Id = Annotated[_Word, Length(1, LONGEST)]
_Name = Annotated[_Word, Only(_is_name, MessageWanted.NAME, {"most": LONGEST_NAME})]
_Time = Annotated[float, As(_Word, _seconds, MessageWanted.TIME)]
_Count = Annotated[int, Between(0, LARGEST)]
_Points = Annotated[int, Between(-MOST_POINTS, MOST_POINTS)]
_Seat = Annotated[int, Between(0, MOST_PLAYERS - 1)]
_Seats = Annotated[tuple[_Seat, ...], Length(0, MOST_PLAYERS)]


@dataclass(frozen=True, slots=True)
class _DieSent:
    colour: _Word
    pips: Annotated[int, Between(1, 6)]


@dataclass(frozen=True, slots=True)
class _PlayerSent:
    name: _Name
    score: _Points | None = None


@dataclass(frozen=True, slots=True)
class _StateSent:
    box: _Word
    run: _Word
    sequence: _Count
    phase: _Word
    players: Annotated[tuple[_PlayerSent, ...], Length(0, MOST_PLAYERS)]
    dice: Annotated[tuple[_DieSent, ...], Length(0, MOST_ITEMS)]
    closed: Annotated[tuple[_Word, ...], Length(0, MOST_ITEMS)]
    deciding: _Seats
    winners: _Seats
    active: _Seat | None = None
    turn: _Count | None = None
    edition: _Word | None = None
    white_sum: Annotated[int, Between(2, 12)] | None = None
    started: _Time | None = None

    def clashes(self) -> Iterator[Clash]:
        """A seat is one of a player."""
        active = () if self.active is None or not self.players else (self.active,)
        for name, seats in (("active", active), ("deciding", self.deciding), ("winners", self.winners)):
            if any(seat >= len(self.players) for seat in seats):
                wanted = statement(MessageWanted.SEAT, most=len(self.players) - 1)
                yield Clash(name, wanted, others=("players",))

    @property
    def state(self) -> TableState:
        names = tuple(player.name for player in self.players)
        return TableState(
            box=self.box,
            run=self.run,
            sequence=self.sequence,
            phase=self.phase,
            players=names,
            active=names[self.active] if names and self.active is not None else "",
            turn=self.turn,
            edition=self.edition or "",
            white=self.white_sum,
            dice=tuple(Die(die.colour, die.pips) for die in self.dice),
            closed=self.closed,
            deciding=tuple(names[seat] for seat in self.deciding),
            scores=tuple(player.score for player in self.players),
            winners=tuple(names[seat] for seat in self.winners),
            since=self.started,
        )


@dataclass(frozen=True, slots=True)
class _ScoredSent:
    name: _Name
    points: _Points
    program: _Word | None = None


@dataclass(frozen=True, slots=True)
class _ResultSent:
    box: _Word
    id: _Id
    revision: _Count
    status: Status
    players: Annotated[tuple[_ScoredSent, ...], Length(0, MOST_PLAYERS)]
    edition: _Word
    started: _Time
    stopped: bool
    ended: _Time | None = None

    def clashes(self) -> Iterator[Clash]:
        if self.status is Status.FINAL and not self.players:
            yield Clash("players", statement(MessageWanted.PLAYERS), others=("status",))

    @property
    def result(self) -> Result:
        return Result(
            box=self.box,
            id=self.id,
            revision=self.revision,
            players=tuple(Scored(each.name, each.points, bool(each.program)) for each in self.players),
            edition=self.edition,
            started=self.started,
            ended=self.started if self.ended is None else self.ended,
            stopped=self.stopped,
            status=self.status,
        )


def _short(text: str, most: int = _SHOWN) -> str:
    """What a stranger sent, as it may stand in a line."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in text)
    return plain if len(plain) <= most else f"{plain[:most]}…"
