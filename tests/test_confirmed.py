"""Rolls that players let stand, tap or put right teach the table once their turn is over; no others do."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.game import DiceCorrected, Done, Rolled, Source
from companion.host.confirmed import Lessons
from companion.rules import Roll
from companion.table.eyes import EyesState
from companion.table.table import Command
from tests.looking import Lid, certain, doubtful
from tests.waiting import until
from vision.memory import taught
from vision.memory.calibration import Calibration, DieSample, Lab, TaughtRoll, save
from vision.reading import ALL_SIX, DieColour

GREY = Lab(50.0, 0.0, 0.0)
KNOWN = Calibration(64, 48, None, 12.0, tuple(DieSample(colour, GREY, GREY) for colour in ALL_SIX))


class School:
    """A calibrated table whose rolls teach."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "calibration.toml"
        save(KNOWN, self.path)
        self.lid = Lid(folder / "journal", KNOWN, Lessons(self.path, lambda: 1000.0))

    def press(self, ends: EyesState = EyesState.READY) -> None:
        version = self.lid.table.snapshot.version
        assert until(self.lid.looker.ask)
        self.lid.until(ends, version)
        self.lid.look_ends()

    def end_turn(self) -> None:
        """Everybody is done with both actions."""
        number = self.turn
        while self.turn == number:
            game = self.lid.table.snapshot.game
            assert game is not None
            seat = next(seat for seat in (0, 1) if self._may_end(seat))
            self.lid.table.play(Command(Done(seat)))

    def _may_end(self, seat: int) -> bool:
        game = self.lid.table.snapshot.game
        assert game is not None
        assert game.turn is not None
        return seat not in game.turn.done and (game.phase.value == "first" or seat == game.active)

    @property
    def turn(self) -> int:
        game = self.lid.table.snapshot.game
        assert game is not None
        return game.number

    @property
    def rolls(self) -> tuple[TaughtRoll, ...]:
        return taught.load(self.path, 1000.0).rolls

    def learns(self) -> bool:
        return until(lambda: len(self.rolls) == 1)

    def learns_nothing(self) -> bool:
        """The thread that looks came round with the turn over, and left everything as it was."""
        rounds: list[float] = []
        self.lid.looker._learn = counted(self.lid.looker._learn, rounds)  # type: ignore[method-assign]
        assert until(lambda: len(rounds) > 1)
        return self.rolls == ()


def counted(learn: Callable[[], None], rounds: list[float]) -> Callable[[], None]:
    def learn_and_count() -> None:
        learn()
        rounds.append(0.0)

    return learn_and_count


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    made = School(tmp_path)
    yield made
    made.lid.close()


def test_a_certain_roll_teaches_once_its_turn_is_over(school: School) -> None:
    school.press()
    assert school.learns_nothing()
    school.end_turn()
    assert school.learns()
    assert Counter(die.colour for die in school.rolls[0].dice) == Counter(ALL_SIX)
    known = school.lid.looker.calibration
    assert known is not None
    assert until(lambda: known_rolls(school) == 1)
    school.lid.looker.forget_taught()
    assert school.rolls == ()
    assert known_rolls(school) == 0


def known_rolls(school: School) -> int:
    known = school.lid.looker.calibration
    return -1 if known is None else len(known.taught)


def test_a_die_that_was_tapped_teaches_what_was_tapped(school: School) -> None:
    school.lid.reader.readings = [doubtful()]
    school.press(EyesState.ASK)
    school.lid.table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B4"), Source.HAND)))
    school.end_turn()
    assert school.learns()
    assert DieColour.BLUE in {die.colour for die in school.rolls[0].dice}


def test_dice_entered_otherwise_than_they_were_surely_read_teach_nothing(school: School) -> None:
    school.lid.reader.readings = [doubtful()]
    school.press(EyesState.ASK)
    school.lid.table.play(Command(Rolled(Roll.parse("W1 W1 R1 Y1 G1 B1"), Source.HAND)))
    school.end_turn()
    assert school.learns_nothing()


def test_a_certain_roll_that_was_put_right_teaches_nothing(school: School) -> None:
    school.press()
    school.lid.table.play(Command(DiceCorrected(0, Roll.parse("W3 W4 R2 Y5 G6 B2"))))
    school.end_turn()
    assert school.learns_nothing()


def test_a_doubtful_look_that_nobody_answered_teaches_nothing(school: School) -> None:
    school.lid.reader.readings = [doubtful()]
    school.press(EyesState.ASK)
    assert school.learns_nothing()


def test_a_disk_that_refuses_stops_no_game(school: School) -> None:
    taught.place_of(school.path).mkdir()
    school.press()
    school.end_turn()
    assert school.learns_nothing()
    school.lid.reader.readings = [certain()]
    school.press()


def test_a_table_that_was_not_calibrated_learns_nothing(school: School) -> None:
    school.lid.looker.use(None)
    school.press()
    school.end_turn()
    assert school.learns_nothing()
    assert school.lid.looker.calibration is None
