"""A series of games and its standings. The books name no overall winner: the sum is our own choice."""

from dataclasses import dataclass

MOST_GAMES = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place in a series: equal totals share a place."""

    seat: int
    total: int
    place: int


@dataclass(frozen=True, slots=True)
class Series:
    """Up to five games in a row of the same players; each player's result of each game is noted."""

    players: tuple[str, ...]
    games: int = MOST_GAMES
    results: tuple[tuple[int, ...], ...] = ()

    def note(self, scores: tuple[int, ...]) -> "Series":
        if self.over:
            raise ValueError(f"a series of {self.games} games is over, one more result was noted")
        if len(scores) != len(self.players):
            raise ValueError(f"a result has {len(self.players)} scores, got {len(scores)}")
        return Series(self.players, self.games, (*self.results, scores))

    def take_back(self) -> "Series":
        """Without its newest result: that game is being played on."""
        return Series(self.players, self.games, self.results[:-1])

    @property
    def over(self) -> bool:
        return len(self.results) >= self.games

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(result[seat] for result in self.results) for seat in range(len(self.players)))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Best first; players of equal totals share the place."""
        totals = self.totals
        order = sorted(range(len(totals)), key=lambda seat: -totals[seat])
        return tuple(
            Standing(seat, totals[seat], 1 + sum(t > totals[seat] for t in totals)) for seat in order
        )
