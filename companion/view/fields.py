"""What is sent, read field by field: the one place that says how long, how many, how large. No rules."""

LONGEST_TEXT = 400  # a whole sheet in notation has less than half of it
LONGEST_ID = 64
MOST_ITEMS = 64  # of a list
LARGEST = 10**9  # nothing here is counted as far
_LONGEST_SHOWN = 60


class WishError(ValueError):
    """What was sent cannot be read, or is not this phone's to wish: a kind to translate and English words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Fields:
    """A JSON object's fields, each of the type and size it should have."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, dict):
            raise WishError("bad-request", f"what is sent is an object, got {_shown(data)}")
        self._data: dict[str, object] = data

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def text(self, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
        found = self._data.get(name, default)
        if not isinstance(found, str):
            raise self._wanted(name, "a text")
        if len(found) > longest:
            raise self._wanted(name, f"a text of up to {longest} characters")
        return found

    def id(self) -> str | None:
        """What makes a wish safe to send twice, if it has one."""
        found = self._data.get("id")
        if found is None:
            return None
        if not (isinstance(found, str) and 0 < len(found) <= LONGEST_ID):
            raise self._wanted("id", f"a text of 1 to {LONGEST_ID} characters")
        return found

    def text_if_given(self, name: str) -> str | None:
        return None if self._data.get(name) is None else self.text(name)

    def number(self, name: str, default: int | None = None) -> int:
        found = _whole(self._data.get(name, default))
        if found is None:
            raise self._wanted(name, "a whole number")
        return found

    def yes(self, name: str, *, default: bool | None = None) -> bool:
        found = self._data.get(name, default)
        if not isinstance(found, bool):
            raise self._wanted(name, "true or false")
        return found

    def whole_numbers(self, name: str) -> tuple[int, ...]:
        numbers = [_whole(each) for each in self._list(name, "whole numbers")]
        if None in numbers:
            raise self._wanted(name, "a list of whole numbers")
        return tuple(number for number in numbers if number is not None)

    def numbers(self, name: str) -> tuple[float, ...]:
        found = self._list(name, "numbers")
        if not all(_is_number(each) for each in found):
            raise self._wanted(name, "a list of numbers")
        return tuple(float(each) for each in found if isinstance(each, int | float))

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._list(name, "texts")
        if not all(isinstance(each, str) and len(each) <= LONGEST_TEXT for each in found):
            raise self._wanted(name, f"a list of texts of up to {LONGEST_TEXT} characters")
        return tuple(map(str, found))

    def _list(self, name: str, of: str) -> list[object]:
        found = self._data.get(name)
        if not isinstance(found, list) or len(found) > MOST_ITEMS:
            raise self._wanted(name, f"a list of up to {MOST_ITEMS} {of}")
        return found

    def _wanted(self, name: str, what: str) -> WishError:
        return WishError("bad-request", f"`{name}` is {what}, got {_shown(self._data.get(name))}")


def _whole(found: object) -> int | None:
    """The whole number of a JSON value: 2.0 is one too, true is none."""
    if isinstance(found, bool) or not isinstance(found, int | float) or not _is_number(found):
        return None
    return int(found) if isinstance(found, int) or found.is_integer() else None


def _is_number(value: object) -> bool:
    """JSON knows numbers that no float holds, and Python's reader NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _shown(value: object) -> str:
    """What was got, in short: whoever sent it has it, and a log need not."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a huge number"  # its digits cannot even be written
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
