"""Between the club's routes and the club: who may do what, and what each visitor sees. Knows no HTML."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from flask import Response, request

from companion.club.club import Club
from companion.club.database import StoreError
from companion.club.tournament_events import TournamentError
from companion.words import Catalogue
from web.access.codes import CodeCheck
from web.desk import to_json
from web.serving.errors import Refused
from web.serving.live import Streams
from web.serving.services import Services
from web.serving.shown import page, who, words_of

MOST_STREAMS = 40  # the others ask now and then
STATUS = {"not-found": 404, "stale": 409, "busy": 503}


class ClubDesk:
    """What the club's pages are served from."""

    def __init__(self, club: Club, services: Services) -> None:
        self.club = club
        self.services = services
        self.codes = CodeCheck(services.code, services.clock)
        self.streams = Streams(MOST_STREAMS, MOST_STREAMS)
        self.run = secrets.token_hex(4)

    @property
    def is_owner(self) -> bool:
        """Whether this visitor knows the code, or sits at this machine."""
        return who(self).display

    def need_owner(self) -> None:
        if not self.is_owner:
            raise Refused(403, "not-owner", "this takes the club's code")

    def page(self, template: str, status: int = 200, **values: object) -> Response:
        """A page of the club; whoever may change things sees how."""
        words = words_of(self)
        return page(
            self,
            template,
            status,
            owner=self.is_owner,
            when=lambda at: date_and_time(at, words),
            day=lambda found: words.say("club.day", year=found.year, month=f"{found:%m}", day=f"{found:%d}"),
            fresh=to_json(self.fresh(words)),
            **values,
        )

    def fresh(self, words: Catalogue) -> Mapping[str, object]:
        """What a page's script begins with, that shows the newest when there is something newer."""
        return {
            "message": {"run": self.run, "sequence": 0, "books": self.club.books.number},
            "words": words.part("club.said_", "club.phase_", "club.fresh", "club_row.", "and"),
            "language": words.language,
        }

    def ask_for_code(self) -> Response:
        return page(self, "club_code.html", 403, back=request.path)


def club_address(desk: ClubDesk) -> str:
    addresses = desk.services.addresses
    return addresses[0] if addresses else f"{request.scheme}://{request.host}"


def date_and_time(at: float, words: Catalogue) -> str:
    local = datetime.fromtimestamp(at).astimezone()
    values = {"year": local.year, "month": f"{local:%m}", "day": f"{local:%d}", "time": f"{local:%H:%M}"}
    return words.say("history.date", **values)


@contextmanager
def refusing() -> Iterator[None]:
    """Turns the club's refusals into answers with a status."""
    try:
        yield
    except TournamentError as error:
        status = STATUS.get(error.kind, 409)
        raise Refused(status, error.kind, str(error), number=error.number) from None
    except StoreError as error:
        raise Refused(503, "club-store", str(error), retry_after=5) from None
