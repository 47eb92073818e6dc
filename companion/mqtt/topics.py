"""The topics of a table, and what names are safe in them. Other tables' topics are made in no other place."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

PREFIX = "boxlid"
DISCOVERY_PREFIX = "homeassistant"
CLUB = "club"  # beside the tables' names: no table is called so
LONGEST_NAME = 40
LONGEST_PREFIX = 100
_NAME = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST_NAME - 1}}}")
_PREFIX = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_UNSAFE = re.compile(r"[^a-z0-9_-]+")
ONLINE, OFFLINE = "online", "offline"


class MqttCommand(StrEnum):
    """What a table may be told by the broker, if its settings allow it."""

    ROLLED = "rolled"
    UNDO = "undo"
    MOVE_ON = "move-on"


def is_name(text: str) -> bool:
    """Whether a table may be called so."""
    return _NAME.fullmatch(text) is not None and text != CLUB


def is_prefix(text: str) -> bool:
    """Whether topics may begin so: words of plain letters with / between them."""
    return len(text) <= LONGEST_PREFIX and _PREFIX.fullmatch(text) is not None


def safe_name(host_name: str) -> str:
    """A table's name from the name of its computer, without the domain."""
    short = host_name.partition(".")[0].lower().replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", short).encode("ascii", "ignore").decode()
    name = _UNSAFE.sub("-", plain).strip("-_")[:LONGEST_NAME].rstrip("-_")
    return name if is_name(name) else f"box-{name}".rstrip("-")


@dataclass(frozen=True, slots=True)
class Topics:
    """Where one table speaks and listens."""

    prefix: str
    box: str

    @property
    def available(self) -> str:
        return self._of("available")

    @property
    def state(self) -> str:
        return self._of("state")

    @property
    def event(self) -> str:
        return self._of("event")

    @property
    def result(self) -> str:
        return self._of("result")

    def lamp(self, name: str) -> str:
        return self._of(f"lamp/{name}")

    def command(self, command: MqttCommand) -> str:
        return self._of(f"command/{command}")

    @property
    def ask(self) -> str:
        """A club asks all tables here for the results of late."""
        return ask_topic(self.prefix)

    def _of(self, what: str) -> str:
        return f"{self.prefix}/{self.box}/{what}"


def ask_topic(prefix: str) -> str:
    return f"{prefix}/{CLUB}/ask"


def box_of(prefix: str, topic: str) -> tuple[str, str] | None:
    """The table that a topic belongs to, and what of it; None for everybody else's."""
    if not topic.startswith(f"{prefix}/"):
        return None
    box, _, what = topic.removeprefix(f"{prefix}/").partition("/")
    return (box, what) if is_name(box) and what else None
