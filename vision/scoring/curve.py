"""Asked against wrong over the limit of certainty, and how sure such counts are. Knows no picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log

from vision.scoring.outcomes import Claim

LIMITS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99)
MISTAKEN = 0.05  # the chance that the true share lies above its bound
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What would come of one limit: plain pictures asked about, and certain answers that are wrong."""

    limit: float
    asked: int
    plain: int
    wrong: int
    count: int

    @property
    def share_asked(self) -> float:
        return self.asked / max(1, self.plain)

    @property
    def wrong_at_most(self) -> float:
        return upper_bound(self.wrong, self.count)


def points_of(claims: Sequence[Claim], limits: Sequence[float] = LIMITS) -> Iterator[CurvePoint]:
    """The curve: an answer is certain from its limit on."""
    plain = sum(claim.is_plain for claim in claims)
    for limit in limits:
        asked = sum(claim.is_plain and claim.sure < limit for claim in claims)
        wrong = sum(claim.sure >= limit and not claim.is_true for claim in claims)
        yield CurvePoint(limit, asked, plain, wrong, len(claims))


def upper_bound(hits: int, count: int) -> float:
    """The share that is exceeded with a chance of one in twenty only, after Clopper and Pearson."""
    if hits >= count:
        return 1.0
    low, high = hits / count, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _chance_of_no_more(hits, count, middle) > MISTAKEN:
            low = middle
        else:
            high = middle
    return high


def _chance_of_no_more(hits: int, count: int, share: float) -> float:
    """The chance of so few hits or fewer, if that is the true share."""
    if not 0 < share < 1:
        return float(share == 0)
    return sum(
        exp(
            lgamma(count + 1)
            - lgamma(k + 1)
            - lgamma(count - k + 1)
            + k * log(share)
            + (count - k) * log(1 - share)
        )
        for k in range(hits + 1)
    )
