"""What one check found. Knows nothing that could be checked."""

from dataclasses import dataclass
from enum import StrEnum


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


def ok(what: str, text: str) -> Check:
    return Check(what, State.OK, text)


def note(what: str, text: str, todo: str) -> Check:
    return Check(what, State.NOTE, text, todo)


def wrong(what: str, text: str, todo: str) -> Check:
    return Check(what, State.WRONG, text, todo)
