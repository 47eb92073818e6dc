"""A mosquitto of one's own, in a folder, on a port that is free; it is stopped, killed, made to hang."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE_SECONDS = 120.0
LOCALHOST = "127.0.0.1"
_PLACES = os.pathsep.join(("/usr/sbin", "/usr/local/sbin"))  # not on everybody's path

# whoever reaches this machine may use it, and it keeps its queues over a restart
KEEPING = (
    "allow_anonymous true",
    "max_queued_messages 0",
    "persistence true",
    "persistence_location {folder}/",
    "autosave_interval 1",
)


class NoMosquittoError(Exception):
    """It is not installed, or it does not start."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOCALHOST, 0))
        return int(probe.getsockname()[1])


@dataclass
class Mosquitto:
    """The broker; `lines` are of its settings, and `{folder}` in them is its folder."""

    folder: Path
    lines: Sequence[str] = KEEPING
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        found = shutil.which("mosquitto") or shutil.which("mosquitto", path=_PLACES)
        if found is None:
            raise NoMosquittoError("mosquitto is not installed: sudo apt install mosquitto")
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "mosquitto.conf"
        first = (f"listener {self.port} {LOCALHOST}", f"user {pwd.getpwuid(os.getuid()).pw_name}")
        said = [line.format(folder=self.folder) for line in self.lines]
        settings.write_text("\n".join([*first, *said, ""]), encoding="utf-8")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([found, "-c", str(settings)], stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            if time.monotonic() > end or self.process.poll() is not None:
                raise NoMosquittoError(f"mosquitto does not start: {self.log}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            socket.create_connection((LOCALHOST, self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def hang(self) -> None:
        """It stands still: connections stay, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """As a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE_SECONDS)
            self.process = None

    def _signal(self, what: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(what)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")
