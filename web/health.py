"""The health page: how camera, lid, pins and machine are, what to do, and the code. Knows none of them."""

from dataclasses import dataclass

from flask import Blueprint, Response, request

from companion.findings.check import State
from companion.words import Catalogue
from web.access.codes import NOTICED, WRONG_A_DAY
from web.access.identity import set_display
from web.desk import Desk, to_json
from web.serving.bodies import json_answer
from web.serving.errors import Refused
from web.serving.services import Fact
from web.serving.shown import ask_for_code, page, see_other, who, words_of

_FIRST = (State.WRONG, State.NOTE, State.OK)


@dataclass(frozen=True, slots=True)
class HealthView:
    """All lines: first what is wrong. `settles`: a word is wanted on what may be missing of the journal."""

    facts: tuple[Fact, ...]
    settles: bool


def health(desk: Desk) -> Blueprint:
    """The page, whole without scripts; with them it keeps itself fresh."""
    routes = Blueprint("health", __name__)

    def facts() -> tuple[Fact, ...]:
        desk.need_owner(who(desk))
        if desk.services.health is None:
            raise Refused(404, "not-found", "this companion does not tell how it is")
        found = desk.services.health(words_of(desk).language)
        of_code = _guessed(desk.codes.wrong_today(), words_of(desk))
        return tuple(sorted((*of_code, *found), key=lambda fact: _FIRST.index(fact.state)))

    def settles() -> bool:
        return desk.table.snapshot.doubt is not None

    @routes.get("/health")
    def shown() -> Response:
        if not who(desk).display:
            return ask_for_code(desk)
        words = words_of(desk)
        data = {"words": words.part("health."), "language": words.language}
        return page(
            desk, "health.html", facts=facts(), settles=settles(), code=desk.codes, data=to_json(data)
        )

    @routes.get("/api/health")
    def newest() -> Response:
        return json_answer(to_json(HealthView(facts(), settles())))

    @routes.post("/health/settle")
    def settle() -> Response:
        """The owner says that the journal is right as it is."""
        desk.need_owner(who(desk))
        desk.table.settle()
        return see_other("/health")

    @routes.post("/health/code")
    def new_code() -> Response:
        """Another code for the table. This screen stays a display; all others need the new code."""
        desk.need_owner(who(desk))
        desk.need_pace(who(desk))
        desk.codes.change()
        response = see_other("/health")
        set_display(response, desk.services.key, desk.codes.code, secure=request.is_secure)
        return response

    return routes


def _guessed(wrong: int, words: Catalogue) -> tuple[Fact, ...]:
    """Told long before it could succeed."""
    if wrong < NOTICED:
        return ()
    text = words.say("health.code_wrong" if wrong < WRONG_A_DAY else "health.code_full", n=wrong)
    return (Fact(words.say("health.code"), text, State.WRONG, words.say("health.code_todo")),)
