"""Describing streams groups, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.streams_views import Task, describe_streams_groups
from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeResponse
from tests.client.core.admin.asking import call, coordinators, talk

Answer = StreamsGroupDescribeResponse
Row = Answer.DescribedGroup


def assignment(*partitions: int) -> StreamsGroupDescribeResponse.Assignment:
    tasks = [Answer.TaskIds(subtopology_id="0", partitions=list(partitions))]
    return Answer.Assignment(active_tasks=tasks, standby_tasks=[], warmup_tasks=[])


def member() -> Row.Member:
    return Row.Member(
        member_id="m",
        member_epoch=2,
        client_id="c",
        client_host="/h",
        topology_epoch=1,
        process_id="p",
        user_endpoint=Answer.Endpoint(host="h", port=8080),
        client_tags=[Answer.KeyValue(key="zone", value="a")],
        task_offsets=[Answer.TaskOffset(subtopology_id="0", partition=1, offset=7)],
        task_end_offsets=[],
        assignment=assignment(0, 1),
        target_assignment=assignment(0),
        is_classic=False,
    )


def topology() -> Row.Topology:
    changelog = Answer.TopicInfo(
        name="log",
        partitions=0,
        replication_factor=0,
        topic_configs=[Answer.KeyValue(key="a", value="b")],
    )
    part = Row.Topology.Subtopology(
        subtopology_id="0",
        source_topics=["t"],
        repartition_sink_topics=[],
        state_changelog_topics=[changelog],
        repartition_source_topics=[],
    )
    return Row.Topology(epoch=1, subtopologies=[part])


def test_topology_members_and_tasks_are_there():
    row = Row(
        error_code=0,
        group_id="g",
        group_state="Stable",
        group_epoch=2,
        assignment_epoch=2,
        topology=topology(),
        members=[member()],
    )
    held = talk(describe_streams_groups(call(), "g")).receives(coordinators({"g": 1}))
    held.receives(Answer(throttle_time_ms=0, groups=[row]))
    view = held.result["g"]
    (found,), (part,) = view.members, view.subtopologies
    assert [str(task) for task in found.assignment.active] == ["0_0", "0_1"]
    assert (found.user_endpoint, found.client_tags) == ("h:8080", {"zone": "a"})
    assert found.task_offsets == {Task("0", 1): 7}
    assert (part.source_topics, part.changelog_topics[0].configs) == (("t",), {"a": "b"})
