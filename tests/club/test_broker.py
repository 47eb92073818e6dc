"""The way to the broker: its address, accounts and TLS. What is wrong is told in one line."""

import gc
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto
from companion.cli import main
from companion.club.board import Board
from companion.club.broker import Broker, BrokerError, client_of, parse_broker
from companion.club.club import Club
from companion.club.database import open_database
from companion.club.listening import Listener
from companion.club.store import Store
from tests.brokers import running
from tests.waiting import until

PASSWORD = "a pass word ß"


@pytest.mark.parametrize(
    ("text", "broker"),
    [
        ("laptop", Broker("laptop", 1883)),
        ("192.168.1.10:1884", Broker("192.168.1.10", 1884)),
        ("[fe80::1]:1884", Broker("fe80::1", 1884)),
        ("mqtt://club%40home@laptop", Broker("laptop", 1883, "club@home")),
        ("mqtts://club@laptop/", Broker("laptop", 8883, "club", tls=True)),
    ],
)
def test_an_address_names_host_port_user_and_tls(text: str, broker: Broker) -> None:
    assert parse_broker(text) == broker


@pytest.mark.parametrize(
    "text", ["", "http://laptop", "laptop:port", "laptop:99999", "mqtt://", "laptop/topic"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BrokerError, match="a broker is HOST"):
        parse_broker(text)


CALLS = {
    ("--broker", "http://laptop"): (2, "a broker is HOST"),
    ("--broker", "mqtt://club:secret@laptop"): (2, "use --password-file"),
    ("--prefix", "a+b"): (2, "a prefix is words"),
    ("--port", "0"): (2, "a port is 1 to 65535"),
    ("--results", "mysql://x"): (2, "kept in a file or at postgresql://"),
    ("--ca-file", "ca.pem"): (2, "mqtts://"),
    ("--password-file", "/nowhere"): (1, "cannot be read: No such file"),
    ("--results", "/proc/nowhere/club.db"): (1, "cannot be used: No such file"),
    ("--broker", "mqtts://laptop", "--ca-file", "/nowhere"): (1, "the certificate /nowhere cannot be read"),
}


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_wrong_call_is_one_line(
    call: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.commands.club.end_on_signals", lambda stop: None)
    code, said = CALLS[call]
    assert main(["club", "--state", str(tmp_path), *call]) == code
    error = capsys.readouterr().err
    assert error.startswith("boxlid club: ")
    assert said in error
    assert error.count("\n") == 1
    assert "secret" not in error


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of this machine, which signed itself."""
    folder = tmp_path_factory.mktemp("ca")
    call = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    call += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "ca.pem"]
    subprocess.run(call, cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem"


@pytest.fixture
def strict(ca: Path, tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that wants TLS and a password."""
    passwords = tmp_path / "passwords"
    program = shutil.which("mosquitto_passwd") or "/usr/bin/mosquitto_passwd"
    subprocess.run([program, "-b", "-c", str(passwords), "club", PASSWORD], check=True, capture_output=True)
    passwords.chmod(0o644)
    tls = (f"certfile {ca}", f"keyfile {ca.parent / 'key.pem'}")
    with running(tmp_path / "broker", *tls, "allow_anonymous false", f"password_file {passwords}") as found:
        yield found


def listener(broker: Broker, folder: Path) -> Listener:
    club = Club(Store(open_database(str(folder / "club.db"))))
    return Listener(broker, "boxlid", "club", club, Board())


def test_with_tls_and_the_right_password_it_is_connected(strict: Mosquitto, ca: Path, tmp_path: Path) -> None:
    found = listener(Broker("127.0.0.1", strict.port, "club", PASSWORD, tls=True, ca_file=ca), tmp_path)
    found.start()
    assert until(lambda: found.link.connected)
    found.close()


def complaint(broker: Broker, folder: Path, caplog: pytest.LogCaptureFixture) -> str:
    """What is said first."""
    found = listener(broker, folder)
    found.start()
    assert until(lambda: bool(caplog.messages))
    found.close()
    assert not found.link.connected
    return caplog.messages[0]


def test_a_wrong_password_is_told_in_one_line(
    strict: Mosquitto, ca: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = Broker("127.0.0.1", strict.port, "club", "wrong", tls=True, ca_file=ca)
    assert "the broker says: Not authorized" in complaint(where, tmp_path, caplog)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves its socket open
def test_a_certificate_that_nobody_trusts_is_told_in_one_line(
    strict: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = Broker("127.0.0.1", strict.port, "club", PASSWORD, tls=True)
    assert "its certificate is not trusted" in complaint(where, tmp_path, caplog)
    gc.collect()


def test_a_broker_that_is_not_there_is_told_in_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert "127.0.0.1:1: Connection refused" in complaint(Broker("127.0.0.1", 1), tmp_path, caplog)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    monkeypatch.setitem(sys.modules, "paho.mqtt", None)
    with pytest.raises(BrokerError, match="pip install"):
        client_of(Broker("laptop", 1883), "club", None)  # type: ignore[arg-type]
