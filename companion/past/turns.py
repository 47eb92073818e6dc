"""One game turn by turn, as it counted in the end: who crossed what, and how it stood. Knows no journal."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.game import (
    CameBack,
    Change,
    DiceCorrected,
    EndedBy,
    Event,
    Game,
    Phase,
    PieceCorrected,
    PlaysNoMore,
    Presence,
    Rolled,
    SatOut,
    SheetCorrected,
    Source,
    changes,
)
from companion.game.record import Record
from companion.rules import Cell, Colour, Roll, RuleError, Sheet


class StepKind(StrEnum):
    """What happened between two moments of a replay."""

    TURN = "turn"
    SHEET = "sheet"  # the table corrected somebody's sheet
    PIECE = "piece"  # or put a piece where it stands
    SITS_OUT = "sits-out"
    PLAYS_NO_MORE = "plays-no-more"
    BACK = "back"  # somebody who sat out plays again


@dataclass(frozen=True, slots=True)
class PastStep:
    """One turn, or what was said between, and how it stood then. No choice of an open action is here."""

    kind: StepKind
    number: int  # of the turn
    active: int  # whose turn it is; whose sheet or piece was corrected, who came or went
    roll: Roll | None
    choices: tuple[Cell | None, ...]  # of action 1, by seat
    second: Cell | None
    landing: int | None
    misthrow: bool
    complete: bool
    sheets: tuple[Sheet, ...]
    scores: tuple[int, ...]
    closed: frozenset[Colour]
    pieces: tuple[int, ...]
    changes: tuple[Change, ...] = ()  # of a correction


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll as it lay, and where it came from."""

    roll: Roll
    source: Source


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game: its steps, where it ended, and every throw, those of turns taken back too."""

    record: Record
    steps: tuple[PastStep, ...]
    end: Game
    throws: tuple[Throw, ...]
    trouble: str | None = None  # why the rest cannot be played


def replay(record: Record) -> Replay:
    """The game played again, up to the first event that cannot be."""
    made = _Making(Game.begin(record.setup))
    try:
        for event in record.events:
            made.add(event)
    except RuleError as error:
        number = made.played + 1
        return replace(made.replay(record), trouble=f"event {number} of the game cannot be: {error}")
    return made.replay(record)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position that a step may tell of, unless a later one takes its place."""

    kind: StepKind
    number: int
    game: Game
    owner: int = 0
    after: int = 0  # the newest turn that it comes behind, or is part of; going back to one before forgets it
    changes: tuple[Change, ...] = ()

    def step(self) -> PastStep:
        if self.kind is StepKind.TURN:
            return _turn(self.game)
        return _between(self.kind, self.game, self.owner, self.changes)


_Between = SheetCorrected | PieceCorrected | Presence
_KINDS: dict[type[_Between], StepKind] = {
    SheetCorrected: StepKind.SHEET,
    PieceCorrected: StepKind.PIECE,
    SatOut: StepKind.SITS_OUT,
    PlaysNoMore: StepKind.PLAYS_NO_MORE,
    CameBack: StepKind.BACK,
}


class _Making:
    """A replay as far as it has come."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.played = 0
        self._moments: list[_Moment] = []
        self._throws: list[Throw] = []
        self._thrown: dict[int, int] = {}  # which throw a turn was played with

    def add(self, event: Event) -> None:
        before, self.game = self.game, self.game.apply(event)
        self.played += 1
        if isinstance(event, Rolled):
            self._thrown[before.number] = len(self._throws)
            self._throws.append(Throw(event.roll, event.source))
        if isinstance(event, DiceCorrected) and before.before is not None:
            place = self._thrown[before.before.number]
            self._throws[place] = Throw(event.roll, self._throws[place].source)
        if self.game is before:
            return
        if isinstance(event, _Between):
            self._put_between(event, before)
        behind = before.phase is Phase.ROLL and self.game.phase in (Phase.ROLL, Phase.OVER)
        if isinstance(event, _Between) and behind:
            return  # the turn before is as it was
        if self.game.ended_by is not EndedBy.STOPPED and self.game.before is not None:
            self._put(_Moment(StepKind.TURN, self.game.before.number, self.game))

    def _put_between(self, event: _Between, before: Game) -> None:
        """Behind the turn that is over; in a turn, before it: there it changed what the turn began with."""
        game, number, after = self.game, before.number, before.number - 1
        changed = changes(event, before, game)
        for position in (before, game):
            if position.phase not in (Phase.ROLL, Phase.OVER) and position.before is not None:
                number = after = position.before.number
        begun = game.before if number == after and game.before is not None else game
        self._put(_Moment(_KINDS[type(event)], number, begun, event.owner, after, changed))

    def _put(self, moment: _Moment) -> None:
        """A turn played again takes the place of what was there, and of all that came behind it."""
        place = len(self._moments)
        while place and self._moments[place - 1].number >= moment.number:
            place -= 1
        said = [old for old in self._moments[place:] if old.kind is not StepKind.TURN]
        kept = [old for old in said if old.after <= moment.number]
        if moment.kind is StepKind.TURN and moment.game.before is not None:
            begun = moment.game.before
            kept = [old if old.number == moment.number else replace(old, game=begun) for old in kept]
        self._moments[place:] = [*kept, moment]

    def replay(self, record: Record) -> Replay:
        steps = tuple(moment.step() for moment in self._moments)
        return Replay(record, steps, self.game, tuple(self._throws))


def _turn(game: Game) -> PastStep:
    """The turn that the position belongs to, as far as its actions have closed."""
    before, turn = game.before, game.turn
    if before is None or turn is None:
        raise ValueError(f"a position of a turn is wanted, the game is at {game.phase} before any")
    complete = game.phase in (Phase.ROLL, Phase.OVER)
    active = before.active
    return PastStep(
        kind=StepKind.TURN,
        number=before.number,
        active=active,
        roll=turn.roll,
        choices=(None,) * game.players if game.phase is Phase.FIRST else turn.choices,
        second=game.second_crossed,
        landing=turn.landing if complete and turn.landing in game.pieces[active : active + 1] else None,
        misthrow=complete and game.sheets[active].misthrows > before.sheets[active].misthrows,
        complete=complete,
        sheets=game.sheets,
        scores=game.scores,
        closed=game.closed,
        pieces=game.pieces,
    )


def _between(kind: StepKind, game: Game, owner: int, changed: tuple[Change, ...]) -> PastStep:
    nobody = (None,) * game.players
    return PastStep(
        kind=kind,
        number=game.number,
        active=owner,
        roll=None,
        choices=nobody,
        second=None,
        landing=None,
        misthrow=False,
        complete=True,
        sheets=game.sheets,
        scores=game.scores,
        closed=game.closed,
        pieces=game.pieces,
        changes=changed,
    )


def crosses_on_others_turns(steps: tuple[PastStep, ...], seat: int) -> int:
    """How often the seat crossed the white sum of somebody else's roll."""
    return sum(
        step.kind is StepKind.TURN and step.active != seat and step.choices[seat] is not None
        for step in steps
    )


def rounds(steps: tuple[PastStep, ...]) -> Iterator[PastStep]:
    """The steps that are over: what a line of points goes through."""
    return (step for step in steps if step.complete)
