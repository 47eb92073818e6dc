"""A box can only speak for itself: accounts, rules and TLS as the command makes them, at a real broker."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import LOCALHOST, Mosquitto
from companion.cli import main
from companion.mqtt.settings import MqttConfig
from tests.bridged import BOX, QUICK, all_told, bridged, came, games_in, is_up, play_a_game, settings
from tests.brokers import Listener, running
from tests.tabling import open_table, sit
from tests.waiting import until
from tests.wording import said

DENIED = "Not authorized"


@dataclass(frozen=True)
class Guarded:
    """A broker with TLS, accounts and rules, and the folder that the command made."""

    broker: Mosquitto
    folder: Path

    def password(self, account: str) -> Path:
        return self.folder / f"{account}.password"

    def listener(self, account: str, *topics: str) -> Listener:
        user, password = account.partition("-")[2], self.password(account).read_text().strip()
        return Listener(self.broker.port, user, password, self.folder / "ca.crt", topics or ("#",))

    def config(self, box: str = BOX) -> MqttConfig:
        found = settings(
            self.broker.port,
            user=box,
            password_file=str(self.password(f"box-{box}")),
            tls=True,
            ca_file=str(self.folder / "ca.crt"),
        )
        return replace(found, box=box)


def made(folder: Path, *arguments: str) -> None:
    assert main(["mqtt-accounts", "--out", str(folder), "--etc", str(folder), *arguments]) == 0


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("accounts")
    made(folder, BOX, "hall", "--club", "club", "--home", "home", "--tls", LOCALHOST)
    lines = (folder / "boxlid.conf").read_text().splitlines()
    rules = [line for line in lines if not line.startswith(("listener", "#"))]
    with running(folder / "broker", *rules) as broker:
        yield Guarded(broker, folder)


# --- at the broker -----------------------------------------------------------------------------------------


def test_a_table_with_its_account_is_heard_by_the_club_over_tls(guarded: Guarded, tmp_path: Path) -> None:
    with open_table(tmp_path) as table, guarded.listener("club-club", "boxlid/#") as club:
        sit(table)
        with bridged(table, guarded.config()) as bridge:
            number = play_a_game(table)
            assert all_told(bridge, table)
            assert came(club, "state", phase="over")
            assert until(lambda: games_in(club) == {number: 1})
            assert bridge.state.trouble is None
            club.say("boxlid/club/ask", '{"version":1,"since":"2020-01-01T00:00:00+00:00"}')
            assert until(lambda: games_in(club) == {number: 2})


@pytest.mark.parametrize(
    ("account", "topic"),
    [
        ("box-hall", f"boxlid/{BOX}/state"),
        ("box-hall", f"boxlid/{BOX}/result"),
        ("box-hall", f"boxlid/{BOX}/available"),
        ("box-hall", f"boxlid/{BOX}/command/rolled"),
        ("box-hall", "boxlid/hall/command/rolled"),
        ("box-hall", "boxlid/club/ask"),
        ("box-hall", f"homeassistant/device/boxlid-{BOX}/config"),
        ("box-hall", "elsewhere"),
        ("club-club", f"boxlid/{BOX}/result"),
        ("club-club", f"boxlid/{BOX}/command/rolled"),
        ("home-home", f"boxlid/{BOX}/state"),
    ],
)
def test_nobody_speaks_on_a_topic_that_is_not_theirs(guarded: Guarded, account: str, topic: str) -> None:
    with guarded.listener(account) as stranger:
        assert stranger.say(topic, "x") == DENIED


def test_a_table_hears_nothing_of_another(guarded: Guarded, tmp_path: Path) -> None:
    with (
        open_table(tmp_path) as table,
        guarded.listener("box-hall") as hall,
        guarded.listener("home-home", f"boxlid/{BOX}/#") as home,
    ):
        sit(table)
        with bridged(table, guarded.config()) as bridge:
            assert is_up(bridge)
            assert came(home, "state", phase="lobby")
            home.say("boxlid/hall/command/rolled", "PRESS")  # what hall may hear comes after it, and alone
            assert until(lambda: bool(hall.heard))
            assert {each.topic for each in hall.heard} == {"boxlid/hall/command/rolled"}


def test_a_wrong_password_is_told_in_one_line_and_the_table_goes_on(guarded: Guarded, tmp_path: Path) -> None:
    wrong = tmp_path / "password"
    wrong.write_text("wrong\n")
    config = replace(guarded.config(), password_file=str(wrong))
    with open_table(tmp_path / "state") as table, bridged(table, config) as bridge:
        assert until(lambda: f"does not let {BOX} with this password in" in said(bridge.state.trouble))
        assert f"lässt {BOX} mit diesem Passwort nicht ein" in said(bridge.state.trouble, "de")
        sit(table)
        play_a_game(table)


def test_a_table_that_speaks_under_another_name_is_refused_and_keeps_its_results(
    guarded: Guarded, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table, guarded.listener("club-club", "boxlid/#") as club:
        sit(table)
        disguised = replace(guarded.config("hall"), box=BOX)
        with bridged(table, disguised, pace=QUICK) as bridge:
            number = play_a_game(table)
            assert until(lambda: f"does not let hall publish to boxlid/{BOX}" in said(bridge.state.trouble))
            assert until(lambda: bridge.state.waiting > 0)
        with bridged(table, guarded.config(), pace=QUICK):
            assert until(lambda: games_in(club) == {number: 1})


def test_a_broker_whose_certificate_nobody_vouches_for_is_told(guarded: Guarded, tmp_path: Path) -> None:
    strange = replace(guarded.config(), ca_file="")
    plain = replace(guarded.config(), tls=False, ca_file="")
    missing = replace(guarded.config(), ca_file=str(tmp_path / "none.crt"))
    named = replace(guarded.config(), broker="localhost")
    for config, why in (
        (strange, "has a certificate that is not trusted"),
        (named, "has a certificate that is not trusted"),
        (plain, "is gone"),
        (missing, "of the settings is not there"),
    ):
        with open_table(tmp_path / "state") as table, bridged(table, config, pace=QUICK) as bridge:
            assert until(lambda bridge=bridge, why=why: why in said(bridge.state.trouble)), bridge.state  # type: ignore[misc]
            assert said(bridge.state.trouble, "de") != said(bridge.state.trouble)


# --- the command -------------------------------------------------------------------------------------------


def test_passwords_are_kept_when_tables_are_added_and_seen_by_their_owner_alone(tmp_path: Path) -> None:
    made(tmp_path, "kitchen")
    before = (tmp_path / "box-kitchen.password").read_text()
    made(tmp_path, "hall", "--club", "club")
    assert (tmp_path / "box-kitchen.password").read_text() == before
    assert {path.name for path in tmp_path.glob("*.password")} == {
        "box-kitchen.password",
        "box-hall.password",
        "club-club.password",
    }
    names = [line.partition(":")[0] for line in (tmp_path / "passwords").read_text().splitlines()]
    assert sorted(names) == ["club", "hall", "kitchen"]
    assert before.strip() not in (tmp_path / "passwords").read_text()
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the tables"),
        (["club"], "a table is called by"),
        (["A+B"], "a table is called by"),
        (["a", "--home", "a"], "a is two accounts"),
        (["a", "--club", "#"], "an account is called by"),
        (["a", "--prefix", "a/#"], "a prefix is words"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mqtt-accounts", "--out", str(tmp_path / "out"), *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not list(tmp_path.rglob("*.password"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["mqtt-accounts", "--out", str(tmp_path / "file"), "kitchen"]) == 1
    assert str(tmp_path / "file") in capsys.readouterr().err
