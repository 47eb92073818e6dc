"""Perft: all ways to play three turns, counted by the game and by a brute force from the book alone."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from companion.game import Game, Phase
from companion.rules import COLOURS, Cell
from tests.brute_force import ORDER, Player, Table
from tests.playing import choose, roll, seated, second

ROLLS: list[tuple[tuple[int, int], dict[str, int]]] = [
    ((6, 6), {"red": 6, "yellow": 1, "green": 2, "blue": 5}),
    ((1, 1), {"red": 1, "yellow": 6, "green": 1, "blue": 3}),
    ((5, 6), {"red": 6, "yellow": 6, "green": 4, "blue": 1}),
]
# Late positions, in which rows close, misthrows run out and games end within three turns.
POSITIONS = [
    ("empty", "empty"),
    ("R2 R3 R4 R5 R6 Y2 Y3 Y4 Y5", "G12 G11 G10 G9 G8 B12 B11 B10 B9 M3"),
    ("R7 R8 R9 R10 R11 Y9 G6 G5 G4 G3 B3 M2", "R2 R3 R4 R5 R6 Y7 Y8 Y9 Y10 Y11 G3 B3 M2"),
    ("R2 R3 R4 R5 R6 R12 Y7 Y8 Y9 Y10 Y11", "Y2 Y3 Y4 Y5 Y6 G12 G11 G10 G9 G8 B5 M3"),
]


def turns_of_the_game(game: Game, white: tuple[int, int], dice: dict[str, int]) -> Iterator[Game]:
    """Every way the roll can be played through the public questions and events of the game."""
    rolled = roll(game, white, **dice)
    choices = [[None, *map(str, rolled.legal_first(seat))] for seat in range(game.players)]
    for cells in product(*choices):
        after = choose(rolled, *cells)
        if after.phase is Phase.OVER:
            yield after
            continue
        for cell in [None, *map(str, after.legal_second())]:
            yield second(after, cell)


def of_the_book(game: Game) -> Table:
    players = []
    for sheet in game.sheets:
        rows: dict[str, list[int]] = {
            colour: [n for n in line if sheet.has(Cell(COLOURS[i], n))]
            for i, (colour, line) in enumerate(ORDER.items())
        }
        players.append(Player(rows, {str(colour) for colour in sheet.locks}, sheet.misthrows))
    return Table(players, game.active, {str(colour) for colour in game.closed})


Key = tuple[object, ...]


def key_of_game(game: Game) -> Key:
    rows = tuple(str(sheet) for sheet in game.sheets)
    return rows, game.scores, tuple(sorted(game.closed)), game.phase is Phase.OVER, game.active


def key_of_book(table: Table) -> Key:
    rows = []
    for player in table.players:
        words = [f"{colour[0].upper()}{n}" for colour in ORDER for n in player.rows[colour]]
        rows.append(" ".join(words + [f"M{player.misthrows}"] * bool(player.misthrows)) or "empty")
    scores = tuple(player.score for player in table.players)
    return tuple(rows), scores, tuple(sorted(table.closed)), table.over, table.active


Level = dict[Key, tuple[Game, Table, int]]  # positions, and in how many ways each is reached


def next_level(level: Level, white: tuple[int, int], dice: dict[str, int]) -> tuple[Level, Counter[Key]]:
    """One turn further: the positions of the game that go on, and the ways counted by brute force."""
    games: dict[Key, Game] = {}
    mine: Counter[Key] = Counter()
    book: Counter[Key] = Counter()
    tables: dict[Key, Table] = {}
    for game, table, ways in level.values():
        in_play = {colour: pips for colour, pips in dice.items() if colour in game.dice_in_play}
        for after in turns_of_the_game(game, white, in_play):
            mine[key_of_game(after)] += ways
            games[key_of_game(after)] = after
        for other in table.turns(in_play, white):
            book[key_of_book(other)] += ways
            tables[key_of_book(other)] = other
    assert mine == book
    going_on = {key: game for key, game in games.items() if game.phase is not Phase.OVER}
    return {key: (game, tables[key], mine[key]) for key, game in going_on.items()}, mine


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_every_way_to_play_three_turns_is_the_same_as_from_the_book_alone(
    position: tuple[str, str], order: tuple[int, ...]
) -> None:
    """The positions after each turn, with the number of ways to reach them, are equal."""
    start = seated(*position)
    level: Level = {key_of_game(start): (start, of_the_book(start), 1)}
    most = 2000 if position == POSITIONS[-1] else 60
    for depth in order:
        level, ways = next_level(_spread(level, most), *ROLLS[depth])
        assert ways.total() > 0


def _spread(level: Level, most: int) -> Level:
    """So many positions, evenly spread; the last position of the list is followed completely."""
    keys = sorted(level, key=str)
    return {key: level[key] for key in keys[:: max(1, -(-len(keys) // most))]}


def test_the_counts_of_the_first_turn_from_an_empty_sheet_are_those_of_a_count_by_hand() -> None:
    # Twelve: four rows, but red and yellow need five crosses; so pass, green or blue for each player.
    # Then a pass or one of the pairs 6+6, 6+1, 6+2, 6+5, less what lies left of an action-1 cross.
    ways = Counter(game.scores for game in turns_of_the_game(seated("empty", "empty"), *ROLLS[0]))
    assert sum(ways.values()) == 3 * (4 + 4 + 4)
    assert ways[(-5, 0)] == 1
