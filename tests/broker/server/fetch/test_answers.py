"""What a fetch says of its partitions: grouped by topic, as bytes or as slices, flat or not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.reading import FetchResult
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.replica.fetching import Divergence
from moldau.broker.server.call import EncodedParts
from moldau.broker.server.fetch.answers import (
    FLAT_FROM,
    SENDFILE_FROM,
    by_topic,
    flat_answer,
    joined,
    message_of,
    response_of,
)
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse
from moldau.broker.server.fetch.reader import TOPIC_IDS_FROM
from moldau.broker.server.leaders import LeaderHint
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.compile import encode, encode_parts

Asked = FetchRequest.FetchTopic.FetchPartition
VERSIONS = st.integers(FLAT_FROM, 18)
INT32, INT64 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)
TOPIC_IDS = st.sampled_from([bytes([number]) * 16 for number in range(1, 4)])
NUMBERS = st.tuples(INT32, INT64, INT64, INT64)
TOPICS = st.lists(st.tuples(TOPIC_IDS, st.lists(NUMBERS, max_size=3)), max_size=3)


def fetched(topic: str | bytes = "topic", index: int = 0) -> Fetched:
    return Fetched(topic, Asked(partition=index, fetch_offset=0, partition_max_bytes=1))


def found(size: int, aborted: list[AbortedTransaction] | None = None) -> FetchResult:
    file = SimulatedFiles().open("log", create=True)
    file.append(bytes(size))
    return FetchResult(FileSlice(file, 0, size), 0, 9, 8, 1, aborted)


SLICE = FileSlice(SimulatedFiles().open("log", create=True), 0, SENDFILE_FROM)
"""Large enough to be a part of its own for the encoder."""


def test_neighbours_of_one_topic_stand_together():
    sent = [PartitionResponse(fetched(topic)) for topic in "aaba"]
    assert [(one.topic, len(one.partitions)) for one in by_topic(sent)] == [
        ("a", 2),
        ("b", 1),
        ("a", 1),
    ]


def test_what_was_grouped_in_parts_is_grouped_as_one():
    sent = [PartitionResponse(fetched(topic)) for topic in "aabbbaa"]
    for cut in range(len(sent) + 1):
        assert joined(by_topic(sent[:cut]), by_topic(sent[cut:])) == by_topic(sent)


def test_small_slices_are_bytes_and_large_ones_and_cold_ones_stay_slices():
    assert isinstance(response_of(fetched(), found(SENDFILE_FROM - 1)).records, bytes)
    assert isinstance(response_of(fetched(), found(SENDFILE_FROM)).records, FileSlice)
    assert isinstance(response_of(fetched(), found(1), is_cold=True).records, FileSlice)


def test_aborted_transactions_are_sent_only_where_they_were_asked_for():
    assert message_of(response_of(fetched(), found(1))).aborted_transactions is None
    data = message_of(response_of(fetched(), found(1, [AbortedTransaction(7, 3, 5, 3)])))
    assert data.aborted_transactions is not None
    assert [(one.producer_id, one.first_offset) for one in data.aborted_transactions] == [(7, 3)]


def test_what_is_out_of_the_ordinary_is_not_plain():
    def out_of_the_ordinary() -> list[PartitionResponse]:
        diverging, elsewhere, led = (PartitionResponse(fetched()) for _ in range(3))
        diverging.divergence = Divergence(1, 2)
        elsewhere.preferred_replica = 2
        led.leader = LeaderHint(2, 1)
        aborted = response_of(fetched(), found(1, [AbortedTransaction(7, 3, 5, 3)]))
        return [
            diverging,
            elsewhere,
            led,
            aborted,
            PartitionResponse(fetched(), error_code=6),
        ]

    assert PartitionResponse(fetched()).is_plain
    assert response_of(fetched(), found(SENDFILE_FROM)).is_plain
    assert [one.is_plain for one in out_of_the_ordinary()] == [False] * 5


@given(VERSIONS, TOPICS, INT32, st.booleans(), st.binary(max_size=200))
def test_flat_answers_are_written_as_the_codec_writes_them(
    version, topics, session_id, is_committed, records
):
    sent = [
        PartitionResponse(
            fetched(topic if version >= TOPIC_IDS_FROM else f"tøpic {topic[0]}", index),
            watermark,
            stable,
            start,
            [] if is_committed else None,
            records,
        )
        for topic, some in topics
        for index, watermark, stable, start in some
    ]
    message = FetchResponse(error_code=0, session_id=session_id, responses=by_topic(sent))
    assert flat_answer(session_id, sent) == encode(message, version)


@given(VERSIONS, st.lists(st.tuples(TOPIC_IDS, st.booleans()), min_size=1, max_size=5))
def test_slices_stay_slices_between_what_is_written_flat(version, drawn):
    sent = [
        PartitionResponse(
            fetched(topic if version >= TOPIC_IDS_FROM else f"tøpic {topic[0]}", index),
            records=SLICE if is_slice else b"read",
        )
        for index, (topic, is_slice) in enumerate(drawn)
    ]
    message = FetchResponse(error_code=0, session_id=7, responses=by_topic(sent))
    flat = flat_answer(7, sent)
    if not any(is_slice for _topic, is_slice in drawn):
        assert flat == encode(message, version)
        return
    assert isinstance(flat, EncodedParts)
    assert together(flat.parts) == together(encode_parts(message, version))
    assert repr(flat) == f"EncodedParts({len(flat.parts)})"


def together(parts):
    """Slices as they are, and the bytes between them as one."""
    bytes_between: list[bytes] = [b""]
    slices = []
    for part in parts:
        if isinstance(part, FileSlice):
            slices.append(part)
            bytes_between.append(b"")
        else:
            bytes_between[-1] += bytes(part)
    return slices, bytes_between
