"""What a topic gets from its broker where it sets nothing itself.

Most topic settings have one name at the broker; times have several, of which the finest that is
given wins. `TopicSettings` by itself holds Kafka's defaults; here they give way to the broker's.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.config.broker.settings import BrokerSettings
from moldau.config.kinds import show
from moldau.config.topic import TopicSettings

SYNONYMS: Mapping[str, str] = {
    "segment.bytes": "log.segment.bytes",
    "segment.ms": "log.roll.ms",
    "segment.jitter.ms": "log.roll.jitter.ms",
    "segment.index.bytes": "log.index.size.max.bytes",
    "flush.messages": "log.flush.interval.messages",
    "flush.ms": "log.flush.interval.ms",
    "retention.bytes": "log.retention.bytes",
    "retention.ms": "log.retention.ms",
    "max.message.bytes": "message.max.bytes",
    "index.interval.bytes": "log.index.interval.bytes",
    "delete.retention.ms": "log.cleaner.delete.retention.ms",
    "min.compaction.lag.ms": "log.cleaner.min.compaction.lag.ms",
    "max.compaction.lag.ms": "log.cleaner.max.compaction.lag.ms",
    "file.delete.delay.ms": "log.segment.delete.delay.ms",
    "min.cleanable.dirty.ratio": "log.cleaner.min.cleanable.ratio",
    "cleanup.policy": "log.cleanup.policy",
    "unclean.leader.election.enable": "unclean.leader.election.enable",
    "min.insync.replicas": "min.insync.replicas",
    "compression.type": "compression.type",
    "compression.gzip.level": "compression.gzip.level",
    "compression.lz4.level": "compression.lz4.level",
    "compression.zstd.level": "compression.zstd.level",
    "preallocate": "log.preallocate",
    "message.timestamp.type": "log.message.timestamp.type",
    "message.timestamp.before.max.ms": "log.message.timestamp.before.max.ms",
    "message.timestamp.after.max.ms": "log.message.timestamp.after.max.ms",
    "local.retention.ms": "log.local.retention.ms",
    "local.retention.bytes": "log.local.retention.bytes",
}
"""Topic setting to the broker's setting of the same meaning, in its finest unit."""

IN_SEVERAL_UNITS = {
    "log.roll.ms": "roll_ms",
    "log.roll.jitter.ms": "roll_jitter_ms",
    "log.flush.interval.ms": "flush_ms",
    "log.retention.ms": "retention_ms",
}
"""Those that the broker works out from several of its settings."""


def broker_value(broker: BrokerSettings, name: str) -> str | None:
    """What the broker's settings come to for one of the names above."""
    derived = IN_SEVERAL_UNITS.get(name)
    return show(getattr(broker, derived)) if derived else broker.text(name)


class TopicDefaults:
    """What one broker's settings come to for its topics; worked out once, for thousands of them."""

    def __init__(self, broker: BrokerSettings) -> None:
        self.broker = broker
        self._found = {
            name: value
            for name, synonym in SYNONYMS.items()
            if (value := broker_value(broker, synonym)) is not None
            and value != TopicSettings.KEYS[name].default_text
        }
        self._of_most = TopicSettings(self._found)
        """Of topics that were given nothing."""

    def settings(self, given: Mapping[str, str]) -> TopicSettings:
        """The settings in force for a topic that was given these."""
        return TopicSettings({**self._found, **given}) if given else self._of_most


def topic_settings(broker: BrokerSettings, given: Mapping[str, str]) -> TopicSettings:
    """The same for a single question."""
    return TopicDefaults(broker).settings(given)
