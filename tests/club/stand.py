"""A club with pages for tests: no broker, a store in a temporary folder, a clock that a test moves."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion.club.club import Club
from companion.club.database import open_database
from companion.club.listening import BrokerLink
from companion.club.messages import read_message
from companion.club.store import Store
from companion.club.values import Availability, Result, TableState
from tests.club import payloads
from tests.club.results import NOON
from tests.web_table import CODE, PHONE_ADDRESS
from web.club.app import create_club_app
from web.serving.services import Services


@dataclass
class FakeLink:
    """A connection to a broker that is as a test says."""

    link: BrokerLink = field(default_factory=lambda: BrokerLink(connected=True))


@dataclass
class ClubStand:
    """Club, app, and what a test wants to look at."""

    club: Club
    app: Flask
    listener: FakeLink
    now: list[float]

    def visitor(self, address: str = PHONE_ADDRESS) -> FlaskClient:
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    def owner(self) -> FlaskClient:
        """At the machine itself."""
        return self.visitor("127.0.0.1")

    def tell(self, topic: str, payload: bytes) -> None:
        """What the broker would bring."""
        told = read_message("boxlid", f"boxlid/{topic}", payload)
        match told:
            case Result():
                self.club.keep([told])
            case Availability() | TableState():
                self.club.board.take(told)
            case None:
                """Nothing that the club reads."""

    def play(self, box: str, points: Mapping[str, int], **more: object) -> None:
        """A game ends at that table."""
        self.tell(f"{box}/result", payloads.result(box, points, **more))  # type: ignore[arg-type]


def club_stand(folder: Path, seed: int = 1) -> ClubStand:
    now = [NOON]
    club = Club(Store(open_database(str(folder / "club.db"))), lambda: now[0], random.Random(seed))
    club.broker = "broker:1883"
    listener = FakeLink()
    club.listener = listener  # type: ignore[assignment]
    services = Services(code=CODE, key=b"k" * 32, names=("boxlid.local",))
    return ClubStand(club, create_club_app(club, services), listener, now)
