"""What one game comes to in numbers, and these as a line of text to be kept. Knows no journal, no pages."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from boxlid.fields import FieldsError, read
from companion.game import EndedBy, PaperEnded, Phase, Source
from companion.past.turns import Replay, Throw, crosses_on_others_turns
from companion.rules import COLOURS

VERSION = 2  # of what is counted; a kept line of another version is counted again
DICE = ("white", *COLOURS)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player in one game."""

    score: int
    locks: int
    misthrows: int
    crosses: int
    on_others_turns: int


@dataclass(frozen=True, slots=True)
class DiceFigures:
    """The throws of one source: how often each face of each die came up, in the order of DICE."""

    source: Source
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One game. `trouble` says why it cannot be played again to its end; what is known stands beside it."""

    over: bool
    ended_by: EndedBy | None
    winners: tuple[int, ...]
    turns: int
    players: tuple[PlayerFigures, ...]
    dice: tuple[DiceFigures, ...]
    paper: bool = False  # only the end is known
    trouble: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it is part of the statistics: played to its end by the rules."""
        return self.over and self.trouble is None and self.ended_by is not EndedBy.STOPPED

    def write(self) -> str:
        return json.dumps([VERSION, asdict(self)], separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> "GameFigures | None":
        """The figures behind a kept line; None if it is not one of this version."""
        try:
            version, value = json.loads(text)
            return read(cls, value) if version == VERSION else None
        except (FieldsError, ValueError, TypeError):
            return None


def unreadable(trouble: str) -> GameFigures:
    """A game of which nothing can be told but why."""
    return GameFigures(False, None, (), 0, (), (), trouble=trouble)


def figures_of(played: Replay) -> GameFigures:
    """What a game comes to as it stands."""
    game = played.end
    scores = game.scores
    return GameFigures(
        over=game.phase is Phase.OVER,
        ended_by=game.ended_by,
        winners=game.winners,
        turns=sum(step.roll is not None for step in played.steps),
        players=tuple(
            PlayerFigures(
                score=scores[seat],
                locks=len(sheet.locks),
                misthrows=sheet.misthrows,
                crosses=len(sheet.cells),
                on_others_turns=crosses_on_others_turns(played.steps, seat),
            )
            for seat, sheet in enumerate(game.sheets)
        ),
        dice=_dice(played.throws),
        paper=any(isinstance(event, PaperEnded) for event in played.record.events[:1]),
        trouble=played.trouble,
    )


def _dice(throws: Sequence[Throw]) -> tuple[DiceFigures, ...]:
    found: dict[Source, dict[str, list[int]]] = {}
    for throw in throws:
        counts = found.setdefault(throw.source, {die: [0] * 6 for die in DICE})
        for pips in throw.roll.white:
            counts["white"][pips - 1] += 1
        for colour, pips in throw.roll.coloured:
            counts[colour][pips - 1] += 1
    return tuple(
        DiceFigures(source, tuple(tuple(found[source][die]) for die in DICE))
        for source in Source
        if source in found
    )
