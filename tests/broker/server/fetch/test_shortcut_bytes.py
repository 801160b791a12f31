"""Answers that are written flat are those of the codec."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.server.fetch.fetched import PartitionData
from moldau.broker.server.fetch.shortcut_bytes import IDS_FROM, answer_body, partition_answer
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.compile import encode

VERSIONS = st.integers(IDS_FROM, 18)
INT32, INT64 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)
TOPIC_IDS = st.sampled_from([bytes([number]) * 16 for number in range(1, 4)])
NUMBERS = st.tuples(INT32, INT64, INT64, INT64)
TOPICS = st.lists(st.tuples(TOPIC_IDS, st.lists(NUMBERS, max_size=3)), max_size=3)


@given(VERSIONS, TOPICS, INT32, st.booleans(), st.binary(max_size=200))
def test_answers_are_written_as_the_codec_writes_them(
    version, topics, session_id, is_committed, records
):
    told: list[tuple[bytes, bytes]] = []
    responses: list[FetchResponse.FetchableTopicResponse] = []
    for topic, some in topics:
        for index, watermark, stable, start in some:
            encoded = partition_answer(
                index, watermark, stable, start, records, is_committed=is_committed
            )
            told.append((topic, encoded))
            data = PartitionData(
                partition_index=index, error_code=0, high_watermark=watermark, records=records,
                last_stable_offset=stable, log_start_offset=start,
                aborted_transactions=[] if is_committed else None,
            )  # fmt: skip
            if not responses or responses[-1].topic_id != topic:
                found = FetchResponse.FetchableTopicResponse(topic_id=topic, partitions=[])
                responses.append(found)
            responses[-1].partitions.append(data)
    response = FetchResponse(error_code=0, session_id=session_id, responses=responses)
    assert answer_body(session_id, told) == encode(response, version)
