"""boxlid bench: the figures, measured on this machine, each beside what was aimed at."""

import argparse
import importlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import cv2

from companion.benchmarks.figure import Figure
from companion.benchmarks.mosquitto import NoMosquittoError
from companion.club.broker import BrokerError, need_paho
from companion.process.command_error import CallFault, CommandError
from companion.words import english
from vision.simulation.shape import Shape

if TYPE_CHECKING:
    from vision.scoring.sources import Source

OWN_PICTURES = Path("tests/pictures")
USUAL_THROWS = 60
MOST_JOBS = 64
Part = Callable[[argparse.Namespace], Iterator[str]]


class NotHereError(CommandError):
    """A part cannot be measured for something that it needs is not installed."""


def figures_of(module: str) -> Part:
    """A part that is a module with `figures()`."""

    def lines(_: argparse.Namespace) -> Iterator[str]:
        found = cast(Callable[[], Iterable[Figure]], importlib.import_module(module).figures)
        return (str(figure) for figure in found())

    return lines


def figures_with_a_broker(module: str) -> Part:
    """A part that speaks MQTT, which is an extra, to a mosquitto of its own."""

    def lines(options: argparse.Namespace) -> Iterator[str]:
        try:
            need_paho()
            yield from figures_of(module)(options)
        except (BrokerError, NoMosquittoError) as error:
            raise NotHereError(CallFault.TEXT, text=str(error)) from None

    return lines


def sight(options: argparse.Namespace) -> Iterator[str]:
    """Per source: right, asked, wrong, taps, the curve over the limit of certainty, time."""
    from vision.scoring.sources import Drawn, simulated, sources_in  # noqa: PLC0415

    def sources(work: Path) -> "list[Source]":
        learnt = work if options.learnt else None
        drawn = [
            simulated(options.throws, options.seed, Drawn(shape, learnt=learnt))
            for shape in (options.places if options.throws else ())
        ]
        folders = options.folders or [OWN_PICTURES]
        return drawn + [source for folder in folders for source in sources_in(folder, work)]

    return reported(options, sources)


def reading(options: argparse.Namespace) -> Iterator[str]:
    """How long pictures take to read, and what of it."""
    from companion.benchmarks.reading import figures  # noqa: PLC0415

    return (str(figure) for figure in figures(options.folders or [OWN_PICTURES]))


def photographs(options: argparse.Namespace) -> Iterator[str]:
    """A phone in a hand, at every angle, and photographs of anybody's; then how long an answer takes."""
    from vision.scoring import views  # noqa: PLC0415

    yield from reported(
        options, lambda work: views.photographs(options.throws, options.seed, options.folders, work)
    )
    yield from figures_of("companion.benchmarks.photographs")(options)


def stands(options: argparse.Namespace) -> Iterator[str]:
    """Cameras on their stands: a phone on a glass, a webcam on an arm."""
    from vision.scoring import views  # noqa: PLC0415

    return reported(options, lambda _: views.stands(options.throws, options.seed))


def reported(options: argparse.Namespace, sources: "Callable[[Path], list[Source]]") -> Iterator[str]:
    """What was read in each of these sources."""
    from vision.scoring.report import Report  # noqa: PLC0415 - the other parts do without pictures

    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as work:
        try:
            found = sources(Path(work))
        except ValueError as error:
            yield f"no pictures: {error}"
            return
        report = Report(options.spoilt, options.jobs)
        yield from report.lines(found)
        if options.keep is not None:
            yield f"{report.keep(options.keep)} pictures read wrong are in {options.keep}"


PARTS: Mapping[str, Part] = {
    "rules": figures_of("companion.benchmarks.rules"),
    "journal": figures_of("companion.benchmarks.journal"),
    "press": figures_of("companion.benchmarks.press"),
    "table": figures_of("companion.benchmarks.table"),
    "history": figures_of("companion.benchmarks.history"),
    "networks": figures_of("companion.benchmarks.networks"),
    "players": figures_of("companion.benchmarks.players"),
    "mqtt": figures_with_a_broker("companion.benchmarks.mqtt"),
    "club": figures_with_a_broker("companion.benchmarks.club"),
    "reading": reading,
    "sight": sight,
    "photographs": photographs,
    "stands": stands,
}
WITH_FOLDERS = ("reading", "sight", "photographs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)} (all)")
    of_sight = parser.add_argument_group(
        "sight, photographs, stands",
        "folders of pictures may follow `reading`, labelled ones `sight` or `photographs`",
    )
    of_sight.add_argument(
        "--throws",
        type=_count,
        metavar="N",
        default=USUAL_THROWS,
        help="drawn in each place",
    )
    of_sight.add_argument(
        "--places",
        type=_places,
        metavar="A,B…",
        default=tuple(Shape),
        help=f"what drawn dice fall into, some of {','.join(Shape)} (all); of `sight`",
    )
    of_sight.add_argument(
        "--learnt",
        action="store_true",
        help="learn each drawn table before it is read; of `sight`",
    )
    of_sight.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        default=1,
        help="read in so many processes; Ctrl+C ends it",
    )
    of_sight.add_argument("--seed", type=_count, metavar="N", default=1, help="of the first simulated table")
    of_sight.add_argument(
        "--spoilt",
        type=_count,
        metavar="N",
        default=0,
        help="read each picture N times more, spoilt on purpose",
    )
    of_sight.add_argument("--keep", type=Path, metavar="DIR", help="write what was read wrong there")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0 is wanted, got {text!r}")
    return int(text)


def _jobs(text: str) -> int:
    number = _count(text)
    if not 1 <= number <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {MOST_JOBS} is wanted, got {text!r}")
    return number


def _places(text: str) -> tuple[Shape, ...]:
    words = text.split(",")
    if not set(words) <= set(Shape):
        raise argparse.ArgumentTypeError(f"some of {','.join(Shape)} are wanted, got {text!r}")
    return tuple(Shape(word) for word in words)


def run(options: argparse.Namespace) -> int:
    """Figures that fall short are said, not failed: machines differ."""
    options.parts, options.folders = _parts_and_folders(options.parts)
    report({name: PARTS[name] for name in options.parts or PARTS}, options)
    return 0


def report(parts: Mapping[str, Part], options: argparse.Namespace) -> None:
    """The figures of these parts, under the machine they were measured on.

    Who names no parts has those that can be measured here.
    """
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name, lines in parts.items():
        print(f"\n{name}", flush=True)
        try:
            for line in lines(options):
                print(f"  {line}", flush=True)
        except NotHereError as error:
            if options.parts:
                raise
            print(f"  not measured: {english(error)}", flush=True)


def _parts_and_folders(words: list[str]) -> tuple[list[str], list[Path]]:
    """Folders follow the parts that take them; any other word must name a part."""
    parts: list[str] = []
    folders: list[Path] = []
    for word in words:
        if word in PARTS:
            parts.append(word)
        elif set(WITH_FOLDERS) & set(parts) and Path(word).is_dir():
            folders.append(Path(word))
        elif set(WITH_FOLDERS) & set(parts):
            raise CommandError(CallFault.NO_PICTURES, 2, got=repr(word))
        else:
            raise CommandError(CallFault.PART, 2, allowed=", ".join(PARTS), got=repr(word))
    return parts, folders
