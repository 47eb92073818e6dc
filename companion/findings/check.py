"""What one check found, as kinds and values. Knows nothing that could be checked."""

from dataclasses import dataclass
from enum import StrEnum

from boxlid.errors import BoxlidError, Statement, StatementKind, Value
from companion.findings.kinds import Checked, Found
from companion.words import Catalogue


class State(StrEnum):
    """How it is with the checked thing."""

    OK = "ok"
    NOTE = "note"  # not as it could be, and it works all the same
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Line:
    """A check in words: what was checked, how it is, and what to do about it."""

    what: str
    state: State
    text: str
    todo: str = ""

    def __str__(self) -> str:
        todo = f" - {self.todo}" if self.todo else ""
        return f"{self.state:5}  {self.what:13} {self.text}{todo}"


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, how it is, and what to do about it."""

    what: Checked
    state: State
    text: Statement
    todo: Statement | None = None

    def line(self, words: Catalogue) -> Line:
        """In the words of that language."""
        todo = "" if self.todo is None else words.word(self.todo)
        return Line(words.say(self.what), self.state, words.word(self.text), todo)


Told = Found | Statement | BoxlidError | str


def ok(what: Checked, text: Found, **values: Value) -> Check:
    """`values` fill the holes of the text, and of what to do."""
    return Check(what, State.OK, Statement(text, values))


def note(what: Checked, text: Told, todo: Found, **values: Value) -> Check:
    return Check(what, State.NOTE, _statement(text, values), Statement(todo, values))


def wrong(what: Checked, text: Told, todo: Found, **values: Value) -> Check:
    return Check(what, State.WRONG, _statement(text, values), Statement(todo, values))


def _statement(text: Told, values: dict[str, Value]) -> Statement:
    """A kind of ours with its values, or what another part says of itself."""
    if isinstance(text, Statement):
        return text
    if isinstance(text, BoxlidError):
        return text.statement
    return (
        Statement(text, values) if isinstance(text, StatementKind) else Statement(Found.TEXT, {"text": text})
    )
