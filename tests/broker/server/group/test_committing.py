"""How the answer to a commit is put together."""

from __future__ import annotations

import pytest

from moldau.broker.server.group.committing import Refusals, Topic, add_refused, response_of

ID = bytes(15) + b"\1"


def topic(name: str, *indexes: int) -> Topic:
    partitions = [
        Topic.OffsetCommitResponsePartition(partition_index=index, error_code=0)
        for index in indexes
    ]
    return Topic(name=name, topic_id=ID, partitions=partitions)


def test_refused_partitions_stand_before_the_others_of_their_topic():
    refusals: Refusals = {}
    for one in (topic("t", 5), topic("u", 0), topic("t", 1, 2)):
        add_refused(refusals, one)
    shown = [
        (name, [one.partition_index for one in it.partitions]) for name, it in refusals.items()
    ]
    assert shown == [("t", [5, 1, 2]), ("u", [0])]


@pytest.mark.parametrize(("version", "name"), [(9, "t"), (10, "")])
def test_topics_have_names_until_they_have_ids(version, name):
    (answered,) = response_of(version, [topic("t", 0)]).topics
    assert (answered.name, answered.topic_id) == (name, ID)
