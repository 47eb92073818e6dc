"""Random wishes of many phones over HTTP, legal or not; after each the table equals its journal replayed."""

import http.client
import itertools
import json
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path

from companion.benchmarks.figure import Figure, at_least
from companion.benchmarks.hammer import kept_part
from companion.benchmarks.screens import headers
from companion.boards.shelf import Shelf
from companion.journal.journal import Journal
from companion.table.snapshot import Snapshot, parse_line
from companion.table.table import Table, replay
from companion.view import WISHES
from tools.bench.odd_wishes import MOST_SEATS, likely, odd
from web import Services, create_app
from web.access.identity import PHONE_COOKIE
from web.serving.server import Server

STEPS, SEED = 100_000, 11
CODE = "K7QX"
PHONES = ("anna", "ben", "cem", "dora", "emil", "stranger")
WHOLE_EVERY = 2_000  # steps after which the whole journal is replayed, beside the newest events each time
BURST_EVERY = 50  # steps after which all phones send at once
ODD_SHARE = 0.3
PATIENCE_SECONDS = 30.0


@dataclass
class Fuzzed:
    """What came of it; `faults` has a line for each step after which something was not as it must be."""

    steps: int = 0
    accepted: int = 0
    refused: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)  # of wishes that were accepted
    faults: list[str] = field(default_factory=list)


class _Fuzz:
    def __init__(self, journal: Journal, table: Table, port: int, seed: int) -> None:
        self.journal, self.table, self.port = journal, table, port
        self.rng = random.Random(seed)
        self.shadow = Snapshot()
        self.last = 0
        self.found = Fuzzed()
        self._counting = threading.Lock()
        self._secrets = {phone: phone for phone in PHONES}  # a phone that asks for a seat gets a new one

    def tick(self) -> None:
        """Time goes on: who was asked to move on does."""
        self.table.tick()
        self._follow()

    def step(self) -> None:
        path, body, phone = self._wish()
        status = self._send(path, body, phone)
        self.found.steps += 1
        fresh = self._follow()
        if fresh and status >= 400:
            self._fault(f"{body} was refused with {status} and kept all the same")
        self._compare(str(body))

    def burst(self) -> None:
        """Everybody at once: what each got is not foretold, but table and journal must agree after it."""
        wishes = [self._wish() for _ in PHONES]
        threads = [threading.Thread(target=self._send, args=wish, daemon=True) for wish in wishes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
        if any(thread.is_alive() for thread in threads):
            self._fault("a wish of a burst was never answered")
        self.found.steps += len(wishes)
        self._follow()
        self._compare("a burst")

    def whole(self) -> None:
        if kept_part(replay(self.journal)) != kept_part(self.table.snapshot):
            self._fault("the whole journal played again is another table")

    def _wish(self) -> tuple[str, object, str | None]:
        snapshot, rng = self.table.snapshot, self.rng
        phone = rng.choice((*PHONES, None))
        if snapshot.game is None and len(snapshot.seats) < MOST_SEATS - 1 and rng.random() < 0.4:
            name = rng.choice(PHONES)
            return "/api/seats", {"name": name.title(), "mark": "", "code": CODE}, name
        free = [number for number, seat in enumerate(snapshot.seats) if not (seat.holder or seat.level)]
        if free and rng.random() < 0.3:  # freed by an odd wish: its player comes back
            return "/api/asks", {"seat": free[0], "code": CODE}, snapshot.seats[free[0]].name.casefold()
        if rng.random() < ODD_SHARE:
            return "/api/wishes", odd(snapshot, rng), phone
        wish = likely(snapshot, rng)
        seat = wish.get("seat", snapshot.game.active if snapshot.game else 0)
        if rng.random() < 0.9 and isinstance(seat, int) and seat < len(snapshot.seats):
            name = snapshot.seats[seat].name.casefold()
            phone = name if name in PHONES else phone  # the phone that may; the program has none
        if rng.random() < 0.2:
            wish |= {"id": f"wish {rng.randrange(500)}", "moment": snapshot.moment}
        return "/api/wishes", wish, phone

    def _send(self, path: str, body: object, phone: str | None) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        secret = self._secrets[phone] if phone else None
        about = {**headers(self.port, secret), "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), about)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        given = SimpleCookie(answer.getheader("Set-Cookie", "")).get(PHONE_COOKIE)
        if phone and given:
            self._secrets[phone] = given.value
        with self._counting:
            self.found.accepted += answer.status < 400
            if answer.status < 400 and path == "/api/wishes" and isinstance(body, dict):
                self.found.kinds[str(body["do"])] += 1
            self.found.refused += answer.status >= 400
        if answer.status >= 500:
            self._fault(f"{body} was answered with {answer.status}")
        return answer.status

    def _follow(self) -> int:
        """Plays what the journal has anew; how many events that was."""
        fresh = self.journal.entries(after=self.last)
        for entry in fresh:
            self.shadow, self.last = self.shadow.after(parse_line(entry.line), entry.id), entry.id
        self.found.events += len(fresh)
        return len(fresh)

    def _compare(self, after: str) -> None:
        if kept_part(self.shadow) != kept_part(self.table.snapshot):
            self._fault(f"after {after} the table is not what its journal says")

    def _fault(self, text: str) -> None:
        self.found.faults.append(f"step {self.found.steps}: {text}")


def fuzz(folder: Path, steps: int, seed: int) -> Fuzzed:
    with Journal(folder) as journal:
        ticks = itertools.count(0.0, 0.5)
        table = Table(journal, clock=lambda: next(ticks))  # of people who take their time
        hurried = itertools.count(0.0, 1.0)  # so that phones this quick are no machines
        shelf = Shelf(folder / "boards")
        services = Services(code=CODE, key=b"bench" * 7, clock=lambda: next(hurried), shelf=shelf)
        with Server(create_app(table, services)) as server:
            run = _Fuzz(journal, table, server.port, seed)
            while run.found.steps < steps and not run.found.faults:
                run.tick()
                before = run.found.steps
                if before % BURST_EVERY < BURST_EVERY - 1:
                    run.step()
                else:
                    run.burst()
                if before // WHOLE_EVERY != run.found.steps // WHOLE_EVERY:
                    run.whole()
            run.whole()
            return run.found


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-") as folder:
        found = fuzz(Path(folder), STEPS, SEED)
    name = f"wishes of {len(PHONES)} phones and a display, table and replay equal after each (seed {SEED})"
    yield at_least(name, 0 if found.faults else found.steps, STEPS, "wishes")
    share = f"{found.accepted} accepted, {found.refused} refused, {found.events} events"
    yield at_least(f"  with faults: {found.faults[:1] or 'none'}; {share}", found.accepted, 1, "accepted")
    rare = min(WISHES.of, key=lambda kind: found.kinds[kind])
    yield at_least(f"  of each kind, fewest of {rare}", found.kinds[rare], 1, "accepted")
