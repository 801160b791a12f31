"""The lines in which topics are described, and which partitions a report is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import ConfigEntry, ConfigResource, PartitionView, Reassignment, TopicView
from moldau.client.errors import AccessDeniedError, UnsupportedVersionError
from moldau.programs.tools.kafka.java_order import in_java_order

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["OVERRIDES", "REPORTS", "describe"]

REPORTS = (
    "under-replicated-partitions",
    "under-min-isr-partitions",
    "at-min-isr-partitions",
    "unavailable-partitions",
)
OVERRIDES = "topics-with-overrides"
Settings = Mapping[str, ConfigEntry]


def describe(admin: Admin, topics: Sequence[str], reports: AbstractSet[str]) -> Iterator[str]:
    """What is known of each topic, or of the partitions that these reports are about."""
    if not topics:
        return
    views = admin.describe_topics(topics).all()
    settings = admin.describe_configs([ConfigResource.topic(name) for name in topics])
    living = {node.node_id for node in admin.describe_cluster().nodes}
    moves = _moves(admin, views)
    for name, view in views.items():
        found = settings[ConfigResource.topic(name)]
        named = [found[setting] for setting in in_java_order(found)]
        own = [f"{one.name}={one.value}" for one in named if not one.is_default]
        asked = reports - {OVERRIDES}
        if not asked and (own or OVERRIDES not in reports):
            yield _topic_line(view, own, moves)
        if OVERRIDES in reports:
            continue
        for part in view.partitions:
            move = moves.get(TopicPartition(name, part.partition))
            if not asked or any(_is_about(one, part, move, found, living) for one in asked):
                yield _partition_line(name, part, move)


def _moves(admin: Admin, views: Mapping[str, TopicView]) -> dict[TopicPartition, Reassignment]:
    """Which partitions are being moved; none where that may not be asked."""
    parts = [
        TopicPartition(name, part.partition)
        for name, view in views.items()
        for part in view.partitions
    ]
    try:
        return admin.list_partition_reassignments(parts)
    except (AccessDeniedError, UnsupportedVersionError):
        return {}


def _topic_line(
    view: TopicView, own: Sequence[str], moves: Mapping[TopicPartition, Reassignment]
) -> str:
    first = view.partitions[0]
    factor = _factor(first, moves.get(TopicPartition(view.name, first.partition)))
    return (
        f"Topic: {view.name}\tTopicId: {view.topic_id}\tPartitionCount: {len(view.partitions)}"
        f"\tReplicationFactor: {factor}\tConfigs: {','.join(own)}"
    )


def _partition_line(topic: str, part: PartitionView, move: Reassignment | None) -> str:
    leader = "none" if part.leader is None else part.leader
    line = (
        f"\tTopic: {topic}\tPartition: {part.partition}\tLeader: {leader}"
        f"\tReplicas: {_joined(part.replicas)}\tIsr: {_joined(part.isr)}"
    )
    if move is not None:
        line += f"\tAdding Replicas: {_joined(move.adding)}"
        line += f"\tRemoving Replicas: {_joined(move.removing)}"
    elr = "N/A" if part.eligible is None else _joined(part.eligible)
    known = "N/A" if part.last_known_eligible is None else _joined(part.last_known_eligible)
    return f"{line}\tElr: {elr}\tLastKnownElr: {known}"


def _joined(brokers: Sequence[int]) -> str:
    return ",".join(map(str, brokers))


def _factor(part: PartitionView, move: Reassignment | None) -> int:
    """How many replicas there are when the move is over."""
    if move is not None and {*move.adding, *move.removing} & set(part.replicas):
        return len(move.replicas) - len(move.adding)
    return len(part.replicas)


def _is_about(
    report: str,
    part: PartitionView,
    move: Reassignment | None,
    settings: Settings,
    living: AbstractSet[int],
) -> bool:
    least = int(settings["min.insync.replicas"].value or 1)
    match report:
        case "under-replicated-partitions":
            return _factor(part, move) > len(part.isr)
        case "unavailable-partitions":
            return part.leader is None or part.leader not in living
        case "under-min-isr-partitions":
            return part.leader is None or len(part.isr) < least
        case _:
            return len(part.isr) == least
