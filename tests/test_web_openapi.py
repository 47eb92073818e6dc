"""The description of the JSON interface is true: of the routes, and of every answer they give."""

import itertools
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from companion.table.eyes import Eyes, EyesState, Notice, ShownDie
from companion.table.seats import MOST_SEATS, Mark
from companion.view import WISHES
from tests.web_table import ORIGIN, TOKENS, Stand, stand
from web.access.identity import PHONE_COOKIE
from web.openapi import description


def test_every_route_is_described_and_nothing_else(tmp_path: Path) -> None:
    app: Flask = stand(tmp_path).app
    routes = {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    paths = description("1")["paths"]
    assert isinstance(paths, dict)
    assert {(path, method) for path, methods in paths.items() for method in methods} == routes


def test_the_description_names_every_wish_and_mark() -> None:
    text = str(description("1"))
    assert all(f"'{wish}'" in text for wish in WISHES.of)
    assert all(f"'{mark}'" in text for mark in Mark)
    assert f"'maximum': {MOST_SEATS - 1}" in text


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Stand:
    hurried = itertools.count()  # so that a phone this quick is no machine
    here = stand(tmp_path_factory.mktemp("table"), clock=lambda: float(next(hurried)))
    here.start(3)
    here.roll("W3 W4 R2 Y5 G6 B1")
    dice = (
        ShownDie("white", 3, 90, doubtful=False),
        ShownDie("red", 6, 20, doubtful=True, crop="white-1"),
    )
    here.table.tell(Eyes(EyesState.ASK, (Notice("moving"),), dice, simulated=True))
    return here


OPERATIONS = sorted(
    f"{method.upper()} {path}"
    for path, methods in cast("dict[str, dict[str, object]]", description("1")["paths"]).items()
    for method in methods
    if path != "/api/live"  # never ends; its messages are those of /api/view
)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_as_described(operation: str, running: Stand) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", running.app)
    method, path = operation.split()

    @given(case=schema[path][method].as_strategy())
    @settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
    def run(case: Case[Any]) -> None:  # of whatever operation
        case.call_and_validate(headers=ORIGIN, cookies={PHONE_COOKIE: TOKENS[0]})

    run()
