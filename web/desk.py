"""Between the routes and the table: who may do what, and what each visitor sees. Knows no HTML."""

import json
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass

from boxlid.fields import FieldsError
from companion.boards.shelf import OfferedSide
from companion.game import entered_name, look_of
from companion.journal.journal import JournalFullError
from companion.table.seats import Mark, SeatHeld, SeatTaken, free_marks, parse_seat_event
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table, check_command
from companion.view import NO_BOARDS, Asker, MoveOn, View, read_wish, refusal_view, seats_of, view
from companion.view.hints import HintView, hint
from companion.words import Catalogue
from web.access.asks import Ask, Asks
from web.access.codes import CodeCheck
from web.access.identity import Visitor, hash_of, new_token
from web.access.pace import Pace
from web.access.phones_away import PhonesAway
from web.serving.errors import Refused
from web.serving.live import Streams
from web.serving.services import Services

STATUS = {"bad-request": 400, "no-seat": 403, "disk-full": 507}


@dataclass(frozen=True, slots=True)
class AskView:
    """A phone that asks for a seat, or to free one; `mine`: this phone does, `answer`: it may say yes."""

    id: str
    seat: int
    name: str
    mine: bool
    answer: bool
    frees: bool


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a stream: the view, its number, and the run of the companion the numbers belong to."""

    run: str
    sequence: int
    view: View
    asks: tuple[AskView, ...]
    code: str  # that lets others in: who sees the table may show it around
    boards: tuple[OfferedSide, ...]  # to choose from while no game is played


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whether a phone holds a seat, or waits for somebody's yes."""

    seated: bool
    waiting: bool


class Desk:
    """Serves every visitor of one table."""

    def __init__(self, table: Table, services: Services) -> None:
        self.table = table
        self.services = services
        self.asks = Asks(services.clock)
        self.codes = CodeCheck(services.code, services.clock, services.new_code)
        self.streams = Streams()
        self.phones_away = PhonesAway(table, self.streams, services.clock)
        self.pace = Pace(services.clock)
        self.run = secrets.token_hex(4)
        self._sat = _holders(table)  # who ever had a seat here
        self._cache = _Cache()

    # --- seeing ----------------------------------------------------------------------------------------

    def seats(self, who: Visitor) -> frozenset[int]:
        """Its seats, those in the next game too."""
        return seats_of(self.table.snapshot.coming, who.holder)

    def need_sight(self, who: Visitor) -> None:
        """Only those at the table see it."""
        if not who.display and not self.seats(who):
            raise Refused(403, "no-seat", "only phones with a seat and table displays see the table")

    def need_seat(self, who: Visitor) -> None:
        """Only players."""
        if not self.seats(who):
            raise Refused(403, "no-seat", "only phones with a seat do that")

    def need_owner(self, who: Visitor) -> None:
        """What belongs to the table and not to one game is for those who know its code."""
        if not who.display:
            raise Refused(403, "not-owner", "this is for the table display; it takes the table's code")

    def sequence(self) -> int:
        """Rises with every change of anything a message holds."""
        shelf = self.services.shelf
        version = self.asks.version + self.codes.changes + self.table.snapshot.version
        return version + (shelf.version if shelf else 0)

    def newest(self) -> int:
        """The same, for whoever goes on watching: phones that went or came back are a change, too."""
        self.phones_away.look()
        return self.sequence()

    def message(self, who: Visitor) -> Message:
        sequence = self.sequence()
        snapshot = self.table.snapshot
        mine = seats_of(snapshot.coming, who.holder)
        shelf = self.services.shelf if snapshot.game is None else None
        boards = shelf.offers() if shelf is not None else ()
        return Message(
            self.run, sequence, view(snapshot, mine), self._asks(snapshot, who), self.codes.code, boards
        )

    def message_text(self, who: Visitor) -> str:
        key = (self.sequence(), who)
        return self._cache.get(key, lambda: to_json(self.message(who)))

    def _asks(self, snapshot: Snapshot, who: Visitor) -> tuple[AskView, ...]:
        return tuple(
            AskView(
                ask.id,
                ask.seat,
                ask.name,
                mine=ask.holder == who.holder,
                answer=self._may_answer(snapshot, ask, who),
                frees=ask.frees,
            )
            for ask in self.asks.open()
        )

    def need_pace(self, who: Visitor) -> None:
        """Nobody fills the journal or keeps the table busy, whatever a phone's browser runs."""
        self.pace.check(who.holder or "display")

    # --- wishes ----------------------------------------------------------------------------------------

    def wish(self, data: object, who: Visitor) -> None:
        """Carry out what a phone or display wants; Refused says why not."""
        self.need_pace(who)
        snapshot = self.table.snapshot
        asker = Asker(seats_of(snapshot.coming, who.holder), who.display)
        with refusing():
            found = read_wish(data, snapshot, asker, self.services.shelf or NO_BOARDS, self.services.house)
            if isinstance(found, MoveOn):
                self.table.ask_to_move_on(found.seat)
            elif isinstance(found.what, SeatHeld) and asker.mine and found.what.seat not in asker.mine:
                check_command(snapshot, found)
                self._ask_to_free(found.what.seat, who)
            else:
                self.table.play(found)

    def hint(self, seat: int, who: Visitor, words: Catalogue) -> HintView:
        """What the program would choose; nobody asks for another's seat."""
        self.need_pace(who)
        snapshot = self.table.snapshot
        if seat not in seats_of(snapshot.seats, who.holder):
            raise Refused(403, "no-seat", f"this phone does not hold seat {seat}")
        with refusing():
            return hint(snapshot, seat, words)

    # --- seats -----------------------------------------------------------------------------------------

    def fresh_secret(self, who: Visitor) -> str | None:
        """A new secret for a phone that has none, or whose old one served a seat that it has no more."""
        spent = who.holder in self._sat and not self.seats(who)
        return new_token() if who.holder is None or spent else None

    def renewed(self, who: Visitor, token: str) -> Visitor:
        """That phone with another secret; that it knew the code before still counts."""
        self.codes.follow(who.holder, hash_of(token))
        return Visitor(hash_of(token), who.display)

    def join(self, name: str, mark: str, who: Visitor, identity: str | None = None) -> None:
        """Sit down on a new seat; the phone's secret stays with the phone, its hash with the seat."""
        self.need_pace(who)
        seats = self.table.snapshot.coming
        with refusing():
            name = entered_name(name)
        if who.holder is None:
            raise Refused(403, "no-cookie", "this page needs cookies to remember your seat")
        taken = [seat for seat in seats if look_of(seat.name) == look_of(name)]
        if taken and taken[0].holder == who.holder:
            return  # sent twice
        if taken:
            raise Refused(409, "name-taken", f"{name} sits here already; please choose another name")
        marks = [seat.mark for seat in seats]
        free = free_marks(seats)
        if not free:
            raise Refused(409, "full", "all seats are taken")
        mark = mark or free[0]
        if mark in marks:
            raise Refused(409, "mark-taken", f"the {mark} is taken; please choose another mark")
        if mark not in tuple(Mark):
            raise Refused(400, "bad-request", f"a mark is one of {', '.join(Mark)}, got {mark!r}")
        with refusing():
            self.table.play(Command(SeatTaken(name, Mark(mark), who.holder), id=identity))
        self._has_sat(who.holder)

    def ask_for_seat(self, seat: int, who: Visitor) -> None:
        """Take a seat over: at once if no phone holds it, else once somebody at the table says yes."""
        self.need_pace(who)
        seats = self.table.snapshot.coming
        if who.holder is None:
            raise Refused(403, "no-cookie", "this page needs cookies to remember your seat")
        if not 0 <= seat < len(seats):
            raise Refused(404, "no-such-seat", f"there are {len(seats)} seats, got seat {seat}")
        if seats[seat].holder == who.holder:
            return
        if seats[seat].holder is None:
            self._give(seat, who.holder)
        else:
            self._ask(seat, seats[seat].name, who.holder)

    def _ask_to_free(self, seat: int, who: Visitor) -> None:
        """No player frees the seat of another phone alone: anybody who knows the code could take it then."""
        seats = self.table.snapshot.seats
        if not 0 <= seat < len(seats):
            raise Refused(404, "no-such-seat", f"there are {len(seats)} seats, got seat {seat}")
        if seats[seat].holder is not None and who.holder is not None:
            self._ask(seat, seats[seat].name, who.holder, frees=True)

    def _ask(self, seat: int, name: str, holder: str, *, frees: bool = False) -> None:
        if self.asks.ask(seat, name, holder, frees=frees) is None:
            raise Refused(429, "busy", "several phones are asking for seats already", retry_after=30)

    def answer(self, identity: str, *, yes: bool, who: Visitor) -> None:
        self.need_pace(who)
        ask = self.asks.find(identity)
        if ask is None:
            raise Refused(404, "no-such-ask", "nobody asks for that any more")
        if ask.holder != who.holder and not self._may_answer(self.table.snapshot, ask, who):
            raise Refused(403, "no-seat", "another player or the table display answers that")
        if ask.holder == who.holder and yes:
            raise Refused(403, "not-yours", "another player or the table display has to say yes")
        seats = self.table.snapshot.coming
        if yes and ask.seat < len(seats) and seats[ask.seat].name == ask.name:
            self._give(ask.seat, None if ask.frees else ask.holder)
        self.asks.drop(identity)

    def _give(self, seat: int, holder: str | None) -> None:
        with refusing():
            self.table.play(Command(SeatHeld(seat, holder)))
        if holder is not None:
            self._has_sat(holder)

    def _has_sat(self, holder: str) -> None:
        self._sat.add(holder)
        self.codes.trust(holder)

    def _may_answer(self, snapshot: Snapshot, ask: Ask, who: Visitor) -> bool:
        if ask.holder == who.holder:
            return False
        return who.display or bool(seats_of(snapshot.seats, who.holder))


class _Cache:
    """The texts of the newest state: phones that show the same thing share one."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._sequence = -1
        self._texts: dict[tuple[int, Visitor], str] = {}

    def get(self, key: tuple[int, Visitor], make: Callable[[], str]) -> str:
        with self._mutex:
            if key[0] > self._sequence:
                self._sequence, self._texts = key[0], {}
            found = self._texts.get(key)
        if found is None:
            found = make()
            with self._mutex:
                if key[0] == self._sequence:
                    self._texts[key] = found
        return found


def _holders(table: Table) -> set[str]:
    """The hashes of all secrets that ever served a seat."""
    lines = [entry.line for entry in table.journal.table_entries() if entry.line.startswith("seat ")]
    events = [parse_seat_event(line) for line in lines]
    return {each.holder for each in events if isinstance(each, SeatTaken | SeatHeld) and each.holder}


@contextmanager
def refusing() -> Iterator[None]:
    """Turns the table's refusals into answers with a status."""
    try:
        yield
    except (FieldsError, ValueError, JournalFullError) as error:
        refusal = refusal_view(error)
        status = STATUS.get(refusal.kind, 409)
        raise Refused(status, refusal.kind, refusal.text, why=refusal.why, number=refusal.number) from None


def to_json(value: object) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> dict[str, object]:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"no JSON for {type(value).__name__}")
