"""boxlid export, import and restore: one line for each mistake, and nothing lost."""

import json
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.game import Setup
from companion.journal.files import FILE
from companion.journal.journal import Journal
from companion.journal.lock import LOCK
from companion.table.snapshot import GameDeleted, GameStarted
from companion.table.table import Command, Table
from tests.journals import flipped, lose_log
from tests.tabling import NAMES, play, sit

VECTORS = Path(__file__).parent / "vectors" / "games.jsonl"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal of two games, the second under way."""
    folder = tmp_path / "state"
    with Journal(folder) as journal:
        table = Table(journal)
        sit(table)
        for number in (1, 2):
            table.play(Command(GameStarted(Setup(NAMES), 2, 1)))
            play(table, *["0 stops"][: 2 - number])
    return folder


def boxlid(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    return text


def test_export_writes_each_game_as_a_line_that_replay_accepts(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert boxlid("export", "--state", state) == 0
    lines = out(capsys).splitlines()
    assert [json.loads(line)["ended_by"] for line in lines] == ["stopped", None]
    assert boxlid("export", 2, "--state", state, "--out", tmp_path / "games") == 0
    assert (tmp_path / "games").read_text().splitlines() == lines[1:]
    assert boxlid("replay", tmp_path / "games") == 0


def test_export_works_beside_a_running_companion(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(state):
        assert boxlid("export", "--state", state) == 0
    assert len(out(capsys).splitlines()) == 2


def test_export_lists_the_games(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert boxlid("export", "--list", "--state", state) == 0
    first, second = out(capsys).splitlines()
    assert first.split()[0] == "1"
    assert "Anna 0, Ben 0, Cleo 0  (ended by stopped, game 1 of 2)" in first
    assert "(not finished, game 1 of 2)" in second


def test_export_names_a_damaged_game_and_the_others_go_out(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(state) as journal:
        journal.append_game([f"game imported 5.0 {Setup(NAMES)}", "0 dances"])
    assert boxlid("export", "--state", state) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 2
    assert "game 3 cannot be played again" in shown.err
    assert shown.err.count("\n") == 1
    assert boxlid("export", "--list", "--state", state) == 0
    assert "it cannot be played to its end" in out(capsys).splitlines()[2]


def test_a_deleted_game_is_not_exported_and_stays_deleted_when_an_older_backup_is_restored(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(state) as journal:
        backup = journal.backup()
        table = Table(journal)
        play(table, "0 stops")
        table.play(Command(GameDeleted(min(journal.games()))))
    assert boxlid("export", "--state", state) == 0
    assert len(out(capsys).splitlines()) == 1
    assert boxlid("restore", "--backup", backup, "--state", state) == 0
    assert "games deleted since then stay deleted: 1" in out(capsys)
    assert boxlid("export", "--state", state) == 0
    assert len(out(capsys).splitlines()) == 1


def test_export_says_what_it_cannot_do(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert boxlid("export", 3, "--state", state) == 2
    assert "the journal has 2 games, got number 3" in refusal(capsys)
    assert boxlid("export", "--state", tmp_path / "none") == 1
    assert "a journal is wanted" in refusal(capsys)
    assert boxlid("export", "--state", state, "--out", tmp_path) == 1
    assert "cannot be written" in refusal(capsys)


def test_import_adds_games_as_history_and_says_what_it_cannot_keep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, file = tmp_path / "state", tmp_path / "games"
    good = VECTORS.read_text().splitlines()[0]
    file.write_text(f"{good}\nnonsense\n{good}\n")
    assert boxlid("import", file, "--state", state) == 1
    said = capsys.readouterr()
    assert said.out == "1 games kept, 1 were there already, 1 cannot be kept\n"
    assert said.err.startswith("boxlid import: line 2: this is no JSON")
    assert boxlid("import", VECTORS, "--state", state) == 0
    assert boxlid("export", "--state", state, "--out", file) == 0
    assert boxlid("replay", "--quiet", file) == 0


def test_import_reads_standard_input(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with VECTORS.open() as file, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", file)
        assert boxlid("import", "-", "--state", state) == 0
    assert ", 0 were there already, 0 cannot be kept" in out(capsys)


def test_import_says_what_it_cannot_do(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert boxlid("import", tmp_path / "none", "--state", state) == 1
    assert "a file of games is wanted" in refusal(capsys)
    with Journal(state):
        assert boxlid("import", VECTORS, "--state", state) == 1
    assert "another Boxlid is using" in refusal(capsys)


def test_restore_leaves_a_sound_journal_alone(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (state / FILE).read_bytes()
    assert boxlid("restore", "--state", state) == 0
    assert "is sound; nothing was changed" in out(capsys)
    assert (state / FILE).read_bytes() == before


def test_restore_goes_on_and_names_where_the_damaged_journal_is_kept(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(state) as journal:
        backup, count = journal.backup(), journal.next_id - 1
    (state / FILE).write_bytes(flipped((state / FILE).read_bytes(), 0))
    assert boxlid("restore", "--state", state) == 0
    kept = state / "set-aside-1"
    assert out(capsys) == (
        f"the journal goes on from the backup {backup.name} ({count} entries); "
        f"the journal before it is kept in {kept}\n"
    )
    assert boxlid("restore", "--state", state, "--backup", backup) == 0
    assert boxlid("restore", "--state", state, "--empty") == 0
    assert "goes on from an empty journal (0 entries)" in out(capsys)
    assert boxlid("export", "--state", state) == 0
    assert out(capsys) == ""


def test_restore_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert boxlid("restore", "--state", tmp_path / "none") == 1
    assert "there is no" in refusal(capsys)
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    assert boxlid("restore", "--state", tmp_path) == 1
    assert "--empty" in refusal(capsys)


def test_restore_goes_on_from_the_journal_as_it_is_if_its_owner_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = lose_log(tmp_path)
    assert boxlid("export", "--state", tmp_path) == 1
    assert "boxlid restore --as-is" in refusal(capsys)
    assert boxlid("restore", "--as-is", "--state", tmp_path) == 0
    said = out(capsys)
    assert f"the journal goes on from the journal as it is ({left} entries)" in said
    assert "set-aside-1" in said
    (tmp_path / LOCK).unlink()
    for _ in range(2):
        assert boxlid("restore", "--state", tmp_path) == 0
        shown = capsys.readouterr()
        assert "is sound; nothing was changed" in shown.out
        assert "journal.lock was gone or damaged" in shown.err
        assert "`boxlid restore --as-is`" in shown.err
    assert boxlid("restore", "--as-is", "--state", tmp_path) == 0
    assert capsys.readouterr().out == f"the journal goes on from the journal as it is ({left} entries)\n"
    assert boxlid("restore", "--state", tmp_path) == 0
    assert capsys.readouterr().err == ""
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    assert boxlid("restore", "--as-is", "--state", tmp_path) == 1
    assert "a sound journal is wanted" in refusal(capsys)
