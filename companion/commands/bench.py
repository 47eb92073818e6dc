"""boxlid bench: the figures, measured on this machine, each beside what was aimed at."""

import argparse
import importlib
import os
import platform
from collections.abc import Iterable
from typing import Protocol, cast

from companion.benchmarks.figure import Figure
from companion.commands import CommandError

# A part is a module with `figures()`; slow ones say so as they go.
PARTS = {
    "rules": "companion.benchmarks.rules",
    "journal": "companion.benchmarks.journal",
}


class Part(Protocol):
    """One part of the benchmarks."""

    def figures(self) -> Iterable[Figure]: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)} (all)")


def run(options: argparse.Namespace) -> int:
    """Figures that fall short are said, not failed: machines differ."""
    for name in options.parts:
        if name not in PARTS:
            raise CommandError(f"a part is one of {', '.join(PARTS)}, got {name!r}", exit_code=2)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in options.parts or PARTS:
        print(f"\n{name}", flush=True)
        for figure in cast(Part, importlib.import_module(PARTS[name])).figures():
            print(f"  {figure}", flush=True)
    return 0
