"""Replicas that were chosen by hand."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.controller.partitions.placement import UsableBroker, place
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import BrokerState
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord
from moldau.protocol.wire.error_codes import ErrorCode


def check_replicas(
    replicas: Sequence[int], situation: Situation, expected_count: int | None = None
) -> None:
    """Refuse what cannot be a partition's replicas, in Kafka's words."""
    if not replicas:
        _refuse("The manual partition assignment includes an empty replica list.")
    for broker_id in replicas:
        if situation.broker(broker_id) is None:
            _refuse(
                f"The manual partition assignment includes broker {broker_id}, but no such broker "
                "is registered."
            )
        if replicas.count(broker_id) > 1:
            _refuse(
                f"The manual partition assignment includes the broker {broker_id} more than once."
            )
    if expected_count is not None and len(replicas) != expected_count:
        _refuse(
            f"The manual partition assignment includes a partition with {len(replicas)} "
            "replica(s), but this is not consistent with previous partitions, which have "
            f"{expected_count} replica(s)."
        )


def live_replicas(index: int, replicas: Sequence[int], situation: Situation) -> list[int]:
    """Those that can be in sync from the start; at least one must be."""
    alive = [broker_id for broker_id in replicas if situation.is_active(broker_id)]
    if not alive:
        _refuse(f"all brokers assigned to partition {index} are fenced or shutting down")
    return alive


def place_replicas(
    partition_count: int, replication_factor: int, situation: Situation
) -> list[tuple[int, ...]]:
    """Replicas for partitions without an assignment."""
    placed = place(partition_count, replication_factor, usable_brokers(situation), situation.random)
    for replicas in placed:
        if not any(map(situation.is_active, replicas)):
            text = (
                f"Unable to replicate the partition {replication_factor} time(s): All brokers are "
                "currently fenced or in controlled shutdown."
            )
            raise KafkaError(ErrorCode.INVALID_REPLICATION_FACTOR, text)
    return placed


def usable_brokers(situation: Situation) -> list[UsableBroker]:
    """Brokers with a directory that takes replicas."""
    return [
        UsableBroker(broker.broker_id, broker.rack, broker.fenced)
        for broker in situation.image.cluster.brokers.values()
        if not _is_cordoned(broker)
    ]


def _is_cordoned(broker: BrokerState) -> bool:
    cordoned = broker.cordoned_log_dirs or ()
    return bool(cordoned) and set(broker.log_dirs) <= set(cordoned)


def first_record(
    topic_id: bytes, index: int, replicas: Sequence[int], situation: Situation
) -> PartitionRecord:
    """The partition as it is born: led by its first live replica."""
    alive = live_replicas(index, replicas, situation)
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(replicas),
        isr=alive,
        removing_replicas=[],
        adding_replicas=[],
        leader=alive[0],
        leader_epoch=0,
        partition_epoch=0,
        directories=[situation.default_directory(broker_id) for broker_id in replicas],
    )


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, text)
