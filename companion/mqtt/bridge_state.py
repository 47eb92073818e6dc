"""How it is between the table and its broker, as the doctor and /health tell it. Connects to nothing."""

from dataclasses import dataclass

from boxlid.errors import Statement, StatementKind


class BrokerFault(StatementKind):
    """What can be wrong between a table and its broker."""

    GONE = "broker.gone"
    GONE_SAME_NAME = "broker.gone-same-name"
    TAKEN_OVER = "broker.taken-over"
    CLOSED = "broker.closed"
    SILENT = "broker.silent"
    ACKNOWLEDGES_NOTHING = "broker.acknowledges-nothing"
    NO_USER = "broker.no-user"
    WRONG_PASSWORD = "broker.wrong-password"
    REFUSES = "broker.refuses"
    NO_PUBLISHING = "broker.no-publishing"
    UNTRUSTED = "broker.untrusted"
    NO_TLS = "broker.no-tls"
    UNREACHABLE = "broker.unreachable"
    NOT_HAD = "broker.not-had"
    UNKNOWN_NAME = "broker.unknown-name"
    NO_FILE = "broker.no-file"
    PASSWORD_UNREADABLE = "broker.password-unreadable"
    PASSWORD_NO_TEXT = "broker.password-no-text"
    NO_PAHO = "broker.no-paho"


@dataclass(frozen=True, slots=True)
class BridgeState:
    """How it is with the broker, for who looks after the box."""

    is_up: bool = False
    trouble: Statement | None = None  # why it is not up, or what it does not take
    refused: int = 0  # messages that came and were not taken in
    refusal: Statement | None = None  # why, of the newest
    waiting: int = 0  # entries of the journal that are not acknowledged
