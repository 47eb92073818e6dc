"""How it is between the table and its broker, as the doctor and /health tell it. Connects to nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BridgeState:
    """How it is with the broker, for who looks after the box."""

    is_up: bool = False
    trouble: str = ""  # why it is not up, or what it does not take
    refused: int = 0  # messages that came and were not taken in
    refusal: str = ""  # why, of the newest
    waiting: int = 0  # entries of the journal that are not acknowledged
