"""View: what a phone shows, made from a snapshot, and what it wants, made into a command. Knows no HTTP."""

from companion.view.show import seats_of, view, why_view
from companion.view.values import View, WhyView
from companion.view.wishes import WISHES, Asker, Boards, MoveOn, Wish, WishError, read_wish

__all__ = [
    "WISHES",
    "Asker",
    "Boards",
    "MoveOn",
    "View",
    "WhyView",
    "Wish",
    "WishError",
    "read_wish",
    "seats_of",
    "view",
    "why_view",
]
