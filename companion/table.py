"""The one table that everything talks to: check, keep, show. Knows no pixels, pins or pages."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.eyes import Eyes, EyesState
from companion.game import DiceCorrected, Game, MovedOn, Phase, Reopened, Rolled, SheetCorrected, Source
from companion.journal import Entry, Journal, JournalRefusedError
from companion.rules import NotationError, RuleError
from companion.snapshot import (
    GameDeleted,
    GameStarted,
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
_AGAIN = DiceCorrected | Reopened | SheetCorrected  # action 1 begins once more


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


class Table:
    """Check, keep, show: the only way anything changes, and the only place to wait for it."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._clock = clock
        self._changed = threading.Condition()
        self._snapshot = replay(journal)
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
            return self._play(command)

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
            return self._show(_answered(_without_notice(after, command.what), command.what))

    def tell(self, eyes: Eyes) -> Snapshot:
        """What the camera's side shows; it is seen by all and kept by nobody."""
        with self._changed:
            if eyes == self._snapshot.eyes:
                return self._snapshot
            return self._show(replace(self._snapshot, version=self._snapshot.version + 1, eyes=eyes))

    def wait(self, after: int, timeout: float) -> Snapshot:
        """The newest snapshot, as soon as it is not the one of version `after`, or the time is up.

        A version above the newest is from before a restart: whoever knows it is shown the newest at once."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version != after, timeout)
            return self._snapshot

    # --- moving on -------------------------------------------------------------------------------------

    def ask_to_move_on(self, seat: int) -> Snapshot:
        """The active player has waited long enough: all are told, and action 1 closes three seconds later."""
        with self._changed:
            game = self._snapshot.game
            if game is None or game.phase is not Phase.FIRST or seat != game.active:
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
    if isinstance(what, MovedOn):
        raise RuleError("moving on is asked for first, so that all are told")
    owner = None if isinstance(what, Rolled) else what.seat
    for seat in (owner, command.seat):
        if seat is not None and not 0 <= seat < game.players:
            raise RuleError(f"seats are 0 to {game.players - 1}, got {seat}")
    if command.seat is None or command.helping:
        return
    if owner is None and command.seat != game.active:
        raise RuleError(f"{game.setup.players[game.active]} rolls", "not-active")
    if owner is not None and owner != command.seat:
        raise RuleError(f"seat {command.seat} cannot play for seat {owner} unless it says so")
    if isinstance(what, DiceCorrected) and _somebody_crossed(game) and command.seat != game.active:
        name = game.setup.players[game.active]
        raise RuleError(f"after the first cross, {name} corrects the dice", "not-active")


def _somebody_crossed(game: Game) -> bool:
    turn = game.turn
    return turn is not None and (turn.second is not None or any(turn.choices))


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
