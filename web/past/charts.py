"""Where bars and lines of a picture go. Templates draw them as SVG, style sheets colour them."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 420, 230
LEFT, RIGHT, TOP, BOTTOM = 34, 14, 12, 26
_TICKS = 5
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200)


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across with its number."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One player's points: the corners of a polyline, and where it ends."""

    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over steps that are evenly far apart."""

    width: int
    height: int
    left: float
    step: float  # between two steps
    top: float
    bottom: float
    right: float
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    lines: tuple[ChartLine, ...]


def line_chart(rows: Sequence[Sequence[int]]) -> LineChart:
    """One line for each row; all rows are equally long."""
    count = max(1, len(rows[0]) - 1)
    lowest = min(0, *(min(row) for row in rows))
    highest = max(1, *(max(row) for row in rows))
    tick = _tick(highest - lowest)
    lowest, highest = lowest // tick * tick, -(-highest // tick) * tick
    step = (WIDTH - LEFT - RIGHT) / count
    tall = (HEIGHT - TOP - BOTTOM) / (highest - lowest)

    def y(value: float) -> float:
        return round(TOP + (highest - value) * tall, 1)

    def x(place: float) -> float:
        return round(LEFT + place * step, 1)

    lines = tuple(
        ChartLine(
            " ".join(f"{x(place)},{y(value)}" for place, value in enumerate(row)), x(len(row) - 1), y(row[-1])
        )
        for row in rows
    )
    across = tuple(Tick(y(value), value) for value in range(lowest, highest + 1, tick))
    every = _tick(count)
    along = tuple(Tick(x(place), place) for place in range(0, count + 1, every))
    right = float(WIDTH - RIGHT)
    return LineChart(WIDTH, HEIGHT, LEFT, step, TOP, HEIGHT - BOTTOM, right, across, along, lines)


def _tick(reach: int) -> int:
    return next((step for step in _STEPS if reach <= step * _TICKS), _STEPS[-1])


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: where it stands, how tall it is, what it counts."""

    x: float
    y: float
    width: float
    height: float
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars side by side, and the line that all would reach if they were alike."""

    width: int
    height: int
    base: float
    expected: float
    bars: tuple[Bar, ...]


_BARS_WIDTH, _BARS_HEIGHT, _ABOVE, _BELOW = 240, 120, 18, 20


def bar_chart(counts: Sequence[int]) -> BarChart:
    """Counts of the faces 1, 2, … of a die."""
    expected = sum(counts) / len(counts)
    most = max(*counts, 1)
    room, base = _BARS_WIDTH / len(counts), _BARS_HEIGHT - _BELOW
    tall = (base - _ABOVE) / most
    bars = tuple(
        Bar(
            x=round(place * room + room * 0.14, 1),
            y=round(base - count * tall, 1),
            width=round(room * 0.72, 1),
            height=round(count * tall, 1),
            value=count,
            label=str(place + 1),
        )
        for place, count in enumerate(counts)
    )
    return BarChart(_BARS_WIDTH, _BARS_HEIGHT, base, round(base - expected * tall, 1), bars)
