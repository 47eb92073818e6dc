"""The turn of the original game once more, from the book alone, with plain lists: no code of the product."""

from collections.abc import Iterator
from itertools import product

ORDER = {
    "red": list(range(2, 13)),
    "yellow": list(range(2, 13)),
    "green": list(range(12, 1, -1)),
    "blue": list(range(12, 1, -1)),
}
Rows = dict[str, list[int]]  # crossed numbers of each colour, from left to right


class Player:
    """One sheet: its crossed numbers, locks and misthrows."""

    def __init__(self, rows: Rows | None = None, locks: set[str] | None = None, misthrows: int = 0) -> None:
        self.rows = rows or {colour: [] for colour in ORDER}
        self.locks = locks or set()
        self.misthrows = misthrows

    def copy(self) -> "Player":
        return Player({c: list(n) for c, n in self.rows.items()}, set(self.locks), self.misthrows)

    def may_cross(self, colour: str, number: int, closed: set[str]) -> bool:
        if colour in closed:
            return False
        line, crossed = ORDER[colour], self.rows[colour]
        if crossed and line.index(number) <= line.index(crossed[-1]):
            return False
        return number != line[-1] or len(crossed) >= 5

    def cross(self, colour: str, number: int) -> None:
        self.rows[colour].append(number)
        if number == ORDER[colour][-1]:
            self.locks.add(colour)

    @property
    def score(self) -> int:
        total = -5 * self.misthrows
        for colour, crossed in self.rows.items():
            n = len(crossed) + (colour in self.locks)
            total += sum(range(1, n + 1))
        return total


class Table:
    """A game of two players with every action chosen one after the other."""

    def __init__(self, players: list[Player], active: int = 0, closed: set[str] | None = None) -> None:
        self.players = players
        self.active = active
        self.closed = closed or set()
        self.over = False

    def copy(self) -> "Table":
        copy = Table([player.copy() for player in self.players], self.active, set(self.closed))
        copy.over = self.over
        return copy

    def white_choices(self, seat: int, total: int) -> list[tuple[str, int] | None]:
        legal = [(c, total) for c in ORDER if self.players[seat].may_cross(c, total, self.closed)]
        return [None, *legal]

    def turns(self, dice: dict[str, int], white: tuple[int, int]) -> Iterator["Table"]:
        """Every way this roll can be played, one table for each."""
        total = sum(white)
        seats = range(len(self.players))
        for choices in product(*[self.white_choices(seat, total) for seat in seats]):
            after = self.copy()
            for seat, choice in zip(seats, choices, strict=True):
                if choice is not None:
                    after.players[seat].cross(*choice)
            after._close()
            saved = choices[self.active] is not None
            if after.over:
                yield after
            else:
                yield from after._second(dice, white, saved=saved)

    def _second(self, dice: dict[str, int], white: tuple[int, int], *, saved: bool) -> Iterator["Table"]:
        me = self.players[self.active]
        pairs = {(c, pips + w) for c, pips in dice.items() for w in white if c not in self.closed}
        for choice in [None, *[pair for pair in pairs if me.may_cross(*pair, self.closed)]]:
            after = self.copy()
            if choice is not None:
                after.players[self.active].cross(*choice)
                after._close()
            elif not saved:
                after.players[self.active].misthrows += 1
                after.over = after.players[self.active].misthrows == 4
            if not after.over:
                after.active = (after.active + 1) % len(after.players)
            yield after

    def _close(self) -> None:
        for player in self.players:
            self.closed |= player.locks
        self.over = len(self.closed) >= 2
