"""How the process ends when a call of a driver never came back. Knows nothing of what ran."""

import os
import sys
import threading


def leave(code: int) -> int:
    """The exit code, to be returned; but with a thread still out in a driver, the process ends here.

    Python would tear such a thread down in mid-air, and what is written in C++ aborts at that: the service
    would be said to have failed, though everything is closed and kept.
    """
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if not others:
        return code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
