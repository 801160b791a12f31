"""Ids as Kafka shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import DecodeError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.uuids import (
    METADATA_TOPIC_ID,
    is_null_uuid,
    new_uuid,
    parse_uuid,
    uuid_text,
)


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
    assert is_null_uuid(bytes(16))
    assert not is_null_uuid(bytes(15) + b"\x02")
    assert not is_null_uuid(METADATA_TOPIC_ID)


def test_an_id_is_random_and_never_begins_with_a_dash():
    made = [uuid_text(new_uuid(SeededRandom(seed))) for seed in range(500)]
    assert len(set(made)) == 500
    assert not [text for text in made if text.startswith("-")]
