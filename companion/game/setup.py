"""How a game is set up: edition, sheet, board, players, house rules; written as one line of text."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypeVar

from boxlid.fields import Between
from companion.game.names import check_name
from companion.rules import CLASSIC, Layout, NotationError, RuleError, Side, is_number, layout_named

_PERSON = "-"  # in place of a level
MOST_PATIENCE = 600
Patience = Annotated[int, Between(0, MOST_PATIENCE)]  # seconds
NEWEST_RULES = 2
"""How the rulings are played: a game that was begun under older ones goes on, and is replayed, by those.

1: closing a row leaves everybody's Done; a corrected sheet lies under the crosses of the turn.
2: who could close an announced row too is asked again; a corrected sheet changes what lay before the turn.
"""


class Edition(StrEnum):
    """The three boxes, which differ in players, series and board."""

    ORIGINAL = "original"
    DELUXE = "deluxe"
    ON_BOARD = "on-board"

    @property
    def most_players(self) -> int:
        return 5 if self is Edition.ORIGINAL else 4


class LocksTakeEffect(StrEnum):
    """When a row closed in action 1 is closed for this turn's action 2 as well."""

    AT_ONCE = "at-once"
    END_OF_TURN = "end-of-turn"


class Hints(StrEnum):
    """Whether a phone tells its owner what the program would cross, and why."""

    OFF = "off"
    ASKED = "asked"
    ALWAYS = "always"


class Pace(StrEnum):
    """How long players of the program take to decide."""

    HUMAN = "human"
    AT_ONCE = "at-once"


class Leaning(StrEnum):
    """What counts of a die that leans."""

    AS_IT_LIES = "as-it-lies"  # the number that lies most upward, as far as all see it
    ROLLED_AGAIN = "rolled-again"  # none


class Level(StrEnum):
    """How well a player of the program plays."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What tables decide for themselves."""

    locks_take_effect: LocksTakeEffect = LocksTakeEffect.AT_ONCE
    scores_hidden: bool = False
    pass_by_itself: bool = True
    patience: Patience = 0  # until the active player may move the table on; 0: never
    hints: Hints = Hints.OFF
    pace: Pace = Pace.HUMAN
    leaning: Leaning = Leaning.AS_IT_LIES

    def __str__(self) -> str:
        scores = "hidden" if self.scores_hidden else "open"
        passing = "by-itself" if self.pass_by_itself else "by-hand"
        text = f"locks {self.locks_take_effect}, scores {scores}, passing {passing}, patience {self.patience}"
        if self.hints is not Hints.OFF:
            text += f", hints {self.hints}"
        if self.pace is not Pace.HUMAN:
            text += f", pace {self.pace}"
        return text if self.leaning is Leaning.AS_IT_LIES else f"{text}, leaning {self.leaning}"


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that stands before the first roll."""

    players: tuple[str, ...]
    first: int = 0
    edition: Edition = Edition.ORIGINAL
    layout: Layout = CLASSIC
    board: Side | None = None
    house: HouseRules = field(default_factory=HouseRules)
    rules: int = NEWEST_RULES
    levels: tuple[Level | None, ...] = ()  # by seat, of players of the program; empty: people only

    def __post_init__(self) -> None:
        if len(self.levels) not in (0, len(self.players)):
            raise RuleError(f"{len(self.players)} players have as many levels, got {len(self.levels)}")
        if self.levels and not any(self.levels):
            raise RuleError("levels are left out where people play all seats")
        most = self.edition.most_players
        if not 1 <= len(self.players) <= most:
            text = f"{self.edition} is for 1 to {most} players, got {len(self.players)}"
            raise RuleError(text, "too-many-players", most)
        for name in self.players:
            check_name(name)
        if len({name.casefold() for name in self.players}) != len(self.players):
            raise RuleError(f"players need different names, got {', '.join(self.players)}")
        if not 0 <= self.first < len(self.players):
            raise RuleError(
                f"the first player is one of seats 0 to {len(self.players) - 1}, got {self.first}"
            )
        if not 1 <= self.rules <= NEWEST_RULES:
            raise RuleError(f"this Boxlid plays rules 1 to {NEWEST_RULES}, got {self.rules}")
        if (self.board is not None) != (self.edition is Edition.ON_BOARD):
            raise RuleError("a board belongs to on-board and to no other edition")

    def __str__(self) -> str:
        parts = [str(self.edition), f"sheet {self.layout}", f"first {self.first}", str(self.house)]
        if self.rules > 1:
            parts.append(f"rules {self.rules}")
        if self.board:
            parts.append(f"board {self.board}")
        if any(self.levels):
            parts.append(f"levels {' '.join(level or _PERSON for level in self.levels)}")
        names = " ".join(json.dumps(name, ensure_ascii=False) for name in self.players)
        return ", ".join([*parts, f"players {names}"])

    def level(self, seat: int) -> Level | None:
        """How well the program plays that seat; None if a person plays it."""
        return self.levels[seat] if self.levels else None

    @classmethod
    def parse(cls, text: str) -> "Setup":
        head, found, names = text.partition(", players ")
        edition, *parts = head.split(", ")
        if not found or edition not in tuple(Edition):
            wanted = f'a game is "{Edition.ORIGINAL}, sheet classic, …, players …"'
            raise NotationError(f"{wanted}, got {text!r}")
        words = dict(part.split(" ", 1) for part in parts if " " in part)
        try:
            return cls(
                players=_names(names),
                first=_number(words["first"], "first"),
                edition=Edition(edition),
                layout=layout_named(words["sheet"]),
                board=Side.parse(words["board"]) if "board" in words else None,
                house=HouseRules(
                    _one_of(LocksTakeEffect, words["locks"], "locks take effect"),
                    _either(words["scores"], "hidden", "open"),
                    _either(words["passing"], "by-itself", "by-hand"),
                    _number(words["patience"], "patience"),
                    _one_of(Hints, words.get("hints", Hints.OFF), "hints are"),
                    _one_of(Pace, words.get("pace", Pace.HUMAN), "the pace is"),
                    _one_of(Leaning, words.get("leaning", Leaning.AS_IT_LIES), "a die that leans counts"),
                ),
                rules=_number(words.get("rules", "1"), "rules"),
                levels=tuple(_level(word) for word in words.get("levels", "").split()),
            )
        except KeyError as missing:
            raise NotationError(f"a game names its {missing.args[0]}, got {text!r}") from None


def _number(text: str, name: str) -> int:
    if not is_number(text):
        raise NotationError(f"the {name} of a game is a number of up to 3 digits, got {text[:40]!r}")
    return int(text)


_Word = TypeVar("_Word", bound=StrEnum)


def _one_of(kind: type[_Word], text: str, what: str) -> _Word:
    if text not in tuple(kind):
        raise NotationError(f"{what} {' or '.join(kind)}, got {text[:40]!r}")
    return kind(text)


def _level(word: str) -> Level | None:
    return None if word == _PERSON else _one_of(Level, word, f"a level is {_PERSON} or")


def _names(text: str) -> tuple[str, ...]:
    names, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        try:
            name, end = decoder.raw_decode(text)
        except json.JSONDecodeError:
            raise NotationError(f'names are quoted such as "Anna", got {text!r}') from None
        names.append(str(name))
        text = text[end:]
    return tuple(names)


def _either(word: str, yes: str, no: str) -> bool:
    if word not in (yes, no):
        raise NotationError(f"either {yes} or {no}, got {word!r}")
    return word == yes
