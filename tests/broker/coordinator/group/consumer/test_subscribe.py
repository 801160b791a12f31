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
    play = stage(t=1, u=1)
    play >> join(topics=["t"])
    play >> beat("m", 2, topics=["t"])
    assert group_of(play).epoch == 2
    play >> beat("m", 2, topics=["t", "u"])
    assert group_of(play).epoch == 3


def test_another_client_id_is_written_down_without_an_epoch():
    play = stage()
    play >> join()
    play >> beat("m", 2, client_id="other")
    assert (member_of(play).client_id, group_of(play).epoch) == ("other", 2)


def test_more_partitions_are_another_epoch_with_the_next_heartbeat():
    play = stage(t=1)
    play >> join()
    change(play, with_topics(play.image, t=3))
    assert group_of(play).epoch == 2
    play.pass_ms(1_000)
    reply = play >> beat("m", 2)
    assert reply.answer.member_epoch == 3
    assert len(reply.answer.assignment.topic_partitions[0].partitions) == 3


def test_a_topic_that_comes_into_being_is_noticed():
    play = stage(x=1)
    play >> join()
    change(play, with_topics(play.image, t=1))
    play.pass_ms(1_000)
    assert (play >> beat("m", 2)).answer.assignment.topic_partitions != []


def test_a_topic_that_goes_is_taken_away():
    play = stage(t=1)
    play >> join()
    change(play, without_topic(play.image, "t"))
    play.pass_ms(1_000)
    reply = play >> beat("m", 2)
    assert reply.answer.assignment.topic_partitions == []


def test_other_topics_are_no_concern_of_the_group():
    play = stage(t=1)
    play >> join()
    change(play, with_topics(play.image, other=1))
    play >> beat("m", 2)
    assert group_of(play).epoch == 2


def test_a_bad_pattern_is_refused():
    assert (stage() >> join(pattern="(")).code == 128
