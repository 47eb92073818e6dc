"""The page "what did the camera see", and its report, which is made only if the owner says so. No pixels."""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response

from companion.table.eyes import ShownDie
from companion.view.sighting import ReportError, WhatWasSeen
from companion.view.values import DieView
from companion.words import Catalogue
from web.access.identity import Visitor
from web.desk import Desk
from web.serving.errors import Refused
from web.serving.shown import ask_for_code, page, see_other, who, words_of

_STATUS = {"disk-full": 507}


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
        problems = () if sighting is None else sighting.problems
        return page(
            desk,
            "seen.html",
            seen=sighting,
            named=partial(_named, words),
            problems=[words.problem(each.kind, each.colours) for each in problems],
            by_hand=_by_hand(desk, words),
            back="/phone" if desk.seats(me) else "/table",
            owner=me.display,
        )

    @routes.post("/seen/forget")
    def forget() -> Response:
        desk.need_owner(who(desk))
        try:
            _source(desk).forget()
        except ReportError as error:
            raise Refused(_STATUS.get(error.kind, 409), error.kind, str(error)) from None
        return see_other("/seen")

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
    return ", ".join(_named(words, die) for die in dice)


def _named(words: Catalogue, die: ShownDie | DieView) -> str:
    colour = words.plain(f"dice.{die.colour}", die.colour)
    return words.say("die.label", colour=colour, pips=die.pips)
