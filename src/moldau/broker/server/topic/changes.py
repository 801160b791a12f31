"""Topics that come and go are lines of the log."""

from __future__ import annotations

import logging

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import TopicState

__all__ = ["log_topic_changes"]

log = logging.getLogger(__name__)


def log_topic_changes(delta: Delta, image: Image) -> None:
    """What this change of the metadata creates, extends and deletes, by name."""
    if not log.isEnabledFor(logging.INFO):
        return
    before, after = delta.image.topics.by_id, image.topics.by_id
    changed = [after[topic_id] for topic_id in delta.changed_topics]
    for topic in sorted(changed, key=_name):
        _log_change(before.get(topic.topic_id), topic)
    for topic in sorted((before[topic_id] for topic_id in delta.deleted_topics), key=_name):
        log.info("Deleted topic %s with %d partitions", topic.name, len(topic.partitions))


def _log_change(before: TopicState | None, topic: TopicState) -> None:
    count = len(topic.partitions)
    if before is None:
        replicas = max((len(one.replicas) for one in topic.partitions.values()), default=0)
        log.info(
            "Created topic %s with %d partitions and replication factor %d",
            topic.name, count, replicas,
        )  # fmt: skip
    elif count > len(before.partitions):
        log.info("Topic %s has %d partitions now, and not %d", topic.name, count,
                 len(before.partitions))  # fmt: skip


def _name(topic: TopicState) -> str:
    return topic.name
