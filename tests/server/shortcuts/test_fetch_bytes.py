"""Fetches that are read and answered flat are those of the codec."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.messages.data.fetch import FetchRequest, FetchResponse
from moldau.server.fetched import PartitionData, WantedPartition
from moldau.server.shortcuts.fetch_bytes import (
    IDS_FROM,
    REPLICA_STATE_FROM,
    AskedFetch,
    answer_body,
    partition_answer,
    read_fetch,
)
from moldau.wire.compile import encode

VERSIONS = st.integers(IDS_FROM, 18)
INT32, INT64 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)
TOPIC_IDS = st.sampled_from([bytes([number]) * 16 for number in range(1, 4)])
WANTED = st.builds(WantedPartition, INT32, INT32, INT64, INT32, INT64, INT32)
TOPICS = st.lists(st.tuples(TOPIC_IDS, st.lists(WANTED, max_size=3)), max_size=3)
Topic = FetchRequest.FetchTopic


def request(topics: list[Any], numbers: list[int], level: int, rack: str, **more: Any) -> bytes:
    version = more.pop("version")
    wait, least, most, session_id, epoch = numbers
    listed = [
        Topic(topic_id=one, partitions=[Topic.FetchPartition(**asked._asdict()) for asked in some])
        for one, some in topics
    ]
    asked = {
        "forgotten_topics_data": [], "replica_state": FetchRequest.ReplicaState(), **more,
    }  # fmt: skip
    made = FetchRequest(
        max_wait_ms=wait, min_bytes=least, max_bytes=most, isolation_level=level,
        session_id=session_id, session_epoch=epoch, topics=listed, rack_id=rack, **asked,
    )  # fmt: skip
    return encode(made, version)


@given(VERSIONS, TOPICS, st.lists(INT32, min_size=5, max_size=5), st.integers(0, 1))
def test_requests_are_read_as_they_were_written(version, topics, numbers, level):
    written = request(topics, numbers, level, "rack", version=version)
    wait, least, most, session_id, epoch = numbers
    partitions = [(one, asked) for one, some in topics for asked in some]
    asked = AskedFetch(wait, least, most, level, session_id, epoch, partitions)
    assert read_fetch(memoryview(b"head" + written), 4, version) == asked


@pytest.mark.parametrize("version", [13, 14, 15, 18])
@pytest.mark.parametrize(
    "strange",
    [
        {"forgotten_topics_data": [FetchRequest.ForgottenTopic(topic_id=b"t" * 16, partitions=[])]},
        {"cluster_id": "a cluster"},
        {"rack": "Č"},
        {"rack": "r" * 127},
        {"topics": [(bytes(16), [])] * 127},
        {"topics": [(bytes(16), [WantedPartition(0, 0, 0, 0, 0, 0)] * 127)]},
    ],
)
def test_what_is_out_of_the_ordinary_is_not_for_us(version, strange):
    given = {"topics": [], "numbers": [0] * 5, "level": 0, "rack": "", **strange}
    written = request(**given, version=version)
    assert read_fetch(memoryview(written), 0, version) is None


@pytest.mark.parametrize("version", [13, 14, 15, 18])
def test_replicas_are_not_for_us(version):
    said: Any = (
        {"replica_state": FetchRequest.ReplicaState(replica_id=3)}
        if version >= REPLICA_STATE_FROM
        else {"replica_id": 3}
    )
    written = request([], [0] * 5, 0, "", version=version, **said)
    assert read_fetch(memoryview(written), 0, version) is None


@given(VERSIONS, TOPICS, INT32, st.booleans(), st.binary(max_size=200))
def test_answers_are_written_as_the_codec_writes_them(
    version, topics, session_id, is_committed, records
):
    told: list[tuple[bytes, bytes]] = []
    responses: list[FetchResponse.FetchableTopicResponse] = []
    for topic, some in topics:
        for index, epoch, watermark, _, start, _ in some:
            encoded = partition_answer(
                index, watermark, epoch, start, records, is_committed=is_committed
            )
            told.append((topic, encoded))
            data = PartitionData(
                partition_index=index, error_code=0, high_watermark=watermark, records=records,
                last_stable_offset=epoch, log_start_offset=start,
                aborted_transactions=[] if is_committed else None,
            )  # fmt: skip
            if not responses or responses[-1].topic_id != topic:
                found = FetchResponse.FetchableTopicResponse(topic_id=topic, partitions=[])
                responses.append(found)
            responses[-1].partitions.append(data)
    response = FetchResponse(error_code=0, session_id=session_id, responses=responses)
    assert answer_body(session_id, told) == encode(response, version)
