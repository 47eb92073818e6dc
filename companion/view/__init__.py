"""View: what a phone shows, made from a snapshot, and what it wants, made into a command. Knows no HTTP."""

from companion.view.examples import Examples, examples
from companion.view.fields import LONGEST_ID, LONGEST_TEXT, MOST_ITEMS, Fields, WishError
from companion.view.refusals import RefusalView, refusal_view
from companion.view.show import seats_of, view
from companion.view.values import View, WhyView
from companion.view.wishes import (
    NO_BOARDS,
    SHEETS,
    WISHES,
    Asker,
    Boards,
    MoveOn,
    Wish,
    read_wish,
)

__all__ = [
    "LONGEST_ID",
    "LONGEST_TEXT",
    "MOST_ITEMS",
    "NO_BOARDS",
    "SHEETS",
    "WISHES",
    "Asker",
    "Boards",
    "Examples",
    "Fields",
    "MoveOn",
    "RefusalView",
    "View",
    "WhyView",
    "Wish",
    "WishError",
    "examples",
    "read_wish",
    "refusal_view",
    "seats_of",
    "view",
]
