"""One measured figure beside what was aimed at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its unit and the aim in words; `holds` says whether the aim is met."""

    name: str
    value: float
    unit: str
    aim: str
    holds: bool

    def __str__(self) -> str:
        if not self.aim:
            return f"{self.name}: {self.value:,.2f} {self.unit}"
        verdict = "holds" if self.holds else "FALLS SHORT"
        return f"{self.name}: {self.value:,.2f} {self.unit} (aim {self.aim}) {verdict}"


def at_most(name: str, value: float, limit: float, unit: str) -> Figure:
    return Figure(name, value, unit, f"<= {limit:g} {unit}", value <= limit)


def at_least(name: str, value: float, limit: float, unit: str) -> Figure:
    return Figure(name, value, unit, f">= {limit:g} {unit}", value >= limit)


def plain(name: str, value: float, unit: str) -> Figure:
    """A value without an aim of its own."""
    return Figure(name, value, unit, "", holds=True)
