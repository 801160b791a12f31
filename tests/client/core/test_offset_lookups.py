"""Asking leaders for offsets, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.offset_lookups import EARLIEST, LATEST, Isolation, look_up_offsets
from moldau.client.errors import AccessDeniedError, TimedOutError, UnreachableError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata, offsets
from tests.client.conversation import Conversation, context

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
AWAY = UnreachableError("b1:9092", "connection refused")
METADATA = metadata({"t": {0: (1, 3), 1: (2, 4)}})


def looking(wanted, isolation=Isolation.READ_UNCOMMITTED, **settings):
    around = context(**settings)
    return Conversation(look_up_offsets(around, wanted, isolation, 0)).receives(METADATA)


def test_every_leader_is_asked_for_its_own_partitions_at_once():
    talk = looking({ONE: EARLIEST, TWO: LATEST})
    talk.receives(offsets({ONE: 5}), offsets({TWO: 50}))
    assert [node for node, _ in talk.asked] == [None, 1, 2]
    assert talk.result == {ONE: 5, TWO: 50}


def test_the_question_names_the_place_the_epoch_and_the_isolation():
    talk = looking({TWO: LATEST}, Isolation.READ_COMMITTED)
    request = talk.asked[1][1]
    assert isinstance(request, ListOffsetsRequest)
    row = request.topics[0].partitions[0]
    assert (request.isolation_level, row.timestamp, row.current_leader_epoch) == (1, -1, 4)


def test_nothing_wanted_is_nothing_asked():
    talk = Conversation(look_up_offsets(context(), {}, Isolation.READ_UNCOMMITTED, 0))
    assert (talk.result, talk.asked) == ({}, [])


def test_a_leader_that_moved_is_found_and_only_its_partitions_are_asked_again():
    talk = looking({ONE: LATEST, TWO: LATEST})
    moved = offsets({TWO: -1}, ErrorCode.NOT_LEADER_OR_FOLLOWER)
    talk.receives(offsets({ONE: 9}), moved).rests()
    talk.receives(metadata({"t": {0: (1, 3), 1: (1, 5)}})).receives(offsets({TWO: 8}))
    assert talk.result == {ONE: 9, TWO: 8}
    assert [node for node, _ in talk.asked] == [None, 1, 2, None, 1]


def test_a_leader_that_is_away_may_have_been_replaced():
    talk = looking({ONE: LATEST}).receives(AWAY).rests()
    talk.receives(metadata({"t": {0: (2, 4)}})).receives(offsets({ONE: 3}))
    assert talk.result == {ONE: 3}


def test_what_may_not_be_read_is_refused_at_once():
    talk = looking({ONE: LATEST})
    with pytest.raises(AccessDeniedError):
        talk.receives(offsets({ONE: -1}, ErrorCode.TOPIC_AUTHORIZATION_FAILED))


def test_it_ends_when_the_time_is_over_and_says_for_what():
    talk = looking({ONE: LATEST}, default_api_timeout_ms="100")
    with pytest.raises(TimedOutError, match=r"offsets of t-0 after 100 ms.*LEADER_NOT_AVAILABLE"):
        talk.receives(offsets({ONE: -1}, ErrorCode.LEADER_NOT_AVAILABLE), later_ms=100)
