"""Points as OpenTelemetry's MetricsData (OTLP 1.0, protobuf).

MetricsData ─1─► ResourceMetrics ─┬─1─► Resource ─1─► attributes
                                  └─2─► ScopeMetrics ─2─► Metric: name 1, gauge 5 or sum 7
gauge: points 1        sum: points 1, temporality 2, is monotonic 3
point: start 2 and time 3 (fixed, nanoseconds since 1970), double 4, attributes 7
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from struct import pack

from moldau.client.core.telemetry.meter import Point

__all__ = ["metrics_data"]

VARINT, FIXED_64, BYTES = 0, 1, 2
MORE, BITS = 0x80, 0x7F
DELTA, CUMULATIVE = 1, 2
NS_PER_MS = 1_000_000


def metrics_data(
    points: Iterable[Point],
    prefix: str,
    resource: Mapping[str, str],
    start_ms: int,
    now_ms: int,
    *,
    is_delta: bool,
) -> bytes:
    """All in one scope; both times are of the wall's clock, the beginning is that of sums."""
    temporality = DELTA if is_delta else CUMULATIVE
    metrics = b"".join(
        _part(2, _metric(point, prefix, start_ms, now_ms, temporality)) for point in points
    )
    about = b"".join(_part(1, _attribute(key, text)) for key, text in resource.items())
    return _part(1, _part(1, about) + _part(2, metrics))


def _metric(point: Point, prefix: str, start_ms: int, now_ms: int, temporality: int) -> bytes:
    fields = _fixed(3, now_ms * NS_PER_MS) + _key(4, FIXED_64) + pack("<d", point.value)
    if point.node_id:
        fields += _part(7, _attribute("node_id", point.node_id))
    name = _part(1, f"{prefix}{point.name}".encode())
    if not point.is_sum:
        return name + _part(5, _part(1, fields))
    fields = _fixed(2, start_ms * NS_PER_MS) + fields
    about = _key(2, VARINT) + _varint(temporality) + _key(3, VARINT) + _varint(1)
    return name + _part(7, _part(1, fields) + about)


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
