"""Whole games as JSON: writing our own, and replaying any record to say where it and the rules part."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.game.events import (
    Crossed,
    Done,
    Moved,
    Rolled,
    Source,
    parse_event,
    write_event,
)
from companion.game.fields import (
    JSON,
    a_cell,
    a_list,
    a_roll,
    a_text,
    an_integer,
    cell_json,
    cells_json,
    need,
    roll_json,
)
from companion.game.play import Game
from companion.game.position import EndedBy, Phase
from companion.game.record import Record
from companion.game.setup import HouseRules, Setup
from companion.rules import Cell, NotationError, Roll, RuleError

MOST_PLAYERS = 5
LATER = ("legal2", "choice2", "landings", "landing")  # what a turn tells of the actions after the first


@dataclass(frozen=True, slots=True)
class Played:
    """What one turn came to: the dice, and what each player chose."""

    roll: Roll
    choices: tuple[Cell | None, ...]
    second: Cell | None = None
    landing: int | None = None
    spared: bool = False  # the active player sat out: no cross, and no misthrow either


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn with all that the format tells of it: its JSON, and the game after it."""

    told: JSON
    game: Game


def play_turn(game: Game, played: Played) -> Turned:
    """Play one turn step by step, writing down what was legal. RuleError where it cannot be."""
    return _decided(game.apply(Rolled(played.roll, Source.HAND)), played)


def _decided(game: Game, played: Played) -> Turned:
    """The turn from its roll on."""
    seats, active = range(game.players), game.active
    told: dict[str, object] = {
        "active": active,
        "dice": roll_json(played.roll),
        "legal1": [cells_json(game.legal_first(seat)) for seat in seats],
        "choice1": [cell_json(cell) for cell in played.choices],
    }
    for seat, cell in enumerate(played.choices):
        if cell is not None:
            game = game.apply(Crossed(seat, cell))
    for seat in seats:
        game = game.apply(Done(seat))
    if played.spared and game.turn is not None:
        game = replace(game, turn=replace(game.turn, saved=True))
    told["locked_after1"] = sorted(game.closed)
    if game.phase is Phase.SECOND:
        told["legal2"] = cells_json(game.legal_second())
        told["choice2"] = cell_json(played.second)
        if played.second is not None:
            game = game.apply(Crossed(active, played.second, 2))
        game = game.apply(Done(active))
    elif played.second is not None:
        raise RuleError(f"the game ended in action 1, there is no action 2 for {played.second}")
    if game.phase is Phase.THIRD:
        told["landings"] = list(game.landings())
        told["landing"] = played.landing
        if played.landing is not None:
            game = game.apply(Moved(active, played.landing))
        game = game.apply(Done(active))
    told["scores"] = list(game.scores)
    told["penalties"] = [sheet.misthrows for sheet in game.sheets]
    told["locked"] = sorted(game.closed)
    return Turned(told, game)


def _by_hand(setup: Setup) -> Setup:
    """The same game with nobody passing by itself, so that every step can be played and told."""
    return replace(setup, house=replace(setup.house, pass_by_itself=False))


# --- our own games out -----------------------------------------------------------------------------------


def game_json(record: Record) -> JSON:
    """A game in the format of the records, with its setup and every event beside it: nothing is lost."""
    game = record.play()
    return {
        "seed": None,
        "players": game.players,
        "first": record.setup.first,
        "turns": _turns(record),
        "final_scores": list(game.scores) if game.phase is Phase.OVER else None,
        "ended_by": game.ended_by,
        "setup": str(record.setup),
        "events": [write_event(event) for event in record.events],
    }


def _turns(record: Record) -> list[JSON]:
    """The turns that count in the end, each told from the position it was rolled in."""
    told: dict[int, JSON] = {}
    for game in record.positions():
        before, turn = game.before, game.turn
        if before is None or turn is None or game.ended_by is EndedBy.STOPPED:
            continue
        told = {number: turned for number, turned in told.items() if number < before.number}
        if game.phase in (Phase.ROLL, Phase.OVER):  # the turn is finished, unless the table goes back to it
            base = replace(before, setup=_by_hand(before.setup), away=frozenset())
            missed = game.sheets[before.active].misthrows > before.sheets[before.active].misthrows
            played = Played(turn.roll, turn.choices, game.second_crossed, turn.landing, not missed)
            told[before.number] = _decided(base.opened(turn.roll), played).told
    return list(told.values())


# --- any record in ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """Where a record and the rules part."""

    turn: int | None  # counted from 1; None: about the game as a whole
    text: str

    def __str__(self) -> str:
        return self.text if self.turn is None else f"turn {self.turn}: {self.text}"


def a_record(value: object) -> Record:
    """The game behind one JSON object of our own: its setup and events."""
    setup = Setup.parse(a_text(need(value, "setup", "a game"), "setup"))
    lines = a_list(need(value, "events", "a game"), "events")
    return Record(setup, tuple(parse_event(a_text(line, "an event")) for line in lines))


def differences(value: object) -> Iterator[FirstDifference]:
    """Play a recorded game through the rules. After a turn that cannot be, nothing more is said of it."""
    if isinstance(value, dict) and "events" in value:
        yield from _differences_of_events(value)
    else:
        yield from _differences_of_turns(value)


def _differences_of_events(value: Mapping[str, object]) -> Iterator[FirstDifference]:
    record = a_record(value)
    try:
        mine = game_json(record)
    except RuleError as error:
        yield FirstDifference(None, str(error))
        return
    theirs = a_list(need(value, "turns", "a game"), "turns")
    turns = a_list(mine["turns"], "turns")
    if len(theirs) != len(turns):
        yield FirstDifference(None, f"the record has {len(theirs)} turns, its events make {len(turns)}")
    for number, (told, turn) in enumerate(zip(theirs, turns, strict=False), 1):
        for key in _said_by_rules(turn):
            yield from _compare(number, key, told, turn)
        last = record.play().ended_by if number == len(turns) else None
        yield from _after_the_end(number, told, turn, last)
    for key in ("players", "first", "final_scores", "ended_by"):
        yield from _compare(None, key, value, mine)


def _differences_of_turns(value: object) -> Iterator[FirstDifference]:
    players = an_integer(need(value, "players", "a game"), "players", 1, MOST_PLAYERS)
    first = an_integer(need(value, "first", "a game"), "first", 0, players - 1)
    names = tuple(f"player {seat}" for seat in range(players))
    game = Game.begin(Setup(names, first, house=HouseRules(pass_by_itself=False)))
    for number, told in enumerate(a_list(need(value, "turns", "a game"), "turns"), 1):
        try:
            where = f"turn {number}"
            active = an_integer(need(told, "active", where), "active", 0, players - 1)
            if game.phase is Phase.OVER:
                yield FirstDifference(number, f"the game was over by {game.ended_by}, the record goes on")
                return
            if active != game.active:
                yield FirstDifference(
                    number, f"the record has player {active} active, the rules {game.active}"
                )
                return
            turn = play_turn(game, _played(told, players))
        except RuleError as error:
            yield FirstDifference(number, f"the record goes on, the rules refuse: {error}")
            return
        except NotationError as error:
            raise NotationError(f"turn {number}: {error}") from None
        for key in _said_by_rules(turn.told):
            yield from _compare(number, key, told, turn.told)
        yield from _after_the_end(number, told, turn.told, turn.game.ended_by)
        game = turn.game
    if game.phase is not Phase.OVER and need(value, "final_scores", "a game") is not None:
        yield FirstDifference(None, "the record ends, the rules go on")
        return
    over = {"final_scores": list(game.scores), "ended_by": game.ended_by}
    for key in over if game.phase is Phase.OVER else ():
        yield from _compare(None, key, value, over)


def _played(told: object, players: int) -> Played:
    choices = a_list(need(told, "choice1", "a turn"), "choice1")
    if len(choices) != players:
        raise NotationError(f"choice1 has one entry for each of {players} players, got {len(choices)}")
    entries = told if isinstance(told, dict) else {}
    landing = entries.get("landing")
    return Played(
        a_roll(need(told, "dice", "a turn"), "dice"),
        tuple(a_cell(cell, "a choice in choice1") for cell in choices),
        a_cell(entries.get("choice2"), "choice2"),
        None if landing is None else an_integer(landing, "landing", 1, 40),
    )


def _said_by_rules(told: object) -> Sequence[str]:
    """What the rules say of a turn, beside what the players chose."""
    return (
        [key for key in told if key not in ("choice1", "choice2", "landing")]
        if isinstance(told, dict)
        else ()
    )


def _after_the_end(
    turn: int, told: object, mine: object, ended_by: EndedBy | None
) -> Iterator[FirstDifference]:
    """A turn in which the game ended has no actions after that, not even ones in which all passed."""
    if ended_by is None or not isinstance(told, dict) or not isinstance(mine, dict):
        return
    for key in (key for key in LATER if key in told and key not in mine):
        text = (
            f"{key}: the record has {json.dumps(told[key], default=str)}, but the game was over by {ended_by}"
        )
        yield FirstDifference(turn, text)


def _compare(turn: int | None, key: str, told: object, mine: object) -> Iterator[FirstDifference]:
    """A key that the record leaves out is not compared; lists of crosses compare in any order."""
    if not isinstance(told, dict) or not isinstance(mine, dict) or key not in told:
        return
    if _plain(told[key]) != _plain(mine[key]):
        record, rules = (json.dumps(value[key], default=str) for value in (told, mine))
        yield FirstDifference(turn, f"{key}: the record has {record}, the rules {rules}")


def _plain(value: object) -> object:
    """The value with each list of crosses, or of colours, in one order."""
    if not isinstance(value, list):
        return value
    inner = [_plain(each) for each in value]
    crosses = all(isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) for each in inner)
    return sorted(inner, key=str) if crosses or all(isinstance(each, str) for each in inner) else inner
