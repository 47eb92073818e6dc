"""Names: what may be one, what is refused, which two look the same."""

import pytest

from companion.game import LONGEST_NAME, check_name, entered_name, look_of
from companion.rules import RuleError

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize("name", ["Anna", "x" * LONGEST_NAME, FAMILY, "\u3164"])
def test_what_was_kept_once_can_be_read_again(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    "name", ["", " Anna", "a\nb", "x" * (LONGEST_NAME + 1), "\u200dA", "A\u200d", "a\u202eb"]
)
def test_what_is_no_name_is_refused_with_what_is_one(name: str) -> None:
    with pytest.raises(RuleError, match=f"a name is 1 to {LONGEST_NAME} printable characters"):
        check_name(name)


@pytest.mark.parametrize("text", ["\u3164", "Anna\u2800", "\u0301a", "\ufe0f"])
def test_what_nobody_can_read_is_not_taken(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        entered_name(text)
    assert (caught.value.kind, caught.value.number) == ("name-bad", LONGEST_NAME)


def test_a_name_is_tidied_as_it_is_entered() -> None:
    assert entered_name("  Jose\u0301   Maria ") == "Jos\u00e9 Maria"


@pytest.mark.parametrize(
    ("one", "two"), [("STRASSE", "stra\u00dfe"), ("\uff21nna", "anna"), ("\u2764\ufe0f", "\u2764")]
)
def test_names_that_look_the_same_have_one_look(one: str, two: str) -> None:
    assert look_of(one) == look_of(two)
    assert look_of(one) != look_of("somebody else")
