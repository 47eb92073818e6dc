"""How a game is set up: edition, sheet, board, players, house rules; written as one line of text."""

import json
from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules import CLASSIC, Layout, NotationError, RuleError, Side, layout_named

LONGEST_NAME = 20


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


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What tables decide for themselves."""

    locks_take_effect: LocksTakeEffect = LocksTakeEffect.AT_ONCE
    scores_hidden: bool = False
    pass_by_itself: bool = True
    patience: int = 0  # seconds until the active player may move the table on; 0: never

    def __str__(self) -> str:
        scores = "hidden" if self.scores_hidden else "open"
        passing = "by-itself" if self.pass_by_itself else "by-hand"
        return f"locks {self.locks_take_effect}, scores {scores}, passing {passing}, patience {self.patience}"


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that stands before the first roll."""

    players: tuple[str, ...]
    first: int = 0
    edition: Edition = Edition.ORIGINAL
    layout: Layout = CLASSIC
    board: Side | None = None
    house: HouseRules = field(default_factory=HouseRules)

    def __post_init__(self) -> None:
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
        if (self.board is not None) != (self.edition is Edition.ON_BOARD):
            raise RuleError("a board belongs to on-board and to no other edition")

    def __str__(self) -> str:
        parts = [str(self.edition), f"sheet {self.layout}", f"first {self.first}", str(self.house)]
        if self.board:
            parts.append(f"board {self.board}")
        names = " ".join(json.dumps(name, ensure_ascii=False) for name in self.players)
        return ", ".join([*parts, f"players {names}"])

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
                first=int(words["first"]),
                edition=Edition(edition),
                layout=layout_named(words["sheet"]),
                board=Side.parse(words["board"]) if "board" in words else None,
                house=HouseRules(
                    LocksTakeEffect(words["locks"]),
                    _either(words["scores"], "hidden", "open"),
                    _either(words["passing"], "by-itself", "by-hand"),
                    int(words["patience"]),
                ),
            )
        except KeyError as missing:
            raise NotationError(f"a game names its {missing.args[0]}, got {text!r}") from None


def check_name(name: str) -> None:
    """A player's name: 1 to 20 printable characters, no space around it."""
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise RuleError(f"a name is 1 to {LONGEST_NAME} printable characters, got {name!r}")


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
