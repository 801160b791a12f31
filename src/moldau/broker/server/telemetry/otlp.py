"""Numbers out of OpenTelemetry's MetricsData, as clients push them (OTLP, protobuf).

Of the whole tree only what a number needs is read: names, gauges and sums, and the attributes of
their points; histograms, which no Kafka client sends, and everything unknown are passed over.

    MetricsData ─1─► ResourceMetrics ─2─► ScopeMetrics ─2─► Metric ─┬─5─► Gauge ─1─► points
                                                          name ─1   └─7─► Sum ───1─► points
    point: attributes 7 (key 1, value 2 → string 1), double 4 or fixed 64-bit integer 6

What is pushed may come from any client: lengths are held against what is left, the depth is that of
the tree above, and points beyond a limit are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import unpack_from
from typing import NamedTuple

from moldau.errors import DecodeError

__all__ = ["POINTS_MAX", "Point", "read_points"]

POINTS_MAX = 10_000
"""In one push; Java's clients send a few hundred."""
NAME_BYTES_MAX = 512
VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5
MORE, BITS = 0x80, 0x7F
VARINT_BYTES_MAX = 10


class Point(NamedTuple):
    """One number of a metric."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    value: float
    is_sum: bool
    """Counted up, or the difference since the last push; else it stands for itself."""


def read_points(data: bytes) -> list[Point]:
    """All numbers of a push, or `DecodeError`."""
    points: list[Point] = []
    for resource in _messages(data, 1):
        for scope in _messages(resource, 2):
            for metric in _messages(scope, 2):
                points.extend(_metric(metric))
                if len(points) > POINTS_MAX:
                    raise DecodeError(f"a push of metrics has more than {POINTS_MAX} numbers")
    return points


def _metric(metric: memoryview) -> Iterator[Point]:
    name = ""
    for number, kind, value in _fields(metric):
        if kind == BYTES and number == 1:
            name = _text(value)
    for field, is_sum in ((5, False), (7, True)):
        for group in _messages(metric, field):
            for point in _messages(group, 1):
                attributes, number_value = _point(point)
                yield Point(name, attributes, number_value, is_sum)


def _point(point: memoryview) -> tuple[tuple[tuple[str, str], ...], float]:
    attributes = []
    found = 0.0
    for number, kind, value in _fields(point):
        if number == 7 and kind == BYTES:
            attributes.append(_attribute(value))
        elif number == 4 and kind == FIXED_64:
            (found,) = unpack_from("<d", value)
        elif number == 6 and kind == FIXED_64:
            found = float(unpack_from("<q", value)[0])
    return tuple(attributes), found


def _attribute(pair: memoryview) -> tuple[str, str]:
    key = text = ""
    for number, kind, value in _fields(pair):
        if number == 1 and kind == BYTES:
            key = _text(value)
        elif number == 2 and kind == BYTES:
            text = next((_text(one) for one in _messages(value, 1)), "")
    return key, text


def _text(value: memoryview) -> str:
    return str(value[:NAME_BYTES_MAX], "utf-8", "replace")


def _messages(data: bytes | memoryview, wanted: int) -> Iterator[memoryview]:
    """The parts of a message that have this number."""
    for number, kind, value in _fields(memoryview(data)):
        if number == wanted and kind == BYTES:
            yield value


def _fields(data: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    position, end = 0, len(data)
    while position < end:
        key, position = _varint(data, position)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            start, position = position, _varint(data, position)[1]
        elif kind == BYTES:
            size, start = _varint(data, position)
            position = start + size
        elif kind in (FIXED_64, FIXED_32):
            start, position = position, position + (8 if kind == FIXED_64 else 4)
        else:
            raise DecodeError(f"metrics have a field of kind {kind}, which protobuf has not")
        if position > end:
            raise DecodeError("a push of metrics ends before a value that it announces")
        yield number, kind, data[start:position]


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for index in range(VARINT_BYTES_MAX):
        if position >= len(data):
            raise DecodeError("a push of metrics is cut off")
        byte = data[position]
        position += 1
        value |= (byte & BITS) << (7 * index)
        if not byte & MORE:
            return value, position
    raise DecodeError("a number in a push of metrics never ends")
