"""How far groups are behind, by the client."""

from moldau.client import TopicPartition
from moldau.client.admin import Admin
from moldau.programs.tools.cluster.lags import find_lags, times_at


def test_lags_are_found_by_group_and_partition(node, group, topic):
    with Admin(node) as admin:
        rows = find_lags(admin, [group])
    assert [(row.part, row.committed, row.end, row.lag) for row in rows] == [
        (TopicPartition(topic, 0), 1, 2, 1),
        (TopicPartition(topic, 1), 0, 1, 1),
    ]


def test_several_offsets_of_a_partition_each_have_their_time(node, topic):
    part = TopicPartition(topic, 0)
    times = times_at({"bootstrap.servers": node}, [(part, 0), (part, 1)])
    assert times == {(part, 0): 1000, (part, 1): 2000}


def test_a_topic_that_is_gone_has_no_times_and_the_others_have_theirs(node, topic):
    part, gone = TopicPartition(topic, 0), TopicPartition(f"{topic}-deleted", 0)
    assert times_at({"bootstrap.servers": node}, [(gone, 0), (part, 1)]) == {(part, 1): 2000}
