"""Reasons in words. Knows the catalogue's keys, not its languages."""

from companion.play.reasons import Reason
from companion.words import Catalogue

PART = "reason."


def sentence(reason: Reason, words: Catalogue) -> str:
    """The reason as one sentence."""
    values: dict[str, object] = {"n": reason.count, "points": words.say("reason.points", **_parts(reason))}
    if reason.row is not None:
        values |= {"row": words.say(f"row_it.{reason.row}"), "in": words.say(f"reason.in.{reason.row}")}
    if reason.cell is not None:
        values["cell"] = words.say(f"cell_it.{reason.cell.colour}", number=reason.cell.number)
    return words.say(f"{PART}{reason.why}", **values)


def _parts(reason: Reason) -> dict[str, object]:
    """Points with one digit behind the point, which languages write in their ways."""
    whole, tenths = divmod(round(10 * reason.points), 10)
    return {"whole": whole, "tenths": tenths}
