"""Weights kept at half precision, made whole when they are read: OpenCV 4.6 takes none but whole ones.

An ONNX file is a tree of numbered fields; only the weights' own fields are touched. Knows no network.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

GRAPH, WEIGHT = 7, 5  # a model's graph, a graph's weights
KIND, RAW = 2, 9  # a weight's number kind and bytes
WHOLE, HALF = 1, 10  # kinds: float of four bytes, and of two
VARINT, BLOCK = 0, 2  # how a field is written
FIXED = {1: 8, 5: 4}


def whole(model: bytes) -> bytes:
    """The model with all its half-precise weights made whole."""
    return _rewritten(model, GRAPH, lambda graph: _rewritten(graph, WEIGHT, _whole_weight))


def halved(model: bytes) -> bytes:
    """The model with its weights at half precision: half the size, and as good."""
    return _rewritten(model, GRAPH, lambda graph: _rewritten(graph, WEIGHT, _half_weight))


@dataclass(frozen=True, slots=True)
class _Field:
    number: int
    way: int
    value: int  # of a varint
    content: bytes  # of a block, or as it stands

    def written(self) -> bytes:
        head = _varint(self.number << 3 | self.way)
        if self.way == VARINT:
            return head + _varint(self.value)
        return head + _varint(len(self.content)) + self.content if self.way == BLOCK else head + self.content


def _rewritten(message: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """The message with that field's blocks changed."""
    parts = []
    for field in _fields(message):
        if field.number == number and field.way == BLOCK:
            parts.append(_Field(number, BLOCK, 0, change(field.content)).written())
        else:
            parts.append(field.written())
    return b"".join(parts)


def _whole_weight(weight: bytes) -> bytes:
    return _converted(weight, HALF, WHOLE, "<f2", "<f4")


def _half_weight(weight: bytes) -> bytes:
    return _converted(weight, WHOLE, HALF, "<f4", "<f2")


def _converted(weight: bytes, kind: int, new_kind: int, numbers: str, new_numbers: str) -> bytes:
    fields = list(_fields(weight))
    raw = any(f.number == RAW for f in fields)
    if not raw or not any(f.number == KIND and f.value == kind for f in fields):
        return weight
    parts = []
    for f in fields:
        if f.number == KIND:
            parts.append(_Field(KIND, VARINT, new_kind, b"").written())
        elif f.number == RAW:
            content = np.frombuffer(f.content, numbers).astype(new_numbers).tobytes()
            parts.append(_Field(RAW, BLOCK, 0, content).written())
        else:
            parts.append(f.written())
    return b"".join(parts)


def _fields(message: bytes) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        head, at = _read_varint(message, at)
        number, way = head >> 3, head & 7
        if way == VARINT:
            value, at = _read_varint(message, at)
            yield _Field(number, way, value, b"")
            continue
        length = FIXED.get(way, 0)
        if way == BLOCK:
            length, at = _read_varint(message, at)
        yield _Field(number, way, 0, message[at : at + length])
        at += length


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
