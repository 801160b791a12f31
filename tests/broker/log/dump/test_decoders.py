"""Keys and values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.dump.decoders import (
    METADATA_MODULES,
    NOTHING,
    OFFSETS_MODULES,
    SHARE_STATE_MODULES,
    TRANSACTIONS_MODULES,
    CoordinatorDecoder,
    MetadataDecoder,
    PlainDecoder,
    as_integer,
    as_long,
    as_text,
)
from moldau.errors import DecodeError
from moldau.protocol.records.record import Record

OFFSETS = CoordinatorDecoder(OFFSETS_MODULES)
METADATA = MetadataDecoder(METADATA_MODULES)
GROUP_KEY = b"\0\2\0\2g1"


def record(key: bytes | None, value: bytes | None) -> Record:
    return Record(5, 0, key, value)


def test_plain_keys_and_values_are_text_or_numbers():
    key, value = PlainDecoder(as_integer, as_long).read(record(b"\xff" * 4, b"\0" * 7 + b"\5"))
    assert (key.plain, value.text) == (-1, "5")
    assert as_text(b"a\xff") == "a\ufffd"
    assert PlainDecoder(as_text, as_text).read(record(None, None)) == (NOTHING, NOTHING)


def test_a_null_value_of_a_coordinator_deletes():
    key, value = OFFSETS.read(record(GROUP_KEY, None))
    assert (key.text, value.text) == ('{"type":"2","data":{"group":"g1"}}', "<DELETE>")


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        (b"\0\x63", None, "Unknown record type 99 at offset 5, skipping."),
        (GROUP_KEY[:-1], None, "Error at offset 5, skipping. "),
        (GROUP_KEY, b"\0\x63", "Error at offset 5, skipping. GroupMetadataValue has no version 99"),
    ],
)
def test_what_cannot_be_decoded_is_a_sentence_in_its_place(key, value, text):
    shown, rest = OFFSETS.read(record(key, value))
    assert (shown.text or "").startswith(text)
    assert rest == NOTHING


def test_a_coordinators_record_needs_a_key():
    with pytest.raises(DecodeError, match="offset 5 has no key"):
        OFFSETS.read(record(None, b""))


@pytest.mark.parametrize("value", [None, b"", b"\2\0\0", b"\1\x7f\0", b"\1\x14\x09", b"\1\x80"])
def test_a_damaged_metadata_record_is_a_sentence(value):
    key, shown = METADATA.read(record(None, value))
    assert key == NOTHING
    assert (shown.text or "").startswith("Error at 5, skipping. ")


def test_a_metadata_record_has_kafkas_name():
    _, shown = METADATA.read(record(None, b"\1\x14\0\0"))
    assert shown.text == '{"type":"NO_OP_RECORD","version":0,"data":{}}'


@given(key=st.binary(max_size=40), value=st.none() | st.binary(max_size=60))
def test_any_bytes_can_be_shown(key, value):
    for modules in (OFFSETS_MODULES, TRANSACTIONS_MODULES, SHARE_STATE_MODULES):
        CoordinatorDecoder(modules).read(record(key, value))
    METADATA.read(record(key, value))
