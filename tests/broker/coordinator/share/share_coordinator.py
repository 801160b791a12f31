"""Conversations with a share state shard: requests about one share partition at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from moldau.broker.coordinator.record_codec import SHARE_STATE_RECORDS, decode_stored, encode_stored
from moldau.broker.coordinator.shard import Decision, RequestContext, StoredRecord
from moldau.broker.coordinator.share.state_shard import ShareStateShard
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.protocol.messages.share.delete_share_group_state import DeleteShareGroupStateRequest
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.messages.share.read_share_group_state import ReadShareGroupStateRequest
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
)
from moldau.protocol.messages.share.write_share_group_state import WriteShareGroupStateRequest
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord

TOPIC_ID = bytes(15) + b"\x07"
START_MS = 1_000_000


@dataclass
class SomeSettings:
    """Kafka's defaults, but fewer updates to a snapshot."""

    share_coordinator_snapshot_update_records_per_snapshot: int = 3
    share_coordinator_cold_partition_snapshot_interval_ms: int = 300_000
    share_coordinator_state_topic_prune_interval_ms: int = 300_000


def image_with_topic(topic_id: bytes = TOPIC_ID, name: str = "t", partitions: int = 2) -> Image:
    """One topic, led by broker 1."""
    delta = Delta(EMPTY_IMAGE)
    delta.apply(TopicRecord(name=name, topic_id=topic_id))
    for index in range(partitions):
        delta.apply(
            PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=[1],
                isr=[1],
                removing_replicas=[],
                adding_replicas=[],
                leader=1,
                leader_epoch=0,
                partition_epoch=0,
            )
        )
    return delta.build()


class ShareCoordinator:
    """A shard, its log, and a clock."""

    def __init__(self, log: list[StoredRecord] | None = None) -> None:
        self.now_ms = START_MS
        self.image = image_with_topic()
        self.shard = ShareStateShard(SomeSettings(), lambda: self.image)
        self.log: list[StoredRecord] = []
        self.effects: list[Any] = []
        for record in log or []:
            self._append(record)
        self.carry_out(self.shard.loaded(self.now_ms))

    def restarted(self) -> ShareCoordinator:
        return ShareCoordinator(self.log)

    def ask(self, request: Any) -> Any:
        """The answer about the one partition."""
        decision = self.shard.decide(request, RequestContext(1, 1), self.now_ms)
        self.carry_out(decision)
        return decision.replies[0].response.results[0].partitions[0]  # type: ignore[attr-defined]

    def pass_ms(self, duration_ms: int) -> None:
        until_ms = self.now_ms + duration_ms
        while (wake_at_ms := self.shard.wake_at_ms()) is not None and wake_at_ms <= until_ms:
            self.now_ms = wake_at_ms
            self.carry_out(self.shard.tick(self.now_ms))
        self.now_ms = until_ms

    def carry_out(self, decision: Decision) -> None:
        for record in decision.records:
            self._append(record)
        self.effects += decision.effects

    def _append(self, record: StoredRecord) -> None:
        again = decode_stored(SHARE_STATE_RECORDS, *encode_stored(record))
        assert again is not None
        self.shard.apply(again, len(self.log), self.now_ms)
        self.log.append(again)

    # Requests.

    def initialize(self, *, start: int = 0, epoch: int = 1, partition: int = 0) -> Any:
        form = InitializeShareGroupStateRequest.InitializeStateData
        asked = form.PartitionData(partition=partition, state_epoch=epoch, start_offset=start)
        return self.ask(
            InitializeShareGroupStateRequest(
                group_id="g", topics=[form(topic_id=TOPIC_ID, partitions=[asked])]
            )
        )

    def read(self, *, leader_epoch: int = -1, partition: int = 0) -> Any:
        form = ReadShareGroupStateRequest.ReadStateData
        asked = form.PartitionData(partition=partition, leader_epoch=leader_epoch)
        return self.ask(
            ReadShareGroupStateRequest(
                group_id="g", topics=[form(topic_id=TOPIC_ID, partitions=[asked])]
            )
        )

    def summary(self, *, partition: int = 0) -> Any:
        form = ReadShareGroupStateSummaryRequest.ReadStateSummaryData
        asked = form.PartitionData(partition=partition, leader_epoch=-1)
        return self.ask(
            ReadShareGroupStateSummaryRequest(
                group_id="g", topics=[form(topic_id=TOPIC_ID, partitions=[asked])]
            )
        )

    def delete(self, *, partition: int = 0) -> Any:
        form = DeleteShareGroupStateRequest.DeleteStateData
        asked = form.PartitionData(partition=partition)
        return self.ask(
            DeleteShareGroupStateRequest(
                group_id="g", topics=[form(topic_id=TOPIC_ID, partitions=[asked])]
            )
        )

    def write(
        self,
        *batches: tuple[int, int, int, int],
        start: int = 0,
        state_epoch: int = 1,
        leader_epoch: int = 0,
        settled: int = 0,
        partition: int = 0,
        topic_id: bytes = TOPIC_ID,
    ) -> Any:
        form = WriteShareGroupStateRequest.WriteStateData
        names = ("first_offset", "last_offset", "delivery_state", "delivery_count")
        asked = form.PartitionData(
            partition=partition,
            state_epoch=state_epoch,
            leader_epoch=leader_epoch,
            start_offset=start,
            delivery_complete_count=settled,
            state_batches=[
                form.PartitionData.StateBatch(**dict(zip(names, batch, strict=True)))
                for batch in batches
            ],
        )
        return self.ask(
            WriteShareGroupStateRequest(
                group_id="g", topics=[form(topic_id=topic_id, partitions=[asked])]
            )
        )


def batches_in(answer: Any) -> list[tuple[int, int, int, int]]:
    """The state_batches of an answer to a read."""
    return [
        (one.first_offset, one.last_offset, one.delivery_state, one.delivery_count)
        for one in answer.state_batches
    ]
