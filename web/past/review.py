"""The review of a past game as its page shows it: chances as a curve, moments with turns. Judges nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.past.reviewed import ReviewedGame
from companion.past.reviews import Progress
from web.past.charts import LineChart, line_chart
from web.past.chronicle import ReplayView


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """What the page needs. `steps` says which step of the replay a turn is."""

    percent: int
    trouble: str
    review: ReviewedGame | None = None
    chart: LineChart | None = None
    steps: Mapping[int, int] | None = None


def review_part(shown: ReplayView, progress: Progress) -> ReviewPart:
    review = progress.review
    percent = int(100 * progress.share)
    if review is None:
        return ReviewPart(percent, progress.trouble)
    steps = {step.number: place for place, step in enumerate(shown.steps, 1) if step.dice}
    return ReviewPart(percent, "", review, _chances(shown, review), steps)


def _chances(shown: ReplayView, review: ReviewedGame) -> LineChart | None:
    """Of several players, in percent before each roll, and how it came out; alone one wins always."""
    seats = range(len(shown.game.players))
    if len(seats) < 2 or not review.turns:
        return None
    winners = shown.game.winners
    ends = [[round(100 / len(winners)) * (seat in winners)] if winners else [] for seat in seats]
    return line_chart(
        [[round(100 * turn.wins[seat]) for turn in review.turns] + ends[seat] for seat in seats]
    )
