"""`boxlid doctor`: checks the box and says what to do. Changes nothing."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from companion.checks import Check, State, ok, wrong
from companion.checks.broker import broker_checks
from companion.checks.installation import version_check
from companion.checks.machine import Machine, machine_checks
from companion.checks.parts import Parts, part_checks
from companion.findings.kinds import Checked, Found
from companion.host.set_up.progress import FOLDER, ProgressError
from companion.host.set_up.progress import load as load_progress
from companion.settings.config import Config, ConfigError, load
from companion.settings.state_folder import default_state_folder
from companion.words import DEFAULT, catalogues


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, help="the settings, a boxlid.toml")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal and the calibration are")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    state = options.state or default_state_folder()
    found, english = [], catalogues()[DEFAULT]
    for check in checks(options.config, state, Machine(), Parts()):
        found.append(check)
        line = check.line(english)
        print(json.dumps(asdict(line), ensure_ascii=False) if options.json else line, flush=True)
    bad = sum(check.state is State.WRONG for check in found)
    if not options.json:
        print(f"\n{bad} of {len(found)} checks found something wrong" if bad else "\nall is well")
    return 1 if bad else 0


def checks(path: Path | None, state: Path, machine: Machine, parts: Parts) -> Iterator[Check]:
    """All checks, each as soon as it is made; with bad settings the defaults are checked."""
    yield version_check()
    config = Config()
    if path is None:
        yield ok(Checked.SETTINGS, Found.DEFAULT_SETTINGS)
    else:
        try:
            config = load(path)
        except ConfigError as error:
            for problem in error.problems:
                yield wrong(Checked.SETTINGS, problem, Found.DO_CHANGE_SETTINGS, path=path)
        else:
            yield ok(Checked.SETTINGS, Found.PATH, path=path)
    chosen = ""
    try:
        chosen = load_progress(state / FOLDER).camera
    except ProgressError as error:
        yield wrong(Checked.SET_UP, error, Found.DO_SET_UP_AGAIN)
    yield from part_checks(parts, machine, config, state, chosen)
    yield from broker_checks(config.mqtt)
    yield from machine_checks(machine, config, state)
