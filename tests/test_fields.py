"""What is sent or written down is read by its annotations; mistakes are kinds and values, told at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

import pytest

from boxlid.errors import statement
from boxlid.fields import (
    FLAT,
    As,
    Between,
    Clash,
    FieldsError,
    FieldWanted,
    Kinds,
    Length,
    MistakeKind,
    Only,
    Text,
    as_far_as_read,
    read,
)
from boxlid.fields.mistakes import Mistake
from companion.words import catalogues


class Meal(StrEnum):
    LUNCH = "lunch"
    SUPPER = "supper"


@dataclass(frozen=True, slots=True)
class Salt:
    pinches: Annotated[int, Between(0, 3)] = 1


@dataclass(frozen=True, slots=True)
class Soup:
    name: Annotated[str, Length(1, 8)]
    meal: Meal = Meal.LUNCH
    litres: Annotated[float, Between(0.5, 9)] = 1.0
    hot: bool = True
    guests: Annotated[tuple[Text, ...], Length(0, 2)] = ()
    salt: Annotated[Salt, FLAT] = field(default_factory=Salt)
    pepper: Salt | None = None
    size: Literal["cup", "bowl"] = "cup"
    when: Annotated[tuple[int, int], As(Text, lambda text: tuple(map(int, text.split(":"))))] = (12, 0)
    even: Annotated[Annotated[int, Between(0, 99)], Only(lambda n: n % 2 == 0, FieldWanted.ANYTHING)] = 0
    secret: Text = field(default="", repr=False)

    def clashes(self) -> Iterable[Clash]:
        if self.hot and self.size == "cup" and self.litres > 5:
            yield Clash("litres", statement(FieldWanted.ANYTHING))


def told(kind: type, value: object) -> list[str]:
    with pytest.raises(FieldsError) as caught:
        read(kind, value)
    return [catalogues()["en"].word(each.statement) for each in caught.value.mistakes]


def test_what_is_left_out_is_as_by_itself_and_what_is_there_has_its_type() -> None:
    assert read(Soup, {"name": "pea"}) == Soup("pea")
    sent = {
        "name": "pea",
        "meal": "supper",
        "litres": 2,
        "hot": False,
        "guests": ["a", "b"],
        "pinches": 3.0,
        "pepper": {"pinches": 2},
        "size": "bowl",
        "when": "18:30",
        "even": 4,
    }
    soup = Soup("pea", Meal.SUPPER, 2.0, False, ("a", "b"), Salt(3), Salt(2), "bowl", (18, 30), 4)
    found = read(Soup, sent)
    assert found == soup
    assert type(found.litres) is float
    assert type(found.salt.pinches) is int


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", 5, "name = 5: allowed is a text of 1 to 8 characters"),
        ("name", "", 'name = "": allowed is a text of 1 to 8 characters'),
        ("name", "x" * 100, 'name = "' + "x" * 58 + "…: allowed is a text of 1 to 8 characters"),
        ("meal", "Lunch", 'meal = "Lunch": allowed is "lunch" or "supper"'),
        ("litres", 0.4, "litres = 0.4: allowed is a number from 0.5 to 9"),
        ("litres", float("nan"), "litres = nan: allowed is a number from 0.5 to 9"),
        ("litres", True, "litres = true: allowed is a number from 0.5 to 9"),
        ("hot", 1, "hot = 1: allowed is true or false"),
        ("hot", None, "hot = null: allowed is true or false"),
        ("guests", ["a", "b", "c"], 'guests = ["a", "b", "c"]: allowed is a list of up to 2'),
        ("guests", ["a", 7], "guests[2] = 7: allowed is a text of up to 400 characters"),
        ("pinches", 4, "pinches = 4: allowed is a whole number from 0 to 3"),
        ("pinches", 1.5, "pinches = 1.5: allowed is a whole number from 0 to 3"),
        ("pinches", 10**400, "pinches = 9999…: allowed is a whole number from 0 to 3"),
        ("pepper", {"pinches": -1}, "pepper.pinches = -1: allowed is a whole number from 0 to 3"),
        ("pepper", [], "pepper = []: allowed is an object"),
        ("pepper", {"corns": 1}, "pepper.corns = 1: no such key; there is pinches"),
        ("size", "jug", 'size = "jug": allowed is "cup" or "bowl"'),
        ("when", "noon", 'when = "noon": allowed is something else'),
        ("even", 3, "even = 3: allowed is something else"),
        ("litres", 6, "litres = 6: allowed is something else"),
        ("secret", 7, "secret = …: allowed is a text of up to 400 characters"),
        ("pinchs", 1, "pinchs = 1: no such key; did you mean pinches?"),
        ("na\nme2" * 30, 1, "na�me2" * 6 + "na�…"),
    ],
)
def test_a_mistake_names_the_field_what_was_got_and_what_is_allowed(
    field: str, value: object, said: str
) -> None:
    (only,) = told(Soup, {"name": "pea", field: value})
    assert only.startswith(said)


def test_all_mistakes_are_told_at_once_and_one_line_tells_the_first() -> None:
    wrong = {"meal": 1, "litres": 10, "guests": "b", "salt": 1}
    with pytest.raises(FieldsError) as caught:
        read(Soup, wrong)
    assert [each.key for each in caught.value.mistakes] == ["name", "meal", "litres", "guests", "salt"]
    assert [each.kind for each in caught.value.mistakes][::4] == [MistakeKind.MISSING, MistakeKind.UNKNOWN]
    line = catalogues()["en"].word(caught.value)
    assert line.startswith("name is missing: allowed is a text of 1 to 8 characters; meal = 1: ")
    assert line.endswith("; and more")
    assert told(Soup, 7) == ["what is sent is 7: allowed is an object"]


def test_what_is_wrong_has_its_default_so_that_the_rest_can_be_judged() -> None:
    mistakes = list[Mistake]()
    found = as_far_as_read(Soup, {"name": "pea", "litres": 99, "even": 2}, mistakes)
    assert found == Soup("pea", even=2)
    assert [each.key for each in mistakes] == ["litres"]


def test_keys_of_others_are_left_alone_where_they_may_stand() -> None:
    assert read(Soup, {"name": "pea", "colour": 3, "pepper": {"corns": 1}}, others=True).pepper == Salt()


@dataclass(frozen=True, slots=True)
class Guest:
    seat: Annotated[int, Between(0, 4)] = 0


@dataclass(frozen=True, slots=True)
class Eat:
    what: Meal


@dataclass(frozen=True, slots=True)
class Leave:
    pass


MEALS: Kinds[Guest, Eat | Leave] = Kinds("do", Guest, {"eat": Eat, "leave": Leave})


def test_an_object_is_of_the_kind_that_its_word_says() -> None:
    found = MEALS.read({"do": "eat", "what": "supper", "seat": 2})
    assert (found.kind, found.common) == (Eat(Meal.SUPPER), Guest(2))
    assert MEALS.write(found.kind, found.common) == {"do": "eat", "what": "supper", "seat": 2}
    assert MEALS.write(Leave(), Guest()) == {"do": "leave"}


@pytest.mark.parametrize(
    ("value", "keys"),
    [
        ([], [""]),
        ({}, ["do"]),
        ({"do": []}, ["do"]),
        ({"do": "eats"}, ["do"]),
        ({"do": "eat", "seat": 5}, ["what", "seat"]),
        ({"do": "leave", "what": "lunch"}, ["what"]),
    ],
)
def test_what_is_of_no_kind_or_not_as_its_kind_is_told(value: object, keys: list[str]) -> None:
    with pytest.raises(FieldsError) as caught:
        MEALS.read(value)
    assert [each.key for each in caught.value.mistakes] == keys
