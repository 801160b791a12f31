"""OffsetFetch through its handler."""

from __future__ import annotations

import pytest

from moldau.broker.replica.isr import FollowerProgress
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit
from tests.broker.server.data_broker import DataBroker, topic_id
from tests.broker.server.group_broker import Forbids, result_of

Group = OffsetFetchRequest.OffsetFetchRequestGroup
OldTopic = OffsetFetchRequest.OffsetFetchRequestTopic
EVERYTHING = None


def old(*names: str) -> OffsetFetchRequest:
    topics = [OldTopic(name=name, partition_indexes=[0]) for name in names] or None
    return OffsetFetchRequest(group_id="g", topics=topics, groups=[])


def today(*groups: str, name: str = "t", one: bytes = bytes(16), everything: bool = False):
    topic = Group.OffsetFetchRequestTopics(name=name, topic_id=one, partition_indexes=[0])
    asked = [Group(group_id=group, topics=None if everything else [topic]) for group in groups]
    return OffsetFetchRequest(group_id="", topics=[], groups=asked)


def ask(request, version, forbids=(), *, offsets_topic=True):
    async def scenario(one: DataBroker):
        if offsets_topic:
            for topic in ("t", "gone"):
                if topic == "gone":
                    await one.topic("gone")
                await one.ask(commit(7, topic=topic).request, 9)
            one.delete("gone")
        one.broker.authorizer = Forbids(*forbids)
        return await one.ask(request, version)

    return result_of(scenario, offsets_topic=offsets_topic)


def offsets_in(topics):
    return [
        (topic.name, [(one.committed_offset, one.error_code) for one in topic.partitions])
        for topic in topics
    ]


@pytest.mark.parametrize("version", [1, 2, 7])
def test_older_versions_ask_for_one_group(version):
    answer = ask(old("t", "u"), version)
    assert offsets_in(answer.topics) == [("t", [(7, 0)]), ("u", [(-1, 0)])]


def test_a_group_can_be_asked_for_everything():
    answer = ask(old(), 7)
    assert offsets_in(answer.topics) == [("t", [(7, 0)]), ("gone", [(7, 0)])]


def test_the_error_of_a_group_is_that_of_the_answer():
    answer = ask(old("t"), 7, offsets_topic=False)
    assert (answer.topics, answer.error_code) == ([], ErrorCode.NOT_COORDINATOR)


def test_a_coordinator_that_cannot_write_is_none_to_consumers_before_3_9():
    async def scenario(stage: DataBroker):
        partition = stage.partition(OFFSETS_TOPIC)
        partition.isr, partition.is_alone = (*partition.isr, 2), False
        partition.followers[2] = FollowerProgress()
        stage.begin(commit(7).request, 9)
        await stage.tasks.sleep(1)
        return await stage.ask(today("g"), 9)

    (group,) = result_of(scenario).groups
    assert (group.topics, group.error_code) == ([], ErrorCode.NOT_COORDINATOR)


def test_in_the_oldest_version_it_is_that_of_every_partition():
    answer = ask(old("t"), 1, offsets_topic=False)
    assert offsets_in(answer.topics) == [("t", [(-1, ErrorCode.NOT_COORDINATOR)])]


def test_every_group_is_answered_by_itself():
    answer = ask(today("g", "secret", "x"), 9, forbids=["secret"])
    assert [(one.group_id, one.error_code, offsets_in(one.topics)) for one in answer.groups] == [
        ("g", 0, [("t", [(7, 0)])]),
        ("secret", ErrorCode.GROUP_AUTHORIZATION_FAILED, []),
        ("x", 0, [("t", [(-1, 0)])]),
    ]


def test_topics_can_be_named_by_id():
    (group,) = ask(today("g", name="", one=topic_id("t")), 10).groups
    assert [(topic.name, topic.topic_id) for topic in group.topics] == [("", topic_id("t"))]
    assert offsets_in(group.topics) == [("", [(7, 0)])]


def test_an_unknown_id_is_refused_alone():
    (group,) = ask(today("g", name="", one=b"?" * 16), 10).groups
    assert offsets_in(group.topics) == [("", [(-1, ErrorCode.UNKNOWN_TOPIC_ID)])]


def test_everything_by_id_leaves_out_what_has_none_any_more():
    (group,) = ask(today("g", everything=True), 10).groups
    assert [topic.topic_id for topic in group.topics] == [topic_id("t")]


def test_a_forbidden_topic_is_refused_or_left_out():
    (group,) = ask(today("g"), 9, forbids=["t"]).groups
    assert offsets_in(group.topics) == [("t", [(-1, ErrorCode.TOPIC_AUTHORIZATION_FAILED)])]
    (everything,) = ask(today("g", everything=True), 9, forbids=["t"]).groups
    assert offsets_in(everything.topics) == [("gone", [(7, 0)])]
