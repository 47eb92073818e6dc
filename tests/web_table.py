"""A table with pages for tests: in a temporary journal, with a clock that stands still until it is told."""

from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.boards.shelf import Shelf
from companion.game import Rolled, Setup
from companion.journal.journal import Journal
from companion.rules import Roll
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot, What
from companion.table.table import Command, Table
from companion.view.panel import Lamp
from web import Photographed, Services, create_app
from web.access.guard import PHOTOGRAPH_KIND, PHOTOGRAPH_PATH
from web.access.identity import PHONE_COOKIE, hash_of

CODE = "K7QX"
ORIGIN = {"Origin": "http://localhost"}
PHONE_ADDRESS = "192.168.1.30"
TOKENS = ("anna-token", "ben-token", "cem-token", "dora-token", "emil-token")
NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil")


@dataclass
class Clock:
    """A clock that moves only when told."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class FakePanel:
    """A panel that remembers its presses."""

    pressed: list[str] = field(default_factory=list)

    def lamps(self) -> tuple[Lamp, ...]:
        return (Lamp("seat 1", "white", "X."), Lamp("red", "red", ".."))

    def press(self, button: str) -> None:
        self.pressed.append(button)


@dataclass
class Stand:
    """Table, app, and what a test wants to look at."""

    table: Table
    app: Flask
    clock: Clock
    panel: FakePanel
    presses: list[str]

    def phone(self, seat: int | None = None, address: str = PHONE_ADDRESS) -> FlaskClient:
        """A phone's browser, with the cookie of a seat if it has one; from the house network."""
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        if seat is not None:
            client.set_cookie(PHONE_COOKIE, TOKENS[seat])
        return client

    def display(self) -> FlaskClient:
        """The table's own screen."""
        return self.phone(address="127.0.0.1")

    def play(self, what: What) -> Snapshot:
        return self.table.play(Command(what))

    def seat(self, players: int) -> None:
        for name, mark, token in zip(NAMES[:players], Mark, TOKENS, strict=False):
            self.play(SeatTaken(name, mark, hash_of(token)))

    def start(self, players: int = 2, **setup: object) -> None:
        self.seat(players)
        self.play(GameStarted(Setup(NAMES[:players], **setup)))  # type: ignore[arg-type]

    def roll(self, text: str) -> None:
        self.play(Rolled(Roll.parse(text)))


def stand(folder: Path, **services: object) -> Stand:
    clock, panel, presses = Clock(), FakePanel(), list[str]()
    table = Table(Journal(folder), clock=clock)
    given: dict[str, object] = {
        "shelf": Shelf(folder / "boards"),
        "code": CODE,
        "key": b"k" * 32,
        "names": ("boxlid.local",),
        "addresses": ("http://192.168.1.7:8000",),
        "press_rolled": lambda: presses.append("rolled"),
        "picture": lambda letters: b"\xff\xd8lid " + letters["yellow"].encode(),
        "crop": lambda name: b"\xff\xd8crop" if name == "white-1" else None,
        "photograph": lambda content, _: Photographed.READ if content else Photographed.NO_PICTURE,
        "panel": panel,
        "clock": clock,
    }
    app = create_app(table, Services(**{**given, **services}))  # type: ignore[arg-type]
    return Stand(table, app, clock, panel, presses)


def post(client: FlaskClient, path: str, body: object, **headers: str) -> TestResponse:
    """A POST as our own pages send it."""
    return client.post(path, json=body, headers={**ORIGIN, **headers})


def photograph(client: FlaskClient, content: bytes, **headers: str) -> TestResponse:
    """A photograph as a phone's page sends it."""
    given = {**ORIGIN, "Content-Type": PHOTOGRAPH_KIND, **headers}
    return client.post(PHOTOGRAPH_PATH, data=content, headers=given)


def form(client: FlaskClient, path: str, **fields: str) -> TestResponse:
    """A form as a browser without scripts sends it."""
    return client.post(path, data=fields, headers=ORIGIN)


def wish(client: FlaskClient, do: str, **more: object) -> TestResponse:
    return post(client, "/api/wishes", {"do": do, **more})
