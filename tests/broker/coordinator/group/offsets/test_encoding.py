"""Commits are written as the encoders of messages write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.group.offsets.encoding import encode_commit
from moldau.broker.coordinator.group.offsets.records import commit_record, tombstone
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.record_codec import KEY_VERSION, encode_stored
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import EncodeError
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.types import NULL_UUID

INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
INT32 = st.integers(-(1 << 31), (1 << 31) - 1)
COMMITS = st.builds(
    commit_record,
    st.text(max_size=40),
    st.builds(Place, st.text(max_size=40), INT32),
    offset=INT64,
    leader_epoch=INT32,
    metadata=st.none() | st.text(max_size=140),
    now_ms=INT64,
    topic_id=st.just(NULL_UUID) | st.binary(min_size=16, max_size=16),
)


def plainly(record: StoredRecord) -> tuple[bytes, bytes]:
    assert record.value is not None
    key = b"\0\1" + encode(record.key, KEY_VERSION)
    return key, b"\0\4" + encode(record.value, record.value_version)


def commit(**changed) -> StoredRecord:
    given: dict[str, Any] = {"offset": 7, "leader_epoch": 1, "metadata": "m", "now_ms": 9} | changed
    return commit_record("g", Place("t", 0), **given)


@given(COMMITS)
def test_both_encoders_write_the_same(record):
    hot = encode_commit(record)
    assert hot in (None, plainly(record))
    assert encode_stored(record) == plainly(record)
    assert (hot is None) == (len(record.value.metadata.encode()) >= 127)


@pytest.mark.parametrize(
    "record",
    [
        tombstone("g", Place("t", 0)),
        commit(expire_at_ms=5),
        commit(metadata="m" * 127),
        commit(topic_id=b"short"),
        commit(offset=1 << 63),
        commit(metadata="\ud800"),
        commit_record("g" * 40_000, Place("t", 0), offset=1, leader_epoch=1, metadata="", now_ms=1),
    ],
    ids=["tombstone", "expires", "long", "id", "offset", "text", "group"],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_encoders_of_messages(record):
    assert encode_commit(record) is None


def test_fields_that_are_not_known_are_kept():
    record = commit()
    assert record.value is not None
    record.value.unknown_tags = ((9, b"new"),)
    assert encode_commit(record) is None
    assert (encode_stored(record)[1] or b"").endswith(b"new")


def test_what_cannot_be_written_is_refused_as_ever():
    with pytest.raises(EncodeError):
        encode_stored(commit(offset=1 << 63))
