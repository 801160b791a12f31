"""Numbers out of what clients push."""

from __future__ import annotations

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as some

from moldau.broker.server.telemetry import otlp
from moldau.broker.server.telemetry.otlp import Point, read_points
from moldau.errors import DecodeError


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def part(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def attribute(key, text):
    return part(7, part(1, key.encode()) + part(2, part(1, text.encode())))


def push(*metrics):
    return part(1, part(2, b"".join(part(2, metric) for metric in metrics)))


def gauge(name, value, *attributes):
    point = b"".join(attributes) + varint(4 << 3 | 1) + pack("<d", value)
    return part(1, name.encode()) + part(5, part(1, point))


def counter(name, value):
    point = varint(6 << 3 | 1) + pack("<q", value) + varint(3 << 3 | 1) + bytes(8)
    return part(1, name.encode()) + part(7, part(1, point) + varint(2 << 3) + varint(1))


def test_gauges_and_sums_are_read_with_their_attributes():
    data = push(gauge("a.rate", 2.5, attribute("node_id", "1")), counter("a.total", -7))
    assert read_points(data) == [
        Point("a.rate", (("node_id", "1"),), 2.5, is_sum=False),
        Point("a.total", (), -7.0, is_sum=True),
    ]


def test_a_name_may_come_behind_its_numbers_and_the_unknown_is_passed_over():
    metric = part(5, part(1, b"")) + varint(99 << 3 | 5) + bytes(4) + part(1, b"late")
    assert read_points(push(metric)) == [Point("late", (), 0.0, is_sum=False)]


@given(some.binary(max_size=200))
def test_any_bytes_are_numbers_or_one_error(data):
    try:
        points = read_points(data)
    except DecodeError:
        return
    assert len(points) <= len(data)


@given(some.integers(0, 60))
def test_what_is_cut_off_is_an_error_or_less(size):
    data = push(gauge("name", 1.0), counter("other", 2))
    try:
        assert len(read_points(data[:size])) <= 2
    except DecodeError:
        assert size < len(data)


def test_more_numbers_than_any_client_has_are_refused(monkeypatch):
    monkeypatch.setattr(otlp, "POINTS_MAX", 3)
    with pytest.raises(DecodeError, match="more than 3"):
        read_points(push(*[gauge("a", 1.0)] * 4))


def test_a_number_that_never_ends_is_refused():
    with pytest.raises(DecodeError, match="never ends"):
        read_points(b"\xff" * 20)
