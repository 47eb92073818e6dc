"""What systemd hears, and that power-off says why it was refused."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.process.notify import Watchdog, notify, ready, stopping
from hardware.power import PowerError, power_off
from tests.waiting import PATIENCE
from tests.wording import refused


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(path))
        sock.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        yield sock


def test_systemd_hears_when_the_pages_answer_and_when_it_ends(systemd: socket.socket) -> None:
    assert ready("http://boxlid.local")
    assert systemd.recv(99) == b"READY=1\nSTATUS=http://boxlid.local"
    assert stopping()
    assert systemd.recv(99) == b"STOPPING=1"


def test_a_socket_without_a_file_is_spoken_to(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"boxlid-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind("\0" + name)
        sock.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name)
        assert notify("STATUS=hello")
        assert sock.recv(99) == b"STATUS=hello"


def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not ready("")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not ready("")


def test_the_watchdog_is_told_three_times_within_its_patience(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    now = 100.0
    watchdog = Watchdog(lambda: now)
    assert watchdog.is_on
    told = []
    for _ in range(30):
        told.append(watchdog.feed())
        now += 1
    assert [second for second, was in enumerate(told) if was] == [0, 10, 20]
    assert systemd.recv(99) == b"WATCHDOG=1"


@pytest.mark.parametrize(("wait", "pid"), [("", None), ("0", None), ("30000000", "1")])
def test_a_watchdog_that_is_not_ours_is_not_fed(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch, wait: str, pid: str | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", wait)
    if pid is not None:
        monkeypatch.setenv("WATCHDOG_PID", pid)
    watchdog = Watchdog()
    assert not watchdog.is_on
    assert not watchdog.feed()


def test_power_off_says_why_it_was_refused() -> None:
    power_off(("true",))
    with refused(PowerError, match="cannot switch off: Access denied; installed as a service"):
        power_off(("sh", "-c", "echo Access denied >&2; exit 1"))
    with refused(PowerError, match="pull the plug"):
        power_off(("no-such-program-here",))
