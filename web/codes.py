"""The code that lets a new phone in, and how often it may be guessed. Never asked of a seated player."""

import hmac
import ipaddress
import threading
from collections import deque
from collections.abc import Callable

from web.errors import Refused

LETTERS = "ABCDEFGHJKLMNPQRTUVWXYZ2346789"  # 30 without those that look alike
CODE_LENGTH = 4
WINDOW_SECONDS = 60.0
WRONG_PER_ADDRESS = 5
WRONG_IN_ALL = 30


class CodeCheck:
    """Compares in constant time and counts wrong guesses by address and in all."""

    def __init__(self, code: str, clock: Callable[[], float]) -> None:
        self._code = normal(code)
        self._clock = clock
        self._mutex = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()

    def check(self, guess: str, address: str | None) -> None:
        """Refused if the code is wrong, or if there were too many wrong ones."""
        network = _network(address)
        with self._mutex:
            self._forget()
            self._refuse_if_full(network)
            if hmac.compare_digest(normal(guess).encode(), self._code.encode()):
                return
            self._wrong.append((self._clock(), network))
        raise Refused(403, "code-wrong", "this code is not the table's; it stands on the table display")

    def _forget(self) -> None:
        while self._wrong and self._clock() - self._wrong[0][0] >= WINDOW_SECONDS:
            self._wrong.popleft()

    def _refuse_if_full(self, network: str) -> None:
        mine = [at for at, where in self._wrong if where == network]
        oldest = mine[0] if len(mine) >= WRONG_PER_ADDRESS else None
        if oldest is None and len(self._wrong) >= WRONG_IN_ALL:
            oldest = self._wrong[0][0]
        if oldest is not None:
            wait = max(1, round(oldest + WINDOW_SECONDS - self._clock()))
            text = f"too many wrong codes; please wait {wait} seconds"
            raise Refused(429, "too-many-tries", text, retry_after=wait)


def normal(code: str) -> str:
    """As typed: small letters and spaces do not matter."""
    return "".join(code.split()).upper()


def _network(address: str | None) -> str:
    """One household's phone changes its IPv6 address at will, so a whole /64 counts as one."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
