"""Reads the dice as the game that is played wants it. Knows neither cameras nor phones."""

from collections.abc import Sequence

from companion.game import HouseRules
from companion.table.table import Table
from vision.image.arrays import Image
from vision.memory.calibration import Calibration
from vision.reader import read_dice
from vision.reading import DieColour, Leaning, Reading


class ReadForTheGame:
    """Which dice may lean is a house rule of each game; where none is played, that of the settings."""

    def __init__(self, table: Table, usual: HouseRules) -> None:
        self._table = table
        self._usual = usual

    def __call__(
        self, image: Image, expected: Sequence[DieColour], calibration: Calibration | None
    ) -> Reading:
        game = self._table.snapshot.game
        house = self._usual if game is None else game.setup.house
        return read_dice(image, expected, calibration, Leaning(house.leaning))
