"""Serializers that name their schema in a header."""

from __future__ import annotations

from moldau.client.arguments.producer import ProducerArguments
from moldau.client.header_framing import HeaderFraming
from moldau.client.interceptors import ProducerRecord
from moldau.platform.system.clock import SystemClock


class Framed:
    uses_header = True

    def serialize(self, topic, value):
        return (None, ()) if value is None else (str(value).encode(), (("schema", b"1"),))

    def __call__(self, topic, value):
        raise AssertionError("it is serialized by the framing")


def test_the_value_is_serialized_and_its_header_added_behind_the_others():
    given = ProducerArguments(
        "localhost:1", {"value_serializer": Framed(), "key_serializer": "str"}
    )
    assert given.interceptors is not None
    record = ProducerRecord("t", 7, "k", headers={"a": "b"})
    sent = given.interceptors._changed(record)
    assert (sent["value"], sent["key"]) == (b"7", "k")
    assert sent["headers"] == (("a", b"b"), ("schema", b"1"))
    assert given.deliveries(SystemClock()).value_bytes("t", sent["value"]) == b"7"
    assert given.deliveries(SystemClock()).key_bytes("t", sent["key"]) == b"k"
    assert given.interceptors._changed(ProducerRecord("t"))["headers"] == ()


def test_other_serializers_have_no_interceptor():
    assert HeaderFraming.of("json", None) is None
    assert ProducerArguments("localhost:1", {"value_serializer": "json"}).interceptors is None
