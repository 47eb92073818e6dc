"""Where a network camera's pictures are, and what opens it. Says of neither more than may be seen."""

import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from boxlid.errors import BoxlidError, Statement, StatementKind

PORTS = {"http": 80, "https": 443, "rtsp": 554}
LONGEST = 500
LONGEST_FILE = 1000
EVERYBODY = stat.S_IROTH | stat.S_IWOTH


class CredentialsFault(StatementKind):
    """What is wrong with a file that should hold name and password."""

    UNREADABLE = "credentials.unreadable"
    OPEN = "credentials.open"
    ODD = "credentials.odd"


class CredentialsError(BoxlidError):
    """The file with name and password is none."""


class AddressFault(StatementKind):
    """Why something is no address of a camera."""

    TOO_LONG = "address.too-long"
    NONE = "address.none"
    OTHER = "address.other"
    WITH_PASSWORD = "address.with-password"
    WANTED = "address.wanted"


class AddressError(BoxlidError, ValueError):
    """This is no address of a camera. It repeats nothing of what was got."""


WANTED = Statement(AddressFault.WANTED)


@dataclass(frozen=True, slots=True)
class StreamAddress:
    """An address without name and password. Its path may be a secret too: `str` leaves it out."""

    url: str = field(repr=False)
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "StreamAddress":
        """AddressError says what is wanted."""
        if len(text) > LONGEST or not text.isprintable() or " " in text:
            raise AddressError(AddressFault.TOO_LONG, n=LONGEST, wanted=WANTED)
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise AddressError(AddressFault.NONE, wanted=WANTED) from None
        if parts.scheme not in PORTS or not parts.hostname:
            raise AddressError(AddressFault.OTHER, wanted=WANTED)
        if "@" in parts.netloc:
            raise AddressError(AddressFault.WITH_PASSWORD)
        return cls(text, parts.hostname, port or PORTS[parts.scheme])

    @property
    def has_times(self) -> bool:
        """Whether its pictures say when they were taken."""
        return self.url.startswith("rtsp:")

    def opened_by(self, credentials: str) -> str:
        """The whole address for who opens it; never shown to anybody."""
        if not credentials:
            return self.url
        name, _, password = credentials.partition(":")
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{quote(name, safe='')}:{quote(password, safe='')}@{rest}"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port in PORTS.values() else f"{host}:{self.port}"


def credentials_apart(text: str) -> tuple[str, str]:
    """An address as somebody typed it, without name and password; and these two, as the file has them."""
    scheme, mark, rest = text.partition("://")
    place, slash, path = rest.partition("/")
    held, at, host = place.rpartition("@")
    return f"{scheme}{mark}{host}{slash}{path}", held if at else ""


def read_credentials(file: Path) -> str:
    """`name:password`, the file's one line."""
    try:
        with file.open("rb") as opened:
            mode = stat.S_IMODE(file.stat().st_mode)
            content = opened.read(LONGEST_FILE + 1)
    except OSError as error:
        why = str(error.strerror)
        raise CredentialsError(CredentialsFault.UNREADABLE, file=file, why=why) from None
    if mode & EVERYBODY:
        raise CredentialsError(CredentialsFault.OPEN, file=file)
    line = content.decode("utf-8", errors="replace").rstrip("\r\n")
    if len(content) > LONGEST_FILE or ":" not in line or not line.isprintable():
        raise CredentialsError(CredentialsFault.ODD, file=file)
    return line
