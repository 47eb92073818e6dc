"""What an annotation may say of a field beside its type: limits, notation, how it is sent. Reads nothing.

`Annotated[int, Between(0, 600)]` is the one place of that limit: the reader refuses by it, the description of
the interface tells it, and what the tests send is drawn from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from boxlid.errors import StatementKind, Value

LONGEST_TEXT = 400  # a whole sheet in notation has less than half of it
LARGEST = 2**53  # whole numbers beyond it are not the same in every language


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `least` to `most`."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Length:
    """A text or a list of so many characters or items."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these texts: words that are no enumeration of ours."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Only:
    """Nothing but values for which `test` holds."""

    test: Callable[[Any], bool]  # Any: of the annotated type
    wanted: StatementKind
    values: Mapping[str, Value] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class As:
    """Tagged as another type, of which `make` makes the value; its ValueError says that `wanted` is."""

    sent: object
    make: Callable[..., object]
    wanted: StatementKind | None = None
    values: Mapping[str, Value] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Before:
    """Other ways to write it: `make` gives the one that is read; its ValueError says that `wanted` is."""

    make: Callable[[object], object]
    wanted: StatementKind | None = None


@dataclass(frozen=True, slots=True)
class Which:
    """Which of several dataclasses it is, told by the object itself."""

    choose: Callable[[Mapping[str, object]], type]


@dataclass(frozen=True, slots=True)
class Said:
    """What may stand there in the catalogues' words, where its type alone says too little."""

    wanted: StatementKind


@dataclass(frozen=True, slots=True)
class Written:
    """A notation with a reader of its own: its pattern and an example, for descriptions only."""

    pattern: str
    example: str


@dataclass(frozen=True, slots=True)
class About:
    """What the field is, for descriptions."""

    text: str


@dataclass(frozen=True, slots=True)
class _Flat:
    """The fields of this dataclass stand among those of the one that holds it."""


FLAT = _Flat()

Text = Annotated[str, Length(0, LONGEST_TEXT)]
