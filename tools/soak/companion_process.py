"""The companion as a process: started, watched from outside, killed. Knows no game."""

import http
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from companion.host.keys import code_in

STARTING_SECONDS = 120.0  # on a machine that is busy beside
PAGE_SECONDS = 10.0
HURRY = 8  # a throw takes a fifth of a second, so that sixty a minute leave time to decide
THRIFT = {  # as the unit has it
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
}


class SoakError(Exception):
    """The run cannot go on: what was wanted, what was got."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the process holds at one moment of its life."""

    life: int
    age: float  # seconds since it answered
    megabytes: float  # resident
    own: float  # of these: not pages of program files, which the kernel could drop at any time
    threads: int
    files: int


class CompanionProcess:
    """`boxlid run` over one state folder, on one port, in life after life."""

    def __init__(
        self, state: Path, hurry: float = HURRY, seed: int | None = None, config: Path | None = None
    ) -> None:
        self.state = state
        self._config = [] if config is None else ["--config", str(config)]
        self._hurry = hurry
        self._seed = [] if seed is None else ["--seed", str(seed)]
        self.port = _free_port()
        self.life = 0
        self.words: list[str] = []  # what it said on standard error
        self._process: subprocess.Popen[str] | None = None
        self._since = 0.0

    @property
    def code(self) -> str:
        return code_in(self.state)

    def start(self) -> float:
        """Start it; how many seconds it took until the first page came."""
        begin = time.monotonic()
        command = [sys.executable, "-m", "companion.cli", "run", "--simulate", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--state", str(self.state), "--hurry", f"{self._hurry:g}"]
        command += [*self._seed, *self._config]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **THRIFT},
        )
        self._ears = threading.Thread(target=self._listen, args=(process,), daemon=True)
        self._ears.start()
        while not _answers(self.port):
            if process.poll() is not None or time.monotonic() - begin > STARTING_SECONDS:
                process.kill()
                raise SoakError(f"the companion did not start: {' '.join(self.words[-3:]) or 'no word'}")
            time.sleep(0.05)
        self._process, self.life, self._since = process, self.life + 1, time.monotonic()
        return self._since - begin

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        if process.stderr is not None:
            with process.stderr as words:
                self.words.extend(line.rstrip() for line in words)

    def kill(self) -> None:
        """As a power cut does it to a program: at once, without a word."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """As systemd stops it; the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        self._process.send_signal(number)
        code = self._process.wait(timeout=STARTING_SECONDS)
        self._ears.join(STARTING_SECONDS)
        return code

    def load(self) -> Load | None:
        """None if it has ended by itself."""
        if self._process is None or self._process.poll() is not None:
            return None
        place = Path("/proc") / str(self._process.pid)
        status = (place / "status").read_text(encoding="utf-8")
        numbers = {
            name: int(value) for name, value in re.findall(r"^(VmRSS|RssAnon|Threads):\s+(\d+)", status, re.M)
        }
        files = len(list((place / "fd").iterdir()))
        age = time.monotonic() - self._since
        megabytes, own = numbers["VmRSS"] / 1024, numbers["RssAnon"] / 1024
        return Load(self.life, age, megabytes, own, numbers["Threads"], files)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _answers(port: int) -> bool:
    """Whether the first page comes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PAGE_SECONDS)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
