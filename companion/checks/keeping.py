"""Checks of the journal while it is in use: whether it keeps what happens, and what may be missing of it."""

from collections.abc import Iterator

from companion.findings.check import Check, ok, wrong
from companion.findings.kinds import Checked, Found
from companion.journal.journal import Doubt, DoubtKind, Journal


def journal_checks(journal: Journal, backup_trouble: str | None) -> Iterator[Check]:
    """`backup_trouble`: why the newest backup was not made."""
    what, refusal, doubt = Checked.JOURNAL, journal.refusal, journal.doubt
    if refusal is not None:
        todo = Found.DO_MAKE_ROOM_FOR_JOURNAL
        yield wrong(what, Found.EVENT_NOT_KEPT, todo, reason=refusal.reason)
    if backup_trouble is not None:
        todo = Found.DO_SEE_JOURNAL
        yield wrong(what, backup_trouble, todo)
    if doubt is not None:
        yield check_doubt(doubt)
    if refusal is None and backup_trouble is None and doubt is None:
        yield ok(what, Found.JOURNAL_KEEPS)


def check_doubt(doubt: Doubt) -> Check:
    """What may be missing."""
    what, todo = Checked.JOURNAL, Found.DO_LOOK_AT_GAME
    match doubt.kind:
        case DoubtKind.LOST:
            text = Found.EVENTS_MISSING
        case DoubtKind.OTHER:
            text = Found.OTHER_JOURNAL
        case DoubtKind.UNKNOWN:
            text = Found.JOURNAL_UNKNOWN
    return wrong(what, text, todo, n=doubt.entries)
