"""The fast reader of Fetch reads what the decoder of messages reads, or leaves it to that."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.server.call import HEAD_BYTES
from moldau.broker.server.fetch.reader import PARTITIONS_MAX, FetchReader, ReadFetch
from moldau.errors import DecodeError
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.compile import decode_prefix, encode
from tests.broker.server.fetch.fetch_requests import SENDER

VERSIONS = range(12, 19)
INT32 = st.sampled_from([-1, 0, 1, 500]) | st.integers(-(2**31), 2**31 - 1)
INT64 = st.sampled_from([-1, 0, 7]) | st.integers(-(2**63), 2**63 - 1)
NAMES = st.sampled_from(["t", "logs.2026", "ü", "x" * 126, "x" * 127, "x" * 200])
Topic = FetchRequest.FetchTopic
PARTITIONS = st.builds(
    Topic.FetchPartition,
    partition=INT32,
    current_leader_epoch=INT32,
    fetch_offset=INT64,
    last_fetched_epoch=INT32,
    log_start_offset=INT64,
    partition_max_bytes=INT32,
)
TOPICS = st.builds(
    Topic,
    topic=NAMES,
    topic_id=st.binary(min_size=16, max_size=16),
    partitions=st.lists(PARTITIONS, max_size=3),
)
FORGOTTEN = st.builds(
    FetchRequest.ForgottenTopic,
    topic=NAMES,
    topic_id=st.binary(min_size=16, max_size=16),
    partitions=st.lists(INT32, max_size=2),
)
REQUESTS = st.builds(
    FetchRequest,
    max_wait_ms=INT32,
    min_bytes=INT32,
    max_bytes=INT32,
    isolation_level=st.integers(-128, 127),
    session_id=INT32,
    session_epoch=INT32,
    topics=st.lists(TOPICS, max_size=3),
    forgotten_topics_data=st.just([]) | st.lists(FORGOTTEN, max_size=1),
    rack_id=st.just("") | NAMES,
)
STATES = st.builds(FetchRequest.ReplicaState, replica_id=INT32, replica_epoch=INT64)


def read(version: int, body: bytes) -> ReadFetch | None:
    """What the fast reader makes of a body behind a header of five bytes."""
    frame = b"-----" + body
    return FetchReader(version).read(SENDER, memoryview(frame), frame[:HEAD_BYTES], 5, EMPTY_IMAGE)


def agree(version: int, body: bytes) -> bool:
    """Whether the fast reader took it; then it must be what the decoder takes it for."""
    found = read(version, body)
    if found is None:
        return False
    request, end = decode_prefix(FetchRequest, version, body)
    assert end == len(body)
    assert encode(found.message(), version) == encode(request, version)
    return True


def fetch(partitions: int = 1, **fields: Any) -> FetchRequest:
    asked = [
        Topic.FetchPartition(partition=one, fetch_offset=5, partition_max_bytes=100)
        for one in range(partitions)
    ]
    topic = Topic(topic="t", topic_id=b"i" * 16, partitions=asked)
    return FetchRequest(**{"max_wait_ms": 500, "min_bytes": 1, "topics": [topic], **fields})


@settings(max_examples=40)
@given(REQUESTS, st.none() | STATES, st.sampled_from(VERSIONS))
def test_both_readers_agree_on_requests(request_, state, version):
    if state is not None and version > 14:
        request_.replica_state = state
    agree(version, encode(request_, version))


@settings(max_examples=40)
@given(REQUESTS, st.sampled_from(VERSIONS), st.data())
def test_both_readers_agree_on_damaged_requests(request_, version, data):
    body = bytearray(encode(request_, version))
    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(body)))
    for damaged in (bytes(body), bytes(body[:cut]), bytes(body) + b"\0"):
        try:
            agree(version, damaged)
        except DecodeError as error:
            pytest.fail(f"only the fast reader took it: {error}")


@pytest.mark.parametrize("version", VERSIONS)
def test_both_readers_agree_whichever_byte_is_another(version):
    body = encode(fetch(2, rack_id="r"), version)
    for place, byte in itertools.product(range(len(body)), (0, 1, 2, 9, 127, 128, 252, 255)):
        agree(version, body[:place] + bytes([byte]) + body[place + 1 :])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "request_",
    [
        fetch(),
        fetch(PARTITIONS_MAX),
        fetch(topics=[], session_id=7, session_epoch=3),
        fetch(rack_id="west", isolation_level=1),
    ],
)
def test_what_consumers_send_is_read_fast(request_, version):
    assert agree(version, encode(request_, version))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "request_",
    [
        fetch(PARTITIONS_MAX + 1),
        fetch(cluster_id="c"),
        fetch(forgotten_topics_data=[FetchRequest.ForgottenTopic(topic="t", partitions=[1])]),
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_decoder(request_, version):
    assert not agree(version, encode(request_, version))


STATE = FetchRequest.ReplicaState(replica_id=2, replica_epoch=9)


@pytest.mark.parametrize("version", [version for version in VERSIONS if version > 14])
@pytest.mark.parametrize(
    "request_", [fetch(), fetch(topics=[], session_id=7), fetch(3, rack_id="r")]
)
def test_what_followers_send_is_read_fast(request_, version):
    request_.replica_state = STATE
    found = read(version, encode(request_, version))
    assert found is not None
    assert (found.replica_id, found.replica_epoch) == (2, 9)
    assert agree(version, encode(request_, version))


@pytest.mark.parametrize("version", [version for version in VERSIONS if version > 14])
def test_both_readers_agree_whichever_byte_of_a_follower_is_another(version):
    body = encode(fetch(replica_state=STATE), version)
    for place, byte in itertools.product(range(len(body)), (0, 1, 2, 9, 127, 128, 252, 255)):
        agree(version, body[:place] + bytes([byte]) + body[place + 1 :])


@pytest.mark.parametrize("version", VERSIONS)
def test_followers_that_are_old_or_say_more_are_left_to_the_decoder(version):
    if version < 15:
        assert not agree(version, encode(fetch(replica_id=2), version))
        return
    assert not agree(version, encode(fetch(replica_state=STATE, cluster_id="c"), version))
    consumer = FetchRequest.ReplicaState(replica_id=-2, replica_epoch=9)
    assert not agree(version, encode(fetch(replica_state=consumer), version))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_state_in_an_older_request_or_before_more_bytes_is_left_to_the_decoder(version):
    newest = encode(fetch(replica_state=STATE), 18)
    body = encode(fetch(), version)[:-1] + newest[-16:]
    assert (read(version, body) is None) == (version < 15)
    assert read(version, body + b"\0") is None
