"""Errors and checks as somebody reads them, for tests that look at what is said."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from boxlid.errors import BoxlidError, Statement
from companion.checks import Check
from companion.findings.check import Line
from companion.words import DEFAULT, catalogues


def said(what: Statement | BoxlidError | str | None, language: str = DEFAULT) -> str:
    """What others say of themselves is said as it is; of nothing, nothing."""
    if what is None or isinstance(what, str):
        return what or ""
    return catalogues()[language].word(what)


def line(check: Check, language: str = DEFAULT) -> Line:
    return check.line(catalogues()[language])


def lines(checks: Iterable[Check], language: str = DEFAULT) -> list[Line]:
    return [line(check, language) for check in checks]


@contextmanager
def refused(kind: type[BoxlidError], match: str = "") -> Iterator[pytest.ExceptionInfo[BoxlidError]]:
    """That error is raised, and its English words match; the pattern is looked for anywhere in them."""
    with pytest.raises(kind) as caught:
        yield caught
    assert re.search(match, said(caught.value)), said(caught.value)
