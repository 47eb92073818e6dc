"""A phone's photograph on its way to a roll: read like the lid, and refused in one word where it is none."""

import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game import Phase, Rolled, Source
from companion.game.events import write_event
from companion.host.looking import Looker, Manner
from companion.host.photographs import MOST_PIXELS, Photographs, opened
from companion.rules import Roll
from companion.table.eyes import EyesState, Notice
from companion.table.table import Command
from tests.lids import turned_by_exif
from tests.looking import Lid, certain, doubtful
from tests.waiting import PATIENCE
from vision.cameras.camera import CameraSays
from vision.cameras.watch import CameraState, Sight
from vision.image.arrays import Image
from vision.image.picture import LONGEST
from vision.reading import Problem, ProblemKind, Reading
from web import Photographed

DICE = np.full((60, 80, 3), 120, np.uint8)


@pytest.fixture
def lid(tmp_path: Path) -> Iterator[Lid]:
    made = Lid(tmp_path)
    yield made
    made.close()


def jpeg(image: Image = DICE) -> bytes:
    done, content = cv2.imencode(".jpg", image)
    assert done
    return content.tobytes()


def png_of(width: int, height: int) -> bytes:
    """A PNG as far as its header."""
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height) + bytes(20)


def test_a_certain_photograph_is_a_roll_by_a_camera_though_the_table_has_a_simulated_one(lid: Lid) -> None:
    lid.looker.close()
    looker = Looker(lid.table, lid.eye, None, Manner(simulated=True, read=lid.reader))
    looker.start()
    try:
        assert Photographs(looker).take(jpeg(), 0) is Photographed.READ
    finally:
        looker.close()
    assert lid.table.snapshot.eyes.state is EyesState.READY
    rolled = Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"), Source.CAMERA)
    assert lid.journal.entries()[-1].line == write_event(rolled)


def test_a_photograph_needs_no_camera_and_the_cameras_trouble_is_said_again_for_the_next_roll(
    lid: Lid,
) -> None:
    lid.eye.broken = CameraSays.SIMULATED_ABSENT
    lid.eye.become(CameraState(Sight.MISSING), lid.looker)
    lid.until(EyesState.TROUBLE)
    before = lid.table.snapshot.version
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.READ
    assert phase_of(lid) is Phase.FIRST
    assert lid.until(EyesState.TROUBLE, before).eyes.notices == (Notice("camera"),)


def test_a_photograph_throws_no_dice_into_a_simulated_lid(lid: Lid) -> None:
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.READ
    assert lid.presses == []


def test_a_doubtful_die_of_a_photograph_is_asked_with_its_crop_and_another_one_may_be_taken(lid: Lid) -> None:
    lid.reader.readings = [doubtful(), certain()]
    photographs = Photographs(lid.looker)
    assert photographs.take(jpeg(), 0) is Photographed.READ
    eyes = lid.table.snapshot.eyes
    assert (eyes.state, [die.doubtful for die in eyes.dice]) == (EyesState.ASK, [False] * 5 + [True])
    assert lid.looker.crop(eyes.dice[5].crop or "") is not None
    assert phase_of(lid) is Phase.ROLL
    assert photographs.take(jpeg(), 0) is Photographed.READ
    assert phase_of(lid) is Phase.FIRST


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (ProblemKind.NO_LID, "photo-no-dice"),
        (ProblemKind.TOO_DARK, "photo-too-dark"),
        (ProblemKind.DIE_MISSING, "photo-die-missing"),
        (ProblemKind.DIE_EXTRA, "photo-die-extra"),
        (ProblemKind.DIE_NOT_IN_PLAY, "photo-die-not-in-play"),
        (ProblemKind.DIE_STACKED, "die-stacked"),
    ],
)
def test_what_is_wrong_with_a_photograph_is_a_question_in_its_own_words_and_no_trouble(
    kind: ProblemKind, said: str, lid: Lid
) -> None:
    lid.reader.readings = [Reading(False, (), (Problem(kind),))]
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.READ
    eyes = lid.table.snapshot.eyes
    assert (eyes.state, eyes.notices) == (EyesState.ASK, (Notice(said),))


def test_while_a_players_photograph_is_read_another_one_and_a_press_are_told_to_wait(lid: Lid) -> None:
    photographs = Photographs(lid.looker)
    lid.reader.go.clear()
    found: list[Photographed] = []
    first = threading.Thread(target=lambda: found.append(photographs.take(jpeg(), 0)))
    first.start()
    assert lid.reader.begun.wait(PATIENCE)
    assert photographs.take(jpeg(), 0) is Photographed.BUSY
    assert not lid.looker.ask()
    lid.reader.go.set()
    first.join(PATIENCE)
    assert found == [Photographed.READ]


def test_photographs_of_two_players_are_read_one_after_the_other(lid: Lid) -> None:
    lid.reader.readings = [doubtful(), certain()]
    photographs = Photographs(lid.looker)
    lid.reader.go.clear()
    found: list[Photographed] = []
    players = [
        threading.Thread(target=lambda seat=seat: found.append(photographs.take(jpeg(), seat)))
        for seat in (0, 1)
    ]
    for each in players:
        each.start()
    assert lid.reader.begun.wait(PATIENCE)
    assert phase_of(lid) is Phase.ROLL
    lid.reader.go.set()
    for each in players:
        each.join(PATIENCE)
    assert found == [Photographed.READ, Photographed.READ]
    assert phase_of(lid) is Phase.FIRST


def test_who_waits_too_long_behind_the_photographs_of_others_is_told_to_wait(
    lid: Lid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.host.photographs.WAITING_SECONDS", 0.01)
    photographs = Photographs(lid.looker)
    lid.reader.go.clear()
    first = threading.Thread(target=photographs.take, args=(jpeg(), 0))
    first.start()
    assert lid.reader.begun.wait(PATIENCE)
    assert photographs.take(jpeg(), 1) is Photographed.BUSY
    lid.reader.go.set()
    first.join(PATIENCE)


def test_while_the_camera_is_asked_a_photograph_is_told_to_wait(lid: Lid) -> None:
    lid.reader.go.clear()
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.BUSY
    lid.reader.go.set()
    lid.look_ends()


def test_a_photograph_that_nobody_waits_for_changes_nothing(lid: Lid) -> None:
    roll = Rolled(Roll.parse("W1 W1 R1 Y1 G1 B1"), Source.HAND)
    before = lid.table.play(Command(roll))
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.UNWANTED
    assert lid.table.snapshot is before


def test_while_the_table_is_set_up_no_photograph_is_read(lid: Lid) -> None:
    lid.looker.pause()
    assert Photographs(lid.looker).take(jpeg(), 0) is Photographed.UNWANTED
    assert lid.looker.last is None


def test_only_the_last_photograph_is_kept_and_known_as_one(lid: Lid) -> None:
    lid.reader.readings = [doubtful()]
    photographs = Photographs(lid.looker)
    photographs.take(jpeg(), 0)
    first = lid.looker.last
    photographs.take(jpeg(DICE[:, :40]), 0)
    last = lid.looker.last
    assert first is not None
    assert last is not None
    assert last.photograph
    assert last.image.shape == (60, 40, 3)


def test_a_photograph_on_its_side_is_read_upright() -> None:
    found = opened(turned_by_exif(DICE))
    assert not isinstance(found, Photographed)
    assert found.shape == DICE.shape


def test_a_photograph_as_the_phone_made_it_is_read_at_the_size_of_the_reader() -> None:
    found = opened(jpeg(np.zeros((3000, 4000, 3), np.uint8)))
    assert not isinstance(found, Photographed)
    assert max(found.shape) == LONGEST


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", Photographed.NO_PICTURE),
        (b"no picture", Photographed.NO_PICTURE),
        (b"GIF89a" + bytes(40), Photographed.NO_PICTURE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Photographed.NO_PICTURE),
        (png_of(100, 100), Photographed.NO_PICTURE),
        (png_of(10_000, 10_000), Photographed.TOO_LARGE),
        (png_of(MOST_PIXELS, 2), Photographed.TOO_LARGE),
        (b"\x00\x00\x00\x18ftypheic" + bytes(40), Photographed.HEIC),
        (b"\x00\x00\x00\x1cftypmif1" + bytes(40), Photographed.HEIC),
    ],
)
def test_what_is_no_photograph_is_named_and_the_reader_is_not_asked(
    content: bytes, kind: Photographed, lid: Lid
) -> None:
    assert Photographs(lid.looker).take(content, 0) is kind
    assert lid.table.snapshot.eyes.state is not EyesState.ASK
    assert lid.looker.last is None


def test_a_jpeg_that_hides_its_size_behind_an_odd_marker_is_too_large_all_the_same() -> None:
    small = b"\xff\x01\x00\x14\xff\xc0\x00\x11\x08\x00\x10\x00\x10" + bytes(9)
    size = b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 20_000, 20_000) + bytes(12)
    assert opened(b"\xff\xd8\xff\x01" + size) is Photographed.TOO_LARGE
    assert opened(b"\xff\xd8" + small) is Photographed.NO_PICTURE


def phase_of(lid: Lid) -> Phase:
    game = lid.table.snapshot.game
    assert game is not None
    return game.phase
