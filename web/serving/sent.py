"""What pages send beside wishes and steps of the set-up: reader and description follow from it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from boxlid.fields import About, Length, Text
from companion.boards.entering import EnteredBoard
from companion.game import LONGEST_NAME
from companion.table.seats import Mark
from companion.view.stage import Order
from companion.view.wish_kinds import MOST_ITEMS, Id, SeatNumber
from web.access.guard import BIGGEST_BODY

Code = Annotated[Text, About("the table's; for phones that hold no seat")]
Spaces = Annotated[
    tuple[Annotated[Text, About("such as R7:3; empty if nothing is entered")], ...], Length(0, MOST_ITEMS)
]


@dataclass(frozen=True, slots=True)
class Nothing:
    """An object, whatever stands in it."""


@dataclass(frozen=True, slots=True)
class SitDown:
    """A new seat."""

    name: Annotated[Text, About(f"of 1 to {LONGEST_NAME} letters")]
    mark: Annotated[Mark | Literal[""], About("the first free one if it is empty")] = ""
    code: Code = ""
    id: Id | None = None


@dataclass(frozen=True, slots=True)
class AskForSeat:
    """A seat that another phone holds."""

    seat: SeatNumber
    code: Code = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no to a phone that asks for a seat."""

    yes: bool


@dataclass(frozen=True, slots=True)
class PanelPress:
    """A button of the simulated panel."""

    button: Literal["rolled", "read again", "second"]


@dataclass(frozen=True, slots=True)
class BoardSent:
    """A board as it was typed so far."""

    name: Text
    front: Spaces
    back: Spaces
    id: Annotated[Text, About("of the board that is being changed; empty for a new one")] = ""

    @property
    def entered(self) -> EnteredBoard:
        return EnteredBoard(" ".join(self.name.split()), self.front, self.back)


@dataclass(frozen=True, slots=True)
class BoardFile:
    """What stands in a board file."""

    text: Annotated[str, Length(0, BIGGEST_BODY)]


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """What a viewer wants of the demo."""

    do: Order
