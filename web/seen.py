"""The page "what did the camera see", and its report, which is made only if the owner says so. No pixels."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response

from web.desk import Desk
from web.errors import Refused
from web.identity import Visitor
from web.shown import ask_for_code, page, who, words_of
from web.sighting import ReportError, SightedProblem, WhatWasSeen
from web.words import Catalogue

_STATUS = {"disk-full": 507}


@dataclass(frozen=True, slots=True)
class Row:
    """One die of the list, in words."""

    colour: str
    pips: int
    percent: int
    doubtful: bool
    name: str
    text: str


def seen(desk: Desk) -> Blueprint:
    """The page and its pictures."""
    routes = Blueprint("seen", __name__)
    _add_page(routes, desk)
    _add_report(routes, desk)
    return routes


def _source(desk: Desk) -> WhatWasSeen:
    if desk.services.seen is None:
        raise Refused(404, "no-camera", "there is no camera to look at the dice")
    return desk.services.seen


def _found(content: bytes | None) -> bytes:
    """What belongs to a look that is still the last one."""
    if content is None:
        raise Refused(404, "seen-before", "another look has taken the place of this one")
    return content


def _add_page(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/seen")
    def shown() -> Response:
        me = who(desk)
        if not me.display and not desk.seats(me):
            return ask_for_code(desk)
        sighting, words = _source(desk).last(), words_of(desk)
        dice = [] if sighting is None else sighting.dice
        rows = [
            Row(
                die.colour,
                die.pips,
                die.percent,
                die.doubtful,
                die.name,
                words.say("die.label", colour=_colour(words, die.colour), pips=die.pips or "?"),
            )
            for die in dice
        ]
        return page(
            desk,
            "seen.html",
            seen=sighting,
            rows=rows,
            problems=[] if sighting is None else [_problem(words, each) for each in sighting.problems],
            by_hand=_by_hand(desk, words),
            back="/phone" if desk.seats(me) else "/table",
        )

    @routes.get("/seen/<identity>/picture.jpg")
    def picture(identity: str) -> Response:
        desk.need_sight(who(desk))
        return _file(lambda: _source(desk).picture(identity, words_of(desk).letters), "image/jpeg")

    @routes.get("/seen/<identity>/die-<name>.jpg")
    def die(identity: str, name: str) -> Response:
        desk.need_sight(who(desk))
        return _file(lambda: _source(desk).die(identity, name), "image/jpeg")


def _add_report(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/seen/<identity>/report")
    def ask(identity: str) -> Response:
        """What a report holds, said before it is made."""
        if not who(desk).display:
            return ask_for_code(desk)
        sighting = _source(desk).last()
        if sighting is None or sighting.id != identity:
            raise Refused(404, "seen-before", "another look has taken the place of this one")
        return page(desk, "report.html", seen=sighting, kept="")

    @routes.get("/seen/<identity>/report.zip")
    def download(identity: str) -> Response:
        desk.need_owner(who(desk))
        response = _file(lambda: _source(desk).report(identity), "application/zip")
        response.headers["Content-Disposition"] = 'attachment; filename="boxlid-report.zip"'
        return response

    @routes.post("/seen/<identity>/report")
    def keep(identity: str) -> Response:
        desk.need_owner(who(desk))
        try:
            kept = _source(desk).keep(identity)
        except ReportError as error:
            raise Refused(_STATUS.get(error.kind, 409), error.kind, str(error)) from None
        if kept is None:
            raise Refused(404, "seen-before", "another look has taken the place of this one")
        return page(desk, "report.html", seen=None, kept=kept)


def _file(make: Callable[[], bytes | None], kind: str) -> Response:
    try:
        return Response(_found(make()), mimetype=kind)
    except ReportError as error:
        raise Refused(_STATUS.get(error.kind, 409), error.kind, str(error)) from None


def _by_hand(desk: Desk, words: Catalogue) -> str:
    """The dice of this turn that count otherwise than the camera read them."""
    game = desk.message(Visitor(None, display=True)).view.game
    dice = [die for die in game.dice if die.by_hand] if game is not None and game.phase != "roll" else []
    named = [words.say("die.label", colour=_colour(words, die.colour), pips=die.pips) for die in dice]
    return ", ".join(named)


def _colour(words: Catalogue, colour: str) -> str:
    key = f"dice.{colour}"
    return words.say(key) if key in words.texts else colour


def _problem(words: Catalogue, problem: SightedProblem) -> str:
    """The problem in the visitor's language; one without words there in English."""
    key, die = f"notice.{problem.kind}", f"die_is.{problem.colour}"
    if key not in words.texts:
        return problem.text
    return words.say(key, die=words.say(die if die in words.texts else "die_is.any"))
