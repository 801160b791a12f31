"""How many partitions the internal topics of a topology need.

A repartition topic has as many as the application sets, or as the subtopology that writes it reads:
the most of any of its topics. That may depend on other repartition topics, so it is looked for in
rounds until nothing is missing. Topics that are joined have to have the same count: repartition
topics that are free to follow do. A changelog has one partition for each task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from moldau.broker.coordinator.group.streams.topology import Subtopology, read_topics
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.wire.error_codes import ErrorCode

Counts = dict[str, int]
Known = Callable[[str], int | None]
"""The partitions of a topic that is there, or was decided on."""


class MisfitError(KafkaError):
    """Topics that belong together do not fit."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.STREAMS_INVALID_TOPOLOGY, message)
        self.reason = message


def decide_counts(topology: StreamsGroupTopologyValue, existing: Known) -> Counts:
    """The partitions of every internal topic."""
    decided: Counts = {}

    def known(topic: str) -> int | None:
        count = existing(topic)
        return decided.get(topic) if count is None else count

    decided.update(_repartition_counts(topology.subtopologies, known))
    for subtopology in topology.subtopologies:
        for group in copartitioned(subtopology):
            decided.update(_equalized(group, topology, known))
    for subtopology in topology.subtopologies:
        count = task_count(subtopology, known)
        decided.update((topic.name, count) for topic in subtopology.state_changelog_topics)
    return decided


def task_count(subtopology: Subtopology, known: Known) -> int:
    """One for each partition of the topic that has most."""
    counts = [known(topic) for topic in read_topics(subtopology)]
    if not counts:
        raise _invalid(f"subtopology {subtopology.subtopology_id} reads no topic")
    if None in counts:
        raise _invalid(f"subtopology {subtopology.subtopology_id} reads a topic that none writes")
    return max(count for count in counts if count is not None)


def copartitioned(subtopology: Subtopology) -> list[set[str]]:
    """The groups of topics that have to have equal counts."""
    return [
        {subtopology.source_topics[index] for index in group.source_topics}
        | {
            subtopology.repartition_source_topics[index].name
            for index in group.repartition_source_topics
        }
        for group in subtopology.copartition_groups
    ]


def _repartition_counts(subtopologies: Iterable[Subtopology], known: Known) -> Counts:
    subtopologies = list(subtopologies)
    counts = {
        topic.name: topic.partitions
        for one in subtopologies
        for topic in one.repartition_source_topics
        if topic.partitions
    }
    while True:
        open_count, found = 0, False
        for one in subtopologies:
            for sink in one.repartition_sink_topics:
                if sink in counts:
                    continue
                count = _written_count(one, counts, known)
                if count is None:
                    open_count += 1
                else:
                    counts[sink], found = count, True
        if not open_count:
            return counts
        if not found:
            raise _invalid("the counts of repartition topics depend on each other in a circle")


def _written_count(subtopology: Subtopology, counts: Counts, known: Known) -> int | None:
    inner = (counts.get(topic.name) for topic in subtopology.repartition_source_topics)
    outer = (known(topic) for topic in subtopology.source_topics)
    return max((count for count in (*inner, *outer) if count is not None), default=None)


def _equalized(group: set[str], topology: StreamsGroupTopologyValue, known: Known) -> Counts:
    """What the repartition topics of the group get."""
    topics = [one for part in topology.subtopologies for one in part.repartition_source_topics]
    fixed = {topic.name for topic in topics if topic.partitions}
    internal = {topic.name for topic in topics} & group
    counts = {topic: known(topic) or 0 for topic in group}
    external = {topic: count for topic, count in counts.items() if topic not in internal}
    deciding = external or {topic: known(topic) or 0 for topic in fixed}
    if len(set(deciding.values())) > 1:
        raise MisfitError(f"Topics that are joined have different counts: {counts}.")
    count = next(iter(deciding.values()), max(counts.values(), default=0))
    for topic in sorted(internal & fixed):
        if counts[topic] != count:
            raise MisfitError(
                f"Repartition topic {topic} has {counts[topic]} partitions and is joined with "
                f"topics that have {count}."
            )
    return dict.fromkeys(internal, count)


def _invalid(why: str) -> KafkaError:
    return KafkaError(ErrorCode.STREAMS_INVALID_TOPOLOGY, f"The topology makes no sense: {why}.")
