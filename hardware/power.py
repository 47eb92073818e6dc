"""Switches the machine off in order. May be refused: the service's user needs the rule in systemd/."""

import subprocess

COMMAND = ("systemctl", "--no-ask-password", "poweroff")
SECONDS = 10.0


class PowerError(Exception):
    """The machine stays on: why, and what to do, in one line."""


def power_off(command: tuple[str, ...] = COMMAND) -> None:
    """Ask systemd to switch the machine off; it then stops this program like any other."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerError(f"cannot switch off: {error}; pull the plug when the lamps are dark") from error
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"systemctl ended with {done.returncode}"])[-1]
        raise PowerError(f"cannot switch off: {said}; installed as a service, Boxlid may")
