"""The types of the pages' scripts, made from the description of the JSON interface:  make types

--check says whether web/types/api.d.ts is of today's description. Scripts name the types in JSDoc; nothing
of it is needed to run.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boxlid.fields.schema import Schemas
from web.openapi import description
from web.pages import Offers

FILE = Path(__file__).parent.parent / "web" / "types" / "api.d.ts"
HEAD = "// What the JSON interface gives and takes. Made by make types from its description; never by hand."
TO_DO = "is not of today's description of the interface; renew it: make types"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_NAME = re.compile(r"^[A-Za-z_]\w*$")

Json = dict[str, Any]


def type_of(schema: Json) -> str:
    """A schema as an expression of types."""
    if not schema:
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(type_of(each) for each in several))
    if isinstance(schema.get("type"), list):
        return " | ".join(type_of({**schema, "type": each}) for each in schema["type"])
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            return _object(schema)
        case str(plain) if plain in _PLAIN:
            return _PLAIN[plain]
        case _:
            raise TypeError(f"no type for {schema}")


def _array(schema: Json) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
    items = type_of(schema.get("items", {}))
    return f"({items})[]" if " | " in items else f"{items}[]"


def _object(schema: Json) -> str:
    if "properties" in schema:
        return "{ " + " ".join(_members(schema)) + " }"
    values = schema.get("additionalProperties")
    return f"Record<string, {type_of(values)}>" if isinstance(values, dict) else "Record<string, never>"


def _members(schema: Json) -> Iterator[str]:
    """Each property of an object; what may be left out has a question mark."""
    required = schema.get("required", ())
    for name, kind in schema["properties"].items():
        key = name if _NAME.match(name) else json.dumps(name)
        yield f"{key}{'' if name in required else '?'}: {type_of(kind)};"


def _schema(name: str, schema: Json) -> Iterator[str]:
    yield ""
    if said := " ".join(str(schema.get("description", "")).split()):
        yield f"/** {said} */"
    if schema.get("type") == "object" and "properties" in schema:
        yield f"export interface {name} {{"
        yield from (f"  {member}" for member in _members(schema))
        yield "}"
    else:
        yield f"export type {name} = {type_of(schema)};"


def _key(path: str) -> str:
    """An address as a key of types, its holes any text."""
    if "{" not in path:
        return json.dumps(path)
    return "[path: `" + re.sub(r"\{\w+\}", "${string}", path) + "`]"


def _written(kind: str) -> str:
    """Kinds of one thing, a line each."""
    return "\n    | " + kind.replace(" } | { ", " }\n    | { ") + "\n   " if " } | { " in kind else f" {kind}"


def _json(content: Json) -> str | None:
    found = content.get("content", {}).get("application/json")
    return None if found is None else type_of(found["schema"])


def _posts(paths: Json) -> Iterator[str]:
    """What is sent as JSON; photographs are not."""
    for path, operations in paths.items():
        operation = operations.get("post", {})
        if body := _json(operation.get("requestBody", {})):
            answers = operation["responses"].items()
            answer = next(_json(each) for status, each in answers if status.startswith("2"))
            yield f"  {_key(path)}: {{ body:{_written(body)}; answer: {answer} }};"


def declared(described: Json) -> str:
    """The file as it has to be."""
    pages = Schemas()
    pages.shown(Offers)
    lines = [HEAD]
    for name, schema in (described["components"]["schemas"] | pages.found).items():
        lines += _schema(name, schema)
    lines += ["", "/** What is sent to each address, and what comes back. */", "export interface Posts {"]
    lines += [*_posts(described["paths"]), "}"]
    return "\n".join(lines) + "\n"


def main() -> int:
    text = declared(description(""))
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
            print(f"{FILE.relative_to(FILE.parents[2])} {TO_DO}", file=sys.stderr)
            return 1
        return 0
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
