"""Which set-up pages are open, and whether one of them holds camera and buttons. Knows no steps."""

import threading
import time
from collections.abc import Callable

PAGE_SECONDS = 12.0  # a page that was not heard of for so long is closed, or its phone sleeps


class Session:
    """Begins with the first page that takes the table, ends when the last of them is gone."""

    def __init__(
        self, begin: Callable[[], None], end: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`begin` and `end` are never called at the same time, and always in turn."""
        self._begin = begin
        self._end = end
        self._clock = clock
        self._mutex = threading.Lock()
        self._turn = threading.Lock()
        self._pages: dict[str, float] = {}
        self._takers: dict[str, float] = {}
        self._is_on = False

    @property
    def is_on(self) -> bool:
        return self._is_on

    def heard(self, page: str, *, take: bool) -> None:
        with self._mutex:
            self._forget()
            self._pages[page] = self._clock()
            if take:
                self._takers[page] = self._clock()
        if take and not self._is_on:
            with self._turn:
                if not self._is_on:
                    self._is_on = True
                    self._begin()

    def works(self, page: str) -> None:
        """A page that sends a step is there, however long its signs of life take on a busy machine."""
        with self._mutex:
            for pages in (self._pages, self._takers):
                if page in pages:
                    pages[page] = self._clock()

    def left(self, page: str) -> None:
        with self._mutex:
            self._pages.pop(page, None)
            self._takers.pop(page, None)

    def end_if_idle(self) -> None:
        """Gives the table back once nobody holds it; returns at once if somebody is just taking it."""
        with self._mutex:
            self._forget()
            idle = self._is_on and not self._takers
        if idle and self._turn.acquire(blocking=False):
            try:
                if self._is_on:
                    self._is_on = False
                    self._end()
            finally:
                self._turn.release()

    def takes(self, page: str) -> bool:
        with self._mutex:
            return self._is_on and page in self._takers

    def has_others(self, page: str) -> bool:
        with self._mutex:
            self._forget()
            return any(each != page for each in self._pages)

    def _forget(self) -> None:
        now = self._clock()
        for pages in (self._pages, self._takers):
            for page in [page for page, heard in pages.items() if now - heard > PAGE_SECONDS]:
                del pages[page]
