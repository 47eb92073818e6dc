"""Which panel this machine gets: the real one, or the simulated one with the reason why."""

from hardware.panel import Panel, PinsError
from hardware.pins import PanelKind, Pins
from hardware.simulated import SimulatedPanel


def open_panel(pins: Pins) -> Panel:
    """The real panel if its pins can be had. The game goes on without: `notice` says what is wrong."""
    if pins.kind is PanelKind.SIMULATED:
        return SimulatedPanel()
    from hardware.real import RealPanel  # noqa: PLC0415 - gpiozero takes a while; simulating does without

    try:
        return RealPanel(pins)
    except PinsError as error:
        return SimulatedPanel(notice=error.statement)
