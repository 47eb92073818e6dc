"""Many games together: what each player came to, what the dice of each source look like. Knows no pages."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.game import Source
from companion.past.fairness import DieVerdict, judge
from companion.past.figures import DICE
from companion.past.games import PastGame

REAL = (Source.CAMERA, Source.HAND)  # dice that were thrown on this table, as read or as typed in


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """One player over all games played to their end; names that differ in capitals only are one player."""

    name: str
    games: int
    wins: int  # shared victories too
    total: int
    best: int
    worst: int
    locks: int
    misthrows: int
    crosses: int
    on_others_turns: int
    points: tuple[int, ...]  # of each game, oldest first

    @property
    def average(self) -> float:
        return self.total / self.games


@dataclass(frozen=True, slots=True)
class SourceTally:
    """The throws of one source; `imported` if they were made elsewhere."""

    source: str
    throws: int
    counts: tuple[tuple[int, ...], ...]  # of each die, in the order of DICE


@dataclass(frozen=True, slots=True)
class Tally:
    """All games together."""

    games: int  # that count
    left_out: int  # stopped, under way or damaged
    players: tuple[PlayerTally, ...]
    dice: tuple[DieVerdict, ...]  # of the real dice
    throws: int  # of the real dice
    sources: tuple[SourceTally, ...]


IMPORTED = "imported"


@dataclass
class _Player:
    """One player while the games are gone through."""

    name: str = ""
    wins: int = 0
    locks: int = 0
    misthrows: int = 0
    crosses: int = 0
    on_others_turns: int = 0
    points: list[int] = field(default_factory=list)

    def tally(self) -> PlayerTally:
        points = self.points
        return PlayerTally(
            self.name,
            len(points),
            self.wins,
            sum(points),
            max(points),
            min(points),
            self.locks,
            self.misthrows,
            self.crosses,
            self.on_others_turns,
            tuple(points),
        )


def tally(games: Iterable[PastGame]) -> Tally:
    """What the games come to, oldest first."""
    players: dict[str, _Player] = {}
    counts: dict[str, list[list[int]]] = {}
    counted = left_out = 0
    for game in games:
        if game.begun is None or not game.figures.over:
            left_out += 1
            continue
        _add_dice(counts, game)
        if game.figures.counts:
            counted += 1
            _add_players(players, game)
        else:
            left_out += 1
    found = sorted((player.tally() for player in players.values()), key=lambda each: (-each.games, each.name))
    sources = tuple(_source(name, counts[name]) for name in (*Source, IMPORTED) if name in counts)
    real = [each for each in sources if each.source in REAL]
    pooled = {
        die: [sum(face) for face in zip(*(each.counts[place] for each in real), strict=True)]
        for place, die in enumerate(DICE)
    }
    verdicts = judge({die: faces or [0] * 6 for die, faces in pooled.items()})
    return Tally(counted, left_out, tuple(found), verdicts, sum(each.throws for each in real), sources)


def _source(name: str, counts: list[list[int]]) -> SourceTally:
    """Two white dice are in every throw."""
    return SourceTally(name, sum(counts[0]) // 2, tuple(tuple(faces) for faces in counts))


def _add_dice(counts: dict[str, list[list[int]]], game: PastGame) -> None:
    imported = game.begun is not None and game.begun.imported
    for dice in game.figures.dice:
        source = IMPORTED if imported else str(dice.source)
        found = counts.setdefault(source, [[0] * 6 for _ in DICE])
        for mine, more in zip(found, dice.counts, strict=True):
            mine[:] = [one + other for one, other in zip(mine, more, strict=True)]


def _add_players(players: dict[str, _Player], game: PastGame) -> None:
    names = game.begun.setup.players if game.begun is not None else ()
    for seat, (name, figures) in enumerate(zip(names, game.figures.players, strict=True)):
        player = players.setdefault(name.casefold(), _Player())
        player.name = name  # as written last
        player.points.append(figures.score)
        player.wins += seat in game.figures.winners
        player.locks += figures.locks
        player.misthrows += figures.misthrows
        player.crosses += figures.crosses
        player.on_others_turns += figures.on_others_turns
