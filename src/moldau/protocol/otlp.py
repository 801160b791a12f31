"""Metrics as OpenTelemetry's MetricsData (OTLP 1.0, protobuf), as nodes and clients send them.

MetricsData ─1─► ResourceMetrics ─┬─1─► Resource ─1─► attributes
                                  └─2─► ScopeMetrics ─2─► Metric: name 1, description 2,
                                                          gauge 5, sum 7 or summary 11
gauge: points 1        sum: points 1, temporality 2, is monotonic 3        summary: points 1
point: start 2 and time 3 (fixed, nanoseconds since 1970), double 4, attributes 7
point of a summary: start 2, time 3, count 4 (fixed), sum 5, quantiles 6 (share 1, value 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from struct import pack
from typing import Final, NamedTuple

__all__ = ["Attributes", "Number", "Series", "Spread", "metrics_data"]

VARINT, FIXED_64, BYTES = 0, 1, 2
MORE, BITS = 0x80, 0x7F
DELTA, CUMULATIVE = 1, 2
GAUGE, SUM, SUMMARY = 5, 7, 11
NS_PER_MS: Final = 1_000_000

Attributes = tuple[tuple[str, str], ...]


class Number(NamedTuple):
    """One value of a gauge or a sum."""

    value: float
    attributes: Attributes = ()


class Spread(NamedTuple):
    """How values are spread: one point of a summary."""

    observed: int
    total: float
    quantiles: tuple[tuple[float, float], ...]
    """Share and value."""
    attributes: Attributes = ()


class Series(NamedTuple):
    """A metric: its name and its points, all of one kind."""

    name: str
    points: list[Number] | list[Spread]
    is_sum: bool = False
    """The points are counts that only grow."""
    description: str = ""


class _Times(NamedTuple):
    start_ms: int
    now_ms: int
    temporality: int


def metrics_data(
    series: Iterable[Series],
    resource: Mapping[str, str],
    start_ms: int,
    now_ms: int,
    *,
    is_delta: bool,
) -> bytes:
    """All in one scope; both times are of the wall's clock, the beginning is that of sums."""
    times = _Times(start_ms, now_ms, DELTA if is_delta else CUMULATIVE)
    metrics = b"".join(_part(2, _metric(one, times)) for one in series)
    about = b"".join(_part(1, _attribute(key, text)) for key, text in resource.items())
    return _part(1, _part(1, about) + _part(2, metrics))


def _metric(series: Series, times: _Times) -> bytes:
    about = _part(1, series.name.encode())
    if series.description:
        about += _part(2, series.description.encode())
    points, kind = b"", SUM if series.is_sum else GAUGE
    for point in series.points:
        if isinstance(point, Spread):
            kind = SUMMARY
            points += _part(1, _spread(point, times))
        else:
            points += _part(1, _number(point, times, is_sum=series.is_sum))
    if kind == SUM:
        points += _key(2, VARINT) + _varint(times.temporality) + _key(3, VARINT) + _varint(1)
    return about + _part(kind, points)


def _number(number: Number, times: _Times, *, is_sum: bool) -> bytes:
    start = _fixed(2, times.start_ms * NS_PER_MS) if is_sum else b""
    value = _key(4, FIXED_64) + pack("<d", number.value)
    return start + _fixed(3, times.now_ms * NS_PER_MS) + value + _attributes(number.attributes)


def _spread(spread: Spread, times: _Times) -> bytes:
    found = _fixed(2, times.start_ms * NS_PER_MS) + _fixed(3, times.now_ms * NS_PER_MS)
    found += _fixed(4, spread.observed) + _key(5, FIXED_64) + pack("<d", spread.total)
    for share, value in spread.quantiles:
        quantile = _key(1, FIXED_64) + pack("<d", share) + _key(2, FIXED_64) + pack("<d", value)
        found += _part(6, quantile)
    return found + _attributes(spread.attributes)


def _attributes(attributes: Attributes) -> bytes:
    return b"".join(_part(7, _attribute(key, text)) for key, text in attributes)


def _attribute(key: str, text: str) -> bytes:
    return _part(1, key.encode()) + _part(2, _part(1, text.encode()))


def _part(number: int, data: bytes) -> bytes:
    return _key(number, BYTES) + _varint(len(data)) + data


def _fixed(number: int, value: int) -> bytes:
    return _key(number, FIXED_64) + pack("<Q", value)


def _key(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > BITS:
        found.append(value & BITS | MORE)
        value >>= 7
    found.append(value)
    return bytes(found)
