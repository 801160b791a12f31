"""A leader's answer is read alike in one piece and in many, by bytes and by the decoder."""

from __future__ import annotations

import random

import pytest

from moldau.broker.replica.fetching import Divergence
from moldau.broker.runtime.replication.answer_reader import AnswerReader
from moldau.errors import DecodeError
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.unseen import is_seen

Topic = FetchResponse.FetchableTopicResponse
Data = Topic.PartitionData
NEWEST = FetchResponse.VERSIONS.high
VERSIONS = range(13, NEWEST + 1)


def data(index=0, records=b"", **fields):
    return Data(partition_index=index, error_code=0, high_watermark=7, records=records, **fields)


def response(*topics, **fields):
    known = {"error_code": 0, "session_id": 9, **fields}
    responses = [
        Topic(topic_id=bytes([number]) * 16, partitions=partitions)
        for number, partitions in enumerate(topics, 1)
    ]
    return FetchResponse(responses=responses, **known)


def expected(given):
    return [
        (
            topic.topic_id, one.partition_index, one.error_code, one.high_watermark,
            one.log_start_offset, divergence_of(one), bytes(one.records or b""),
        )
        for topic in given.responses
        for one in topic.partitions
    ]  # fmt: skip


def divergence_of(one):
    if not is_seen(one, "diverging_epoch") or one.diverging_epoch.end_offset < 0:
        return None
    return Divergence(one.diverging_epoch.epoch, one.diverging_epoch.end_offset)


class Read:
    """What a reader hands on."""

    def __init__(self, version=NEWEST):
        self.taken = []
        self.reader = AnswerReader(self.take)
        self.reader.begin(version)

    def take(self, answer):
        self.taken.append(
            (
                answer.topic_id, answer.index, answer.error_code, answer.high_watermark,
                answer.log_start_offset, answer.divergence, bytes(answer.records),
            )
        )  # fmt: skip


def whole(given, version=NEWEST):
    read = Read(version)
    read.reader.finish(memoryview(encode(given, version)))
    return read


TWO_TOPICS = response(
    [data(0, b"one"), data(1, b"x" * 5_000, log_start_offset=3)], [data(4), data(5, b"two")]
)
STRANGE = [
    response([]),
    response([data(0, b"a"), data(1, b"b", aborted_transactions=[])]),
    response(
        [
            data(0, b"a"),
            data(
                1,
                b"b",
                aborted_transactions=[Data.AbortedTransaction(producer_id=5, first_offset=2)],
            ),
        ],
        [data(2, b"c")],
    ),
    response(
        [
            data(0, b"a"),
            data(1, None),
            data(2, current_leader=Data.LeaderIdAndEpoch(leader_id=3, leader_epoch=4)),
        ]
    ),
    response(
        [data(0, b"a"), data(1, snapshot_id=Data.SnapshotId(end_offset=5, epoch=6)), data(2, b"b")]
    ),
    response(
        [data(0, diverging_epoch=Data.EpochEndOffset(epoch=5, end_offset=6))], [data(1, b"a")]
    ),
    response([data(0, diverging_epoch=Data.EpochEndOffset(epoch=5, end_offset=-1)), data(1, b"a")]),
    response(
        [
            data(
                0,
                diverging_epoch=Data.EpochEndOffset(epoch=5, end_offset=6),
                current_leader=Data.LeaderIdAndEpoch(leader_id=3, leader_epoch=4),
            )
        ]
    ),
    response(
        [data(0, b"a")],
        node_endpoints=[FetchResponse.NodeEndpoint(node_id=1, host="b1", port=9092)],
    ),
]


@pytest.mark.parametrize("version", VERSIONS)
def test_each_partition_is_handed_on_with_what_the_leader_says_of_it(version):
    read = whole(TWO_TOPICS, version)
    assert read.taken == expected(TWO_TOPICS)
    assert (read.reader.error_code, read.reader.session_id, read.reader.count) == (0, 9, 4)


@pytest.mark.parametrize("given", STRANGE, ids=range(len(STRANGE)))
def test_what_is_unusual_is_read_as_the_decoder_does(given):
    assert whole(given).taken == expected(given)


def test_a_version_with_names_of_topics_is_read_by_the_decoder():
    given = response([data(0, b"one")])
    given.responses[0].topic = "topic"
    assert [one[1:] for one in whole(given, 12).taken] == [one[1:] for one in expected(given)]


@pytest.mark.parametrize("given", [TWO_TOPICS, *STRANGE], ids=range(len(STRANGE) + 1))
def test_in_pieces_it_is_the_same_as_whole(given):
    body = memoryview(encode(given, NEWEST))
    for size in (1, 7, 64, 4_096):
        read = Read()
        for end in range(0, len(body), size):
            read.reader.read_on(body[:end])
        read.reader.finish(body)
        assert read.taken == expected(given)
        assert read.reader.count == len(read.taken)


def test_a_partition_is_handed_on_before_the_next_has_come():
    body = memoryview(encode(TWO_TOPICS, NEWEST))
    counts = []
    read = Read()
    for end in range(len(body) + 1):
        read.reader.read_on(body[:end])
        counts.append(len(read.taken))
    assert counts.index(1) < 100
    assert counts.index(2) > 5_000
    assert sorted(set(counts)) == [0, 1, 2, 3, 4]


def test_what_is_in_a_topics_tags_is_no_topic():
    """The tag has the bytes of one: read behind the number of tags, it would be the next."""
    both = response([data(0, b"one")], [data(4, b"two")])
    end = len(encode(response([data(0, b"one")]), NEWEST)) - 2
    body = bytearray(encode(both, NEWEST))
    assert body[end] == 0, "the number of tags of the first topic"
    like_partitions = encode(response([data(9, b"forged")]), NEWEST)[11 + 16 : -1]
    tag = bytes(14) + like_partitions
    body[end : end + 1] = bytes((1, 5, len(tag))) + tag
    read = Read()
    read.reader.finish(memoryview(body))
    assert read.taken == expected(both)


def test_a_refusal_has_no_partitions():
    read = whole(response(error_code=70, session_id=0))
    assert (read.reader.error_code, read.reader.session_id, read.taken) == (70, 0, [])


@pytest.mark.parametrize("given", [TWO_TOPICS, STRANGE[2]])
def test_one_that_breaks_off_is_refused(given):
    body = encode(given, NEWEST)
    for end in range(len(body) - 1):
        read = Read()
        try:
            read.reader.finish(memoryview(body[:end]))
        except DecodeError:
            continue
        assert read.taken == expected(given), "nothing but the last tags may be missing"
        assert end >= len(body) - 2


def test_bytes_without_sense_are_refused_or_read_like_the_decoder():
    draw = random.Random(7)
    body = encode(TWO_TOPICS, NEWEST)
    refused = 0
    for _ in range(2_000):
        spoilt = bytearray(body[:200] + body[-200:] if draw.random() < 0.5 else body)
        for _ in range(draw.randrange(1, 4)):
            spoilt[draw.randrange(min(len(spoilt), 80))] = draw.randrange(256)
        try:
            Read().reader.finish(memoryview(spoilt))
        except DecodeError:
            refused += 1
    assert refused > 100


def test_an_error_of_who_takes_a_partition_is_not_hidden():
    def take(_answer):
        raise IndexError("a bug")

    reader = AnswerReader(take)
    reader.begin(NEWEST)
    with pytest.raises(IndexError, match="a bug"):
        reader.finish(memoryview(encode(TWO_TOPICS, NEWEST)))
