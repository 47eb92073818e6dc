"""Tables for a spreadsheet: CSV that no spreadsheet takes for a formula. Knows no table of the game."""

import csv
import io
from collections.abc import Iterable, Sequence

from flask import Response

Cell = str | int | float | None
# What makes a spreadsheet calculate; the full-width signs do too in some.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_MARK = "\ufeff"  # spreadsheets read UTF-8 as such only behind it


def safe(cell: Cell) -> Cell:
    """Text that would be a formula gets an apostrophe before it, which shows that it is text."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip().startswith(_FORMULA) else cell


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([safe(cell) for cell in head])
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return _MARK + out.getvalue()


def csv_answer(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """The table as a file of that name."""
    return as_file(Response(csv_text(head, rows), mimetype="text/csv"), name)


def as_file(response: Response, name: str) -> Response:
    """To be saved, not shown. Names of files are our own, never a player's."""
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
