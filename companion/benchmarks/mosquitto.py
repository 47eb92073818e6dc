"""A mosquitto of one's own, in a folder, on a port that is free; it keeps its queues over a restart."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE_SECONDS = 60.0
_PLACES = os.pathsep.join(("/usr/sbin", "/usr/local/sbin"))  # not on everybody's path


class NoMosquittoError(Exception):
    """It is not installed, or it does not start."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Mosquitto:
    """The broker; whoever reaches this machine may use it."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        found = shutil.which("mosquitto") or shutil.which("mosquitto", path=_PLACES)
        if found is None:
            raise NoMosquittoError("mosquitto is not installed: apt install mosquitto")
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "mosquitto.conf"
        settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
            f"persistence true\npersistence_location {self.folder}/\nautosave_interval 1\n"
            f"user {pwd.getpwuid(os.getuid()).pw_name}\n"
        )
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([found, "-c", str(settings)], stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            if time.monotonic() > end:
                raise NoMosquittoError(f"mosquitto does not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def hang(self) -> None:
        """It stands still: connections stay, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, what: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(what)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE_SECONDS)
            self.process = None
