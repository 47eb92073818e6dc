"""Parts of states and games from JSON and back: each refusal says what was wanted, where, what was got."""

from collections.abc import Mapping, Sequence
from typing import cast

from companion.rules import CLASSIC, COLOURS, Cell, Colour, Layout, NotationError, Roll, RuleError, Sheet
from companion.rules.layout import LAST

JSON = Mapping[str, object]


def is_utf8(value: object) -> bool:
    """Whether all texts of a JSON value are: an escape such as \\ud800 alone is half a character."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text) if not text.isascii():
                try:
                    text.encode()
                except UnicodeEncodeError:
                    return False
            case list(items):
                waiting += items
            case dict(fields):
                waiting += [*fields, *fields.values()]
            case _:
                pass  # a number, a switch, nothing
    return True


def need(value: object, key: str, where: str) -> object:
    """The value of a key that must be there."""
    if not isinstance(value, dict):
        raise NotationError(f"{where} is an object, got {_short(value)}")
    if key not in value:
        raise NotationError(f"{where} has no {key!r}")
    return cast(object, value[key])


def a_list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise NotationError(f"{where} is a list, got {_short(value)}")
    return value


def an_integer(value: object, where: str, lowest: int, highest: int) -> int:
    if type(value) is not int or not lowest <= value <= highest:
        raise NotationError(f"{where} is {lowest} to {highest}, got {_short(value)}")
    return value


def a_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{where} is a text, got {_short(value)}")
    return value


def a_colour(value: object, where: str) -> Colour:
    if not isinstance(value, str) or value not in COLOURS:
        raise NotationError(f"{where} is one of {', '.join(COLOURS)}, got {_short(value)}")
    return Colour(value)


def a_sheet(value: object, where: str, layout: Layout = CLASSIC) -> Sheet:
    """A sheet from `{"rows": {colour: [positions]}, "penalties": n}`; it must be one that can be reached."""
    rows = need(value, "rows", where)
    if not isinstance(rows, dict) or set(rows) != set(COLOURS):
        raise NotationError(f"the rows of {where} are {', '.join(COLOURS)}, got {_short(rows)}")
    misthrows = an_integer(need(value, "penalties", where), f"penalties of {where}", 0, 4)
    sheet = Sheet(layout, misthrows=misthrows)
    for row in layout.rows:
        before = -1
        for position in a_list(rows[row.lock], f"the {row.lock} row of {where}"):
            place = an_integer(position, f"a position in the {row.lock} row of {where}", 0, LAST)
            if place <= before:
                raise NotationError(
                    f"positions rise from left to right, got {place} after {before} in {where}"
                )
            before = place
            try:
                sheet = sheet.cross(row.cells[place])
            except RuleError as error:
                raise NotationError(f"{where}: {error}") from None
    return sheet


def sheet_json(sheet: Sheet) -> JSON:
    """The sheet in the same form."""
    pairs = zip(sheet.layout.rows, sheet.rows, strict=True)
    rows = {row.lock.value: [i for i in range(LAST + 1) if bits >> i & 1] for row, bits in pairs}
    return {"rows": rows, "penalties": sheet.misthrows}


def a_roll(value: object, where: str, in_play: frozenset[Colour] | None = None) -> Roll:
    """A roll from `{"white": [3, 4], "red": 2, …}`; if given, its colours must be those in play."""
    white = a_list(need(value, "white", where), f"white of {where}")
    if len(white) != 2:
        raise NotationError(f"white of {where} is two dice, got {_short(white)}")
    low, high = (an_integer(n, f"a white die of {where}", 1, 6) for n in white)
    coloured = {
        a_colour(key, f"a die of {where}"): an_integer(pips, f"the {key} die of {where}", 1, 6)
        for key, pips in cast(dict[str, object], value).items()
        if key != "white"
    }
    if in_play is not None and coloured.keys() != in_play:
        wanted, got = " ".join(sorted(in_play)), " ".join(sorted(coloured))
        raise NotationError(f"the coloured dice of {where} are those of the open rows, {wanted}, got {got}")
    return Roll.of((low, high), coloured.items())


def roll_json(roll: Roll) -> JSON:
    return {"white": list(roll.white), **{colour.value: pips for colour, pips in roll.coloured}}


def a_cell(value: object, where: str) -> Cell | None:
    """A cross from `["red", 7]`, or null for a pass."""
    if value is None:
        return None
    pair = a_list(value, where)
    if len(pair) != 2:
        raise NotationError(f"{where} is a colour and a number, got {_short(value)}")
    return Cell(a_colour(pair[0], where), an_integer(pair[1], where, 2, 12))


def cell_json(cell: Cell | None) -> list[object] | None:
    return None if cell is None else [cell.colour.value, cell.number]


def cells_json(cells: Sequence[Cell]) -> list[list[object]]:
    """Crosses in the order of the format: by colour name, then number."""
    return [[cell.colour.value, cell.number] for cell in sorted(cells)]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
