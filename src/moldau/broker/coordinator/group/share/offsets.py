"""Where a share group begins: asked for, moved, forgotten; and what share coordinators answered.

The shard knows for which partitions there is state, the share coordinators know what it is. So
these requests are answered with what the share coordinators are to be asked:

    DescribeShareGroupOffsets   ReadShareGroupStateSummary
    AlterShareGroupOffsets      InitializeShareGroupState    then a ShareStep
    DeleteShareGroupOffsets     DeleteShareGroupState        then a ShareStep
    ForgetShares                DeleteShareGroupState of all it has, for the group is deleted
"""

from __future__ import annotations

from moldau.broker.coordinator.group.share.context import ShareContext
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.prepared import Prepared, Shares, named
from moldau.broker.coordinator.group.share.records import prepared_record
from moldau.broker.coordinator.group.share.steps import (
    ForgetShares,
    Noted,
    ShareStep,
    preparation_from,
)
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_state import DeleteShareGroupStateRequest
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
)

ANY_EPOCH = -1
_Deleted = DeleteShareGroupStateRequest.DeleteStateData
_Asked = ReadShareGroupStateSummaryRequest.ReadStateSummaryData


class StartOffsets:
    """Answers for the share groups of a shard."""

    def __init__(self, context: ShareContext) -> None:
        self._context = context

    def describe(
        self, request: DescribeShareGroupOffsetsRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        """Everything that the group has state of; any other group has none."""
        (asked,) = request.groups
        group = self._context.groups.by_id.get(asked.group_id)
        ready = group.prepared.ready if isinstance(group, ShareGroup) else {}
        topics = [
            _Asked(
                topic_id=topic_id,
                partitions=[
                    _Asked.PartitionData(partition=index, leader_epoch=ANY_EPOCH)
                    for index in sorted(one.partitions)
                ],
            )
            for topic_id, one in ready.items()
        ]
        question = ReadShareGroupStateSummaryRequest(group_id=asked.group_id, topics=topics)
        return Decision(replies=[Reply(asking.ticket, question)])

    def alter(
        self, request: AlterShareGroupOffsetsRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        """Begin elsewhere; a group that is not there begins with it, if any topic is there."""
        group = ShareGroup(request.group_id)
        if request.group_id in self._context.groups.by_id:
            group = self._context.group(request.group_id)
        group.check_delete()
        starts = self._starts(request)
        shares = named(starts, self._context.image, now_ms)
        records = []
        if shares:
            records = [prepared_record(group.group_id, group.prepared.asking(shares))]
        there = {topic_id: begin for topic_id, begin in starts.items() if begin}
        question = preparation_from(group.group_id, group.epoch, there)
        return Decision(records, [Reply(asking.ticket, question)])

    def _starts(self, request: AlterShareGroupOffsetsRequest) -> dict[bytes, dict[int, int]]:
        """By topic id, and by partition, as far as there are such."""
        by_name = self._context.image.topics.by_name
        starts: dict[bytes, dict[int, int]] = {}
        for topic in request.topics:
            known = by_name.get(topic.topic_name)
            if known is None:
                continue
            begin = starts.setdefault(known.topic_id, {})
            for one in topic.partitions:
                if one.partition_index in known.partitions:
                    begin[one.partition_index] = one.start_offset
        return starts

    def delete(
        self, request: DeleteShareGroupOffsetsRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        """Forget the topics that are named; what is known is noted anew if it knows none of them.

        So does Kafka, and its log is as long.
        """
        group = self._context.group(request.group_id)
        group.check_delete()
        wanted = {topic.topic_name for topic in request.topics}
        gone = {one: name for one, name in _with_state(group).items() if name in wanted}
        if not gone and group.has_prepared_record:
            same = prepared_record(group.group_id, group.prepared)
            return Decision([same], [Reply(asking.ticket, _nothing(group))])
        return self._parting(group, gone, asking)

    def forget(self, request: ForgetShares, asking: RequestContext, now_ms: int) -> Decision:
        """Forget all topics."""
        group = self._context.group(request.group_id)
        group.check_delete()
        return self._parting(group, _known(group), asking)

    def _parting(
        self, group: ShareGroup, gone: dict[bytes, str], asking: RequestContext
    ) -> Decision:
        prepared = group.prepared
        if not gone:
            return Decision(replies=[Reply(asking.ticket, _nothing(group))])
        record = prepared_record(group.group_id, prepared.parting(gone))
        question = DeleteShareGroupStateRequest(
            group_id=group.group_id,
            topics=[self._deletion(topic_id, prepared) for topic_id in gone],
        )
        return Decision([record], [Reply(asking.ticket, question)])

    def _deletion(self, topic_id: bytes, prepared: Prepared) -> _Deleted:
        """All partitions that may have state; where that is not known any more, all there are."""
        some: set[int] = set()
        for shares in (prepared.asked, prepared.ready):
            if topic_id in shares:
                some |= shares[topic_id].partitions
        topic = self._context.image.topics.by_id.get(topic_id)
        if not some and topic is not None:
            some = set(topic.partitions)
        return _Deleted(
            topic_id=topic_id,
            partitions=[_Deleted.PartitionData(partition=index) for index in sorted(some)],
        )

    def step(self, step: ShareStep, asking: RequestContext, now_ms: int) -> Decision:
        """What the share coordinators answered."""
        answer = Reply(asking.ticket, Noted())
        group = self._context.groups.by_id.get(step.group_id)
        if not isinstance(group, ShareGroup):
            return Decision(replies=[answer])
        prepared = group.prepared
        prepared = prepared.confirmed(self._shares(step.confirmed, now_ms))
        prepared = prepared.failed(self._shares(step.failed, now_ms)).parted(step.parted)
        if prepared == group.prepared:
            return Decision(replies=[answer])
        return Decision([prepared_record(group.group_id, prepared)], [answer])

    def _shares(self, entries: list[ShareStep.TopicPartitions], now_ms: int) -> Shares:
        by_topic = {entry.topic_id: entry.partitions for entry in entries}
        return named(by_topic, self._context.image, now_ms)


def _known(group: ShareGroup) -> dict[bytes, str]:
    """The names of all topics that it may have state of, by id."""
    prepared = group.prepared
    return {**_names(prepared.asked), **_names(prepared.ready), **prepared.leaving}


def _with_state(group: ShareGroup) -> dict[bytes, str]:
    """The same without topics of which no partition was asked for, since none of them was there.

    Kafka does not know those where they are named, and forgets them with the group.
    """
    prepared = group.prepared
    stateless = {
        topic_id
        for topic_id, one in prepared.asked.items()
        if not one.partitions and topic_id not in prepared.ready
    }
    return {one: name for one, name in _known(group).items() if one not in stateless}


def _names(shares: Shares) -> dict[bytes, str]:
    return {topic_id: one.name for topic_id, one in shares.items()}


def _nothing(group: ShareGroup) -> DeleteShareGroupStateRequest:
    return DeleteShareGroupStateRequest(group_id=group.group_id, topics=[])
