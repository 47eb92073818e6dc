"""What an adversary puts into every field of the interface and the forms, as they are described."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from web.openapi import description

Json = dict[str, object]

LONG, DEEP, DIGITS = 15_000, 900, 5_001
VALUES = (
    *(
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"a\\u0000b"',
        '"\\t"',
        '"\\u202e"',
        '"²"',
        '"٣"',
        '"R²"',
        '""',
    ),
    *(
        "9" * DIGITS,
        "9" * 4_000,
        "-" + "9" * 400,
        "1e999",
        "-1e308",
        "1e18",
        "NaN",
        "Infinity",
        "1.5",
        "-1",
        "0",
    ),
    *('"' + "x" * LONG + '"', '"' + "9" * DIGITS + '"', '"' + "R2 " * 5_000 + '"', '"' + "[" * LONG + '"'),
    *(
        "[" * DEEP + "]" * DEEP,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        "[" + "0," * 7_000 + "0]",
        '["' + "x" * LONG + '"]',
    ),
    *("null", "true", "{}", "[]", '[null, {}, "\\ud800"]', "[" + "9" * 3_000 + "]", "[1e999]"),
)
BODIES = (
    *(
        b"",
        b"[",
        b"[" * 16_000,
        b'{"a":' * 3_000,
        b"null",
        b"7",
        b'"x"',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"{" * 16_000,
    ),
    *(
        b"9" * DIGITS,
        b'{"do": "done", "do": 7}',
        b'{"": ""}',
        b'{"\\ud800": 1}',
        b"{}",
        b"\x00",
        b"NaN",
        b"[" * 17_000,
    ),
)
# As they stand in a form, an address or a header.
PLAIN = (
    *(
        "",
        "%00",
        "%ED%A0%80",
        "%FF",
        "%09//evil.example",
        "/%09/evil.example",
        "/%0D%0AX:1",
        "%C2%B2",
        "%D9%A3",
    ),
    *(
        "9" * DIGITS,
        "x" * LONG,
        "..%2F..%2Fkey",
        "%2e%2e%2f%2e%2e%2fkey",
        "-1",
        "1e9",
        "0x10",
        "%7B%7B7*7%7D%7D",
    ),
)
IN_ADDRESSES = tuple(each[:2_000] for each in PLAIN)
IN_HEADERS = (
    "",
    "\x01",
    "\xff\xfe",
    "a" * 5_000,
    "en;q=nan",
    "de;q=inf,en;q=-1",
    "=;=;",
    '"',
    "x.y",
    "{" * 3_000,
)
FORMS: Mapping[str, tuple[str, ...]] = {
    "/join": ("name", "code", "mark", "id"),
    "/ask": ("seat", "code"),
    "/show": ("code", "back"),
    "/language": ("language", "back"),
    "/demo": ("x",),
    "/history/1/delete": ("x",),
    "/seen/1/report": ("x",),
}
PAGES = (
    *(
        "/{}",
        "/join?code={}",
        "/join?add={}",
        "/history?page={}",
        "/statistics?edition={}",
        "/history/{}",
        "/a/{}/{}",
    ),
    *("/history/{}.jsonl", "/history/{}.csv", "/history/{}/delete", "/seen/{}.jpg", "/seen/{}/report.zip"),
    *("/api/history?page={}", "/api/statistics?edition={}", "/statistics/players.csv?edition={}"),
)
HEADERS = (
    "Cookie",
    "Accept-Language",
    "Accept-Encoding",
    "If-None-Match",
    "Host",
    "Content-Type",
    "Origin",
    "Range",
)
_COOKIES = ("boxlid_phone={}", "boxlid_display={}.{}", "boxlid_language={}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request; a header that is named here stands instead of the usual one."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def requests() -> Iterator[Request]:
    """All of them: every field of every body, forms, addresses, headers."""
    yield from _bodies()
    yield from _forms()
    yield from _addresses()
    yield from _headers()


def _bodies() -> Iterator[Request]:
    whole = description("1")
    paths = cast(dict[str, dict[str, Json]], whole["paths"])
    for path, methods in paths.items():
        for method, operation in methods.items():
            if "requestBody" not in operation:
                continue
            content = cast(Json, cast(Json, operation["requestBody"])["content"])
            kind = next(iter(content))
            for body in BODIES:
                yield _body(method, path, body, kind)
            schema = _found(whole, cast(Json, cast(Json, content[kind])["schema"]))
            for each in cast(list[Json], schema.get("oneOf", [schema])):
                for text in _variants(_found(whole, each)):
                    yield _body(method, path, text.encode(), kind)


def _found(whole: Json, schema: Json) -> Json:
    """What a reference means."""
    if "$ref" not in schema:
        return schema
    schemas = cast(Json, cast(Json, whole["components"])["schemas"])
    return cast(Json, schemas[str(schema["$ref"]).rpartition("/")[2]])


def _body(method: str, path: str, body: bytes, kind: str) -> Request:
    return Request(method.upper(), path.replace("{", "").replace("}", ""), body, {"Content-Type": kind})


def _variants(schema: Json) -> Iterator[str]:
    """The object with what it needs, and one field as it should not be."""
    properties = cast(dict[str, Json], schema.get("properties", {}))
    needs = cast(list[str], schema.get("required", []))
    usual = {name: _usual(each) for name, each in properties.items() if name in needs}
    for name in properties:
        for value in VALUES:
            yield "{" + ", ".join(f'"{key}": {text}' for key, text in {**usual, name: value}.items()) + "}"


def _usual(schema: Json) -> str:
    """Something that fits, roughly."""
    if "const" in schema:
        return f'"{schema["const"]}"'
    for key in ("enum", "examples"):
        if key in schema:
            found = cast(list[object], schema[key])[-1]
            return f'"{found}"' if isinstance(found, str) else str(found)
    plain = {"integer": "0", "boolean": "true", "number": "0.5", "array": "[]", "object": "{}"}
    return plain.get(str(schema.get("type")), '"x"')


def _forms() -> Iterator[Request]:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    for path, names in FORMS.items():
        for name in names:
            for value in PLAIN:
                others = "&".join(f"{other}=K7QX" for other in names if other != name)
                yield Request("POST", path, f"{name}={value}&{others}".encode(), kind)


def _addresses() -> Iterator[Request]:
    paths = cast(dict[str, Json], description("1")["paths"])
    named = [path for path in paths if "{" in path and "get" in paths[path]]
    for path in (*PAGES, *named):
        for value in IN_ADDRESSES:
            parts = path.split("{")
            yield Request("GET", parts[0] + "".join(value + part.partition("}")[2] for part in parts[1:]))


def _headers() -> Iterator[Request]:
    for value in IN_HEADERS:
        for name in HEADERS:
            yield Request("GET", "/", headers={name: value})
            yield Request("POST", "/api/wishes", b"{}", {name: value})
        for cookie in _COOKIES:
            yield Request("GET", "/phone", headers={"Cookie": cookie.format(value, value)})
