"""What a press of a button does, from whatever thread; what cannot be done now is answered with a blink."""

import threading
from collections.abc import Callable

from companion.game import Phase, Reopened
from companion.host.looking import Looker
from companion.host.set_up.service import SettingUp
from companion.journal.journal import JournalError
from companion.rules import RuleError
from companion.table.table import Command, Table
from companion.words import english
from hardware.panel import Panel, Press
from hardware.power import PowerError, power_off


class Buttons:
    """The buttons of one panel, and the rolled button of phones."""

    def __init__(
        self, table: Table, looker: Looker, setting_up: SettingUp, panel: Panel, note: Callable[[str], None]
    ) -> None:
        self._table = table
        self._looker = looker
        self._setting_up = setting_up
        self._panel = panel
        self._note = note
        self._second_press = threading.Lock()

    def pressed(self, press: Press) -> None:
        """A button of the panel, real or on a page."""
        if self._setting_up.takes(press):
            return
        match press:
            case Press.ROLLED | Press.READ_AGAIN:
                taken = self._looker.ask(again=press is Press.READ_AGAIN)
                if not taken and press is Press.ROLLED:
                    self._table.press_too_early()
            case Press.SECOND:
                taken = self._second()
            case Press.OFF:
                taken = self._off()
        if not taken:
            self._panel.blink_busy()

    def rolled_on_a_phone(self) -> None:
        """No finger on the panel, so the set-up does not count it."""
        if not self._setting_up.is_on:
            self.pressed(Press.ROLLED)

    def _second(self) -> bool:
        """While others decide and patience is set: move on. Else: take the last turn back."""
        with self._second_press:
            game = self._table.snapshot.game
            if game is None:
                return False
            try:
                if game.phase is Phase.FIRST and game.setup.house.patience:
                    self._table.ask_to_move_on(game.active)
                else:
                    self._table.play(Command(Reopened(game.active)))
            except (RuleError, JournalError):
                return False
            return True

    def _off(self) -> bool:
        """Switch the Pi off; a simulated panel has nothing to switch off."""
        if self._panel.is_simulated:
            return False
        try:
            power_off()
        except PowerError as error:
            self._note(f"{english(error)}.")
            return False
        return True
