"""A stage for tests of the demo's page: shows the scene it was given, and remembers what it was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.game import Rolled, Source
from companion.host.demo.evening import VISITOR, opening
from companion.host.pages import lamps_of
from companion.journal.journal import Journal
from companion.rules import Roll
from companion.table.eyes import Eyes, EyesState
from companion.table.table import Command, Table
from companion.view.stage import Caption, Ending, NotNow, Order, Says, Scene


@dataclass
class FakeStage:
    """A show that stands still after its first roll."""

    folder: Path
    is_on: bool = False
    refuses: NotNow | None = None
    asked: list[Order] = field(default_factory=list)
    caption: Caption = field(default_factory=lambda: Caption(Says.READ, 0))
    paused: bool = False
    ended: Ending | None = None

    def __post_init__(self) -> None:
        journal = Journal(self.folder)
        self._table = Table(journal)
        for what in opening():
            self._table.play(Command(what))
        self._table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"), Source.CAMERA)))
        self._table.tell(Eyes(EyesState.READY))
        journal.close()

    @property
    def table(self) -> Table | None:
        return self._table if self.is_on else None

    def scene(self) -> Scene | None:
        if not self.is_on:
            return None
        snapshot = self._table.snapshot
        now = Scene(1, snapshot.version, self.caption, False, False, self.ended, snapshot, VISITOR, (), True)
        return replace(now, paused=self.paused, lamps=lamps_of(snapshot))

    def start(self) -> NotNow | None:
        if self.refuses is None:
            self.is_on = True
        return self.refuses

    def order(self, what: Order) -> None:
        self.asked.append(what)
        self.paused = what is Order.PAUSE

    def picture(self, letters: Mapping[str, str]) -> bytes | None:
        return b"\xff\xd8lid" if self.is_on else None
