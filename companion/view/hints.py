"""What the program would choose in a seat's place, and why. Looks at nothing that is still sealed."""

from dataclasses import dataclass

from companion.game import Game, Hints, Phase
from companion.play.advice import Moment, Weighed, weigh
from companion.play.judgement import WeightsError, weights_of
from companion.play.reasons import reason
from companion.play.sentences import sentence
from companion.rules import RuleError
from companion.table.snapshot import Snapshot
from companion.view.marks import hidden
from companion.words import Catalogue


@dataclass(frozen=True, slots=True)
class HintView:
    """The best choice of a seat at a moment: a cell, in action 3 a space, or neither: a pass."""

    moment: str
    seat: int
    action: int
    cell: str | None
    space: int | None
    text: str


def hint(snapshot: Snapshot, seat: int, words: Catalogue) -> HintView:
    """For a seat that has to decide, at a table that plays with hints; RuleError if it is not so."""
    game = snapshot.game
    if game is None or game.setup.house.hints is Hints.OFF:
        raise RuleError("hints are not played with; the lobby offers them before a game", "no-hints")
    if not may_ask(game, seat):
        raise RuleError("there is nothing to decide just now", "no-decision")
    moment = Moment.of_game(game, seat)
    try:
        choices = weigh(moment)
    except WeightsError as error:
        raise RuleError(str(error), "no-judgement") from None
    best = choices[0]
    cell = None if best.cell is None or best.space is not None else str(best.cell)
    why = sentence(reason(moment, choices, scores_hidden=hidden(game)), words)
    text = f"{_choice(best, words)} {why}" if best.space is None else why
    if weights_of(moment.games.kind) is None:
        text = f"{text} {words.say('hint.simulated')}"
    return HintView(snapshot.moment, seat, moment.action, cell, best.space, text)


def may_ask(game: Game, seat: int) -> bool:
    return game.phase in (Phase.FIRST, Phase.SECOND, Phase.THIRD) and seat in game.deciding


def _choice(best: Weighed, words: Catalogue) -> str:
    if best.cell is None:
        return words.say("hint.pass")
    cell = words.say(f"cell_it.{best.cell.colour}", number=best.cell.number)
    return words.say("hint.cell", cell=cell)
