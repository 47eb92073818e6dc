"""boxlid restore: goes on after damage to the journal; the damaged files are kept."""

import argparse
import sys
from pathlib import Path

from companion.checks.keeping import check_doubt
from companion.journal.journal import Journal, JournalDamagedError, JournalError
from companion.journal.restoring import Restored, go_on_as_is, restore, start_empty
from companion.process.command_error import CallFault, CommandError
from companion.settings.state_folder import default_state_folder
from companion.words import DEFAULT, catalogues


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal is kept")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--backup", metavar="FILE", type=Path, help="go on from that backup")
    source.add_argument("--as-is", action="store_true", help="go on from the journal: it is right as it is")
    source.add_argument("--empty", action="store_true", help="go on with no games at all")


def run(options: argparse.Namespace) -> int:
    folder = options.state or default_state_folder()
    if not folder.exists():
        raise CommandError(CallFault.NO_STATE_FOLDER, path=folder)
    try:
        if options.backup is None and not options.empty and not options.as_is and _is_sound(folder):
            print(f"the journal in {folder} is sound; nothing was changed")
            return 0
        done = _restore(options, folder)
    except JournalError as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None
    print(_said(done))
    return 0


def _restore(options: argparse.Namespace, folder: Path) -> Restored:
    if options.as_is:
        return go_on_as_is(folder)
    return start_empty(folder) if options.empty else restore(folder, options.backup)


def _is_sound(folder: Path) -> bool:
    try:
        with Journal(folder) as journal:
            if journal.doubt is not None:
                found = check_doubt(journal.doubt).line(catalogues()[DEFAULT])
                print(f"{found.text}; {found.todo}, or with `boxlid restore --as-is`", file=sys.stderr)
    except JournalDamagedError:
        return False
    return True


def _said(done: Restored) -> str:
    before = f"; the journal before it is kept in {done.kept}" if done.kept else ""
    deleted = f"; games deleted since then stay deleted: {done.deleted}" if done.deleted else ""
    return f"the journal goes on from {done.source} ({done.entries} entries){before}{deleted}"
