"""The code that lets a new phone in, and how often it may be guessed. Never asked of a seated player."""

import hmac
import threading
from collections import deque
from collections.abc import Callable

from web.access.addresses import address_of
from web.access.identity import Visitor
from web.serving.errors import Refused

LETTERS = "ABCDEFGHJKLMNPQRTUVWXYZ2346789"  # 30 without those that look alike
CODE_LENGTH = 4
MINUTE, DAY = 60.0, 24 * 3600.0
WRONG_PER_ADDRESS = 5  # a minute
WRONG_IN_ALL = 30  # a minute
WRONG_PER_ADDRESS_A_DAY = 50
WRONG_A_DAY = 300  # at that pace half of all codes take four years
NOTICED = 20  # a day, more than people mistype
MOST_RIGHT = 200


class CodeCheck:
    """Holds the code, compares in constant time, and counts wrong guesses by address and in all."""

    def __init__(self, code: str, clock: Callable[[], float], renew: Callable[[], str] | None = None) -> None:
        self._code = normal(code)
        self._clock = clock
        self._renew = renew
        self._mutex = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()  # of the last day
        self._right: dict[str, None] = {}  # phones that knew this code, newest last
        self._changes = 0

    @property
    def code(self) -> str:
        with self._mutex:
            return self._code

    @property
    def changes(self) -> int:
        """Rises with every new code."""
        with self._mutex:
            return self._changes

    @property
    def can_change(self) -> bool:
        return self._renew is not None

    def wrong_today(self) -> int:
        """How many wrong guesses the last day had."""
        with self._mutex:
            self._forget()
            return len(self._wrong)

    def change(self) -> None:
        """Another code from now on, kept before anybody is told; whoever guessed begins anew."""
        if self._renew is None:
            raise Refused(404, "not-found", "the code of this table cannot be changed")
        try:
            fresh = self._renew()
        except OSError as error:
            raise Refused(507, "disk-full", f"the new code could not be kept: {error.strerror}") from None
        with self._mutex:
            self._code = normal(fresh)
            self._changes += 1
            self._wrong.clear()
            self._right.clear()

    def check(self, guess: str, address: str | None, who: Visitor) -> None:
        """Refused if the code is wrong, or if there were too many wrong ones.

        Whoever was right before, and the table's own display, cannot be locked out by others' guesses.
        """
        where = str(address_of(address))
        with self._mutex:
            is_known = who.display or who.holder in self._right
            if not is_known:
                self._forget()
                self._refuse_if_full(where)
            if hmac.compare_digest(normal(guess).encode(), self._code.encode()):
                return
            if not is_known:
                self._wrong.append((self._clock(), where))
        raise Refused(403, "code-wrong", "this code is not the table's; it stands on the table display")

    def trust(self, holder: str) -> None:
        """That phone has a seat, so it knew the code."""
        with self._mutex:
            self._right.pop(holder, None)
            self._right[holder] = None
            if len(self._right) > MOST_RIGHT:
                del self._right[next(iter(self._right))]

    def follow(self, before: str | None, after: str) -> None:
        """A phone has another secret from now on."""
        if before in self._right:
            self.trust(after)

    def _forget(self) -> None:
        while self._wrong and self._clock() - self._wrong[0][0] >= DAY:
            self._wrong.popleft()

    def _refuse_if_full(self, where: str) -> None:
        now = self._clock()
        mine = [at for at, who in self._wrong if who == where]
        if len(self._wrong) >= WRONG_A_DAY or len(mine) >= WRONG_PER_ADDRESS_A_DAY:
            text = "the code was guessed wrong too often today; its owner can make a new one at /health"
            raise Refused(429, "code-guessed", text, retry_after=round(DAY))
        of_late = [at for at, _ in self._wrong if now - at < MINUTE]
        mine = [at for at in mine if now - at < MINUTE]
        oldest = mine[0] if len(mine) >= WRONG_PER_ADDRESS else None
        if oldest is None and len(of_late) >= WRONG_IN_ALL:
            oldest = of_late[0]
        if oldest is not None:
            wait = max(1, round(oldest + MINUTE - now))
            text = f"too many wrong codes; please wait {wait} seconds"
            raise Refused(429, "too-many-tries", text, retry_after=wait)


def normal(code: str) -> str:
    """As typed: small letters and spaces do not matter."""
    return "".join(code.split()).upper()
