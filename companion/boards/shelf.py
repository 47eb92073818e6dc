"""The owner's boards in the state folder, and the house board beside them: kept and offered. No pages."""

import contextlib
import hashlib
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.boards import ENDING, house_board, load_board
from companion.boards.entering import EnteredBoard, board_of, findings
from companion.journal.files import put_in_place, sync
from companion.rules import SIDES, Board, BoardError, Side

HOUSE = "house"
MOST_BOARDS = 50
_UNFINISHED = ".part"


class ShelfError(Exception):
    """A board cannot be kept or found: a kind for pages to word, and English words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A board of the owner's, and the word that names it in addresses and files."""

    id: str
    board: Board


@dataclass(frozen=True, slots=True)
class BrokenBoard:
    """A file of the shelf that cannot be played; it stays there until its owner deletes it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class OfferedSide:
    """A side that a game may be played on: the key for the wish, the board's name (none: the house's)."""

    key: str
    name: str
    side: str


class Shelf(Mapping[str, Side]):
    """All boards there are; as a mapping, the sides that a lobby offers. Safe to use from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mutex = threading.Lock()
        self.house = house_board()
        self.version = 0  # rises with every change
        self._own: tuple[OwnBoard, ...] = ()
        self._broken: tuple[BrokenBoard, ...] = ()
        self._load()

    def _load(self) -> None:
        own, broken = list[OwnBoard](), list[BrokenBoard]()
        for path in sorted(self._folder.glob(f"*{ENDING}")):
            try:
                own.append(OwnBoard(path.name.removesuffix(ENDING), load_board(path)))
            except BoardError as error:
                text = str(error).replace(str(path), path.name)
                broken.append(BrokenBoard(path.name.removesuffix(ENDING), text))
        self._own, self._broken = _in_order(own), tuple(broken)

    # --- looking ---------------------------------------------------------------------------------------

    @property
    def own(self) -> tuple[OwnBoard, ...]:
        with self._mutex:
            return self._own

    @property
    def broken(self) -> tuple[BrokenBoard, ...]:
        with self._mutex:
            return self._broken

    def offers(self) -> tuple[OfferedSide, ...]:
        """The sides to choose from, the owner's boards first."""
        boards = [*((each.id, each.board.name) for each in self.own), (HOUSE, "")]
        return tuple(OfferedSide(f"{key}-{side}", name, side) for key, name in boards for side in SIDES)

    def find(self, identity: str) -> Board:
        """The board of that id, the house board too; ShelfError if there is none."""
        if identity == HOUSE:
            return self.house
        for each in self.own:
            if each.id == identity:
                return each.board
        raise ShelfError("no-such-board", f"a board that is kept is wanted, there is no {identity!r}")

    def __getitem__(self, key: str) -> Side:
        identity, _, side = key.rpartition("-")
        if side not in SIDES:
            raise KeyError(key)
        try:
            return self.find(identity).side(side)
        except ShelfError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return iter([offer.key for offer in self.offers()])

    def __len__(self) -> int:
        return len(self.offers())

    # --- keeping ---------------------------------------------------------------------------------------

    def save(self, entered: EnteredBoard, replaces: str = "") -> OwnBoard:
        """Keep a finished board, whole or not at all. `replaces` is the one that was opened to be changed."""
        if any(finding.forbids for finding in findings(entered)):
            raise ShelfError("board-unfinished", "this board is not finished: look at what the check says")
        new = OwnBoard(_id_of(entered.name), board_of(entered))
        with self._mutex:
            others = [each for each in self._own if each.id != replaces]
            names = [each.board.name.casefold() for each in others] + [self.house.name.casefold()]
            if entered.name.casefold() in names:
                raise ShelfError("board-name-taken", f"there is a board called {entered.name} already")
            if len(others) >= MOST_BOARDS:
                raise ShelfError(
                    "too-many-boards", f"{MOST_BOARDS} boards are kept at most; delete one first"
                )
            self._write(new)
            if len(others) < len(self._own) and replaces != new.id:
                self._remove(replaces)
            self._own = _in_order([*others, new])
            self._broken = tuple(each for each in self._broken if each.id != new.id)
            self.version += 1
        return new

    def delete(self, identity: str) -> None:
        """Take a board away, a broken file too. Games played on it keep their own copy of its spaces."""
        with self._mutex:
            if identity not in [*(each.id for each in self._own), *(each.id for each in self._broken)]:
                raise ShelfError("no-such-board", f"a board that is kept is wanted, there is no {identity!r}")
            self._remove(identity)
            self._own = tuple(each for each in self._own if each.id != identity)
            self._broken = tuple(each for each in self._broken if each.id != identity)
            self.version += 1

    def _path(self, identity: str) -> Path:
        return self._folder / f"{identity}{ENDING}"  # of a name we made or found there

    def _write(self, new: OwnBoard) -> None:
        place = self._path(new.id)
        made = place.with_name(place.name + _UNFINISHED)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            made.write_text(str(new.board), encoding="utf-8")
            put_in_place(made, place)
        except OSError as error:
            with contextlib.suppress(OSError):
                made.unlink(missing_ok=True)
            raise _disk(error) from None

    def _remove(self, identity: str) -> None:
        try:
            self._path(identity).unlink(missing_ok=True)
            sync(self._folder)
        except OSError as error:
            raise _disk(error) from None


def _disk(error: OSError) -> ShelfError:
    return ShelfError(
        "disk-full", f"the board could not be changed on disk ({error.strerror}); check its space"
    )


def _in_order(boards: list[OwnBoard]) -> tuple[OwnBoard, ...]:
    return tuple(sorted(boards, key=lambda each: each.board.name.casefold()))


def _id_of(name: str) -> str:
    """A word for files and addresses; names that differ in nothing but case are one board."""
    word = re.sub("[^a-z0-9]+", "-", name.casefold()).strip("-")
    return f"{word or 'board'}-{hashlib.sha256(name.casefold().encode()).hexdigest()[:8]}"
