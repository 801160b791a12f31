"""The shard of one partition of `__share_group_state`: what is stored of share partitions.

    Initialize   group coordinator   a snapshot: start offset and a higher state epoch
    Read         partition's leader  everything; its leader epoch fences earlier leaders
    Write        partition's leader  an update, or after many updates a snapshot
    ReadSummary  group coordinator   start offset and how much is settled behind it
    Delete       group coordinator   a tombstone

The topic is not compacted. What lies before the oldest snapshot that is still the newest of its
share partition is not needed, and is deleted from time to time: `DeleteBelow` asks for it.
A share partition that is silent would keep everything behind it alive, so all of them are
snapshotted anew after a while of silence, unless they all are already.

The runtime gives the shard requests about one share partition at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.broker.coordinator.share.answers import (
    NEGATIVE_PARTITION,
    NULL_TOPIC,
    READ_BEFORE_INITIALIZED,
    WRITE_BEFORE_INITIALIZED,
    deleted,
    initialized,
    read,
    refused,
    summed_up,
    written,
)
from moldau.broker.coordinator.share.state import (
    NO_EPOCH,
    ShareKey,
    ShareState,
    batches_as,
    snapshot_record,
    state_batches_of,
    tombstone_record,
    update_record,
)
from moldau.broker.coordinator.share.state_batches import NO_START, combine
from moldau.broker.coordinator.share.table import Kept, ShareTable
from moldau.broker.coordinator.timers import Timers
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.messages.share.delete_share_group_state import DeleteShareGroupStateRequest
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.messages.share.read_share_group_state import ReadShareGroupStateRequest
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
)
from moldau.protocol.messages.share.write_share_group_state import WriteShareGroupStateRequest
from moldau.protocol.messages.stored.share_state import (
    ShareUpdateValue,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID

AskedOfPartition = Any
"""What each of the five requests has for one partition."""
StateWrite = WriteShareGroupStateRequest.WriteStateData.PartitionData


class ShareStateSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def share_coordinator_snapshot_update_records_per_snapshot(self) -> int: ...
    @property
    def share_coordinator_cold_partition_snapshot_interval_ms(self) -> int: ...
    @property
    def share_coordinator_state_topic_prune_interval_ms(self) -> int: ...


class DeleteBelow(NamedTuple):
    """An effect: records of this shard's partition before `offset` are not needed any more."""

    offset: int


class ShareStateShard:
    """All share partitions of one partition of the topic."""

    def __init__(self, settings: ShareStateSettings, image: Callable[[], Image]) -> None:
        self.settings = settings
        self.image = image
        self.table = ShareTable(settings.share_coordinator_snapshot_update_records_per_snapshot)
        self.timers = Timers()
        self._deleted_below = 0

    def __repr__(self) -> str:
        return f"ShareStateShard({len(self.table.kept)} share partitions)"

    # Records.

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        """Assign what the record holds."""
        self.table.apply(record, offset)

    # Requests.

    def decide(self, request: Message, asking: RequestContext, now_ms: int) -> Decision:
        """What this request about one share partition leads to."""
        data: Any = request
        topic = data.topics[0]
        asked = topic.partitions[0]
        key = ShareKey(data.group_id, topic.topic_id, asked.partition)
        try:
            records, response = self._decide(request, key, asked, now_ms)
        except KafkaError as error:
            records, response = [], refused(request, key, error)
        return Decision(records, [Reply(asking.ticket, response)])

    def _decide(
        self, request: Message, key: ShareKey, asked: AskedOfPartition, now_ms: int
    ) -> tuple[list[StoredRecord], Message]:
        self._check_names(key)
        match request:
            case InitializeShareGroupStateRequest():
                return self._initialize(key, asked, now_ms)
            case ReadShareGroupStateRequest():
                return self._read(key, asked, now_ms)
            case WriteShareGroupStateRequest():
                return self._write(key, asked, now_ms)
            case ReadShareGroupStateSummaryRequest():
                self._check_exists(key)
                kept = self.table.kept.get(key)
                return [], summed_up(key, None if kept is None else kept.state)
            case DeleteShareGroupStateRequest():
                self._check_exists(key)
                return [tombstone_record(key)] if key in self.table.kept else [], deleted(key)
            case _:
                what = type(request).__name__
                raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, f"{what} is unknown.")

    def _initialize(
        self, key: ShareKey, asked: AskedOfPartition, now_ms: int
    ) -> tuple[list[StoredRecord], Message]:
        kept = self.table.kept.get(key)
        if kept is not None and NO_EPOCH != asked.state_epoch < kept.state_epoch:
            raise _fenced(ErrorCode.FENCED_STATE_EPOCH)
        self._check_exists(key)
        state = ShareState(
            snapshot_epoch=0 if kept is None else kept.state.snapshot_epoch + 1,
            state_epoch=asked.state_epoch,
            leader_epoch=0,
            start_offset=asked.start_offset,
            delivery_complete_count=-1 if asked.start_offset == NO_START else 0,
            created_ms=now_ms,
            written_ms=now_ms,
        )
        return [snapshot_record(key, state)], initialized(key)

    def _read(
        self, key: ShareKey, asked: AskedOfPartition, now_ms: int
    ) -> tuple[list[StoredRecord], Message]:
        kept = self._fenced_by(key, asked.leader_epoch, READ_BEFORE_INITIALIZED)
        self._check_exists(key)
        state = kept.state
        if asked.leader_epoch in (NO_EPOCH, kept.leader_epoch):
            return [], read(key, state)
        note = StateWrite(
            partition=key.partition,
            state_epoch=state.state_epoch,
            leader_epoch=asked.leader_epoch,
            start_offset=state.start_offset,
            delivery_complete_count=state.delivery_complete_count,
            state_batches=[],
        )
        return [self._record(key, kept, note, asked.leader_epoch, now_ms)], read(key, state)

    def _write(
        self, key: ShareKey, asked: StateWrite, now_ms: int
    ) -> tuple[list[StoredRecord], Message]:
        kept = self._fenced_by(key, asked.leader_epoch, WRITE_BEFORE_INITIALIZED)
        if NO_EPOCH != asked.state_epoch < kept.state_epoch:
            raise _fenced(ErrorCode.FENCED_STATE_EPOCH)
        self._check_exists(key)
        return [self._record(key, kept, asked, kept.state.leader_epoch, now_ms)], written(key)

    def _record(
        self, key: ShareKey, kept: Kept, asked: StateWrite, leader_epoch: int, now_ms: int
    ) -> StoredRecord:
        """An update; a snapshot when there were enough of them."""
        written = combine([], state_batches_of(asked.state_batches), asked.start_offset)
        update = ShareUpdateValue(
            snapshot_epoch=kept.state.snapshot_epoch,
            leader_epoch=leader_epoch,
            start_offset=asked.start_offset,
            delivery_complete_count=asked.delivery_complete_count,
            state_batches=batches_as(ShareUpdateValue.StateBatch, written),
        )
        if kept.update_count < self.table.updates_max:
            return update_record(key, update)
        state = kept.state.updated(update)
        epoch = state.snapshot_epoch + 1
        return snapshot_record(
            key, replace(state, snapshot_epoch=epoch, created_ms=now_ms, written_ms=now_ms)
        )

    # What may be asked.

    def _check_names(self, key: ShareKey) -> None:
        if key.topic_id == NULL_UUID:
            raise KafkaError(ErrorCode.INVALID_REQUEST, NULL_TOPIC)
        if key.partition < 0:
            raise KafkaError(ErrorCode.INVALID_REQUEST, NEGATIVE_PARTITION)

    def _check_exists(self, key: ShareKey) -> None:
        topic = self.image().topics.by_id.get(key.topic_id)
        if topic is None or key.partition not in topic.partitions:
            raise _fenced(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def _fenced_by(self, key: ShareKey, leader_epoch: int, why_not: str) -> Kept:
        """What is stored, for a leader that was not replaced."""
        kept = self.table.kept.get(key)
        if kept is None:
            raise KafkaError(ErrorCode.INVALID_REQUEST, why_not)
        if NO_EPOCH != leader_epoch < kept.leader_epoch:
            raise _fenced(ErrorCode.FENCED_LEADER_EPOCH)
        return kept

    # The rest of a shard's life.

    def loaded(self, now_ms: int) -> Decision:
        """All records of before are applied."""
        self._plan_prune(now_ms)
        self._plan_cold(now_ms)
        return Decision()

    def metadata_changed(self, delta: Delta, image: Image, now_ms: int) -> Decision:
        """What is stored of topics that are gone goes too."""
        gone = delta.deleted_topics
        return Decision([tombstone_record(key) for key in self.table.kept if key.topic_id in gone])

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        return self.timers.run_due(now_ms)

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self.timers.next_at_ms()

    def unloaded(self) -> Sequence[Reply]:
        """No request waits here for others."""
        return ()

    def _plan_prune(self, now_ms: int) -> None:
        interval_ms = self.settings.share_coordinator_state_topic_prune_interval_ms
        self.timers.schedule("prune", now_ms + interval_ms, self._prune)

    def _prune(self, now_ms: int) -> Decision:
        self._plan_prune(now_ms)
        below = self.table.redundant_below
        if below <= self._deleted_below:
            return Decision()
        self._deleted_below = below
        return Decision(effects=[DeleteBelow(below)])

    def _plan_cold(self, now_ms: int) -> None:
        interval_ms = self.settings.share_coordinator_cold_partition_snapshot_interval_ms
        self.timers.schedule("cold", now_ms + interval_ms, self._snapshot_cold)

    def _snapshot_cold(self, now_ms: int) -> Decision:
        self._plan_cold(now_ms)
        states = {key: kept.state for key, kept in self.table.kept.items()}
        if all(state.created_ms != state.written_ms for state in states.values()):
            return Decision()
        since_ms = now_ms - self.settings.share_coordinator_cold_partition_snapshot_interval_ms
        records = [
            snapshot_record(
                key, replace(state, snapshot_epoch=state.snapshot_epoch + 1, written_ms=now_ms)
            )
            for key, state in states.items()
            if state.written_ms <= since_ms
        ]
        return Decision(records, is_atomic=False)


def _fenced(code: ErrorCode) -> KafkaError:
    return KafkaError(code, code.message)
