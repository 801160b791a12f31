"""Bytes are read as Kafka's deserializers read them; the texts are those that Java printed."""

import pytest

from moldau.programs.tools.kafka.deserializers import READERS, UnreadableError


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("Double", "0001020304050607", "1.40159977307889E-309"),
        ("Double", "4202a05f20000000", "1.0E10"),
        ("Double", "3fb999999999999a", "0.1"),
        ("Double", "7ff0000000000000", "Infinity"),
        ("Double", "8000000000000000", "-0.0"),
        ("Double", "3f1a36e2eb1c432d", "1.0E-4"),
        ("Float", "3dcccccd", "0.1"),
        ("Float", "501502f9", "1.0E10"),
        ("Float", "ffc00000", "NaN"),
        ("Float", "00000001", "1.4E-45"),
        ("Boolean", "01", "true"),
        ("Bytes", "61ff5c09", r"a\xFF\x5C\x09"),
        ("ByteBuffer", "61ff", "java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]"),
        ("Short", "ffff", "-1"),
        ("UUID", b"1-2-3-4-5".hex(), "00000001-0002-0003-0004-000000000005"),
    ],
)
def test_bytes_are_shown_as_java_shows_them(name, data, text):
    assert READERS[f"{name}Deserializer"](bytes.fromhex(data)).decode() == text


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("Double", b"7", "Size of data received by Deserializer is not 8"),
        ("Integer", b"7", "Size of data received by IntegerDeserializer is not 4"),
        ("Boolean", b"", "Size of data received by BooleanDeserializer is not 1"),
        ("Boolean", b"\2", "Unexpected byte received by BooleanDeserializer: 2"),
        ("UUID", b"a", "Error parsing data into UUID"),
        ("Void", b"a", "Data should be null"),
    ],
)
def test_what_cannot_be_read_has_kafkas_reason(name, data, why):
    with pytest.raises(UnreadableError, match=why):
        READERS[f"{name}Deserializer"](data)
