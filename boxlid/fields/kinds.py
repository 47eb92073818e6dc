"""Objects of several kinds, told apart by the word in one of their fields. Knows none of the kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Generic, TypeVar, cast

from boxlid.errors import statement
from boxlid.fields.mistakes import FieldsError, FieldWanted, Mistake, MistakeKind, one_of, shown
from boxlid.fields.plain import BAD
from boxlid.fields.reader import keys_of, note_unknown, reader_of

Kind = TypeVar("Kind")
Common = TypeVar("Common")


@dataclass(frozen=True, slots=True)
class Tagged(Generic[Common, Kind]):
    """What was sent: the fields that every kind has, and the kind with its own."""

    common: Common
    kind: Kind


@dataclass(frozen=True, eq=False)
class Kinds(Generic[Common, Kind]):
    """A dataclass for each word that the field `tag` may have; `common` may stand beside any of them."""

    tag: str
    common: type[Common]
    of: Mapping[str, type[Kind]]

    def word(self, value: object) -> str:
        """Which kind it is; FieldsError if it is none."""
        if not isinstance(value, dict):
            raise FieldsError(Mistake(MistakeKind.WHOLE, "", shown(value), statement(FieldWanted.OBJECT)))
        word = value.get(self.tag)
        if isinstance(word, str) and word in self.of:
            return word
        kind = MistakeKind.WRONG if self.tag in value else MistakeKind.MISSING
        raise FieldsError(Mistake(kind, self.tag, shown(word), one_of(tuple(self.of))))

    def read(self, value: object) -> Tagged[Common, Kind]:
        """What was sent; FieldsError tells every mistake."""
        kind, mistakes, beside = self.of[self.word(value)], list[Mistake](), list[Mistake]()
        sent = cast(Mapping[str, object], value)
        own = reader_of(kind, others=True)(sent, None, mistakes)
        common = reader_of(self.common, others=True)(sent, None, beside)
        mistakes += [each for each in beside if each.key not in keys_of(kind)]
        note_unknown(sent, self.keys(kind), None, mistakes)
        if mistakes or own is BAD or common is BAD:
            raise FieldsError(*mistakes)
        return Tagged(common, own)

    def keys(self, kind: type[Kind]) -> tuple[str, ...]:
        """What may stand in an object of that kind."""
        return tuple(dict.fromkeys((self.tag, *keys_of(kind), *keys_of(self.common))))

    def write(self, kind: Kind, common: Common | None = None) -> dict[str, object]:
        """As it is sent, without what is as it is by itself."""
        word = next(word for word, each in self.of.items() if each is type(kind))
        return {self.tag: word, **_said(kind), **({} if common is None else _said(common))}


def _said(value: object) -> dict[str, object]:
    found = {field.name: (getattr(value, field.name), field.default) for field in fields(value)}  # type: ignore[arg-type]
    return {name: said for name, (said, usual) in found.items() if said != usual}
