"""The owner's boards of On Board: the page to enter one, and its routes. Knows no rule of a board."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import Blueprint, Response

from boxlid.fields import read
from companion.boards import ENDING
from companion.boards.entering import EnteredBoard, Finding, findings
from companion.boards.reading import FileFault, read_file
from companion.boards.shelf import HOUSE, BrokenBoard, Shelf, ShelfError
from web.desk import Desk, to_json
from web.serving.bodies import json_answer, sent
from web.serving.errors import Refused
from web.serving.sent import BoardFile, BoardSent, Nothing
from web.serving.shown import ask_for_code, page, who, words_of

_STATUS = {"no-such-board": 404, "disk-full": 507}
_SAID = ["boards.", "colour.", "letter.", "cell.text", "cell_it.", "board.space", "board.points"]
_SAID += ["error.", "menu.close", "ask.delete"]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board: for each space of its sides a text such as `R7:3`. The house board's id is `house`."""

    id: str
    name: str
    front: tuple[str, ...]
    back: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShelfView:
    """The owner's boards, the house board, and files that cannot be played."""

    boards: tuple[BoardView, ...]
    house: BoardView
    broken: tuple[BrokenBoard, ...]


@dataclass(frozen=True, slots=True)
class FindingView:
    """One thing to look at; `forbids`: the board cannot be kept like this."""

    kind: str
    side: str
    space: int
    got: str
    other: int
    forbids: bool


@dataclass(frozen=True, slots=True)
class CheckView:
    """What is to be said of a board so far."""

    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class FileView:
    """What a board file holds, or what is wrong with it."""

    board: BoardView | None
    fault: FileFault | None


def boards(desk: Desk) -> Blueprint:
    """The page and its routes, for the owner."""
    routes = Blueprint("boards", __name__)
    _add_page(routes, desk)
    _add_shelf(routes, desk)
    _add_files(routes, desk)
    return routes


def _shelf(desk: Desk) -> Shelf:
    desk.need_owner(who(desk))
    if desk.services.shelf is None:
        raise Refused(404, "not-found", "this table keeps no boards")
    return desk.services.shelf


def _add_page(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/boards")
    def shown() -> Response:
        if not who(desk).display:
            return ask_for_code(desk)
        words = words_of(desk)
        found = _view(_shelf(desk))
        data = {"shelf": found, "words": words.part(*_SAID), "language": words.language}
        return page(desk, "boards.html", shelf=found, data=to_json(data))


def _add_shelf(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/api/boards")
    def kept() -> Response:
        return json_answer(to_json(_view(_shelf(desk))))

    @routes.post("/api/boards")
    def save() -> Response:
        body, shelf = sent(), _shelf(desk)
        board = read(BoardSent, body)
        with _refusing():
            shelf.save(board.entered, board.id)
        return json_answer(to_json(_view(shelf)))

    @routes.post("/api/boards/check")
    def check() -> Response:
        body = sent()
        _shelf(desk)
        found = tuple(map(_finding, findings(read(BoardSent, body).entered)))
        return json_answer(to_json(CheckView(found)))

    @routes.post("/api/boards/<identity>/delete")
    def delete(identity: str) -> Response:
        read(Nothing, sent(), others=True)
        shelf = _shelf(desk)
        with _refusing():
            shelf.delete(identity)
        return json_answer(to_json(_view(shelf)))


def _add_files(routes: Blueprint, desk: Desk) -> None:
    @routes.post("/api/boards/read")
    def from_file() -> Response:
        body = sent()
        _shelf(desk)
        found = read_file(read(BoardFile, body).text)
        if isinstance(found, FileFault):
            return json_answer(to_json(FileView(None, found)))
        return json_answer(to_json(FileView(_board("", found), None)))

    @routes.get("/api/boards/<identity>.board")
    def file(identity: str) -> Response:
        shelf = _shelf(desk)
        with _refusing():
            text = str(shelf.find(identity))
        response = Response(text, mimetype="text/plain")
        response.headers["Content-Disposition"] = f'attachment; filename="{identity}{ENDING}"'
        return response


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except ShelfError as error:
        raise Refused(_STATUS.get(error.kind, 409), error.kind, str(error)) from None


def _view(shelf: Shelf) -> ShelfView:
    own = tuple(_board(each.id, EnteredBoard.of(each.board)) for each in shelf.own)
    return ShelfView(own, _board(HOUSE, EnteredBoard.of(shelf.house)), shelf.broken)


def _board(identity: str, entered: EnteredBoard) -> BoardView:
    return BoardView(identity, entered.name, entered.front, entered.back)


def _finding(found: Finding) -> FindingView:
    return FindingView(found.kind, found.side, found.space, found.got, found.other, found.forbids)
