"""The club's first page: every table live. What changed is sent, and no more."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, request

from companion.club.shown import GameShown, newest
from web.club.desk import ClubDesk, club_address
from web.desk import to_json
from web.serving.bodies import json_answer
from web.serving.live import Sight
from web.serving.qr import qr_answer
from web.serving.shown import see_other, streamed, words_of

PAUSE_SECONDS = 0.05  # between two messages: what happens meanwhile comes together


def tables_pages(desk: ClubDesk) -> Blueprint:
    """Every table, and what changes."""
    routes = Blueprint("club", __name__)
    board = desk.club.board

    @routes.get("/")
    def tables() -> Response:
        words = words_of(desk)
        now = Sent(board.number, desk.club.books.number)  # what changes from here on is sent
        data = {**desk.fresh(words), "message": json.loads(message_text(desk, 0, now, tables=True))}
        return desk.page(
            "club.html",
            cards=board.cards(),
            games=newest(desk.club.books),
            link=desk.club.link,
            trouble=desk.club.trouble,
            broker=desk.club.broker,
            now=time.time(),
            address=club_address(desk),
            data=to_json(data),
        )

    @routes.get("/api/view")
    def view() -> Response:
        return json_answer(message_text(desk, board.version, since(desk), tables=_wants_tables()))

    @routes.get("/api/live")
    def stream() -> Response:
        sent, wanted = since(desk), _wants_tables()

        def sequence() -> int:
            return board.version if wanted else desk.club.books.number

        def message() -> str:
            return message_text(desk, sequence(), sent, tables=wanted)

        return streamed(board, desk.streams, None, Sight(sequence, message, PAUSE_SECONDS), "/api/view")

    @routes.get("/qr.svg")
    def code() -> Response:
        """To whichever page of the club."""
        to = request.args.get("to", "/")
        return qr_answer(club_address(desk) + (to if to.startswith("/") and len(to) < 80 else "/"))

    @routes.get("/code")
    def ask() -> Response:
        return see_other("/") if desk.is_owner else desk.ask_for_code()

    @routes.get("/phone")
    def phone() -> Response:
        """What the home screen opens."""
        return see_other("/")

    return routes


def _wants_tables() -> bool:
    return request.args.get("only") != "books"


@dataclass
class Sent:
    """What one page has been sent: the number of the tables, that of the books."""

    tables: int
    books: int


def since(desk: ClubDesk) -> Sent:
    """What the page that asks says it has; nothing if it is of another run, or of no club page."""
    if request.args.get("run") != desk.run:
        return Sent(0, -1)
    return Sent(_number("tables"), _number("books"))


def _number(name: str) -> int:
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


def message_text(desk: ClubDesk, sequence: int, sent: Sent, *, tables: bool) -> str:
    """What changed since, as JSON; the tables are written already."""
    club = desk.club
    changes = club.board.since(sent.tables) if tables else None
    books = club.books
    games = [game_json(game) for game in newest(books)] if tables and books.number != sent.books else None
    sent.books = books.number
    if changes is not None:
        sent.tables = changes.number
    head = {
        "run": desk.run,
        "sequence": sequence,
        "books": books.number,
        "at": sent.tables,
        "now": round(time.time()),
        "connected": club.link.connected,
        "kept": not club.trouble,
        "games": games,
    }
    cards = "" if changes is None else ",".join(changes.tables)
    return f'{json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-1]},"tables":[{cards}]}}'


def game_json(game: GameShown) -> Mapping[str, object]:
    return {
        "box": game.box,
        "id": game.id,
        "at": round(game.at),
        "stopped": game.stopped,
        "players": [[player.name, player.points, player.place] for player in game.players],
    }
