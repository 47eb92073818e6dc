"""The newest payload of each retained topic: one of each is on its way, nothing outdated is sent."""

from collections.abc import Iterator


class Retained:
    """What the broker is to hold, what it has been given, and what it has not yet answered."""

    def __init__(self) -> None:
        self._wanted: dict[str, bytes] = {}
        self._given: dict[str, bytes] = {}
        self._open: set[str] = set()

    def want(self, topic: str, payload: bytes) -> None:
        self._wanted[topic] = payload

    def forget(self) -> None:
        """Another connection: what the broker holds is not known."""
        self._given.clear()
        self._open.clear()

    def due(self) -> Iterator[tuple[str, bytes]]:
        """What is to be sent now, in the order in which the topics were wanted first."""
        for topic, payload in self._wanted.items():
            if topic not in self._open and self._given.get(topic) != payload:
                yield topic, payload

    def given(self, topic: str, payload: bytes) -> None:
        self._given[topic] = payload
        self._open.add(topic)

    def answered(self, topic: str) -> None:
        self._open.discard(topic)
