"""Game: a game as its events. `Game.apply(event) -> Game` on frozen values; dice are fed in.

>>> from companion.game import Crossed, Done, Game, Rolled, Setup, write_event
>>> from companion.rules import Cell, Roll
>>> game = Game.begin(Setup(("Anna", "Ben")))
>>> events = (
...     Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1")),
...     Crossed(0, Cell.parse("R7")),
...     Done(0),
...     Done(1),
... )
>>> for event in events:
...     game = game.apply(event)
...     print(f"{write_event(event)}: {game.phase}")
rolled W3 W4 R2 Y5 G6 B1 by camera: first
0 crosses R7 in 1: first
0 done: first
1 done: second
>>> [str(sheet) for sheet in game.sheets]
['R7', 'empty']
>>> game.scores
(1, 0)
"""

from companion.game.changes import Change, Changed, changes
from companion.game.events import (
    CameBack,
    CorrectionEvent,
    Crossed,
    DiceCorrected,
    Done,
    Event,
    Moved,
    MovedOn,
    PaperEnded,
    PieceCorrected,
    PlaysNoMore,
    Presence,
    Reopened,
    Rolled,
    SatOut,
    SheetCorrected,
    Source,
    Stopped,
    TookBack,
    TookBackDone,
    parse_event,
    write_event,
)
from companion.game.names import LONGEST_NAME, check_name, entered_name, look_of
from companion.game.play import Game
from companion.game.position import EndedBy, Phase, Turn
from companion.game.setup import (
    Edition,
    Hints,
    HouseRules,
    Leaning,
    Level,
    LocksTakeEffect,
    Pace,
    Patience,
    Setup,
)

__all__ = [
    "LONGEST_NAME",
    "CameBack",
    "Change",
    "Changed",
    "CorrectionEvent",
    "Crossed",
    "DiceCorrected",
    "Done",
    "Edition",
    "EndedBy",
    "Event",
    "Game",
    "Hints",
    "HouseRules",
    "Leaning",
    "Level",
    "LocksTakeEffect",
    "Moved",
    "MovedOn",
    "Pace",
    "PaperEnded",
    "Patience",
    "Phase",
    "PieceCorrected",
    "PlaysNoMore",
    "Presence",
    "Reopened",
    "Rolled",
    "SatOut",
    "Setup",
    "SheetCorrected",
    "Source",
    "Stopped",
    "TookBack",
    "TookBackDone",
    "Turn",
    "changes",
    "check_name",
    "entered_name",
    "look_of",
    "parse_event",
    "write_event",
]
