"""Where share groups begin is asked of share coordinators, by questions that the shard makes."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.broker.coordinator.group.share.steps import ForgetShares, ShareStep
from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.consumer.conversation import id_of
from tests.broker.coordinator.group.coordinator import Asked
from tests.broker.coordinator.group.share.conversation import ShareGroupCoordinator


def with_empty_group():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=2)
    coordinator.joined("a")
    coordinator.beat("a", -1)
    return coordinator


def alter(coordinator, topic="t", partition=0, start=7, group_id="g"):
    form = AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic
    one = form.AlterShareGroupOffsetsRequestPartition(partition_index=partition, start_offset=start)
    request = AlterShareGroupOffsetsRequest(
        group_id=group_id, topics=[form(topic_name=topic, partitions=[one])]
    )
    return coordinator >> Asked(request, 0)


def delete(coordinator, *topics):
    form = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic
    request = DeleteShareGroupOffsetsRequest(
        group_id="g", topics=[form(topic_name=name) for name in topics]
    )
    return coordinator >> Asked(request, 0)


def places(answer):
    return {topic.topic_id: [one.partition for one in topic.partitions] for topic in answer.topics}


def test_what_has_state_is_asked_for():
    coordinator = with_empty_group()
    form = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
    request = DescribeShareGroupOffsetsRequest(groups=[form(group_id="g", topics=None)])
    assert places((coordinator >> Asked(request, 1)).answer) == {id_of("t"): [0, 1]}


def test_an_empty_group_may_begin_elsewhere_in_its_present_epoch():
    coordinator = with_empty_group()
    (topic,) = alter(coordinator).answer.topics
    (one,) = topic.partitions
    assert (one.partition, one.start_offset, one.state_epoch) == (0, 7, coordinator.group.epoch)
    assert coordinator.group.prepared.asked[id_of("t")].partitions == {0}


def test_a_group_that_is_not_there_begins_with_its_offsets():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=1)
    assert places(alter(coordinator).answer) == {id_of("t"): [0]}
    assert coordinator.state() == "Empty"


def test_a_group_with_members_goes_on_as_it_is():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=1)
    coordinator.joined("a")
    assert alter(coordinator).refusal == ErrorCode.NON_EMPTY_GROUP
    assert delete(coordinator, "t").refusal == ErrorCode.NON_EMPTY_GROUP


def test_what_is_not_there_is_not_asked_for():
    coordinator = with_empty_group()
    assert alter(coordinator, topic="u").answer.topics == []
    assert alter(coordinator, partition=9).answer.topics == []


def test_topics_are_forgotten_in_two_steps():
    coordinator = with_empty_group()
    assert places(delete(coordinator, "t").answer) == {id_of("t"): [0, 1]}
    assert coordinator.group.prepared.leaving == {id_of("t"): "t"}
    assert places(delete(coordinator, "t").answer) == {id_of("t"): [0, 1]}
    coordinator >> Asked(ShareStep(group_id="g", confirmed=[], failed=[], parted=[id_of("t")]), 0)
    assert coordinator.group.prepared == Prepared()
    assert delete(coordinator, "t").answer.topics == []


def test_without_names_nothing_is_forgotten_and_the_same_is_noted_again():
    coordinator = with_empty_group()
    noted = len(coordinator.log)
    before = coordinator.group.prepared
    assert delete(coordinator, "unknown").answer.topics == []
    assert coordinator.group.prepared == before
    assert len(coordinator.log) == noted + 1


def test_a_group_that_never_asked_for_state_notes_nothing():
    coordinator = ShareGroupCoordinator()
    coordinator.beat("a", 0, "unknown")
    coordinator.beat("a", -1)
    noted = len(coordinator.log)
    assert delete(coordinator, "unknown").answer.topics == []
    assert len(coordinator.log) == noted


def test_a_group_that_is_to_be_deleted_forgets_everything():
    coordinator = with_empty_group()
    assert places((coordinator >> Asked(ForgetShares(group_id="g"), 0)).answer) == {
        id_of("t"): [0, 1]
    }
    assert coordinator.group.prepared.leaving == {id_of("t"): "t"}


def test_a_known_topic_without_partitions_begins_a_group_and_asks_for_nothing():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=1)
    assert alter(coordinator, partition=9).answer.topics == []
    assert coordinator.state() == "Empty"
    assert alter(coordinator, topic="u", group_id="other").answer.topics == []
    assert "other" not in coordinator.shard.groups.by_id


def test_a_topic_of_which_only_unknown_partitions_were_asked_for_is_not_known_where_it_is_named():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=1)
    alter(coordinator, partition=9)
    noted = len(coordinator.log)
    assert delete(coordinator, "t").answer.topics == []
    assert not coordinator.group.prepared.leaving
    assert len(coordinator.log) == noted + 1


def test_a_step_for_a_group_that_has_gone_is_nothing():
    coordinator = ShareGroupCoordinator()
    step = ShareStep(group_id="gone", confirmed=[], failed=[], parted=[])
    assert not (coordinator >> Asked(step, 0)).is_waiting
    assert coordinator.log == []
