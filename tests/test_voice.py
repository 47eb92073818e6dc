"""The voice: what is said when one snapshot follows another, in which words, and that it never blocks."""

import re
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from boxlid.errors import Statement
from companion.game import Setup
from companion.rules import Colour
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import Snapshot
from companion.view import sayings as sayings_module
from companion.view.sayings import Saying, sayings
from companion.words import catalogues
from hardware import voice
from hardware.spoken import PART, sentence
from hardware.voice import MOST_WAITING, Voice, VoiceError, espeak
from tests import wording
from tests.games import lobby, played, started
from tests.waiting import PATIENCE

FIVE_RED = "0 corrects sheet 0 R2 R3 R4 R5 R6"


def said(before: Snapshot, after: Snapshot, language: str = "en") -> list[str]:
    return [sentence(saying, language) for saying in sayings(before, after)]


def told(snapshot: Snapshot, *lines: str) -> list[str]:
    """What is said at the last of these events."""
    before = played(snapshot, *lines[:-1])
    return said(before, played(before, lines[-1]))


def test_a_game_begins_with_who_rolls() -> None:
    assert said(lobby("Anna", "Ben"), started("Anna", "Ben")) == ["Anna rolls."]


def test_the_white_sum_is_said_loud_and_clear() -> None:
    assert told(started(), "rolled W3 W4 R1 Y1 G1 B1 by hand") == ["White: 7."]


def test_who_begins_is_said_when_the_lot_is_drawn_not_before() -> None:
    drawing = replace(started(), lot_ends_at=3.0)
    assert sayings(lobby("Anna", "Ben", "Cleo"), drawing) == ()
    assert [saying.kind for saying in sayings(drawing, replace(drawing, lot_ends_at=None))] == ["turn"]


def test_the_same_dice_rolled_again_are_said_again() -> None:
    roll = "rolled W3 W4 R1 Y1 G1 B1 by hand"
    turn = (roll, "0 crosses R7 in 1", "0 done", "1 done", "2 done", "0 done")
    assert told(started(), *turn, roll) == ["White: 7."]


def test_corrected_dice_are_said_with_the_new_sum() -> None:
    rolled = "rolled W3 W4 R1 Y1 G1 B1 by hand"
    assert told(started(), rolled, "0 corrects dice W3 W5 R1 Y1 G1 B1") == ["White: 8."]
    assert told(started(), rolled, "0 corrects dice W3 W4 R2 Y1 G1 B1") == ["White: 7."]


def test_who_sits_out_plays_no_more_or_is_back_is_said_and_who_rolls_instead() -> None:
    out = "1 says 0 sits out"
    assert told(started(), out) == ["Anna sits out.", "Ben rolls."]
    assert told(started(), out, "1 says 0 is back") == ["Anna is back.", "Anna rolls."]
    assert told(started(), "0 says 1 plays no more") == ["Ben plays no more."]
    german = said(started(), played(started(), "0 says 2 plays no more"), "de")
    assert german == ["Cleo spielt nicht mehr mit."]


def test_a_choice_that_closes_nothing_is_not_said() -> None:
    assert told(started(), "rolled W3 W4 R1 Y1 G1 B1 by hand", "0 crosses R7 in 1") == []


def test_closing_a_row_is_announced_and_then_the_lock_is_said() -> None:
    start = played(started(), FIVE_RED, "rolled W6 W6 R1 Y1 G1 B1 by hand")
    assert told(start, "0 crosses R12 in 1") == ["Anna closes the red row!"]
    lines = ("0 crosses R12 in 1", "0 done", "1 done", "2 done")
    assert told(start, *lines) == ["The red row is closed. Take the red die out of the lid."]


def test_a_misthrow_and_the_next_player_are_said() -> None:
    lines = ("rolled W3 W4 R1 Y1 G1 B1 by hand", "0 done", "1 done", "2 done", "0 done")
    assert told(started(), *lines) == ["Misthrow for Anna.", "Ben rolls."]


def test_a_sheet_corrected_by_hand_is_no_misthrow() -> None:
    assert told(started(), "0 corrects sheet 0 R2 M1") == []


def test_the_winner_is_said_with_the_points() -> None:
    start = played(started("Anna", "Ben"), "0 corrects sheet 0 M3")
    lines = ("rolled W3 W4 R1 Y1 G1 B1 by hand", "0 done", "1 done", "0 done")
    assert told(start, *lines) == ["Misthrow for Anna.", "Ben wins with 0 points."]


def test_players_who_share_a_victory_are_all_named() -> None:
    saying = Saying("winners", ("Anna", "Ben", "Cleo"), number=40)
    assert sentence(saying, "en") == "Anna, Ben and Cleo win with 40 points each."
    assert sentence(saying, "de") == "Anna, Ben und Cleo gewinnen mit je 40 Punkten."


def test_one_point_is_said_as_one() -> None:
    assert sentence(Saying("winner", ("Anna",), number=1), "en") == "Anna wins with 1 point."
    assert (
        sentence(Saying("winners", ("Anna", "Ben"), number=1), "de")
        == "Anna und Ben gewinnen mit je 1 Punkt."
    )


def test_a_stopped_game_has_no_winner() -> None:
    assert told(started(), "0 stops") == ["The game is stopped."]


def test_the_camera_asks_aloud_once() -> None:
    ready = replace(started(), eyes=Eyes(EyesState.READY))
    ask = replace(started(), eyes=Eyes(EyesState.ASK))
    assert said(ready, ask) == ["Please tap the doubtful die."]
    assert said(ask, ask) == []
    assert said(ask, replace(ask, eyes=Eyes(EyesState.TROUBLE))) == ["The camera needs a hand."]


def test_nothing_is_said_when_nothing_happened() -> None:
    game = started()
    assert said(game, game) == []
    assert said(game, replace(game, game=None, game_id=None)) == []


def test_german_is_spoken() -> None:
    start = played(started("Jürgen", "Ben"), FIVE_RED, "rolled W6 W6 R1 Y1 G1 B1 by hand")
    closing = played(start, "0 crosses R12 in 1")
    assert said(start, closing, "de") == ["Jürgen schließt die rote Reihe ab!"]


def test_every_saying_has_its_words_and_all_of_these_are_said() -> None:
    said = set(re.findall(r'"([a-z_]+)"', Path(sayings_module.__file__).read_text(encoding="utf-8")))
    for words in catalogues().values():
        voiced = {key.removeprefix(PART) for key in words.texts if key.startswith(PART)}
        assert len(voiced) > 10
        assert voiced <= said
        for kind in voiced:
            assert sentence(Saying(kind, ("Anna",), Colour.RED, 7), words.language)


# --- speaking --------------------------------------------------------------------------------------------


@dataclass
class Listener:
    """Hears what is said; `silent` makes the voice wait in the middle of a sentence."""

    heard: list[tuple[str, str, int]] = field(default_factory=list)
    began: threading.Event = field(default_factory=threading.Event)
    may_end: threading.Event = field(default_factory=threading.Event)

    def __call__(self, text: str, language: str, volume: int) -> None:
        self.began.set()
        assert self.may_end.wait(PATIENCE)
        self.heard.append((text, language, volume))


def numbers(*sums: int) -> list[Saying]:
    return [Saying("white_sum", number=number) for number in sums]


def test_the_voice_speaks_in_its_language_and_loudness() -> None:
    listener = Listener()
    listener.may_end.set()
    speaking = Voice("de", 60, speaker=listener)
    speaking.say(numbers(7))
    assert speaking.wait_until_silent(PATIENCE)
    assert listener.heard == [("Weiß: 7.", "de", 60)]
    speaking.speak_in("en")
    speaking.say(numbers(8))
    assert speaking.wait_until_silent(PATIENCE)
    assert listener.heard[1:] == [("White: 8.", "en", 60)]
    speaking.close()


def test_saying_never_blocks_and_the_newest_is_kept() -> None:
    listener = Listener()
    speaking = Voice("en", speaker=listener)
    speaking.say(numbers(2))
    assert listener.began.wait(PATIENCE)
    for number in range(3, 13):
        speaking.say(numbers(number))
    listener.may_end.set()
    assert speaking.wait_until_silent(PATIENCE)
    sums = [text for text, _, _ in listener.heard]
    assert sums == ["White: 2.", *(f"White: {n}." for n in range(13 - MOST_WAITING, 13))]
    speaking.close()


def test_a_voice_switched_off_says_nothing_more() -> None:
    listener = Listener()
    speaking = Voice("en", speaker=listener)
    speaking.say(numbers(2, 3, 4))
    assert listener.began.wait(PATIENCE)
    speaking.switch(on=False)
    speaking.say(numbers(5))
    listener.may_end.set()
    assert speaking.wait_until_silent(PATIENCE)
    speaking.switch(on=True)
    speaking.say(numbers(6))
    assert speaking.wait_until_silent(PATIENCE)
    assert [text for text, _, _ in listener.heard] == ["White: 2.", "White: 6."]
    speaking.close()


def test_a_missing_program_is_told_once_and_the_game_goes_on() -> None:
    complaints: list[Statement] = []

    def missing(text: str, language: str, volume: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", "espeak-ng")

    speaking = Voice("en", complain=complaints.append, speaker=missing)
    speaking.say(numbers(2, 3))
    assert speaking.wait_until_silent(PATIENCE)
    speaking.say(numbers(4))
    assert speaking.wait_until_silent(PATIENCE)
    told = "the voice is silent: espeak-ng is not installed; sudo apt install espeak-ng"
    assert list(map(wording.said, complaints)) == [told]
    assert speaking.notice == complaints[0]
    speaking.close()


def program(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a program of ours where espeak-ng would be."""
    path = folder / "espeak-ng"
    path.write_text("#!/bin/sh\n" + script, encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setattr(voice, "PROGRAM", str(path))


def test_the_text_is_no_option_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, f'echo "$@" > {tmp_path}/options; cat > {tmp_path}/text', monkeypatch)
    espeak("-f /etc/passwd wins.", "en", 80)
    assert (tmp_path / "options").read_text(encoding="utf-8") == "-v en -a 160 -s 150 --stdin\n"
    assert (tmp_path / "text").read_text(encoding="utf-8") == "-f /etc/passwd wins."


def test_a_program_that_fails_or_hangs_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "echo no sound card >&2; exit 3", monkeypatch)
    with wording.refused(VoiceError, match="ended with 3: no sound card"):
        espeak("hello", "en", 80)
    program(tmp_path, "echo ALSA lib: cannot find card >&2; echo error: No such file >&2", monkeypatch)
    with wording.refused(VoiceError, match="ended with 0: error: No such file"):
        espeak("hello", "en", 80)
    program(tmp_path, "exec sleep 60", monkeypatch)
    monkeypatch.setattr(voice, "LONGEST_SENTENCE_SECONDS", 0.1)
    with wording.refused(VoiceError, match="did not finish"):
        espeak("hello", "en", 80)


def test_the_last_round_of_a_board_game_is_said() -> None:
    before = started("Anna", "Ben", setup=Setup(("Anna", "Ben")))
    game = before.game
    assert game is not None
    after = replace(before, game=replace(game, last_turns=1))
    assert said(before, after) == ["The last round begins."]
