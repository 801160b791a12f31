"""Share groups live by their records, and are deleted as any group is."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from tests.broker.coordinator.group.consumer.conversation import without_topic
from tests.broker.coordinator.group.coordinator import Asked
from tests.broker.coordinator.group.share.conversation import ShareGroupCoordinator


def joined_coordinator():
    coordinator = ShareGroupCoordinator()
    coordinator.add_topics(t=2)
    coordinator.joined("a", "b")
    return coordinator


def test_a_restart_finds_the_same_group():
    coordinator = joined_coordinator()
    later = coordinator.restarted()
    group, again = coordinator.group, later.shard.groups.by_id["g"]
    assert isinstance(again, ShareGroup)
    for name in ("epoch", "assignment_epoch", "members", "target", "metadata_hash"):
        assert getattr(again, name) == getattr(group, name), name
    assert again.prepared.ready.keys() == group.prepared.ready.keys()


def test_a_deleted_group_leaves_nothing():
    coordinator = joined_coordinator()
    for member_id in ("a", "b"):
        coordinator.beat(member_id, -1)
    reply = coordinator >> Asked(DeleteGroupsRequest(groups_names=["g"]), 2)
    assert reply.answer.results[0].error_code == 0
    assert "g" not in coordinator.shard.groups.by_id
    assert "g" not in coordinator.restarted().shard.groups.by_id


def test_it_is_listed_with_its_type():
    coordinator = joined_coordinator()
    request = ListGroupsRequest(states_filter=[], types_filter=["share"])
    (listed,) = (coordinator >> Asked(request, 5)).answer.groups
    assert (listed.group_id, listed.group_type, listed.protocol_type) == ("g", "share", "share")


def test_the_state_of_a_topic_that_is_gone_is_forgotten():
    coordinator = joined_coordinator()
    coordinator.change(without_topic(coordinator.image, "t"))
    assert coordinator.group.prepared == Prepared()
