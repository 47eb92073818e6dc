"""Game: a game as its events. `Game.apply(event) -> Game` on frozen values; dice are fed in."""

from companion.game.events import (
    Crossed,
    DiceCorrected,
    Done,
    Event,
    Moved,
    MovedOn,
    Reopened,
    Rolled,
    SheetCorrected,
    Source,
    Stopped,
    TookBack,
    parse_event,
    write_event,
)
from companion.game.play import Game
from companion.game.position import EndedBy, Phase, Turn
from companion.game.setup import Edition, HouseRules, LocksTakeEffect, Setup, check_name

__all__ = [
    "Crossed",
    "DiceCorrected",
    "Done",
    "Edition",
    "EndedBy",
    "Event",
    "Game",
    "HouseRules",
    "LocksTakeEffect",
    "Moved",
    "MovedOn",
    "Phase",
    "Reopened",
    "Rolled",
    "Setup",
    "SheetCorrected",
    "Source",
    "Stopped",
    "TookBack",
    "Turn",
    "check_name",
    "parse_event",
    "write_event",
]
