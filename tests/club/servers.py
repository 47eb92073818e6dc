"""A real mosquitto and a real PostgreSQL for tests, each in a temporary folder, on a port of its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.waiting import PATIENCE, until

UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


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


@dataclass
class Mosquitto:
    """A broker that keeps its queues over a restart."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        settings = self.folder / "mosquitto.conf"
        self.folder.mkdir(parents=True, exist_ok=True)
        settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
            f"persistence true\npersistence_location {self.folder}/\nautosave_interval 1\nuser {user()}\n"
        )
        call = [program("mosquitto"), "-c", str(settings)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(call, stdout=log, stderr=log)
        assert until(lambda: answers(self.port)), (self.folder / "log").read_text()

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
            self.process = None


def user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


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
