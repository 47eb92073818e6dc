"""The health page: how camera, lid, pins and machine are, and what to do. Knows none of them."""

from dataclasses import dataclass

from flask import Blueprint, Response

from companion.checks.check import State
from web.bodies import json_answer
from web.desk import Desk, to_json
from web.errors import Refused
from web.services import Fact
from web.shown import ask_for_code, page, who, words_of

_FIRST = (State.WRONG, State.NOTE, State.OK)


@dataclass(frozen=True, slots=True)
class HealthView:
    """All lines: first what is wrong."""

    facts: tuple[Fact, ...]


def health(desk: Desk) -> Blueprint:
    """The page, whole without scripts; with them it keeps itself fresh."""
    routes = Blueprint("health", __name__)

    def facts() -> tuple[Fact, ...]:
        desk.need_owner(who(desk))
        if desk.services.health is None:
            raise Refused(404, "not-found", "this companion does not tell how it is")
        found = desk.services.health(words_of(desk).language)
        return tuple(sorted(found, key=lambda fact: _FIRST.index(fact.state)))

    @routes.get("/health")
    def shown() -> Response:
        if not who(desk).display:
            return ask_for_code(desk)
        words = words_of(desk)
        data = {"words": words.part("health."), "language": words.language}
        return page(desk, "health.html", facts=facts(), data=to_json(data))

    @routes.get("/api/health")
    def newest() -> Response:
        return json_answer(to_json(HealthView(facts())))

    return routes
