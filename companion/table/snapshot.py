"""What everybody shows at one moment: seats, game, series, eyes; and the events that change it."""

from dataclasses import dataclass, field, replace

from companion.game import (
    Change,
    CorrectionEvent,
    EndedBy,
    Event,
    Game,
    Phase,
    Rolled,
    Setup,
    TookBackDone,
    changes,
    parse_event,
    write_event,
)
from companion.journal.doubt import Doubt
from companion.journal.entry import deletion
from companion.process.fault_barrier import BoxPart
from companion.rules import NotationError, RuleError, is_number
from companion.table.eyes import Eyes
from companion.table.seats import (
    NO_SEATS,
    ProgramSeated,
    SeatEvent,
    SeatHeld,
    SeatLeft,
    Seats,
    SeatsOrdered,
    SeatTaken,
    apply_seat_event,
    levels,
    parse_seat_event,
    write_seat_event,
)
from companion.table.series import MOST_GAMES, Series


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The players on the seats begin a game, `number` of `games` in a series; 1 of 1 is a single game."""

    setup: Setup
    games: int = 1
    number: int = 1


@dataclass(frozen=True, slots=True)
class TableCleared:
    """The finished game leaves the table and the lobby opens again."""


@dataclass(frozen=True, slots=True)
class GameDeleted:
    """A game of the past leaves the history; `game` is the number of the entry that started it."""

    game: int


TableEvent = GameStarted | TableCleared | GameDeleted | SeatEvent
What = Event | TableEvent


@dataclass(frozen=True, slots=True)
class Correction:
    """The table changed what was settled: all are told until the next roll. `number` is its entry's."""

    what: CorrectionEvent | TookBackDone
    number: int
    changes: tuple[Change, ...] = ()
    turn: int = 0  # that goes on now, of the game


@dataclass(frozen=True)
class Snapshot:
    """Everything anybody shows, at one moment. Versions rise by one with each change."""

    version: int = 0
    seats: Seats = NO_SEATS
    waiting: Seats = NO_SEATS  # came while a game was played: they have a place in the next one
    game: Game | None = None
    game_id: int | None = None
    series: Series | None = None
    eyes: Eyes = field(default_factory=Eyes)
    broken: tuple[BoxPart, ...] = ()  # parts beside the phones that do nothing at present
    corrected: Correction | None = None  # since the last roll
    in_series: tuple[int, ...] = ()  # the games of the present series, this one with them
    deleted: frozenset[int] = frozenset()  # games taken out of the history
    phones_away: frozenset[str] = frozenset()  # that hold seats, and have not been heard of for long
    doubt: Doubt | None = None  # what may be missing of the journal, until somebody decided
    moves_on_at: float | None = None  # on the table's clock: action 1 closes then for who is still deciding
    early: int = 0  # presses that came while players still decided: all are told of each
    lot_ends_at: float | None = (
        None  # on the table's clock: until then all watch the lot for the first player
    )

    @property
    def coming(self) -> Seats:
        """Who may play the next game."""
        return (*self.seats, *self.waiting)

    @property
    def absent(self) -> frozenset[int]:
        """Seats that are not started into the next game unasked: their phone is not here, or they sat out."""
        away = self.game.away if self.game is not None else frozenset[int]()
        people = [(number, seat) for number, seat in enumerate(self.coming) if seat.level is None]
        nowhere = {None, *self.phones_away}
        return away.union([number for number, seat in people if seat.holder in nowhere])

    @property
    def moment(self) -> str:
        """Changes whenever a choice made before would mean something else now."""
        if self.game is None:
            return "lobby"
        dice = str(self.game.turn.roll).replace(" ", "") if self.game.turn else "-"
        corrected = f".{self.corrected.number}" if self.corrected else ""
        return f"{self.game_id}.{self.game.number}.{self.game.phase}.{dice}{corrected}"

    @property
    def _is_playing(self) -> bool:
        return self.game is not None and self.game.phase is not Phase.OVER

    def plays_itself(self, seat: int) -> bool:
        """Whether the program plays that seat."""
        return seat < len(self.seats) and self.seats[seat].level is not None

    def after(self, what: What, number: int) -> "Snapshot":
        """The next snapshot; RuleError if it cannot be. `number` is the id of the event's entry."""
        match what:
            case GameStarted():
                return self._started(what, number)
            case TableCleared():
                if self._is_playing:
                    raise RuleError("a game is being played; stop it before clearing the table", "playing")
                cleared = replace(self, seats=self.coming, waiting=NO_SEATS)
                return self._next(replace(cleared, game=None, game_id=None, corrected=None))
            case GameDeleted(game):
                return self._deleted(game)
            case SeatTaken() | ProgramSeated() | SeatHeld() | SeatLeft() | SeatsOrdered():
                return self._next(self._seated(what))
            case _:
                return self._played(what, number)

    def before_start(self, players: tuple[str, ...]) -> tuple[TableEvent, ...]:
        """What comes before a game of just those who may play it: the table is cleared, the others leave."""
        leave = [number for number, seat in enumerate(self.coming) if seat.name not in players]
        if self.game is None or self.game.phase is not Phase.OVER:
            return tuple(SeatLeft(number) for number in reversed(leave))
        if players == tuple(seat.name for seat in self.seats):
            return ()  # the same once more; who waits goes on waiting
        return (TableCleared(), *(SeatLeft(number) for number in reversed(leave)))

    def _seated(self, what: SeatEvent) -> "Snapshot":
        """While a game is on the table its seats stay as they are; who comes then waits behind them."""
        seats, coming = len(self.seats), apply_seat_event(self.coming, what)
        if self.game is None:
            return replace(self, seats=coming)
        if isinstance(what, SeatHeld) and what.holder and self._is_playing and self.plays_itself(what.seat):
            text = f"the program plays {self.seats[what.seat].name}; take that seat between two games"
            raise RuleError(text, "program-plays")
        if isinstance(what, SeatsOrdered) or (isinstance(what, SeatLeft) and what.seat < seats):
            text = "seats change in the lobby; finish the game and clear the table first"
            raise RuleError(text, "playing")
        return replace(self, seats=coming[:seats], waiting=coming[seats:])

    def _started(self, what: GameStarted, number: int) -> "Snapshot":
        if self._is_playing:
            raise RuleError("a game is being played; stop it before starting another", "playing")
        names = tuple(seat.name for seat in self.seats)
        if what.setup.players != names:
            raise RuleError(f"the players are those on the seats: {', '.join(names) or 'nobody'}")
        if what.setup.levels != levels(self.seats):
            raise RuleError("whom the program plays is as on the seats")
        series = self._series(what, names)
        in_series = (number,) if what.number == 1 else (*self.in_series, number)
        begun = replace(self, game=Game.begin(what.setup), game_id=number, series=series)
        return self._next(replace(begun, in_series=in_series, corrected=None))

    def _deleted(self, game: int) -> "Snapshot":
        if game in self.deleted:
            raise RuleError(f"there is no game {game} any more")
        if game in self.in_series and self.game is not None:
            raise RuleError("that game is on the table, or of the series that is; clear the table first")
        series = None if game in self.in_series else self.series
        return self._next(replace(self, series=series, deleted=self.deleted | {game}))

    def _series(self, what: GameStarted, names: tuple[str, ...]) -> Series | None:
        if not 1 <= what.number <= what.games <= MOST_GAMES:
            wanted = f"a series has 1 to {MOST_GAMES} games"
            raise RuleError(f"{wanted}, got game {what.number} of {what.games}")
        if what.number == 1:
            return Series(names, what.games) if what.games > 1 else None
        series = self.series
        if series is None or series.players != names or series.games != what.games:
            raise RuleError(f"no series of {what.games} games by {', '.join(names)} goes on here")
        if len(series.results) != what.number - 1:
            raise RuleError(f"game {len(series.results) + 1} of the series comes next, got {what.number}")
        return series

    def _played(self, event: Event, number: int) -> "Snapshot":
        if self.game is None:
            raise RuleError("no game is being played")
        game = self.game.apply(event)
        if game is self.game:
            return self._next(self)
        corrected = None if isinstance(event, Rolled) else self.corrected
        if isinstance(event, CorrectionEvent | TookBackDone):
            corrected = Correction(event, number, changes(event, self.game, game), game.number)
        return self._next(replace(self, game=game, series=self._noted(game), corrected=corrected))

    def _noted(self, game: Game) -> Series | None:
        """The series with the game's result once it is over; a reopened game takes its result back."""
        counted, counts = _counts(self.game), _counts(game)
        if self.series is None or counted == counts:
            return self.series
        return self.series.note(game.scores) if counts else self.series.take_back()

    def _next(self, after: "Snapshot") -> "Snapshot":
        return replace(after, version=self.version + 1)


def _counts(game: Game | None) -> bool:
    """Whether a game has a result that a series notes: it was played to its end."""
    return game is not None and game.phase is Phase.OVER and game.ended_by is not EndedBy.STOPPED


_STARTED, _IMPORTED = "game started ", "game imported "


def write_line(what: What) -> str:
    """What happened, as its line in the journal."""
    match what:
        case GameStarted(setup, games, number):
            return f"{_STARTED}{number} {games} {setup}"
        case TableCleared():
            return "table cleared"
        case GameDeleted(game):
            return deletion(game)
        case SeatTaken() | ProgramSeated() | SeatHeld() | SeatLeft() | SeatsOrdered():
            return write_seat_event(what)
        case _:
            return write_event(what)


def parse_line(line: str) -> What:
    """What happened, from its line in the journal."""
    match line.split(" ", 4):
        case ["game", "started", number, games, setup]:
            return GameStarted(Setup.parse(setup), _count(games, line), _count(number, line))
        case ["table", "cleared"]:
            return TableCleared()
        case ["game", "deleted", game]:
            return GameDeleted(_count(game, line))
        case [("seat" | "seats"), *_]:
            return parse_seat_event(line)
        case _:
            return parse_event(line)


_LONGEST_COUNT = 15  # digits: no journal has that many entries


def _count(text: str, line: str) -> int:
    if not is_number(text, _LONGEST_COUNT):
        raise NotationError(f"games are started as number 1 of 1 or so and deleted by number, got {line!r}")
    return int(text)


def begins_series(line: str) -> bool:
    """Whether the line starts a single game or the first of a series: nothing before it matters to it."""
    return line.startswith(f"{_STARTED}1 ")


@dataclass(frozen=True, slots=True)
class Imported:
    """A game played elsewhere, kept as history: no table ever shows it. `at` is when it was played."""

    setup: Setup
    at: float

    def __str__(self) -> str:
        return f"{_IMPORTED}{self.at!r} {self.setup}"

    @classmethod
    def parse(cls, line: str) -> "Imported":
        at, _, setup = line.removeprefix(_IMPORTED).partition(" ")
        try:
            return cls(Setup.parse(setup), float(at))
        except ValueError as error:
            raise NotationError(f"{error} in imported game {line!r}") from None


def is_imported(line: str) -> bool:
    return line.startswith(_IMPORTED)
