"""Plays on a disk whose syncs fail for a while: python -m tests.standins.play_on_failing_disk STATE FLAG."""

import sys
from pathlib import Path

from companion.game import Setup
from companion.journal.journal import Journal, JournalFullError
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table, replay


def main(state: Path, flag: Path) -> None:
    with Journal(state) as journal:
        table = Table(journal)
        table.play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
        before = table.snapshot
        flag.touch()
        try:
            table.play(Command(GameStarted(Setup(("Anna",))), id="once"))
        except JournalFullError as error:
            print(f"refused: {error}")
        assert table.snapshot == before
        flag.unlink()
        table.play(Command(GameStarted(Setup(("Anna",))), id="once"))
        assert table.snapshot.game is not None
        assert replay(journal).game == table.snapshot.game
    with Journal(state) as journal:
        print(f"kept: {[entry.line.split()[0] for entry in journal.entries()]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
