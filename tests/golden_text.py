"""Golden playthroughs: whole games as text, with what the table shows after each turn behind #.

`python -m tests.golden_text` writes them anew; read the difference before you keep it.
"""

from pathlib import Path

from companion.boards import house_board
from companion.game import Edition, Game, HouseRules, LocksTakeEffect, Phase, Setup, write_event
from companion.game.record import Record
from companion.rules import MIXX_A
from tests.random_games import any_record

FOLDER = Path(__file__).parent / "golden"
GOLDEN = {
    "original": (0, Setup(("Anna", "Max", "Laura"), 1)),
    "deluxe": (6, Setup(("Anna", "Max", "Laura", "Linus"), 0, Edition.DELUXE)),
    "on-board": (13, Setup(("Tim", "Linus"), 0, Edition.ON_BOARD, board=house_board().front)),
    "mixx-a-late-locks": (
        2,
        Setup(
            ("Anna", "Max"),
            layout=MIXX_A,
            house=HouseRules(LocksTakeEffect.END_OF_TURN, pass_by_itself=False),
        ),
    ),
}


def tell(record: Record) -> str:
    """The record's text, and after each turn the sheets, closed rows, pieces and scores."""
    positions = list(record.positions())
    lines = [str(record.setup)]
    for event, before, after in zip(record.events, positions[:-1], positions[1:], strict=True):
        lines.append(write_event(event))
        lines += [f"#   {who} closes {colour}" for who, colour in after.announced if not before.announced]
        if after.phase in (Phase.ROLL, Phase.OVER):
            lines += _table(after)
    return "\n".join(lines) + "\n"


def _table(game: Game) -> list[str]:
    lines = []
    for seat, name in enumerate(game.setup.players):
        piece = f" on {game.pieces[seat]}" if game.pieces else ""
        lines.append(f"#   {name}{piece}: {game.sheets[seat]} = {game.scores[seat]}")
    if game.closed:
        lines.append(f"#   closed: {' '.join(sorted(game.closed))}")
    if game.last_turns is not None:
        lines.append(f"#   last turns: {game.last_turns}")
    if game.phase is Phase.OVER:
        winners = " and ".join(game.setup.players[seat] for seat in game.winners)
        lines.append(f"#   over by {game.ended_by}: {winners}")
    else:
        lines.append(f"# turn {game.number}: {game.setup.players[game.active]}")
    return lines


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (seed, setup) in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text(tell(any_record(seed, setup, eager=1.0)), encoding="utf-8")


if __name__ == "__main__":
    main()
