"""A club's server: database, broker and pages wired together. Owns no behaviour of its own."""

import fcntl
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from flask import Flask

from boxlid.errors import BoxlidError, StatementKind
from companion.checks.installation import own_version
from companion.club.broker import Broker
from companion.club.club import Club, Watch
from companion.club.database import open_database
from companion.club.listening import Inheritance, Listener
from companion.club.store import Store
from companion.host.addresses import lan_addresses
from companion.host.keys import code_in, load_key, new_code
from companion.process.plain_file import read_plain
from web.club.app import create_club_app
from web.serving.services import Services

RESULTS = "club.db"
_LOCK, _IDENTITY = "club.lock", "club.id"
_LONGEST = 100


class ClubFault(StatementKind):
    """Why the club is not served."""

    NOT_WRITABLE = "club_server.not-writable"
    IN_USE = "club_server.in-use"
    NOT_KEPT = "club_server.not-kept"


class ClubError(BoxlidError):
    """The club cannot be served."""


@dataclass(frozen=True)
class ClubOptions:
    """What the command was asked for."""

    state: Path
    broker: Broker
    prefix: str
    results: str
    host: str
    port: int
    language: str
    names: tuple[str, ...] = ()
    new_code: bool = False


class ClubServer:
    """Everything but the server of the pages. `with` starts to listen, and stops."""

    def __init__(self, options: ClubOptions) -> None:
        self._lock = _locked(options.state)
        key = load_key(options.state)
        self.code = new_code(options.state) if options.new_code else code_in(options.state)
        self.addresses = lan_addresses(options.host, options.port)
        self.store = Store(open_database(options.results))
        self.club = Club(self.store)
        self.club.broker = options.broker.name
        identity = f"boxlid-club-{_identity(options.state)}"
        broker, prefix = options.broker, options.prefix
        self.listener = Listener(broker, prefix, identity, self.club, self.club.board)
        self.club.listener = self.listener

        def inherit(client: str) -> Inheritance:
            return Inheritance(broker, prefix, client, self.club)

        self._watch = Watch(self.club, self.store, identity, inherit)
        services = Services(
            code=self.code,
            key=key,
            names=options.names,
            addresses=self.addresses,
            language=options.language,
            version=own_version(),
        )
        self.app: Flask = create_club_app(self.club, services)

    def __enter__(self) -> Self:
        self.listener.start()
        self._watch.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._watch.close()
        self.listener.close()
        self.store.close()
        os.close(self._lock)


def _locked(folder: Path) -> int:
    """One server on one state folder: two would take each other's place at the broker."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ClubError(ClubFault.NOT_WRITABLE, folder=folder, why=str(error.strerror)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise ClubError(ClubFault.IN_USE, folder=folder) from None
    return file


def _identity(folder: Path) -> str:
    """What the broker knows this server by, over restarts."""
    path = folder / _IDENTITY
    try:
        if path.exists():
            kept = read_plain(path, _LONGEST).decode("ascii", "replace").strip()
            if kept.isalnum() and kept.isascii():
                return kept
        fresh = secrets.token_hex(6)
        unfinished = path.with_suffix(".new")
        unfinished.write_text(fresh, encoding="ascii")
        unfinished.replace(path)
    except OSError as error:
        raise ClubError(ClubFault.NOT_KEPT, path=path, why=str(error.strerror)) from None
    return fresh
