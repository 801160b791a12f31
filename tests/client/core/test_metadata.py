"""Learning about topics, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.cluster import Leader
from moldau.client.core.metadata import (
    UNKNOWN_TRIES_MAX,
    find_leaders,
    find_topics,
    know_topics,
    list_topics,
    refresh_now,
)
from moldau.client.errors import (
    AccessDeniedError,
    TimedOutError,
    UnknownTopicError,
    UnreachableError,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata, unknown
from tests.client.conversation import Conversation, context

PART = TopicPartition("t", 0)
WANTED = MetadataRequest.MetadataRequestTopic
AWAY = UnreachableError("b1:9092", "connection refused")


def finding(around, *parts):
    deadline = around.deadline("looking for leaders", 0)
    return Conversation(find_leaders(around, parts or (PART,), 0, deadline))


def test_all_topics_are_asked_for_without_naming_any():
    talk = Conversation(list_topics(context(), 0))
    talk.receives(metadata({"t": {0: (1, 0)}, "u": {0: (2, 0), 1: (1, 0)}}))
    assert talk.asked[0][1] == MetadataRequest(topics=None, allow_auto_topic_creation=False)
    assert {topic.name: list(topic.leaders) for topic in talk.result} == {"t": [0], "u": [0, 1]}


def test_a_topic_that_was_deleted_is_not_listed_any_more():
    around = context()
    Conversation(list_topics(around, 0)).receives(metadata({"t": {0: (1, 0)}, "u": {0: (1, 0)}}))
    talk = Conversation(list_topics(around, 0)).receives(metadata({"u": {0: (1, 0)}}))
    assert [topic.name for topic in talk.result] == ["u"]


def test_asking_for_a_topic_never_creates_it():
    talk = Conversation(find_topics(context(), ["t"], 0))
    request = talk.asked[0][1]
    assert isinstance(request, MetadataRequest)
    assert request.allow_auto_topic_creation is False
    assert [topic.name for topic in request.topics or []] == ["t"]


def test_looking_a_topic_up_creates_it_where_the_context_allows_it():
    around = context()
    around.creates_topics = True
    deadline = around.deadline("looking", 0)
    lookups = [
        find_topics(around, ["t"], 0),
        refresh_now(around, ["t"]),
        find_leaders(around, [PART], 0, deadline),
    ]
    for lookup in lookups:
        request = Conversation(lookup).asked[0][1]
        assert request == MetadataRequest(topics=[WANTED(name="t")], allow_auto_topic_creation=True)
    for_a_commit = Conversation(know_topics(around, ["t"], 0, deadline)).asked[0][1]
    assert for_a_commit == MetadataRequest(
        topics=[WANTED(name="t")], allow_auto_topic_creation=False
    )


def test_topics_are_learnt_in_the_order_of_the_question():
    talk = Conversation(find_topics(context(), ["u", "t"], 0))
    talk.receives(metadata({"t": {0: (1, 0)}, "u": {0: (1, 0)}}))
    assert [topic.name for topic in talk.result] == ["u", "t"]


def test_a_topic_that_is_only_young_is_waited_for():
    talk = Conversation(find_topics(context(), ["t"], 0))
    talk.receives(unknown("t")).rests().receives(metadata({"t": {0: (1, 0)}}))
    assert talk.is_over


def test_a_topic_that_stays_unknown_does_not_exist():
    talk = Conversation(find_topics(context(), ["t"], 0))
    for _ in range(UNKNOWN_TRIES_MAX):
        talk.receives(unknown("t")).rests()
    with pytest.raises(UnknownTopicError, match="topic t does not exist"):
        talk.receives(unknown("t"))


def test_a_topic_that_is_forbidden_is_refused_at_once():
    talk = Conversation(find_topics(context(), ["t"], 0))
    with pytest.raises(AccessDeniedError, match="topic t"):
        talk.receives(metadata({}, refused={"t": ErrorCode.TOPIC_AUTHORIZATION_FAILED}))


def test_brokers_that_cannot_be_reached_are_tried_until_the_time_is_over():
    talk = Conversation(find_topics(context(default_api_timeout_ms="300"), ["t"], 0))
    for _ in range(2):
        talk.receives(AWAY).rests()
    with pytest.raises(TimedOutError, match="b1:9092: connection refused"):
        talk.receives(AWAY, later_ms=300)


def test_leaders_that_are_known_are_not_asked_for():
    around = context()
    around.cluster.apply_metadata(metadata({"t": {0: (2, 7)}}), 0)
    talk = finding(around)
    assert talk.result == {PART: Leader(2, 7)}
    assert talk.asked == []


def test_a_partition_without_leader_is_asked_for_until_it_has_one():
    talk = finding(context())
    talk.receives(metadata({"t": {0: (-1, 3)}})).rests().receives(metadata({"t": {0: (2, 4)}}))
    assert talk.result == {PART: Leader(2, 4)}


def test_a_partition_that_is_not_there_is_no_matter_of_time():
    talk = finding(context(), TopicPartition("t", 5))
    with pytest.raises(UnknownTopicError, match="topic t has no partition 5: it has 1"):
        talk.receives(metadata({"t": {0: (1, 0)}}))


def test_only_what_is_not_fresh_is_asked_for():
    around = context()
    around.cluster.apply_metadata(metadata({"t": {0: (1, 0)}}), 0)
    dialogue = know_topics(around, {"t", "u"}, 10, around.deadline("asking", 0))
    talk = Conversation(dialogue, now_ms=10)
    request = talk.asked[0][1]
    assert isinstance(request, MetadataRequest)
    assert [topic.name for topic in request.topics or []] == ["u"]


def test_a_broker_that_wants_us_to_begin_anew_is_obeyed():
    around = context()
    around.cluster.apply_metadata(metadata({}), 0)
    talk = Conversation(list_topics(around, 0))
    broken = MetadataResponse(brokers=[], topics=[], error_code=ErrorCode.REBOOTSTRAP_REQUIRED)
    talk.receives(broken)
    assert around.cluster.brokers == {}
    assert talk.rests().receives(metadata({})).result == []


def test_a_single_try_says_why_it_failed():
    assert Conversation(refresh_now(context(), ["t"])).receives(AWAY).result is AWAY
    assert Conversation(refresh_now(context(), ["t"])).receives(unknown("t")).result is None
