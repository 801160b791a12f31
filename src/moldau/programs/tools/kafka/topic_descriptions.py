"""The lines in which topics are described, and which partitions a report is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from moldau.client import TopicPartition
from moldau.client import admin as clients
from moldau.client.errors import AccessDeniedError, UnsupportedVersionError
from moldau.programs.tools.kafka.java_order import in_java_order

if TYPE_CHECKING:
    from moldau.client.admin import Admin, ConfigEntry, PartitionView, Reassignment, TopicView

__all__ = [
    "HEADS",
    "OVERRIDES",
    "REPORTS",
    "SELDOM",
    "Described",
    "describe",
    "lines_of",
    "rows_of",
]

REPORTS = (
    "under-replicated-partitions",
    "under-min-isr-partitions",
    "at-min-isr-partitions",
    "unavailable-partitions",
)
OVERRIDES = "topics-with-overrides"
Settings: TypeAlias = "Mapping[str, ConfigEntry]"


class Described(NamedTuple):
    """What is to be shown of a topic."""

    view: TopicView
    own: Sequence[str]
    """Its own settings, as `name=value`."""
    is_whole: bool
    """Whether the topic itself is shown; else only those of its partitions."""
    parts: Sequence[PartitionView]
    moves: Mapping[TopicPartition, Reassignment]

    def move_of(self, part: PartitionView) -> Reassignment | None:
        return self.moves.get(TopicPartition(self.view.name, part.partition))


def describe(admin: Admin, topics: Sequence[str], reports: AbstractSet[str]) -> list[Described]:
    """What is known of each topic, or of the partitions that these reports are about."""
    if not topics:
        return []
    views = admin.describe_topics(topics).all()
    settings = admin.describe_configs([clients.ConfigResource.topic(name) for name in topics])
    living = {node.node_id for node in admin.describe_cluster().nodes}
    moves = _moves(admin, views)
    return [
        _described(view, settings[clients.ConfigResource.topic(name)], moves, reports, living)
        for name, view in views.items()
    ]


def _described(
    view: TopicView,
    settings: Settings,
    moves: Mapping[TopicPartition, Reassignment],
    reports: AbstractSet[str],
    living: AbstractSet[int],
) -> Described:
    named = [settings[name] for name in in_java_order(settings)]
    own = [f"{one.name}={one.value}" for one in named if not one.is_default]
    asked = reports - {OVERRIDES}
    found = Described(view, own, not asked and bool(own or OVERRIDES not in reports), (), moves)
    if OVERRIDES in reports:
        return found
    parts = [
        part
        for part in view.partitions
        if not asked
        or any(_is_about(one, part, found.move_of(part), settings, living) for one in asked)
    ]
    return found._replace(parts=parts)


def lines_of(found: Iterable[Described]) -> Iterator[str]:
    """As Kafka prints them."""
    for topic in found:
        if topic.is_whole:
            yield _topic_line(topic.view, topic.own, topic.moves)
        for part in topic.parts:
            yield _partition_line(topic.view.name, part, topic.move_of(part))


HEADS = (
    "TOPIC",
    "TOPIC-ID",
    "CONFIGS",
    "PARTITION",
    "LEADER",
    "REPLICAS",
    "ISR",
    "ADDING",
    "REMOVING",
    "ELR",
    "LAST-KNOWN-ELR",
)
SELDOM = ("TOPIC-ID", "CONFIGS", "ADDING", "REMOVING", "ELR", "LAST-KNOWN-ELR")


def rows_of(found: Iterable[Described]) -> Iterator[tuple[object, ...]]:
    """A row for each partition; or for the topic, where none of its partitions is shown."""
    for topic in found:
        whose = (topic.view.name, topic.view.topic_id, topic.own)
        if topic.is_whole and not topic.parts:
            yield *whose, None, None, None, None, None, None, None, None
        for part in topic.parts:
            move = topic.move_of(part)
            moving = (None, None) if move is None else (move.adding, move.removing)
            known = (part.eligible, part.last_known_eligible)
            yield *whose, part.partition, part.leader, part.replicas, part.isr, *moving, *known


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
