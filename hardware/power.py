"""Switches the machine off in order. May be refused: the service's user needs the rule in systemd/."""

import subprocess

from boxlid.errors import BoxlidError, StatementKind

COMMAND = ("systemctl", "--no-ask-password", "poweroff")
SECONDS = 10.0


class PowerFault(StatementKind):
    """Why the machine stays on."""

    NOT_ASKED = "power.not-asked"
    REFUSED = "power.refused"


class PowerError(BoxlidError):
    """The machine stays on."""


def power_off(command: tuple[str, ...] = COMMAND) -> None:
    """Ask systemd to switch the machine off; it then stops this program like any other."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerError(PowerFault.NOT_ASKED, why=str(error)) from error
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"systemctl ended with {done.returncode}"])[-1]
        raise PowerError(PowerFault.REFUSED, why=said)
