"""Names of players: what may be one, and which two are the same to people who read them."""

import re
import unicodedata

from companion.rules import RuleError

LONGEST_NAME = 24  # letters; the table display holds five of them
# They join what stands beside them: families of emoji, and letters of some scripts.
_JOINERS = re.compile("(?<=\\S)[\u200c\u200d](?=\\S)")
# Printable by the tables of Unicode, and not to be seen.
_BLANKS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U0001d159]")
_SHAPES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # how the letter before is drawn


def check_name(name: str) -> None:
    """A name that was kept: not too long, printable, no space around it."""
    plain = _JOINERS.sub("", name)
    if not 1 <= len(name) <= LONGEST_NAME or not plain.isprintable() or name != name.strip():
        raise _bad(name)


def entered_name(text: str) -> str:
    """The name as it is kept, from what somebody typed; RuleError if nobody could read it."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    check_name(name)
    if _BLANKS.search(name) or unicodedata.category(_SHAPES.sub("", name)[:1] or " ")[0] in "MZ":
        raise _bad(name)
    return name


def look_of(name: str) -> str:
    """The same for two names that look the same."""
    bare = _SHAPES.sub("", _JOINERS.sub("", unicodedata.normalize("NFKC", name)))
    return unicodedata.normalize("NFKC", bare.casefold())


def _bad(name: str) -> RuleError:
    return RuleError(
        f"a name is 1 to {LONGEST_NAME} printable characters, got {name!r}", "name-bad", LONGEST_NAME
    )
