"""A topology held against the topics that are there: how many tasks, and what is missing.

It is ready when nothing is missing and everything fits. Topics that the application reads have to
be created by others; internal ones are made for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from moldau.broker.coordinator.group.streams.partition_counts import (
    Counts,
    MisfitError,
    decide_counts,
    task_count,
)
from moldau.broker.coordinator.group.streams.topology import TopicInfo, required_topics
from moldau.broker.metadata.image import Image
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest

NAMES_SHOWN = 3
BROKERS_DEFAULT = -1
Creatable = CreateTopicsRequest.CreatableTopic


class Status(IntEnum):
    """What a member is answered about its group, under Kafka's codes."""

    STALE_TOPOLOGY = 0
    MISSING_SOURCE_TOPICS = 1
    INCORRECTLY_PARTITIONED_TOPICS = 2
    MISSING_INTERNAL_TOPICS = 3
    SHUTDOWN_APPLICATION = 4
    ASSIGNMENT_DELAYED = 5


@dataclass(frozen=True, slots=True)
class Configured:
    """What became of a topology."""

    task_counts: Mapping[str, int] = field(default_factory=dict)
    """By subtopology, sorted; empty where topics are missing or do not fit."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The partitions of its internal topics."""
    to_create: tuple[Creatable, ...] = ()
    status: tuple[Status, str] | None = None

    @property
    def is_ready(self) -> bool:
        return self.status is None


def configure(topology: StreamsGroupTopologyValue, image: Image) -> Configured:
    """The topology in front of these topics."""
    by_name = image.topics.by_name
    sources = {name for one in topology.subtopologies for name in one.source_topics}
    missing = sorted(sources - by_name.keys())
    if missing:
        text = f"Source topics {_named(missing)} are missing."
        return Configured(status=(Status.MISSING_SOURCE_TOPICS, text))
    try:
        return _decided(topology, image)
    except MisfitError as error:
        return Configured(status=(Status.INCORRECTLY_PARTITIONED_TOPICS, error.reason))


def _decided(topology: StreamsGroupTopologyValue, image: Image) -> Configured:
    def existing(topic: str) -> int | None:
        known = image.topics.by_name.get(topic)
        return None if known is None else len(known.partitions)

    counts = decide_counts(topology, existing)

    def known(topic: str) -> int | None:
        count = existing(topic)
        return counts.get(topic) if count is None else count

    tasks = {
        one.subtopology_id: task_count(one, known)
        for one in sorted(topology.subtopologies, key=lambda one: one.subtopology_id)
    }
    to_create = _missing(topology, counts, image)
    status = None
    if to_create:
        names = _named(sorted(topic.name for topic in to_create))
        status = Status.MISSING_INTERNAL_TOPICS, f"Internal topics are missing: {names}."
    return Configured(tasks, counts, to_create, status)


def _missing(
    topology: StreamsGroupTopologyValue, counts: Counts, image: Image
) -> tuple[Creatable, ...]:
    """The internal topics that are not there; those that are have to have the right count."""
    internal = {
        topic.name: topic
        for one in topology.subtopologies
        for topic in (*one.repartition_source_topics, *one.state_changelog_topics)
    }
    missing = []
    for name in sorted(internal.keys() & required_topics(topology)):
        expected = internal[name].partitions or counts[name]
        present = image.topics.by_name.get(name)
        if present is None:
            missing.append(_creatable(internal[name], expected))
        elif len(present.partitions) != expected:
            raise MisfitError(
                f"Topic {name} has {len(present.partitions)} partitions and should have {expected}."
            )
    return tuple(missing)


def _creatable(topic: TopicInfo, count: int) -> Creatable:
    return Creatable(
        name=topic.name,
        num_partitions=count,
        replication_factor=topic.replication_factor or BROKERS_DEFAULT,
        assignments=[],
        configs=[
            Creatable.CreatableTopicConfig(name=config.key, value=config.value)
            for config in topic.topic_configs
        ],
    )


def _named(topics: list[str]) -> str:
    more = len(topics) - NAMES_SHOWN
    return ", ".join(topics[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
