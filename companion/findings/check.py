"""What one check found. Knows nothing that could be checked."""

from dataclasses import dataclass
from enum import StrEnum

from companion.findings.sentence import Sentence


class State(StrEnum):
    """How it is with the checked thing."""

    OK = "ok"
    NOTE = "note"  # not as it could be, and it works all the same
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was checked, how it is, and what to do about it."""

    what: str
    state: State
    text: str
    todo: str = ""

    def __str__(self) -> str:
        todo = f" - {self.todo}" if self.todo else ""
        return f"{self.state:5}  {self.what:13} {self.text}{todo}"


def ok(what: str, text: str, **values: object) -> Check:
    """`values` fill the holes of the text, and of what to do."""
    return Check(what, State.OK, Sentence(text, **values))


def note(what: str, text: str, todo: str, **values: object) -> Check:
    return Check(what, State.NOTE, Sentence(text, **values), Sentence(todo, **values))


def wrong(what: str, text: str, todo: str, **values: object) -> Check:
    return Check(what, State.WRONG, Sentence(text, **values), Sentence(todo, **values))
