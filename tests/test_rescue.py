"""A damaged journal found at the start: a page to choose on, nothing deleted, and on without a restart."""

import re
import signal
import threading
import urllib.error
import urllib.request
from datetime import datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.host import Options
from companion.host.keys import code_of, load_key
from companion.host.rescue import JournalRescue, rescue_app
from companion.journal.files import FILE
from companion.journal.journal import Journal, JournalDamagedError, JournalRefusedError
from companion.journal.lock import LOCK
from companion.settings.config import Config
from companion.table.seats import Mark, SeatLeft, SeatTaken
from companion.table.table import Command, Table
from tests.journals import lines
from tests.test_run_command import free_port, read_until, start
from tests.waiting import PATIENCE
from tests.web_table import NAMES, ORIGIN, PHONE_ADDRESS, form
from web.rescue import RescueError

NOTHING_LEFT = b"nothing of it left"


def damaged(folder: Path) -> str:
    """A journal with one backup and nothing else that can be read; the backup's name."""
    with Journal(folder, clock=lambda: 1_800_000_000.0) as journal:
        table = Table(journal)
        for name, mark in zip(NAMES, Mark, strict=True):
            table.play(Command(SeatTaken(name, mark, None)))
        backup = journal.backup()
        table.play(Command(SeatLeft(0)))
    (folder / FILE).write_bytes(NOTHING_LEFT)
    return backup.name


def rescue_of(folder: Path) -> JournalRescue:
    with pytest.raises(JournalDamagedError) as caught:
        Journal(folder)
    return JournalRescue(folder, caught.value)


def client_of(rescue: JournalRescue, folder: Path, address: str = "127.0.0.1") -> FlaskClient:
    client = rescue_app(rescue, Config(), Options(folder, port=8000)).test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def test_every_page_leads_the_owner_to_the_ways_there_are(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    client = client_of(rescue_of(tmp_path), tmp_path)
    for path in ("/", "/table", "/phone", "/boards"):
        answer = client.get(path)
        page = answer.get_data(as_text=True)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert re.findall(r'href="/rescue/([^"]+)"', page) == [backup, "empty"]
        assert "5 events, 0 games" in page
        assert f"{datetime.fromtimestamp(1_800_000_000).astimezone():%Y-%m-%d, %H:%M}" in page
    assert lines_of_damaged(tmp_path) == NOTHING_LEFT


def lines_of_damaged(folder: Path) -> bytes:
    return (folder / FILE).read_bytes()


def test_restoring_asks_first_sets_the_damaged_file_aside_and_says_where(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    rescue = rescue_of(tmp_path)
    client = client_of(rescue, tmp_path)
    asked = client.get(f"/rescue/{backup}").get_data(as_text=True)
    assert "What was played after that is not in the record any more." in asked
    assert lines_of_damaged(tmp_path) == NOTHING_LEFT
    done = form(client, "/rescue", name=backup).get_data(as_text=True)
    assert "set-aside-1" in done
    assert (tmp_path / "set-aside-1" / FILE).read_bytes() == NOTHING_LEFT
    assert rescue.is_done
    assert len(lines(tmp_path)) == 5
    assert "It goes on" in client.get("/").get_data(as_text=True)
    assert "It goes on" in form(client, "/rescue", name="empty").get_data(
        as_text=True
    )  # the second is too late
    assert len(lines(tmp_path)) == 5


def test_a_phone_without_the_code_may_neither_see_the_backups_nor_choose(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    rescue = rescue_of(tmp_path)
    phone = client_of(rescue, tmp_path, PHONE_ADDRESS)
    page = phone.get("/", headers={"Accept-Language": "de"})
    assert page.status_code == 503
    assert backup not in page.get_data(as_text=True)
    assert "Die Aufzeichnung der Spiele ist beschädigt" in page.get_data(as_text=True)
    assert phone.get(f"/rescue/{backup}").status_code == 403
    assert form(phone, "/rescue", name=backup).status_code == 403
    assert form(phone, "/show", code="WRONG", back="/").status_code == 403
    assert not rescue.is_done
    assert form(phone, "/show", code=code_of(load_key(tmp_path)), back="/").status_code == 303
    assert backup in phone.get("/").get_data(as_text=True)


def test_a_form_from_elsewhere_restores_nothing(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    client = client_of(rescue_of(tmp_path), tmp_path)
    assert client.post("/rescue", data={"name": backup}).status_code == 403
    assert client.post("/rescue", data={"name": backup}, headers={"Origin": "http://evil"}).status_code == 403
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert lines_of_damaged(tmp_path) == NOTHING_LEFT


def test_pages_that_are_still_open_are_told_to_come_back(tmp_path: Path) -> None:
    damaged(tmp_path)
    client = client_of(rescue_of(tmp_path), tmp_path, PHONE_ADDRESS)
    for answer in (client.get("/api/live"), client.post("/api/wishes", json={}, headers=ORIGIN)):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.get_json()["error"] == "journal-damaged"


def test_a_way_that_is_none_or_fails_changes_nothing_and_says_so(tmp_path: Path) -> None:
    damaged(tmp_path)
    rescue = rescue_of(tmp_path)
    client = client_of(rescue, tmp_path)
    assert client.get("/rescue/journal-00000099.db").status_code == 404
    answer = form(client, "/rescue", name="journal-00000099.db")
    assert answer.status_code == 409
    assert "Nothing was changed." in answer.get_data(as_text=True)
    with Journal(tmp_path / "other"), pytest.raises(RescueError, match="another Boxlid is using"):
        JournalRescue(tmp_path / "other", JournalDamagedError("")).go("empty")
    assert not rescue.is_done


def test_waiting_ends_with_the_choice_or_with_the_program(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    rescue, stop = rescue_of(tmp_path), threading.Event()
    stop.set()
    assert not rescue.wait(stop)
    rescue.go(backup)
    assert rescue.wait(threading.Event())
    assert rescue.go("empty") == ""  # somebody else was quicker
    assert len(lines(tmp_path)) == 5


def test_the_companion_serves_the_choice_and_then_the_table_without_a_restart(tmp_path: Path) -> None:
    backup = damaged(tmp_path)
    port = free_port()
    process = start(tmp_path, port)
    address = f"http://127.0.0.1:{port}"
    try:
        said = read_until(process, "with the code")
        assert f"Choose how to go on at http://localhost:{port} on this computer" in said
        assert f"or at {address} with the code {code_of(load_key(tmp_path))}." in said
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{address}/", timeout=PATIENCE)
        refused.value.close()
        assert refused.value.code == 503
        body = urllib.request.Request(
            f"{address}/rescue", data=f"name={backup}".encode(), headers={"Origin": address}
        )
        with urllib.request.urlopen(body, timeout=PATIENCE) as answer:
            assert answer.status == 200
        read_until(process, "Ctrl+C")
        with urllib.request.urlopen(f"{address}/table", timeout=PATIENCE) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert error.splitlines()[0].startswith("boxlid run: the journal")
        assert error.splitlines()[-1] == "boxlid: stopped; the game is kept"
    finally:
        process.kill()
    assert len(lines(tmp_path)) == 5


def refused(folder: Path, *, in_backup: bool) -> tuple[str, str]:
    """A sound journal that says what no rule allows, and two backups; the older is good."""
    with Journal(folder) as journal:
        Table(journal).play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
        good = journal.backup()
        if not in_backup:
            newer = good
        journal.append("seat left 4")
        if in_backup:
            newer = journal.backup()
    return good.name, newer.name


def test_a_journal_that_cannot_be_followed_offers_what_was_before_it(tmp_path: Path) -> None:
    good, _ = refused(tmp_path, in_backup=False)
    with Journal(tmp_path) as journal, pytest.raises(JournalRefusedError) as caught:
        Table(journal)
    rescue = JournalRescue(tmp_path, caught.value)
    page = client_of(rescue, tmp_path).get("/").get_data(as_text=True)
    assert "cannot be followed" in page
    assert "entry 2 of the journal does not follow" in page
    assert re.findall(r'href="/rescue/([^"]+)"', page) == [good, "empty"]  # what is readable is no better
    rescue.go(good)
    with Journal(tmp_path) as journal:
        assert [seat.name for seat in Table(journal).snapshot.seats] == ["Anna"]


def behind(folder: Path) -> str:
    """A journal that lost its log, and the backup that holds all of it; the backup's name."""
    with Journal(folder) as journal:
        table = Table(journal)
        table.play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
    before = {path: path.read_bytes() for path in (folder / FILE, folder / LOCK)}
    with Journal(folder) as journal:
        table = Table(journal)
        table.play(Command(SeatTaken("Ben", Mark.SQUARE, None)))
        backup = journal.backup()
    for path, data in before.items():  # as if the card had forgotten what came after
        path.write_bytes(data)
    return backup.name


@pytest.mark.parametrize(("way", "seated"), [(0, ["Anna", "Ben"]), (1, ["Anna"])])
def test_what_only_a_backup_holds_is_chosen_on_the_page_before_anything_is_played(
    way: int, seated: list[str], tmp_path: Path
) -> None:
    backup = behind(tmp_path)
    rescue = rescue_of(tmp_path)
    client = client_of(rescue, tmp_path)
    for path in ("/", "/table", "/health"):
        page = client.get(path).get_data(as_text=True)
        assert "A backup holds what the record of the games does not" in page
        assert re.findall(r'href="/rescue/([^"]+)"', page) == [backup, "as-is", "empty"]
    asked = client.get("/rescue/as-is").get_data(as_text=True)
    assert "What only the backup holds is not in the record then." in asked
    assert form(client, "/rescue", name=[backup, "as-is"][way]).status_code == 200
    with Journal(tmp_path) as journal:
        assert [seat.name for seat in Table(journal).snapshot.seats] == seated
        assert journal.doubt is None
    assert (tmp_path / "set-aside-1" / [FILE, backup][way]).exists()


def test_a_choice_that_is_no_better_is_followed_by_another(tmp_path: Path) -> None:
    good, newer = refused(tmp_path, in_backup=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = start(tmp_path, port)

    def choose(name: str) -> None:
        headers = {"Origin": address}
        wish = urllib.request.Request(f"{address}/rescue", data=f"name={name}".encode(), headers=headers)
        urllib.request.urlopen(wish, timeout=PATIENCE).close()

    try:
        read_until(process, "with the code")
        choose(newer)
        ask_until(address, "How to go on")
        choose(good)
        assert "Boxlid is running" in read_until(process, "Ctrl+C")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert (tmp_path / "set-aside-2").is_dir()


def ask_until(address: str, wanted: str) -> None:
    """Ask for the page until it says so."""
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}/", timeout=PATIENCE).close()
        except urllib.error.HTTPError as answer:
            with answer:
                if wanted in answer.read().decode():
                    return
        threading.Event().wait(0.1)
    raise AssertionError(f"the page never said {wanted!r}")


def test_stopped_before_a_choice_the_damaged_file_is_as_it_was(tmp_path: Path) -> None:
    damaged(tmp_path)
    process = start(tmp_path, free_port())
    try:
        read_until(process, "Choose how to go on")
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 1
    assert error.splitlines()[-1] == "boxlid: stopped; the journal is as it was"
    assert lines_of_damaged(tmp_path) == NOTHING_LEFT
