"""The ids of the newest commands: only as many as can come again."""

KEPT = 4096  # more than the wishes of a long evening; a phone sends one again within minutes


class CommandIds:
    """Knows an id from its keeping on, until so many others came after it."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}  # the oldest first

    def add(self, command: str) -> None:
        self._ids[command] = None
        if len(self._ids) > KEPT:
            del self._ids[next(iter(self._ids))]

    def __contains__(self, command: str) -> bool:
        return command in self._ids
