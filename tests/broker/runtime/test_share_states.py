"""Questions about many share partitions are taken apart and answered as one."""

from __future__ import annotations

from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, run

Data = ReadShareGroupStateSummaryRequest.ReadStateSummaryData


def question(cluster, *indexes):
    parts = [Data.PartitionData(partition=index, leader_epoch=-1) for index in indexes]
    topics = [Data(topic_id=cluster.topic_id, partitions=parts)]
    return ReadShareGroupStateSummaryRequest(group_id="g", topics=topics)


def test_the_topic_is_made_for_who_is_patient():
    async def main(cluster):
        states = cluster.node.broker.share_states
        at_once = await states.ask(question(cluster, 0), 1)
        later = await states.ask_with_retries(question(cluster, 0, 1))
        return at_once.results[0].partitions, later.results

    (refused,), (topic,) = run(main, partitions=2)
    assert refused.error_code == ErrorCode.NOT_COORDINATOR
    assert [(one.partition, one.error_code) for one in topic.partitions] == [(0, 0), (1, 0)]


def test_what_is_stored_is_counted_with_its_time_and_a_question_is_not():
    async def main(cluster):
        await cluster.produce(10)
        member, states = await cluster.member("m"), cluster.node.broker.share_states
        await member.fetch()
        before = states.write_count
        await member.acknowledge({0: [(0, 4, ACCEPT)]})
        await states.ask(question(cluster, 0), 1)
        now_ms = cluster.node.broker.clock.monotonic_ns() // 1_000_000
        return before, states.write_count, states.write_times.maximum(now_ms) >= 0

    assert run(main) == (0, 1, True)


def test_a_question_about_nothing_has_no_answer():
    async def main(cluster):
        return await cluster.node.broker.share_states.ask_with_retries(question(cluster))

    assert run(main) is None


def test_without_a_persister_there_is_an_answer_at_once_and_no_topic():
    async def main(cluster):
        states = cluster.node.broker.share_states
        answer = await states.ask_with_retries(question(cluster, 0, 1))
        return answer.results, states.runtime.indexes

    (topic,), indexes = run(main, partitions=2, group_share_persister_class_name="")
    partitions = [(one.partition, one.error_code, one.start_offset) for one in topic.partitions]
    assert partitions == [(0, 0, -1), (1, 0, -1)]
    assert indexes == []
