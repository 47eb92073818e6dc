"""boxlid restore: goes on after damage to the journal; the damaged files are kept."""

import argparse
from pathlib import Path

from companion.commands import CommandError
from companion.journal import Journal, JournalDamagedError, JournalError
from companion.state_folder import default_state_folder
from companion.storage.restoring import Restored, restore, start_empty


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal is kept")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--backup", metavar="FILE", type=Path, help="go on from that backup")
    source.add_argument("--empty", action="store_true", help="go on with no games at all")


def run(options: argparse.Namespace) -> int:
    folder = options.state or default_state_folder()
    try:
        if options.backup is None and not options.empty and _is_sound(folder):
            print(f"the journal in {folder} is sound; nothing was changed")
            return 0
        done = start_empty(folder) if options.empty else restore(folder, options.backup)
    except JournalError as error:
        raise CommandError(str(error)) from None
    print(_said(done))
    return 0


def _is_sound(folder: Path) -> bool:
    if not folder.exists():
        raise CommandError(f"a state folder is wanted, there is no {folder}; choose another --state")
    try:
        Journal(folder).close()
    except JournalDamagedError:
        return False
    return True


def _said(done: Restored) -> str:
    before = f"; the journal before it is kept in {done.kept}" if done.kept else ""
    deleted = f"; games deleted since then stay deleted: {done.deleted}" if done.deleted else ""
    return f"the journal goes on from {done.source} ({done.entries} entries){before}{deleted}"
