"""A companion whose journal cannot be played: serves the choice of how to go on until it is made."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

import web
from companion.checks.installation import own_version
from companion.host.addresses import lan_addresses
from companion.host.joined import Options
from companion.host.keys import code_in, load_key
from companion.journal.journal import (
    JournalBehindError,
    JournalDamagedError,
    JournalError,
    JournalRefusedError,
)
from companion.journal.restoring import WayKind, restore_from, ways
from companion.process.notify import Watchdog
from companion.settings.config import Config
from web.rescue import RescueError, RescueWay, Trouble, create_rescue_app

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LOOK_SECONDS = 0.25


def _trouble(problem: JournalDamagedError | JournalRefusedError) -> Trouble:
    if isinstance(problem, JournalRefusedError):
        return Trouble.REFUSED
    return Trouble.BEHIND if isinstance(problem, JournalBehindError) else Trouble.DAMAGED


class JournalRescue:
    """The journal of a state folder that cannot be played. Nothing of it is ever deleted."""

    def __init__(self, folder: Path, problem: JournalDamagedError | JournalRefusedError) -> None:
        self._folder = folder
        self._choosing = threading.Lock()
        self._done = threading.Event()
        self.problem = str(problem)
        self.trouble = _trouble(problem)

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    def ways(self) -> tuple[RescueWay, ...]:
        return tuple(
            RescueWay(way.name, way.kind, way.entries, way.games, way.newest, way.sound)
            for way in ways(self._folder)
            if self.trouble is not Trouble.REFUSED
            or way.kind in (WayKind.BACKUP, WayKind.EMPTY)  # else: the same
        )

    def go(self, name: str) -> str:
        """Once: whoever is second finds it done."""
        with self._choosing:
            if self.is_done:
                return ""
            try:
                restored = restore_from(self._folder, name)
            except JournalError as error:
                raise RescueError(str(error)) from None
            self._done.set()
            return "" if restored.kept is None else str(restored.kept)

    def wait(self, stop: threading.Event) -> bool:
        """Until it is done, or the program is to stop; whether it is done. Keeps systemd's watchdog quiet."""
        watchdog = Watchdog()
        while not stop.is_set() and not self._done.wait(LOOK_SECONDS):
            watchdog.feed()
        return self.is_done


class Front:
    """The app that answers at this moment: first the rescue's, then the table's, on the same port."""

    def __init__(self, app: Flask) -> None:
        self.app = app

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        return self.app(environ, start)


def rescue_app(rescue: JournalRescue, config: Config, options: Options) -> Flask:
    """The pages of the rescue, with the same code and cookies as the table's."""
    key = load_key(options.state)
    port = config.web.port if options.port is None else options.port
    services = web.Services(
        code=code_in(options.state),
        key=key,
        names=config.web.names,
        addresses=lan_addresses(options.host or config.web.host, port),
        language=config.table.language,
        version=own_version(),
    )
    return create_rescue_app(rescue, services)
