"""A real mosquitto and a real PostgreSQL for tests, each in a temporary folder, on a port of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from companion.benchmarks.mosquitto import Mosquitto, free_port
from tests.waiting import PATIENCE, until

UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root


def serves(address: str) -> bool:
    """Whether a database answers; at first it says that it is starting up."""
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True


def program(name: str, *folders: str) -> str:
    """Where an installed program is; those of servers are often not on the path of people."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *folders]))
    assert found, f"these tests need {name}: tools/setup.sh dev installs it"
    return found


@contextmanager
def mosquitto(folder: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database. Not in pytest's folders, which are closed to others."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders = [str(path) for path in versions]
    port, as_user = free_port(), dict[str, object]()
    root = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with tempfile.TemporaryDirectory(prefix="boxlid-", dir=root) as folder:
        if os.getuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            os.chown(folder, account.pw_uid, account.pw_gid)
            as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        quiet: dict[str, object] = {
            "cwd": folder,
            "stdout": subprocess.DEVNULL,
            "env": {"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        }
        made = [
            program("initdb", *folders),
            "-D",
            f"{folder}/data",
            "-U",
            "club",
            "--auth=trust",
            "--no-sync",
        ]
        subprocess.run(made, check=True, timeout=PATIENCE, **as_user, **quiet)  # type: ignore[call-overload]
        call = [program("postgres", *folders), "-D", f"{folder}/data", "-p", str(port), "-k", folder]
        call += ["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB"]
        server = subprocess.Popen(call, stderr=subprocess.DEVNULL, **as_user, **quiet)  # type: ignore[call-overload]
        try:
            address = f"postgresql://club@127.0.0.1:{port}/postgres"
            assert until(lambda: serves(address))
            yield address
        finally:
            server.send_signal(signal.SIGINT)  # at once, without waiting for those who are connected
            server.wait(PATIENCE)
