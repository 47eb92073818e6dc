"""Memory given back: what glibc is told so that a companion of many threads stays small. Knows no parts."""

import ctypes

_TRIM_ABOVE, _MOST_ARENAS = -1, -8  # M_TRIM_THRESHOLD and M_ARENA_MAX of malloc.h
KEPT_BYTES = 128 * 1024
ARENAS = 2  # one for each thread else, and pictures pass through many


def be_thrifty() -> bool:
    """Call it before the first thread begins; False where the C library has no such setting."""
    setting = getattr(ctypes.CDLL(None), "mallopt", None)
    if setting is None:
        return False
    return bool(setting(_MOST_ARENAS, ARENAS)) and bool(setting(_TRIM_ABOVE, KEPT_BYTES))
