"""Share groups live by their records, and are deleted as any group is."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from tests.broker.coordinator.group.consumer.conversation import without_topic
from tests.broker.coordinator.group.play import Asked
from tests.broker.coordinator.group.share.conversation import SharePlay


def joined_play():
    play = SharePlay()
    play.add_topics(t=2)
    play.joined("a", "b")
    return play


def test_a_restart_finds_the_same_group():
    play = joined_play()
    later = play.restarted()
    group, again = play.group, later.shard.groups.by_id["g"]
    assert isinstance(again, ShareGroup)
    for name in ("epoch", "assignment_epoch", "members", "target", "metadata_hash"):
        assert getattr(again, name) == getattr(group, name), name
    assert again.prepared.ready.keys() == group.prepared.ready.keys()


def test_a_deleted_group_leaves_nothing():
    play = joined_play()
    for member_id in ("a", "b"):
        play.beat(member_id, -1)
    reply = play >> Asked(DeleteGroupsRequest(groups_names=["g"]), 2)
    assert reply.answer.results[0].error_code == 0
    assert "g" not in play.shard.groups.by_id
    assert "g" not in play.restarted().shard.groups.by_id


def test_it_is_listed_with_its_type():
    play = joined_play()
    request = ListGroupsRequest(states_filter=[], types_filter=["share"])
    (listed,) = (play >> Asked(request, 5)).answer.groups
    assert (listed.group_id, listed.group_type, listed.protocol_type) == ("g", "share", "share")


def test_the_state_of_a_topic_that_is_gone_is_forgotten():
    play = joined_play()
    play.change(without_topic(play.image, "t"))
    assert play.group.prepared == Prepared()
