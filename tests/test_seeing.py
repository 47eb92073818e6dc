"""One look at the lid: two frames that agree, dice read ahead of the press, when that counts no longer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.host.seeing import READ_AHEAD, Look, Seeing
from vision.cameras.camera import Frame
from vision.cameras.steady import Motion
from vision.cameras.watch import GOOD, Glance
from vision.image.arrays import Image
from vision.memory.calibration import Calibration
from vision.reading import ALL_SIX, DieColour, Reading, SeenDie

FIVE = ALL_SIX[:5]


def flat(pips: int) -> Reading:
    return Reading(True, (SeenDie(DieColour.WHITE, pips, 20, 20, 12, 0.99),))


class Eye:
    """A lid whose picture is changed by hand, seen every 0.2 seconds."""

    state = GOOD
    is_distant = False

    def __init__(self) -> None:
        self.picture = np.full((48, 64, 3), 90, np.uint8)
        self.taken = 0.0
        self.newest: Glance | None = None

    def lay(self, grey: int) -> None:
        self.picture = np.full((48, 64, 3), 90, np.uint8)
        self.picture[20:34, 20:34] = grey

    def glance(self, timeout: float = 3.0) -> Glance:
        self.taken += 0.2
        self.newest = Glance(self.picture[..., 0], self.taken)
        return self.newest

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame:
        if since is None or since > self.taken:
            self.taken += 0.2
        return Frame(self.picture, round(5 * self.taken), self.taken)


class Reader:
    """Counts its frames and reads the grey of the die."""

    def __init__(self) -> None:
        self.frames: list[Image] = []
        self.answers: list[Reading] = []

    def __call__(self, image: Image, expected: Sequence[DieColour], known: Calibration | None) -> Reading:
        self.frames.append(image)
        return self.answers.pop(0) if self.answers else flat(1 + int(image[27, 27, 0]) // 50)


class Lid:
    def __init__(self) -> None:
        self.eye, self.reader = Eye(), Reader()
        self.seeing = Seeing(self.eye, None, self.reader)
        self.moved: list[Motion] = []

    def watch(self, glances: int = 6, expected: tuple[DieColour, ...] = ALL_SIX) -> None:
        """What the thread that looks does between two presses."""
        for _ in range(glances):
            self.eye.glance()
            if self.seeing.keep_watching():
                self.seeing.read_ahead(expected)

    def throw(self, grey: int) -> None:
        self.eye.lay(grey)
        self.watch()

    def press(self, expected: tuple[DieColour, ...] = ALL_SIX) -> Look:
        return self.seeing.look(expected, self.moved.append)


@pytest.fixture
def lid() -> Iterator[Lid]:
    made = Lid()
    made.watch()
    yield made
    made.seeing.close()


def stages(look: Look) -> list[str]:
    return [stage.name for stage in look.stages]


def test_a_look_reads_two_different_frames(lid: Lid) -> None:
    look = lid.press()
    assert len(lid.reader.frames) == 2
    assert look.reading.certain
    assert "reading two frames" in stages(look)


def test_a_third_frame_decides_where_two_do_not_agree(lid: Lid) -> None:
    lid.reader.answers = [flat(2), Reading(False), flat(2)]
    assert lid.press().reading.certain
    assert len(lid.reader.frames) == 3


def test_dice_that_came_to_rest_are_read_by_two_frames_before_the_press(lid: Lid) -> None:
    lid.throw(200)
    assert len(lid.reader.frames) == 2
    look = lid.press()
    assert look.reading == flat(5)
    assert len(lid.reader.frames) == 2
    assert READ_AHEAD in stages(look)
    assert lid.moved == []  # nothing moved, and nothing has to be read


def test_dice_that_moved_since_they_were_read_are_read_again(lid: Lid) -> None:
    lid.throw(200)
    lid.eye.lay(100)
    look = lid.press()
    assert look.reading == flat(3)
    assert READ_AHEAD not in stages(look)
    assert lid.moved[0] is not Motion.STILL  # and it waited until they lay still


def test_a_lid_that_looks_otherwise_than_when_it_was_read_is_read_again(lid: Lid) -> None:
    """Also where no glance caught the motion."""
    lid.throw(200)
    ahead = lid.seeing._ahead
    lid.throw(20)
    lid.seeing._ahead = ahead
    assert lid.press().reading == flat(1)


def test_dice_read_for_another_number_of_dice_are_read_again(lid: Lid) -> None:
    lid.throw(200)
    look = lid.press(FIVE)
    assert look.expected == FIVE
    assert READ_AHEAD not in stages(look)


def test_what_was_not_certain_ahead_gets_another_chance_with_the_press(lid: Lid) -> None:
    lid.reader.answers = [Reading(False), Reading(False)]
    lid.throw(200)
    assert lid.press().reading == flat(5)


def test_a_throw_begun_anew_forgets_what_was_read_ahead(lid: Lid) -> None:
    lid.throw(200)
    lid.seeing.begin_watching()
    assert READ_AHEAD not in stages(lid.press())


def test_where_no_lid_is_known_the_place_of_a_certain_reading_tells_a_hand_from_then_on(lid: Lid) -> None:
    place = ((16.0, 16.0), (40.0, 16.0), (40.0, 40.0), (16.0, 40.0))
    lid.throw(200)
    lid.reader.answers = [replace(flat(5), place=place)] * 2
    lid.seeing.forget()
    assert lid.press().reading.place == place
    lid.watch()
    lid.eye.picture[:36, 26:30] = 10  # reaches in from the edge, and stays
    lid.watch()
    lid.press()
    assert Motion.HAND in lid.moved
