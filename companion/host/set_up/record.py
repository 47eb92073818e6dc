"""How far the set-up is and what its newest step showed: replaced whole, numbered, kept on disk first."""

import threading
from pathlib import Path

from companion.host.set_up.means import Shown
from companion.host.set_up.progress import Progress, keep


class SetUpRecord:
    """One value at a time, read from any thread; the step under way alone replaces it."""

    def __init__(self, folder: Path, progress: Progress) -> None:
        self._folder = folder
        self._mutex = threading.Lock()
        self._progress = progress
        self._shown = Shown()
        self._number = 0

    @property
    def progress(self) -> Progress:
        return self._progress

    @property
    def shown(self) -> Shown:
        return self._shown

    @property
    def number(self) -> int:
        """Rises with every change."""
        return self._number

    def keep(self, progress: Progress) -> None:
        """On disk first, then in force."""
        keep(progress, self._folder)
        with self._mutex:
            self._progress = progress
            self._number += 1

    def show(self, shown: Shown) -> None:
        with self._mutex:
            self._shown = shown
            self._number += 1

    def changed(self) -> None:
        """Something else that pages show has changed."""
        with self._mutex:
            self._number += 1
