"""The one table that everything talks to: check, keep, show. Knows no pixels, pins or pages."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.game import (
    CorrectionEvent,
    DiceCorrected,
    Done,
    Game,
    MovedOn,
    PaperEnded,
    Phase,
    Rolled,
    Source,
    TookBackDone,
)
from companion.journal.journal import Entry, Journal, JournalRefusedError
from companion.process.fault_barrier import BoxPart
from companion.rules import NotationError, RuleError
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import (
    GameDeleted,
    GameStarted,
    Imported,
    Snapshot,
    TableEvent,
    What,
    begins_series,
    is_imported,
    parse_line,
    write_line,
)

NOTICE_SECONDS = 3.0
LOT_SECONDS = 2.4
_AGAIN = CorrectionEvent | TookBackDone  # action 1 may begin once more


class StaleError(RuleError):
    """The table moved on while the command was under way; look at the newest snapshot and choose again."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "stale")


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody wants. `id` makes it safe to send twice; `moment` refuses it once the table moved on."""

    what: What
    id: str | None = None
    seat: int | None = None  # who asks; None: the table itself (camera, panel, display)
    helping: bool = False  # acting for another seat, on purpose
    moment: str | None = None
    by_lot: bool = False  # the first player of the game that starts was drawn
    eyes: Eyes | None = None  # how the camera's side is with it: shown together, in one snapshot


class Table:
    """Check, keep, show: the only way anything changes, and the only place to wait for it."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._clock = clock
        self._changed = threading.Condition()
        self._snapshot = replace(replay(journal), doubt=journal.doubt)
        self._rolled_at = clock()

    @property
    def journal(self) -> Journal:
        """What was kept, for those who look back; what changes goes through `play`."""
        return self._journal

    @property
    def snapshot(self) -> Snapshot:
        with self._changed:
            return self._snapshot

    def play(self, command: Command) -> Snapshot:
        """Check it, keep it on disk, show it. A command of a known id changes nothing and is fine."""
        with self._changed:
            if command.id is not None and self._journal.knows(command.id):
                return self._snapshot
            check_command(self._snapshot, command)
            if isinstance(command.what, GameStarted):
                self._make_room(command.what)
            return self._play(command)

    def _make_room(self, start: GameStarted) -> None:
        """Who is not in the game leaves, who waited sits down: nothing of it if the game cannot start."""
        steps = self._snapshot.before_start(start.setup.players)
        after = self._snapshot
        for step in (*steps, start):
            after = after.after(step, self._journal.next_id)
        for step in steps:
            self._play(Command(step))

    def _play(self, command: Command) -> Snapshot:
        with self._changed:
            before = self._snapshot
            if isinstance(command.what, GameDeleted) and not self._journal.newest_of(command.what.game):
                raise RuleError(f"there is no game {command.what.game} in the history")
            after = before.after(command.what, self._journal.next_id)
            after = replace(after, lot_ends_at=self._clock() + LOT_SECONDS if command.by_lot else None)
            self._journal.append(
                write_line(command.what),
                game=None if isinstance(command.what, TableEvent) else before.game_id,
                command=command.id,
                seat=command.seat,
                starts_game=isinstance(command.what, GameStarted),
            )
            if isinstance(command.what, Rolled | _AGAIN):
                self._rolled_at = self._clock()
            answered = _answered(_without_notice(after, command.what), command.what)
            shown = self._show(answered if command.eyes is None else replace(answered, eyes=command.eyes))
            done = done_in_advance(before.game, command.what, shown.game)
            return shown if done is None else self._play(Command(done))

    def keep_on_paper(self, game: Imported, ended: PaperEnded) -> int:
        """A game that was played on paper becomes history, of the number returned; the table goes on."""
        with self._changed:
            Game.begin(game.setup).apply(ended)
            return self._journal.append_game([str(game), write_line(ended)]).id

    def tell(self, eyes: Eyes) -> Snapshot:
        """What the camera's side shows; it is seen by all and kept by nobody."""
        with self._changed:
            if eyes == self._snapshot.eyes:
                return self._snapshot
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, eyes=eyes))

    def tell_broken(self, parts: tuple[BoxPart, ...]) -> Snapshot:
        """Which parts beside the phones do nothing at present; seen by all, kept by nobody."""
        with self._changed:
            if parts == self._snapshot.broken:
                return self._snapshot
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, broken=parts))

    def tell_phones_away(self, phones: frozenset[str]) -> Snapshot:
        """Which phones with seats have not been heard of for long; seen by all, kept by nobody."""
        with self._changed:
            if phones == self._snapshot.phones_away:
                return self._snapshot
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, phones_away=phones))

    def settle(self) -> Snapshot:
        """Somebody decided that the journal is right as it is, though something may be missing of it."""
        with self._changed:
            self._journal.settle()
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, doubt=None))

    def wait(self, after: int, timeout: float) -> Snapshot:
        """The newest snapshot, as soon as it is not the one of version `after`, or the time is up.

        A version above the newest is from before a restart: whoever knows it is shown the newest at once."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version != after, timeout)
            return self._snapshot

    # --- moving on -------------------------------------------------------------------------------------

    def ask_to_move_on(self, seat: int) -> Snapshot:
        """The active player has waited long enough: all are told, and action 1 closes three seconds later.

        A player of the program hurries nobody; in its turn, anybody may ask."""
        with self._changed:
            game = self._snapshot.game
            asks = game is not None and (seat == game.active or self._snapshot.plays_itself(game.active))
            if game is None or game.phase is not Phase.FIRST or not asks:
                raise RuleError("moving on is the active player's, while others decide in action 1")
            patience = game.setup.house.patience
            if not patience:
                raise RuleError("this table waits for everybody: no patience time is set")
            left = self._rolled_at + patience - self._clock()
            if left > 0:
                wait = math.ceil(left)
                raise RuleError(f"please wait {wait} more seconds before moving on", "wait", wait)
            if self._snapshot.moves_on_at is not None:
                return self._snapshot
            due = self._clock() + NOTICE_SECONDS
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, moves_on_at=due))

    def press_too_early(self) -> Snapshot:
        """Somebody pressed for the next roll while others still decide: all are told who."""
        with self._changed:
            now = self._snapshot
            if now.game is None or now.game.phase not in (Phase.FIRST, Phase.SECOND, Phase.THIRD):
                return now
            return self._show(replace(now, version=now.version + 1, early=now.early + 1))

    def tick(self) -> Snapshot:
        """Called now and then by the host: carries out what is due."""
        with self._changed:
            snapshot = self._snapshot
            if snapshot.lot_ends_at is not None and self._clock() >= snapshot.lot_ends_at:
                snapshot = self._show(replace(snapshot, version=snapshot.version + 1, lot_ends_at=None))
            due = snapshot.moves_on_at
            if due is None or snapshot.game is None or self._clock() < due:
                return snapshot
            return self._play(Command(MovedOn(snapshot.game.active), seat=snapshot.game.active))

    def _show(self, snapshot: Snapshot) -> Snapshot:
        self._snapshot = snapshot
        self._changed.notify_all()
        return snapshot


def _without_notice(snapshot: Snapshot, what: What) -> Snapshot:
    """A notice of moving on ends with the action 1 it was about."""
    if isinstance(what, _AGAIN) or snapshot.game is None or snapshot.game.phase is not Phase.FIRST:
        return replace(snapshot, moves_on_at=None)
    return snapshot


def _answered(snapshot: Snapshot, what: What) -> Snapshot:
    """A roll entered by hand answers what the camera asked; else what it saw last was another roll."""
    if not isinstance(what, Rolled):
        return snapshot
    eyes = snapshot.eyes
    if what.source is Source.VIRTUAL or (what.source is Source.HAND and eyes.state is not EyesState.ASK):
        eyes = replace(eyes, dice=())
    if eyes.state is EyesState.ASK:
        eyes = replace(eyes, state=EyesState.READY, notices=())
    return replace(snapshot, eyes=eyes)


# --- who may -------------------------------------------------------------------------------------------


def check_command(snapshot: Snapshot, command: Command) -> None:
    """Refuse what is too late, or somebody else's."""
    if command.moment is not None and command.moment != snapshot.moment:
        raise StaleError("the table has moved on; please look again and choose once more")
    game, what = snapshot.game, command.what
    if game is None or isinstance(what, TableEvent):
        return
    if isinstance(what, PaperEnded):
        raise RuleError("a game on paper is kept as a whole, at no table")
    if isinstance(what, MovedOn):
        raise RuleError("moving on is asked for first, so that all are told")
    owner = None if isinstance(what, Rolled) else what.seat
    for seat in (owner, command.seat):
        if seat is not None and not 0 <= seat < game.players:
            raise RuleError(f"seats are 0 to {game.players - 1}, got {seat}")
    if command.seat is None or command.helping:
        return
    if owner is None and command.seat != game.active and not snapshot.plays_itself(game.active):
        raise RuleError(f"{game.setup.players[game.active]} rolls", "not-active")
    if owner is not None and owner != command.seat:
        raise RuleError(f"seat {command.seat} cannot play for seat {owner} unless it says so")
    if isinstance(what, DiceCorrected) and command.seat != game.active and _somebody_crossed(snapshot, game):
        name = game.setup.players[game.active]
        raise RuleError(f"after the first cross, {name} corrects the dice", "not-active")


def _somebody_crossed(snapshot: Snapshot, game: Game) -> bool:
    """Some person: players of the program decide again, and in their turns anybody corrects the dice."""
    turn = game.turn
    if turn is None or snapshot.plays_itself(game.active):
        return False
    crossed = [seat for seat, cell in enumerate(turn.choices) if cell is not None]
    return turn.second is not None or not all(map(snapshot.plays_itself, crossed))


def done_in_advance(before: Game | None, what: What, after: Game | None) -> Done | None:
    """The active player's Done with action 2, where it was chosen in advance: one Done was for both.

    An event of its own, so that what was kept before there was such a thing still means the same."""
    if before is None or after is None or before.turn is None or after.turn is None:
        return None
    closed = before.phase is Phase.FIRST and after.phase is Phase.SECOND
    said_so = after.active in before.turn.done or what == Done(after.active)
    return Done(after.active) if closed and said_so and after.turn.second is not None else None


def replay(journal: Journal) -> Snapshot:
    """The snapshot that all kept events come to. Games before the present series are not played again."""
    entries = journal.table_entries()
    begins = [entry.id for entry in entries if begins_series(entry.line)]
    since = begins[-1] if begins else 0
    snapshot = Snapshot()
    for entry in entries:
        if entry.game is None:
            snapshot = _step(snapshot, entry)
        elif entry.id >= since and not is_imported(entry.line):
            for event in journal.entries(game=entry.id):
                snapshot = _step(snapshot, event)
    return snapshot


def _step(snapshot: Snapshot, entry: Entry) -> Snapshot:
    try:
        return snapshot.after(parse_line(entry.line), entry.id)
    except (NotationError, RuleError) as error:
        text = f"entry {entry.id} of the journal does not follow: {error}"
        raise JournalRefusedError(text) from None
