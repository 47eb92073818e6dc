"""boxlid club: a page for many tables, until it is stopped."""

import argparse
import logging
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from companion.club.broker import Broker, BrokerError, parse_broker
from companion.club.database import POSTGRES, StoreError
from companion.commands.run import end_on_signals, inherited_socket
from companion.host.addresses import lan_addresses
from companion.host.club import RESULTS, ClubOptions, ClubServer
from companion.mqtt.topics import PREFIX, is_prefix
from companion.process.command_error import CallFault, CommandError
from companion.process.leaving import leave
from companion.process.notify import ready, stopping
from companion.process.plain_file import read_plain
from companion.settings.state_folder import default_state_folder
from companion.words import DEFAULT, catalogues
from web.serving.quiet import Quiet
from web.serving.server import Server

PORT = 8080
LONGEST_PASSWORD = 1000
LOGS = ("companion.club.listening", "companion.club.club")  # what a stranger can cause there is bounded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--broker",
        metavar="ADDRESS",
        default="localhost",
        help="HOST, HOST:PORT, mqtt://USER@HOST or mqtts://…",
    )
    parser.add_argument("--user", metavar="NAME", help="who we are at the broker")
    parser.add_argument("--password-file", metavar="FILE", type=Path, help="a file with the password there")
    parser.add_argument(
        "--ca-file", metavar="FILE", type=Path, help="the certificate that signed the broker's"
    )
    parser.add_argument("--prefix", metavar="TOPIC", default=PREFIX, help=f"how topics begin ({PREFIX})")
    parser.add_argument("--results", metavar="WHERE", help="a file of SQLite, or postgresql://…")
    parser.add_argument("--host", metavar="ADDRESS", default="0.0.0.0", help="the address to serve on (all)")
    parser.add_argument("--port", metavar="N", type=int, default=PORT, help=f"the port to serve on ({PORT})")
    parser.add_argument("--name", metavar="HOST", action="append", default=[], help="a name of this machine")
    parser.add_argument(
        "--language", choices=list(catalogues()), default=DEFAULT, help="for browsers that ask for none"
    )
    parser.add_argument("--state", metavar="DIR", type=Path, help="where key, code and results are kept")
    parser.add_argument("--new-code", action="store_true", help="make another code")


def run(options: argparse.Namespace) -> int:
    if not 1 <= options.port <= 65535:
        raise CommandError(CallFault.PORT, 2, got=options.port)
    if not is_prefix(options.prefix):
        raise CommandError(CallFault.PREFIX, 2, got=repr(options.prefix))
    state = options.state or default_state_folder() / "club"
    wanted = ClubOptions(
        state=state,
        broker=broker_of(options),
        prefix=options.prefix,
        results=results_of(options.results, state),
        host=options.host,
        port=options.port,
        language=options.language,
        names=tuple(options.name),
        new_code=options.new_code,
    )
    _log_plainly()
    stop = threading.Event()
    end_on_signals(stop)
    try:
        _serve(wanted, stop)
    except (StoreError, BrokerError) as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None
    print("\nboxlid: stopped; what was played is kept", file=sys.stderr)
    return leave(0)


def broker_of(options: argparse.Namespace) -> Broker:
    try:
        broker = parse_broker(options.broker)
    except BrokerError as error:
        raise CommandError(CallFault.TEXT, 2, text=str(error)) from None
    if options.ca_file is not None and not broker.tls:
        raise CommandError(CallFault.CA_WITHOUT_TLS, 2)
    password = ""
    if options.password_file is not None:
        try:
            content = read_plain(options.password_file, LONGEST_PASSWORD)
            password = content.decode("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise CommandError(CallFault.PASSWORD, path=options.password_file, why=str(said)) from None
    return replace(broker, user=options.user or broker.user, password=password, ca_file=options.ca_file)


def results_of(wanted: str | None, state: Path) -> str:
    """A file or an address; SQLite in the state folder unless somebody says otherwise."""
    if wanted is None:
        return str(state / RESULTS)
    if "://" in wanted and not wanted.startswith(POSTGRES):
        raise CommandError(CallFault.RESULTS, 2, got=repr(wanted))
    return wanted


def _serve(wanted: ClubOptions, stop: threading.Event) -> None:
    with (
        ClubServer(wanted) as club,
        Server(club.app, wanted.host, wanted.port, inherited_socket(), stop.set) as server,
    ):
        print(f"The club's page:  http://localhost:{server.port}", flush=True)
        address = lan_addresses(wanted.host, server.port)[0]
        print(f"for everybody:    {address}", flush=True)
        print(f"the code:         {club.code}   (whoever knows it may lead tournaments)", flush=True)
        print(f"the broker:       {wanted.broker.name}, topics {wanted.prefix}/…", flush=True)
        print(f"the results:      {club.store.name}", flush=True)
        print("Ctrl+C stops it.", flush=True)
        ready(f"pages on port {server.port}")
        stop.wait()
        stopping()


def _log_plainly() -> None:
    """A line each on standard error, not more of them than somebody reads."""
    logging.basicConfig(format="boxlid club: %(message)s", level=logging.INFO)
    for name in LOGS:
        logging.getLogger(name).addFilter(Quiet(time.monotonic))
