"""From where to where a topic is read, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.offset_lookups import EARLIEST, LATEST, NOT_FOUND, Isolation
from moldau.client.core.ranges import AtOffset, AtOffsets, AtTime, TopicRange, find_ranges
from moldau.client.errors import InvalidArgumentError, UnknownTopicError
from moldau.client.topic_partition import TopicPartition
from tests.client.answers import metadata, offsets
from tests.client.conversation import Conversation, context

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
TOPIC = metadata({"t": {1: (1, 4), 0: (1, 3)}})


def finding(isolation=Isolation.READ_UNCOMMITTED, **wanted):
    talk = Conversation(find_ranges(context(), TopicRange("t", **wanted), isolation, 0))
    return talk.receives(TOPIC)


def timestamps(talk):
    """What the brokers were asked for, question by question."""
    return [
        [row.timestamp for topic in request.topics for row in topic.partitions]
        for _, request in talk.asked[1:]
    ]


def test_a_whole_topic_goes_from_the_first_record_to_the_end_of_now():
    talk = finding().receives(offsets({ONE: 3, TWO: 4})).receives(offsets({ONE: 30, TWO: 40}))
    assert timestamps(talk) == [[EARLIEST] * 2, [LATEST] * 2]
    assert list(talk.result.items()) == [(ONE, (3, 30)), (TWO, (4, 40))]


def test_offsets_that_are_given_are_not_asked_for():
    talk = finding(start=AtOffset(5), end=AtOffsets({0: 6, 1: 7}))
    assert talk.is_over
    assert talk.result == {ONE: (5, 6), TWO: (5, 7)}


def test_only_the_chosen_partitions_are_asked_for():
    talk = finding(partitions=(1,), start=AtOffset(0)).receives(offsets({TWO: 40}))
    assert talk.result == {TWO: (0, 40)}


def test_a_time_leads_to_its_record_or_to_the_end():
    talk = finding(start=AtTime(1000), end=AtTime(2000))
    talk.receives(offsets({ONE: 5, TWO: NOT_FOUND})).receives(offsets({ONE: 30, TWO: 40}))
    talk.receives(offsets({ONE: 9, TWO: NOT_FOUND})).receives(offsets({ONE: 30, TWO: 40}))
    assert timestamps(talk) == [[1000] * 2, [LATEST] * 2, [2000] * 2, [LATEST] * 2]
    assert talk.result == {ONE: (5, 9), TWO: (40, 40)}


def test_a_time_does_not_lead_beyond_what_is_committed():
    """A reader of committed records would wait there for a transaction to end."""
    talk = finding(Isolation.READ_COMMITTED, start=AtOffset(0), end=AtTime(2000))
    talk.receives(offsets({ONE: 9, TWO: 9})).receives(offsets({ONE: 7, TWO: 40}))
    assert talk.result == {ONE: (0, 7), TWO: (0, 9)}
    assert {request.isolation_level for _, request in talk.asked[1:]} == {1}


def test_a_partition_that_is_not_there_is_named():
    with pytest.raises(UnknownTopicError, match="topic t has no partition 2: it has 2"):
        finding(partitions=(0, 2))


def test_a_partition_without_an_offset_is_named():
    with pytest.raises(InvalidArgumentError, match=r"no offset for t-1: .*leave it out"):
        finding(start=AtOffsets({0: 5}))
