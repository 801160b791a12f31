"""Share coordinators answer other brokers, share partition by share partition."""

from __future__ import annotations

from moldau.protocol.messages.share.delete_share_group_state import DeleteShareGroupStateRequest
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.messages.share.read_share_group_state import ReadShareGroupStateRequest
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
)
from moldau.protocol.messages.share.write_share_group_state import WriteShareGroupStateRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import run

Initialize = InitializeShareGroupStateRequest.InitializeStateData
Read = ReadShareGroupStateRequest.ReadStateData
Write = WriteShareGroupStateRequest.WriteStateData
Summary = ReadShareGroupStateSummaryRequest.ReadStateSummaryData
Delete = DeleteShareGroupStateRequest.DeleteStateData


async def ask(cluster, request_type, form, version, *partitions):
    topics = [form(topic_id=cluster.topic_id, partitions=list(partitions))]
    answer = await cluster.ask(request_type(group_id="h", topics=topics), version)
    return [one for result in answer.results for one in result.partitions]


def test_state_is_made_written_read_and_deleted():
    async def main(cluster):
        await cluster.member("m")
        made = await ask(cluster, InitializeShareGroupStateRequest, Initialize, 0, *(
            Initialize.PartitionData(partition=index, state_epoch=1, start_offset=5)
            for index in (0, 1, 9)
        ))  # fmt: skip
        batch = Write.PartitionData.StateBatch(
            first_offset=5, last_offset=6, delivery_state=2, delivery_count=1
        )
        written = await ask(cluster, WriteShareGroupStateRequest, Write, 1, Write.PartitionData(
            partition=1, state_epoch=1, leader_epoch=0, start_offset=5,
            delivery_complete_count=2, state_batches=[batch],
        ))  # fmt: skip
        read = await ask(cluster, ReadShareGroupStateRequest, Read, 0,
                         Read.PartitionData(partition=1, leader_epoch=3))  # fmt: skip
        summed = await ask(cluster, ReadShareGroupStateSummaryRequest, Summary, 1,
                           Summary.PartitionData(partition=1, leader_epoch=-1))  # fmt: skip
        gone = await ask(cluster, DeleteShareGroupStateRequest, Delete, 0,
                         Delete.PartitionData(partition=1))  # fmt: skip
        return made, written[0].error_code, read[0], summed[0], gone[0].error_code

    made, written, read, summed, gone = run(main, partitions=2)
    assert [one.error_code for one in made] == [0, 0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    assert (written, gone) == (0, 0)
    assert (read.start_offset, len(read.state_batches)) == (5, 1)
    assert (summed.start_offset, summed.delivery_complete_count, summed.leader_epoch) == (5, 2, 3)


def test_a_question_about_nothing_has_an_empty_answer():
    async def main(cluster):
        return await ask(cluster, ReadShareGroupStateRequest, Read, 0)

    assert run(main) == []
