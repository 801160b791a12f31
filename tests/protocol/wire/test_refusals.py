"""What encoders say when a value cannot be written."""

from __future__ import annotations

import pytest

from moldau.errors import EncodeError
from moldau.protocol.wire import refusals


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("no_null", ("name",), "name is null"),
        ("no_tags", (1,), "version 1 has no room"),
        ("no_uuid", ("topic_id", b"abc"), "exactly 16 bytes"),
        ("not_in_version", ("rack", 2), "rack is set, but version 2 does not have it"),
    ],
)
def test_each_refusal_names_its_cause(name, arguments, reason):
    with pytest.raises(EncodeError, match=reason):
        getattr(refusals, name)(*arguments)


def test_tags_are_joined_by_rising_number():
    assert refusals.join_tags([(5, b"x"), (0, b"yz")]) == b"\2\0\2yz\5\1x"


@pytest.mark.parametrize("count", [0, 3, refusals.SHORT_ARRAYS + 1])
def test_arrays_of_any_length_are_packed(count):
    assert refusals.packer_of("h", count)(*range(count)) == b"".join(
        number.to_bytes(2, "big") for number in range(count)
    )
