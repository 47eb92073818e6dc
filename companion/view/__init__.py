"""View: what a phone shows, made from a snapshot, and what it wants, made into a command. Knows no HTTP."""

from companion.view.examples import Examples, examples
from companion.view.refusals import RefusalView, refusal_view
from companion.view.show import seats_of, view
from companion.view.values import View, WhyView
from companion.view.wish_kinds import LONGEST_ID, MOST_ITEMS, SHEETS, WISHES
from companion.view.wishes import (
    NO_BOARDS,
    Asker,
    Boards,
    MoveOn,
    Wish,
    WishError,
    read_wish,
)

__all__ = [
    "LONGEST_ID",
    "MOST_ITEMS",
    "NO_BOARDS",
    "SHEETS",
    "WISHES",
    "Asker",
    "Boards",
    "Examples",
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
