"""Ids as Kafka shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError
from moldau.wire.types import NULL_UUID
from moldau.wire.uuids import METADATA_TOPIC_ID, is_null_uuid, parse_uuid, uuid_text


def test_the_metadata_topic_has_its_well_known_id():
    assert uuid_text(METADATA_TOPIC_ID) == "AAAAAAAAAAAAAAAAAAAAAQ"


@given(st.binary(min_size=16, max_size=16))
def test_text_and_bytes_are_the_same_id(uuid):
    assert parse_uuid(uuid_text(uuid)) == uuid
    assert len(uuid_text(uuid)) == 22


@pytest.mark.parametrize("text", ["", "abc", "A" * 23, "not an id, not at all!", "ä" * 22])
def test_what_is_no_id_is_refused_in_one_sentence(text):
    with pytest.raises(DecodeError, match="is no id"):
        parse_uuid(text)


def test_the_null_id_is_sixteen_zeros():
    assert is_null_uuid(NULL_UUID)
    assert not is_null_uuid(METADATA_TOPIC_ID)
