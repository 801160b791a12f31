"""When the group gets another epoch."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import (
    beat,
    change,
    group_of,
    join,
    member_of,
    stage,
    with_topics,
    without_topic,
)


def test_other_names_are_another_epoch_and_the_same_names_are_none():
    coordinator = stage(t=1, u=1)
    coordinator >> join(topics=["t"])
    coordinator >> beat("m", 2, topics=["t"])
    assert group_of(coordinator).epoch == 2
    coordinator >> beat("m", 2, topics=["t", "u"])
    assert group_of(coordinator).epoch == 3


def test_another_client_id_is_written_down_without_an_epoch():
    coordinator = stage()
    coordinator >> join()
    coordinator >> beat("m", 2, client_id="other")
    assert (member_of(coordinator).client_id, group_of(coordinator).epoch) == ("other", 2)


def test_more_partitions_are_another_epoch_with_the_next_heartbeat():
    coordinator = stage(t=1)
    coordinator >> join()
    change(coordinator, with_topics(coordinator.image, t=3))
    assert group_of(coordinator).epoch == 2
    coordinator.pass_ms(1_000)
    reply = coordinator >> beat("m", 2)
    assert reply.answer.member_epoch == 3
    assert len(reply.answer.assignment.topic_partitions[0].partitions) == 3


def test_a_topic_that_comes_into_being_is_noticed():
    coordinator = stage(x=1)
    coordinator >> join()
    change(coordinator, with_topics(coordinator.image, t=1))
    coordinator.pass_ms(1_000)
    assert (coordinator >> beat("m", 2)).answer.assignment.topic_partitions != []


def test_a_topic_that_goes_is_taken_away():
    coordinator = stage(t=1)
    coordinator >> join()
    change(coordinator, without_topic(coordinator.image, "t"))
    coordinator.pass_ms(1_000)
    reply = coordinator >> beat("m", 2)
    assert reply.answer.assignment.topic_partitions == []


def test_other_topics_are_no_concern_of_the_group():
    coordinator = stage(t=1)
    coordinator >> join()
    change(coordinator, with_topics(coordinator.image, other=1))
    coordinator >> beat("m", 2)
    assert group_of(coordinator).epoch == 2


def test_a_bad_pattern_is_refused():
    assert (stage() >> join(pattern="(")).code == 128
