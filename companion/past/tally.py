"""Many games together: what each player came to, what the dice of each source look like. Knows no pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from companion.game import Level, Source
from companion.past.fairness import FACES, DieVerdict, judge
from companion.past.figures import DICE, DiceFigures, PlayerFigures
from companion.past.games import PastGame

REAL = (Source.CAMERA, Source.HAND)  # dice that were thrown on this table, as read or as typed in


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """One player over all games played to their end; names that differ in capitals only are one player.

    A player of the program is none of the people of that name, and each level is a player of its own."""

    name: str
    level: Level | None
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
    followed: int  # games that were followed turn by turn; the others were played on paper

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

    edition: str | None  # the players' figures are of this one alone
    editions: tuple[str, ...]  # that were played
    games: int  # that count
    paper: int  # of those that count: only their end is known
    left_out: int  # stopped, under way or damaged
    players: tuple[PlayerTally, ...]
    dice: tuple[DieVerdict, ...]  # of the real dice
    throws: int  # of the real dice
    sources: tuple[SourceTally, ...]


IMPORTED = "imported"


@dataclass
class _Player:
    """One player while the games are gone through."""

    level: Level | None = None
    name: str = ""
    wins: int = 0
    locks: int = 0
    misthrows: int = 0
    crosses: int = 0
    on_others_turns: int = 0
    followed: int = 0
    points: list[int] = field(default_factory=list)

    def add(self, figures: PlayerFigures, *, won: bool, paper: bool) -> None:
        self.points.append(figures.score)
        self.wins += won
        self.locks += figures.locks
        self.misthrows += figures.misthrows
        self.crosses += figures.crosses
        self.on_others_turns += figures.on_others_turns
        self.followed += not paper

    def tally(self) -> PlayerTally:
        points = self.points
        return PlayerTally(
            self.name,
            self.level,
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
            self.followed,
        )


def tally(games: Iterable[PastGame], edition: str | None = None) -> Tally:
    """What the games come to, oldest first: players in one edition or in all, dice always in all."""
    whole = list(games)
    begun = [game for game in whole if game.begun is not None and game.figures.over]
    asked = [game for game in whole if edition is None or _edition(game) == edition]
    counted = [game for game in asked if game.begun is not None and game.figures.counts]
    sources = _sources(begun)
    real = [each for each in sources if each.source in REAL]
    pooled = {die: _sum([each.counts[place] for each in real]) for place, die in enumerate(DICE)}
    return Tally(
        edition=edition,
        editions=tuple(dict.fromkeys(map(_edition, begun))),
        games=len(counted),
        paper=sum(game.figures.paper for game in counted),
        left_out=len(asked) - len(counted),
        players=_players(counted),
        dice=judge(pooled),
        throws=sum(each.throws for each in real),
        sources=sources,
    )


def _edition(game: PastGame) -> str:
    return "" if game.begun is None else str(game.begun.setup.edition)


def _sum(counts: Sequence[Sequence[int]]) -> list[int]:
    """Counts of the same die, added face by face."""
    return [sum(face) for face in zip(*counts, strict=True)] or [0] * FACES


def _sources(games: Iterable[PastGame]) -> tuple[SourceTally, ...]:
    """The throws, apart by where they came from. Two white dice are in every throw."""
    found: dict[str, list[DiceFigures]] = {}
    for game in games:
        imported = game.begun is not None and game.begun.imported
        for dice in game.figures.dice:
            found.setdefault(IMPORTED if imported else dice.source, []).append(dice)
    made = []
    for name in (*Source, IMPORTED):
        if name in found:
            counts = tuple(
                tuple(_sum([dice.counts[place] for dice in found[name]])) for place in range(len(DICE))
            )
            made.append(SourceTally(name, sum(counts[0]) // 2, counts))
    return tuple(made)


def _players(games: Iterable[PastGame]) -> tuple[PlayerTally, ...]:
    """Those who played most first."""
    players: dict[tuple[str, Level | None], _Player] = {}
    for game in games:
        if game.begun is None:
            continue
        setup = game.begun.setup
        for seat, (name, figures) in enumerate(zip(setup.players, game.figures.players, strict=True)):
            level = setup.level(seat)
            player = players.setdefault((name.casefold(), level), _Player(level))
            player.name = name  # as written last
            player.add(figures, won=seat in game.figures.winners, paper=game.figures.paper)
    return tuple(
        sorted((player.tally() for player in players.values()), key=lambda each: (-each.games, each.name))
    )
