"""Whether two machines read pictures alike:  boxlid read --json PHOTO… >here.jsonl, there as well, and

    python tools/same_answers.py here.jsonl there.jsonl

What people see must be the same: certain or not, the problems, each die's colour and number, and doubts.
Places and confidence may differ a little: the libraries that count are others. How far is told.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

Answer = Mapping[str, Any]
SEEN = ("colour", "pips", "doubtful")
MEASURED = ("x", "y", "size", "confidence")


def answers(file: Path) -> dict[str, Answer]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {Path(line["photo"]).name: line for line in lines}


def dice(answer: Answer) -> list[Mapping[str, Any]]:
    """In one order, whatever order they were found in."""
    return sorted(
        answer["dice"], key=lambda die: [str(die[key]) for key in SEEN] + [str(round(die["x"], -1))]
    )


def seen(answer: Answer) -> tuple[object, ...]:
    """What a person is shown of it."""
    return answer["certain"], answer["problems"], [[die[key] for key in SEEN] for die in dice(answer)]


def apart(one: Answer, other: Answer, key: str) -> float:
    """How far the same dice lie apart at most."""
    return max((abs(a[key] - b[key]) for a, b in zip(dice(one), dice(other), strict=True)), default=0.0)


def told(answer: Answer | None) -> object:
    return "no answer" if answer is None else seen(answer)


def main() -> int:
    if len(sys.argv) != 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    here, there = (answers(Path(name)) for name in sys.argv[1:])
    names = sorted(here.keys() | there.keys())
    alike = [name for name in names if told(here.get(name)) == told(there.get(name))]
    for name in names:
        if name not in alike:
            print(f"{name}\n  here:  {told(here.get(name))}\n  there: {told(there.get(name))}")
    most = {
        key: max((apart(here[name], there[name], key) for name in alike), default=0.0) for key in MEASURED
    }
    print(f"{len(names)} pictures, {len(names) - len(alike)} read otherwise; the others differ by at most")
    print(", ".join(f"{key} {value:.3f}" for key, value in most.items()))
    times = [median(each["milliseconds"] for each in both.values()) for both in (here, there)]
    print("milliseconds a picture, median: here {:.0f}, there {:.0f}".format(*times))
    return 0 if len(alike) == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
