"""The simulated panel: the same buttons and lamps without wires, for a page, the terminal and tests."""

import threading
from collections.abc import Callable

from boxlid.errors import Statement
from companion.process.fault_barrier import FaultBarrier
from companion.view.lamps import Lamps
from hardware.panel import OnPress, Press


class SimulatedPanel:
    """Keeps what it is shown. `press` is a finger on a button, from whatever thread."""

    name = "simulated panel"
    is_simulated = True
    barriers: tuple[FaultBarrier, ...] = ()  # it has no threads

    def __init__(self, notice: Statement | None = None) -> None:
        self._notice = notice
        self._changed = threading.Condition()
        self._lamps = Lamps()
        self._busy_blinks = 0
        self._callback: OnPress | None = None
        self._watcher: Callable[[], None] | None = None
        self._is_closed = False

    @property
    def notice(self) -> Statement | None:
        return self._notice

    @property
    def lamps(self) -> Lamps:
        with self._changed:
            return self._lamps

    @property
    def busy_blinks(self) -> int:
        """How often a press was answered with a blink; a page blinks when this rises."""
        with self._changed:
            return self._busy_blinks

    @property
    def is_closed(self) -> bool:
        with self._changed:
            return self._is_closed

    def show(self, lamps: Lamps) -> None:
        with self._changed:
            if lamps == self._lamps:
                return
            self._lamps = lamps
            self._changed.notify_all()
        self._tell_watcher()

    def on_change(self, watcher: Callable[[], None] | None) -> None:
        """Call back when lamps or blinks change, for who draws them; None: nobody draws them any more.

        The callback must return at once: it is called by whoever presses, a phone's request too."""
        self._watcher = watcher

    def _tell_watcher(self) -> None:
        if self._watcher is not None:
            self._watcher()

    def on_press(self, callback: OnPress) -> None:
        self._callback = callback

    def press(self, press: Press) -> None:
        if self._callback is not None and not self.is_closed:
            self._callback(press)

    def blink_busy(self) -> None:
        with self._changed:
            self._busy_blinks += 1
            self._changed.notify_all()
        self._tell_watcher()

    def wait_until_shown(self, wanted: Lamps, timeout: float) -> bool:
        """Whether the lamps show this within the time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._lamps == wanted, timeout)

    def close(self) -> None:
        with self._changed:
            self._lamps = Lamps()
            self._is_closed = True
            self._changed.notify_all()
