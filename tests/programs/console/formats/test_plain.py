"""Numbers, UUIDs and base64: as serializers of Kafka's clients write them."""

from __future__ import annotations

import pytest

from moldau.programs.console.formats.plain import PLAIN

UUID_TEXT = "00112233-4455-6677-8899-aabbccddeeff"


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("int32", b"\xff\xff\xff\xfe", "-2"),
        ("uint32", b"\xff\xff\xff\xfe", "4294967294"),
        ("int64", b"\x00" * 6 + b"\x01\x00", "256"),
        ("uint64", b"\xff" * 8, "18446744073709551615"),
        ("uuid", bytes.fromhex(UUID_TEXT.replace("-", "")), UUID_TEXT),
        ("base64", b"\xff\x00", "/wA="),
    ],
)
def test_each_reads_what_it_writes(name, data, text):
    assert (PLAIN[name].decode(data), PLAIN[name].encode(text)) == (text, data)


@pytest.mark.parametrize("name", ["int32", "int64", "uint32", "uint64", "uuid"])
def test_bytes_of_another_size_are_none(name):
    with pytest.raises(ValueError, match="choose another format"):
        PLAIN[name].decode(b"123")


@pytest.mark.parametrize(
    ("name", "text"), [("int32", "4000000000"), ("uint64", "-1"), ("int64", "a"), ("uuid", "a")]
)
def test_a_text_that_has_no_room_is_none(name, text):
    with pytest.raises(ValueError, match=r"room|UUID"):
        PLAIN[name].encode(text)
