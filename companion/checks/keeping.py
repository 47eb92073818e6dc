"""Checks of the journal while it is in use: whether it keeps what happens, and what may be missing of it."""

from collections.abc import Iterator

from companion.findings.check import Check, ok, wrong
from companion.journal.journal import Doubt, DoubtKind, Journal


def journal_checks(journal: Journal, backup_trouble: str | None) -> Iterator[Check]:
    """`backup_trouble`: why the newest backup was not made."""
    what, refusal, doubt = "journal", journal.refusal, journal.doubt
    if refusal is not None:
        todo = "make room on the disk, close what else uses the journal, then do it once more"
        yield wrong(what, "the newest event could not be kept ({reason})", todo, reason=refusal.reason)
    if backup_trouble is not None:
        todo = "see docs/journal.md; games are kept, but not twice"
        yield wrong(what, "{problem}", todo, problem=backup_trouble)
    if doubt is not None:
        yield check_doubt(doubt)
    if refusal is None and backup_trouble is None and doubt is None:
        yield ok(what, "everything that happened is on disk")


def check_doubt(doubt: Doubt) -> Check:
    """What may be missing."""
    what, todo = "journal", "look at the newest game in /history; if it is right so, say so at /health"
    match doubt.kind:
        case DoubtKind.LOST:
            text = "the newest {n} events are missing, though the disk had said that they were kept"
        case DoubtKind.OTHER:
            text = "this is not the journal that was used here last"
        case DoubtKind.UNKNOWN:
            text = "journal.lock was gone or damaged: nothing tells whether the newest events are there"
    return wrong(what, text, todo, n=doubt.entries)
