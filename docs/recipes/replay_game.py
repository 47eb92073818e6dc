"""Play a file of `boxlid export` again:  .venv/bin/python docs/recipes/replay_game.py FILE"""

import json
import sys
from pathlib import Path

from companion.game import write_event
from companion.game.games import a_record

for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    record = a_record(json.loads(line))
    _, *positions = record.positions()
    for event, game in zip(record.events, positions, strict=True):
        print(f"{write_event(event)}: {', '.join(map(str, game.scores))}")
    won = [record.setup.players[seat] for seat in record.play().winners]
    print(f"{' and '.join(won)} won" if won else "this game is not over")
