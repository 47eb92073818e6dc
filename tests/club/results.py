"""Results for tests: who played, with how many points."""

import itertools
from collections.abc import Mapping

from companion.club.values import KeptResult, Result, Scored

NOON = 1_800_000_000.0  # 2027-01-15, 08:00 UTC
PROGRAMS = ("Robot",)
_numbers = itertools.count(1)


def a_result(points: Mapping[str, int], box: str = "lid", identity: str = "", **more: object) -> Result:
    players = tuple(Scored(name, each, name in PROGRAMS) for name, each in points.items())
    given: dict[str, object] = {
        "revision": 1,
        "edition": "original",
        "started": NOON - 1800,
        "ended": NOON,
        **more,
    }
    return Result(box, identity or f"game-{next(_numbers)}", players=players, **given)  # type: ignore[arg-type]


def kept(
    points: Mapping[str, int], received: float = NOON, *, left_out: bool = False, **more: object
) -> KeptResult:
    result = a_result(points, **more)  # type: ignore[arg-type]
    return KeptResult(result, next(_numbers), received, left_out)
