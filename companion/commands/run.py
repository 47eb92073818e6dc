"""boxlid run: the companion, until it is stopped."""

import _thread
import argparse
import os
import secrets
import signal
import socket
import sys
import threading
from pathlib import Path

from companion.commands.settings import given_settings
from companion.host import Host, Options
from companion.host.addresses import lan_addresses
from companion.host.keys import code_in
from companion.host.rescue import Front, JournalRescue, rescue_app
from companion.host.thrift import be_thrifty
from companion.host.welcome import welcome
from companion.journal.journal import JournalDamagedError, JournalError, JournalRefusedError
from companion.process.command_error import CallFault, CommandError
from companion.process.leaving import leave
from companion.process.notify import ready, stopping
from companion.settings.config import Config
from companion.settings.state_folder import default_state_folder
from hardware.simulated import SimulatedPanel
from hardware.terminal import Terminal
from vision.simulation.shape import Shape
from web.serving.server import Server

MOST_HURRY = 20
MOST_SEED = 2**32 - 1
ODD_THROWS = 0.12  # of a simulated table: often enough to see how the camera asks, too rare to annoy
FIRST_INHERITED_SOCKET = 3  # systemd's convention: sockets it opened begin here


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, help="the settings, a boxlid.toml")
    parser.add_argument(
        "--simulate", action="store_true", help="a simulated table and panel, whatever is there"
    )
    parser.add_argument("--host", metavar="ADDRESS", help="the address to serve on (all of this machine)")
    parser.add_argument("--port", metavar="N", type=int, help="the port to serve on (8000)")
    parser.add_argument(
        "--hurry", metavar="N", type=float, default=1.0, help="a simulated table goes N times as fast (1)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, help="a simulated table throws the same dice at each start"
    )
    parser.add_argument(
        "--place",
        metavar="SHAPE",
        help=f"what the dice of a simulated table fall into: {', '.join(Shape)} (that of the settings)",
    )
    parser.add_argument(
        "--state", metavar="DIR", type=Path, help="where journal, calibration and key are kept"
    )


def run(options: argparse.Namespace) -> int:
    config = given_settings(options.config)
    if options.port is not None and not 1 <= options.port <= 65535:
        raise CommandError(CallFault.PORT, 2, got=options.port)
    if not 0 < options.hurry <= MOST_HURRY:
        raise CommandError(CallFault.HURRY, 2, most=MOST_HURRY, got=options.hurry)
    if options.seed is not None and not 0 <= options.seed <= MOST_SEED:
        raise CommandError(CallFault.SEED, 2, most=MOST_SEED, got=options.seed)
    if options.place is not None and options.place not in tuple(Shape):
        raise CommandError(CallFault.PLACE_KIND, 2, allowed=", ".join(Shape), got=repr(options.place))
    wanted = Options(
        options.state or default_state_folder(),
        simulate=options.simulate,
        host=options.host,
        port=options.port,
        sock=inherited_socket(),
        hurry=options.hurry,
        throws=secrets.randbelow(MOST_SEED) if options.seed is None else options.seed,
        odd=ODD_THROWS,
        place=None if options.place is None else Shape(options.place),
    )
    be_thrifty()
    stop = threading.Event()
    end_on_signals(stop)
    try:
        played = _companion(config, wanted, stop)
    except JournalError as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None
    kept = "the game is kept" if played else "the journal is as it was"
    print(f"\nboxlid: stopped; {kept}", file=sys.stderr)
    return leave(0 if played else 1)


def end_on_signals(stop: threading.Event) -> None:
    """Ctrl+C and a service manager's stop set the event, from a thread of their own.

    A handler runs in the main thread, wherever that is: in the middle of `stop.wait`, which holds its lock,
    `stop.set` would wait for ever.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _thread.start_new_thread(stop.set, ()))


def _companion(config: Config, wanted: Options, stop: threading.Event) -> bool:
    """Serve until it is stopped; whether there was a table at all."""
    try:
        host = Host(config, wanted)
    except (JournalDamagedError, JournalRefusedError) as error:
        return _rescued(JournalRescue(wanted.state, error), config, wanted, stop)
    with host, Server(host.app, wanted.host or config.web.host, host.port, wanted.sock, stop.set):
        _play(host, stop)
    return True


def _rescued(rescue: JournalRescue, config: Config, wanted: Options, stop: threading.Event) -> bool:
    """Serve the choice of how to go on; once it is made the table opens on the same port."""
    app = rescue_app(rescue, config, wanted)
    front = Front(app)
    address = wanted.host or config.web.host
    port = config.web.port if wanted.port is None else wanted.port
    with Server(front, address, port, wanted.sock, stop.set) as server:
        print(f"boxlid run: {rescue.problem}", file=sys.stderr, flush=True)
        elsewhere = lan_addresses(address, server.port)[0]
        print(f"Choose how to go on at http://localhost:{server.port} on this computer,", flush=True)
        print(f"or at {elsewhere} with the code {code_in(wanted.state)}.", flush=True)
        ready("the journal cannot be played: its owner chooses on a page how to go on")
        while rescue.wait(stop):
            try:
                host = Host(config, wanted)
            except (JournalDamagedError, JournalRefusedError) as error:  # what was chosen was no better
                rescue = JournalRescue(wanted.state, error)
                front.app = app = rescue_app(rescue, config, wanted)
                continue
            with host:
                front.app = host.app
                _play(host, stop)
                front.app = app
            return True
    return False


def _play(host: Host, stop: threading.Event) -> None:
    print(welcome(host.greeting, coloured=sys.stdout.isatty(), encoding=sys.stdout.encoding), flush=True)
    ready(f"pages on port {host.port}")
    _until(stop, host)
    stopping()


def _until(stop: threading.Event, host: Host) -> None:
    """Wait for the end; in a terminal, a simulated panel has its keys and lamps there."""
    if not isinstance(host.panel, SimulatedPanel) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        stop.wait()
        return
    terminal = Terminal(host.panel, sys.stdin, sys.stdout, stop.set)
    host.barriers += terminal.barriers
    try:
        stop.wait()
    finally:
        terminal.close()


def inherited_socket() -> socket.socket | None:
    """The socket that systemd opened for us, if it did."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=FIRST_INHERITED_SOCKET)
