"""Run under the stand-in for a Pi's pins: opens the panel as the companion does and does what its input says.

Lines in: `show <lamps as JSON>`, `busy`, `close`. Lines out: `opened …`, `pressed …`, `shown`, `closed`.
"""

import json
import sys

import gpiozero.pins.local

from companion.settings.config import parse
from companion.view.lamps import Lamps, Light, Status
from companion.words import english
from hardware.opening import open_panel
from hardware.panel import Press

ZERO_2_W = 0x902120
gpiozero.pins.local.get_pi_revision = lambda: ZERO_2_W


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def told(press: Press) -> None:
    say(f"pressed {press}")


def lamps(text: str) -> Lamps:
    seats, rows, status, lid_light = json.loads(text)
    return Lamps(
        tuple(Light(word) for word in seats), tuple(Light(word) for word in rows), Status(status), lid_light
    )


def main() -> None:
    panel = open_panel(parse(sys.argv[1]).panel)
    panel.on_press(told)
    say(f"opened {panel.name}: {panel.notice and english(panel.notice)}")
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "show":
            panel.show(lamps(rest))
            say("shown")
        elif word == "busy":
            panel.blink_busy()
            say("blinked")
        else:
            break
    panel.close()
    say("closed")


main()
