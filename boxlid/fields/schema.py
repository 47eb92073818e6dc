"""JSON schemas of the same annotations that the reader goes by. Reads nothing."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from boxlid.fields.annotations import About, As, Between, Length, OneOf, Written
from boxlid.fields.kinds import Kinds

Json = dict[str, object]
_PLAIN: Mapping[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


class Schemas:
    """Schemas of dataclasses, each once under its name."""

    def __init__(self) -> None:
        self.found: dict[str, Json] = {}

    def shown(self, kind: type) -> Json:
        """What we send: every field is there."""
        return self._dataclass(kind, sent=False)

    def sent(self, kind: type) -> Json:
        """What is sent to us: fields with a default may be left out, and no others may be there."""
        return self._dataclass(kind, sent=True)

    def kinds(self, name: str, kinds: Kinds[Any, Any]) -> Json:
        """One of several kinds, by the word in its tag."""
        if name not in self.found:
            words = {word: self._kind(kinds, word) for word in kinds.of}
            self.found[name] = {
                "oneOf": list(words.values()),
                "discriminator": {
                    "propertyName": kinds.tag,
                    "mapping": {word: each["$ref"] for word, each in words.items()},
                },
            }
        return _ref(name)

    def _kind(self, kinds: Kinds[Any, Any], word: str) -> Json:
        kind = kinds.of[word]
        tag: Json = {"type": "string", "const": word}
        common, own = self._properties(kinds.common, sent=True), self._properties(kind, sent=True)
        properties = {kinds.tag: tag, **common, **own}
        needed = [kinds.tag, *_needed(kinds.common), *_needed(kind)]
        self.found[kind.__name__] = _object(kind, properties, list(dict.fromkeys(needed)), is_closed=True)
        return _ref(kind.__name__)

    def _dataclass(self, kind: type, *, sent: bool) -> Json:
        name = kind.__name__
        if name not in self.found:
            self.found[name] = {}
            properties = self._properties(kind, sent=sent)
            needed = _needed(kind) if sent else list(properties)
            self.found[name] = _object(kind, properties, needed, is_closed=sent)
        return _ref(name)

    def _properties(self, kind: type, *, sent: bool) -> dict[str, object]:
        hints = get_type_hints(kind, include_extras=True)
        return {each.name: self._of(hints[each.name], sent) for each in fields(kind)}

    def _of(self, annotation: object, sent: bool) -> Json:
        origin, parts = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._annotated(parts[0], parts[1:], sent)
        if origin is tuple:
            return self._tuple(parts, sent)
        if origin is Literal:
            return {"type": "string", "enum": list(parts)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self._of(part, sent) for part in parts]}
        if isinstance(annotation, type) and issubclass(annotation, StrEnum):
            return {"type": "string", "enum": [str(each) for each in annotation]}
        if isinstance(annotation, type) and is_dataclass(annotation):
            return self._dataclass(annotation, sent=sent)
        if annotation in _PLAIN:
            return {"type": _PLAIN[annotation]}
        raise TypeError(f"no schema for {annotation}")

    def _tuple(self, parts: tuple[object, ...], sent: bool) -> Json:
        if parts[1:] == (Ellipsis,):
            return {"type": "array", "items": self._of(parts[0], sent)}
        items = [self._of(part, sent) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}

    def _annotated(self, inner: object, marks: tuple[object, ...], sent: bool) -> Json:
        for mark in marks:
            if isinstance(mark, As) and sent:
                return self._of(mark.sent, sent)
        found = self._of(inner, sent)
        for mark in marks:
            found |= _said(mark, is_text=inner is str)
        return found


def _said(mark: object, *, is_text: bool) -> Json:
    match mark:
        case Between(least, most):
            return {"minimum": least, "maximum": most}
        case Length(least, most):
            names = ("minLength", "maxLength") if is_text else ("minItems", "maxItems")
            return dict(zip(names, (least, most), strict=True)) if least else {names[1]: most}
        case OneOf(words):
            return {"enum": list(words)}
        case Written(pattern, example):
            return {"pattern": pattern, "examples": [example]}
        case About(text):
            return {"description": text}
        case _:
            return {}


def _needed(kind: type) -> list[str]:
    return [each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING]


def _object(kind: type, properties: dict[str, object], needed: list[str], *, is_closed: bool) -> Json:
    found: Json = {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": properties,
        "required": needed,
    }
    return {**found, "additionalProperties": False} if is_closed else found


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}
