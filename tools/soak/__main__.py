"""The endurance run from the command line: python -m tools.soak [--minutes N] [--phones N] …"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tools.soak.companion_process import SoakError
from tools.soak.report import MOST_PHONES, ROLLS, Plan
from tools.soak.running import soak

LEAST_ROLLS = 3  # with fewer, a table would seem to stand still
SHORT, OFTEN = 20.0, 5  # a run shorter than that many minutes is killed every fifth of it


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.soak", description="Phones play by themselves, for long."
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--kill-every", type=float, help="minutes (5; of short runs a fifth); 0: never")
    parser.add_argument("--phones", type=int, default=MOST_PHONES, help=f"2 to {MOST_PHONES} ({MOST_PHONES})")
    parser.add_argument(
        "--rolls", type=float, default=ROLLS, help=f"a minute ({ROLLS:g}); {LEAST_ROLLS} or more"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="the report goes there too")
    options = parser.parse_args(arguments)
    if not 2 <= options.phones <= MOST_PHONES:
        parser.error(f"--phones is 2 to {MOST_PHONES}, got {options.phones}")
    if options.rolls < LEAST_ROLLS:
        parser.error(f"--rolls is {LEAST_ROLLS} a minute or more, got {options.rolls:g}")
    often = options.kill_every
    if often is None:
        often = 5.0 if options.minutes >= SHORT else options.minutes / OFTEN
    plan = Plan(options.minutes, often or None, options.seed, options.phones, options.rolls)
    begin = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{(time.monotonic() - begin) / 60:5.1f} min  {text}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory(prefix="boxlid-soak-") as state:
        try:
            found = soak(Path(state), plan, say)
        except SoakError as error:
            sys.stderr.write(f"soak: {error}\n")
            return 1
    sys.stdout.write(f"{found}\n")
    if options.report is not None:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(f"{found}\n", encoding="utf-8")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
