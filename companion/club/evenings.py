"""Which evening a game belongs to, and which season. Knows no clock: times come with the results."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from companion.club.values import KeptResult

MORNING = timedelta(hours=6)  # an evening ends then
HOUR = 3600.0
LONGEST_ON_THE_WAY = 366 * 24 * HOUR  # a box that kept its results for longer had a wrong clock


@dataclass(frozen=True, slots=True)
class Season:
    """From its first day on, until another season begins."""

    name: str
    first: date


@dataclass(frozen=True, slots=True)
class Span:
    """A season with its last day, if another follows."""

    season: Season
    last: date | None

    def holds(self, day: date) -> bool:
        return self.season.first <= day and (self.last is None or day <= self.last)


def ended(kept: KeptResult) -> float:
    """When the game ended; a box whose clock was plainly wrong is not believed."""
    by_box = kept.result.ended
    is_likely = kept.received - LONGEST_ON_THE_WAY <= by_box <= kept.received + HOUR
    return by_box if is_likely else kept.received


def evening_of(kept: KeptResult, zone: tzinfo | None = None) -> date:
    """A game after midnight belongs to the evening before."""
    return (datetime.fromtimestamp(ended(kept), zone) - MORNING).date()


def by_evening(
    results: Iterable[KeptResult], zone: tzinfo | None = None
) -> tuple[tuple[date, tuple[KeptResult, ...]], ...]:
    """Newest evening first, each with its games, newest first."""
    found = defaultdict[date, list[KeptResult]](list)
    for kept in results:
        found[evening_of(kept, zone)].append(kept)
    return tuple(
        (day, tuple(sorted(found[day], key=ended, reverse=True))) for day in sorted(found, reverse=True)
    )


def spans(seasons: Sequence[Season]) -> tuple[Span, ...]:
    """Newest first; each lasts until the day before the next."""
    in_order = sorted(seasons, key=lambda season: season.first)
    days_before = [season.first - timedelta(days=1) for season in in_order]
    return tuple(map(Span, in_order, (*days_before[1:], None)))[::-1]
