"""What comes from the broker, read: a message that is not as docs/mqtt.md has it is refused in one line."""

import json
import math
from collections.abc import Sequence
from datetime import datetime
from typing import cast

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
from companion.game.names import check_name
from companion.mqtt.payloads import MOST_BYTES, VERSION
from companion.mqtt.topics import OFFLINE, ONLINE, box_of
from companion.rules import RuleError

MOST_PLAYERS = 8
MOST_ITEMS = 16
LONGEST = 80  # of an id or a word
LARGEST = 2**53
MOST_POINTS = 10_000
_SHOWN = 60


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
                return _state(_Object(_json(box, payload)))
            case "result":
                return _result(_Object(_json(box, payload)))
            case _:
                return None
    except MessageError as error:
        raise MessageError(f"{topic}: {error}") from None


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


class _Object:
    """An object's fields, each of the kind and size it should have."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, dict):
            raise MessageError(f"{where or 'it'} is an object, got {_short(repr(value))}")
        self._value: dict[str, object] = value
        self._where = where

    def text(self, name: str, default: str | None = None) -> str:
        found = self._value.get(name)
        if found is None and default is not None:
            return default
        if not isinstance(found, str) or len(found) > LONGEST or not found.isprintable():
            raise self._wanted(name, f"a text of up to {LONGEST} printable characters")
        return found

    def number(self, name: str, least: int = 0, most: int = LARGEST) -> int:
        found = self._value.get(name)
        if type(found) is not int or not least <= found <= most:
            raise self._wanted(name, f"a whole number from {least} to {most}")
        return found

    def number_if_given(self, name: str, least: int = 0, most: int = LARGEST) -> int | None:
        return None if self._value.get(name) is None else self.number(name, least, most)

    def switch(self, name: str) -> bool:
        found = self._value.get(name)
        if not isinstance(found, bool):
            raise self._wanted(name, "true or false")
        return found

    def time(self, name: str) -> float:
        text = self.text(name)
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            raise self._wanted(name, "a time such as 2026-11-20T18:03:11+00:00") from None
        seconds = at.timestamp() if at.tzinfo else math.nan
        if math.isnan(seconds):
            raise self._wanted(name, "a time with its zone")
        return seconds

    def time_if_given(self, name: str) -> float | None:
        return None if self._value.get(name) is None else self.time(name)

    def items(self, name: str, most: int = MOST_ITEMS) -> Sequence[object]:
        found = self._value.get(name)
        if not isinstance(found, list) or len(found) > most:
            raise self._wanted(name, f"a list of up to {most}")
        return found

    def objects(self, name: str, most: int = MOST_ITEMS) -> Sequence["_Object"]:
        return [_Object(item, f"each of {name}") for item in self.items(name, most)]

    def seats(self, name: str, players: int) -> tuple[int, ...]:
        found = self.items(name, MOST_PLAYERS)
        seats = tuple(each for each in found if type(each) is int and 0 <= each < players)
        if len(seats) != len(found):
            raise self._wanted(name, f"seats from 0 to {players - 1}")
        return seats

    def words(self, name: str) -> tuple[str, ...]:
        found = self.items(name)
        if not all(isinstance(each, str) and len(each) <= LONGEST and each.isprintable() for each in found):
            raise self._wanted(name, "words")
        return tuple(map(str, found))

    def name(self) -> str:
        found = self.text("name")
        try:
            check_name(found)
        except RuleError as error:
            raise MessageError(_short(str(error), 2 * LONGEST)) from None
        return found

    def _wanted(self, name: str, wanted: str) -> MessageError:
        of = f" of {self._where}" if self._where else ""
        return MessageError(f"{name}{of} is {wanted}, got {_short(repr(self._value.get(name)))}")


def _state(found: _Object) -> TableState:
    players = found.objects("players", MOST_PLAYERS)
    names = tuple(player.name() for player in players)
    active = found.number_if_given("active", 0, max(0, len(names) - 1))
    return TableState(
        box=found.text("box"),
        run=found.text("run"),
        sequence=found.number("sequence"),
        phase=found.text("phase"),
        players=names,
        active="" if active is None or not names else names[active],
        turn=found.number_if_given("turn"),
        edition=found.text("edition", ""),
        white=found.number_if_given("white_sum", 2, 12),
        dice=tuple(Die(die.text("colour"), die.number("pips", 1, 6)) for die in found.objects("dice")),
        closed=found.words("closed"),
        deciding=tuple(names[seat] for seat in found.seats("deciding", len(names))),
        scores=tuple(player.number_if_given("score", -MOST_POINTS, MOST_POINTS) for player in players),
        winners=tuple(names[seat] for seat in found.seats("winners", len(names))),
        since=found.time_if_given("started"),
    )


def _result(found: _Object) -> Result:
    try:
        status = Status(found.text("status"))
    except ValueError:
        raise MessageError(f"status is one of {', '.join(Status)}") from None
    players = tuple(
        Scored(
            player.name(),
            player.number("points", -MOST_POINTS, MOST_POINTS),
            bool(player.text("program", "")),
        )
        for player in found.objects("players", MOST_PLAYERS)
    )
    if status is Status.FINAL and not players:
        raise MessageError("a result has players, got none")
    started = found.time("started")
    ended = found.time_if_given("ended")
    return Result(
        box=found.text("box"),
        id=_identity(found),
        revision=found.number("revision"),
        players=players,
        edition=found.text("edition"),
        started=started,
        ended=started if ended is None else ended,
        stopped=found.switch("stopped"),
        status=status,
    )


def _identity(found: _Object) -> str:
    identity = found.text("id")
    if not identity:
        raise MessageError("id is a text that is not empty")
    return identity


def _short(text: str, most: int = _SHOWN) -> str:
    """What a stranger sent, as it may stand in a line."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in text)
    return plain if len(plain) <= most else f"{plain[:most]}…"
