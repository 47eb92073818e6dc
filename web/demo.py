"""The demo's page and its routes: anybody in the house may watch and lead it. Owns no show and no game."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response

from boxlid.fields import read
from companion.view import View, view
from companion.view.panel import Lamp
from companion.view.stage import Ending, NotNow, Order, Says, Scene, Stage
from companion.view.values import GameView
from companion.words import Catalogue
from web.desk import Desk, to_json
from web.serving.bodies import sent
from web.serving.errors import Refused
from web.serving.live import Sight, Streams, WatchedTable
from web.serving.sent import DemoOrder
from web.serving.shown import page, see_other, streamed, words_of

MOST_VIEWERS = 8
_WHY = {
    NotNow.RUNNING: "a demo is running already; watch that one",
}
_WORDS = (
    *("demo.", "panel.", "others.", "board.title", "end.", "state.", "cell.", "lock.", "letter.", "colour."),
    *("cell_it.", "dice.", "die.", "and"),
)


@dataclass(frozen=True, slots=True)
class DemoMessage:
    """The demo at one moment: what its phone and table show, the lamps, and what happens in words."""

    run: str
    sequence: int
    caption: str
    paused: bool
    fast: bool
    ended: str | None
    view: View
    lamps: tuple[Lamp, ...]
    pictured: bool


def demo(desk: Desk) -> Blueprint:
    """The routes of the demo; a companion without one has none of it."""
    routes = Blueprint("demo", __name__)

    def stage() -> Stage:
        if desk.services.demo is None:
            raise Refused(404, "no-demo", "only a simulated companion has a demo")
        return desk.services.demo

    def now(words: Catalogue) -> DemoMessage:
        scene = stage().scene()
        if scene is None:
            raise Refused(404, "no-show", "no demo is on; start one")
        return message_of(scene, words)

    @routes.get("/demo")
    def watch() -> Response:
        words, scene = words_of(desk), stage().scene()
        if scene is None:
            return page(desk, "demo.html", shown=None)
        shown = message_of(scene, words)
        data = {"message": shown, "words": words.part(*_WORDS), "language": words.language}
        return page(desk, "demo.html", shown=shown, data=to_json(data))

    @routes.post("/demo")
    def start_form() -> Response:
        _start(stage())
        return see_other("/demo")

    _add_interface(routes, stage, now, desk)
    return routes


def _add_interface(
    routes: Blueprint, stage: Callable[[], Stage], now: Callable[[Catalogue], DemoMessage], desk: Desk
) -> None:
    streams = Streams(MOST_VIEWERS, MOST_VIEWERS)

    @routes.get("/api/demo")
    def get_now() -> Response:
        return _json(to_json(now(words_of(desk))))

    @routes.post("/api/demo")
    def order() -> Response:
        _obey(stage(), read(DemoOrder, sent()).do)
        return _json(to_json(now(words_of(desk))))

    @routes.get("/api/demo/live")
    def live() -> Response:
        return _live(stage(), streams, words_of(desk))

    @routes.get("/api/demo/picture.jpg")
    def picture() -> Response:
        content = stage().picture(words_of(desk).letters)
        if content is None:
            raise Refused(404, "no-picture", "there is no picture yet")
        return Response(content, mimetype="image/jpeg")


def _start(stage: Stage) -> None:
    why = stage.start()
    if why is not None:
        raise Refused(409, why, _WHY[why])


def _obey(stage: Stage, what: Order) -> None:
    if what is Order.START:
        _start(stage)
    else:
        stage.order(what)


def _live(stage: Stage, streams: Streams, words: Catalogue) -> Response:
    table, first = stage.table, stage.scene()
    if table is None or first is None:
        raise Refused(404, "no-show", "no demo is on; start one")

    def scene() -> Scene | None:
        found = stage.scene()
        return found if found is not None and found.show == first.show else None

    def sequence() -> int:
        found = scene()
        return -2 if found is None else found.sequence

    def message() -> str | None:
        found = scene()
        return None if found is None else to_json(message_of(found, words))

    return streamed(WatchedTable(table), streams, None, Sight(sequence, message), "/api/demo")


def message_of(scene: Scene, words: Catalogue) -> DemoMessage:
    """A scene in a visitor's language."""
    shown = view(scene.snapshot, frozenset({scene.visitor}))
    return DemoMessage(
        run=str(scene.show),
        sequence=scene.sequence,
        caption=caption(scene, shown.game, words),
        paused=scene.paused,
        fast=scene.fast,
        ended=scene.ended,
        view=shown,
        lamps=scene.lamps,
        pictured=scene.pictured,
    )


def caption(scene: Scene, game: GameView | None, words: Catalogue) -> str:
    """What happens, as a sentence."""
    said = scene.caption
    if scene.ended not in (None, Ending.PLAYED) or game is None:
        return words.say(f"demo.ended_{scene.ended or Ending.TROUBLE}")
    white = [die.pips for die in game.dice if die.colour == "white"] or [0, 0]
    names = [player.name for player in game.players]
    about = names if said.seat is None else [names[said.seat]]
    kind = str(said.kind)
    if said.kind is Says.OVER:
        about = [names[seat] for seat in game.winners]
        kind = "over_shared" if len(about) > 1 else "over" if about else "ends"
    values: dict[str, object] = {"name": _list(about, words), "a": white[0], "b": white[1], "sum": sum(white)}
    if game.ended_by is not None:
        values["why"] = words.say(f"end.{game.ended_by}")
    if said.cell is not None and said.colour is not None:
        values["cell"] = words.say(f"cell_it.{said.colour}", number=said.cell[1:])
    if said.colour is not None:
        values |= {"row": words.say(f"row_it.{said.colour}"), "die": words.say(f"die_it.{said.colour}")}
    return words.say(f"demo.says_{kind}", **values)


def _list(names: list[str], words: Catalogue) -> str:
    return words.listed(names)


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")
