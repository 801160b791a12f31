"""Writing the marker of one transaction to the partitions that are led here.

Also for the coordinator on this very node, which need not ask itself over the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.broker import Broker
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.wire.error_codes import ErrorCode

GROUP_OFFSETS = "__consumer_offsets"

Name = tuple[str, int]


class Marker(NamedTuple):
    """How a transaction has ended."""

    producer_id: int
    producer_epoch: int
    is_commit: bool
    coordinator_epoch: int
    transaction_version: int = 0

    @property
    def end(self) -> EndMarker:
        return EndMarker(is_commit=self.is_commit, coordinator_epoch=self.coordinator_epoch)


class Written(NamedTuple):
    """A marker that is in a log but not replicated yet."""

    name: Name
    partition: Partition
    end_offset: int

    @property
    def is_decided(self) -> bool:
        return not self.partition.is_leader or self.partition.high_watermark >= self.end_offset

    @property
    def code(self) -> int:
        if self.partition.high_watermark >= self.end_offset:
            return ErrorCode.NONE
        if not self.partition.is_leader:
            return ErrorCode.NOT_LEADER_OR_FOLLOWER
        return ErrorCode.REQUEST_TIMED_OUT


async def write_marker(broker: Broker, marker: Marker, names: Sequence[Name]) -> dict[Name, int]:
    """Append to all of them and wait until each is replicated; the error code of each."""
    if broker.replicas.pending:
        await broker.replicas.settled(names)
    pace = Pace(broker)
    codes: dict[Name, int] = {}
    written: list[Written] = []
    for name in names:
        try:
            if name[0] == GROUP_OFFSETS and broker.groups is not None:
                await _end_in_group(broker.groups, marker, name[1])
            else:
                written.append(_append(broker, marker, name))
            codes[name] = ErrorCode.NONE
        except MoldauError as error:
            codes[name] = code_of(error)
        if pace.is_over:
            await pace.rest()
    await _replicated(broker, written)
    codes.update({one.name: one.code for one in written})
    return codes


async def _end_in_group(groups: ShardRuntime, marker: Marker, index: int) -> None:
    try:
        await groups.complete_transaction(
            index,
            marker.producer_id,
            marker.producer_epoch,
            marker.end,
            transaction_version=marker.transaction_version,
        )
    except KafkaError as error:
        if error.code == ErrorCode.NOT_COORDINATOR:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER, error.message) from error
        raise


def _append(broker: Broker, marker: Marker, name: Name) -> Written:
    partition: Partition = broker.replicas.leader(*name)
    batch = build_marker_batch(
        marker.end,
        producer_id=marker.producer_id,
        producer_epoch=marker.producer_epoch,
        timestamp=broker.clock.now_ms(),
    )
    result = partition.append(
        batch, origin=AppendOrigin.COORDINATOR, transaction_version=marker.transaction_version
    )
    return Written(name, partition, result.last_offset + 1)


async def _replicated(broker: Broker, written: list[Written]) -> None:
    if all(one.is_decided for one in written):
        return
    promise = broker.tasks.promise()
    broker.purgatory.hold(
        "Produce",
        dict.fromkeys(one.partition for one in written),
        until=lambda _: all(one.is_decided for one in written),
        then=promise.keep,
        timeout_ms=broker.settings.request_timeout_ms,
    )
    await promise.wait()
