"""boxlid bench: the figures, measured on this machine, each beside what was aimed at."""

import argparse
import importlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

import cv2

from companion.benchmarks.figure import Figure
from companion.commands import CommandError

OWN_PICTURES = Path("tests/pictures/reading")
# Bigger sets are scored when they lie beside the project; none of them belongs to it.
MORE_PICTURES = ("renders/dev", "renders/tables/dev", "tray", "photos")


def figures_of(module: str) -> Callable[[argparse.Namespace], Iterator[str]]:
    """A part that is a module with `figures()`."""

    def lines(_: argparse.Namespace) -> Iterator[str]:
        found = cast(Callable[[], Iterable[Figure]], importlib.import_module(module).figures)
        return (str(figure) for figure in found())

    return lines


def reading(options: argparse.Namespace) -> Iterator[str]:
    """Per condition: right, asked, wrong; time per stage; peak memory; the worst pictures on one sheet."""
    from vision.scoring.evaluation import report  # noqa: PLC0415 - the other parts do without pictures

    cv2.setNumThreads(1)
    more = [options.pictures / name for name in MORE_PICTURES]
    folders = [folder for folder in (OWN_PICTURES, *more) if folder.exists()]
    if not folders:
        yield "no pictures are here: run it in the project's folder"
        return
    with tempfile.TemporaryDirectory() as work:
        yield from report(folders, Path(work), options.sheet).splitlines()


PARTS = {
    "rules": figures_of("companion.benchmarks.rules"),
    "journal": figures_of("companion.benchmarks.journal"),
    "fuzz": figures_of("companion.benchmarks.fuzz"),
    "press": figures_of("companion.benchmarks.press"),
    "table": figures_of("companion.benchmarks.table"),
    "web": figures_of("companion.benchmarks.web"),
    "attacks": figures_of("companion.benchmarks.attacks"),
    "history": figures_of("companion.benchmarks.history"),
    "networks": figures_of("companion.benchmarks.networks"),
    "players": figures_of("companion.benchmarks.players"),
    "reading": reading,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)} (all)")
    parser.add_argument(
        "--pictures", metavar="DIR", type=Path, default=Path("../shared"), help="more sets of pictures"
    )
    parser.add_argument("--sheet", metavar="FILE", type=Path, help="draw the worst pictures into this PNG")


def run(options: argparse.Namespace) -> int:
    """Figures that fall short are said, not failed: machines differ."""
    for name in options.parts:
        if name not in PARTS:
            raise CommandError(f"a part is one of {', '.join(PARTS)}, got {name!r}", exit_code=2)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in options.parts or PARTS:
        print(f"\n{name}", flush=True)
        for line in PARTS[name](options):
            print(f"  {line}", flush=True)
    return 0
