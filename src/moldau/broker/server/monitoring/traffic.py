"""What clients bring and take, in all and by topic: Kafka's BrokerTopicMetrics.

Counting is an addition to plain numbers; the registry reads them when it is read. Topics that are
deleted take their numbers with them.
"""

from __future__ import annotations

from typing import Final

from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.errors import CorruptRecordError, MoldauError
from moldau.protocol.records.refusals import BatchRefusedError, MisnumberedBatchError

__all__ = ["TopicTraffic", "Traffic"]

GROUP: Final = "kafka.server"
TYPE: Final = "BrokerTopicMetrics"
ALWAYS_ZERO: Final = (
    "InvalidMagicNumberRecordsPerSec",
    "ProduceMessageConversionsPerSec",
    "FetchMessageConversionsPerSec",
)
"""As they are in Kafka: other formats are refused, and nothing is converted."""


class TopicTraffic:
    """The numbers of one topic, or of all together."""

    __slots__ = (
        "bytes_in",
        "bytes_out",
        "bytes_rejected",
        "failed_fetches",
        "failed_produces",
        "fetches",
        "messages_in",
        "produces",
    )

    def __init__(self, registry: Registry, **tags: str) -> None:
        self.messages_in = registry.meter(GROUP, TYPE, "MessagesInPerSec", **tags)
        self.bytes_in = registry.meter(GROUP, TYPE, "BytesInPerSec", **tags)
        self.bytes_out = registry.meter(GROUP, TYPE, "BytesOutPerSec", **tags)
        self.bytes_rejected = registry.meter(GROUP, TYPE, "BytesRejectedPerSec", **tags)
        self.produces = registry.meter(GROUP, TYPE, "TotalProduceRequestsPerSec", **tags)
        self.fetches = registry.meter(GROUP, TYPE, "TotalFetchRequestsPerSec", **tags)
        self.failed_produces = registry.meter(GROUP, TYPE, "FailedProduceRequestsPerSec", **tags)
        self.failed_fetches = registry.meter(GROUP, TYPE, "FailedFetchRequestsPerSec", **tags)

    def all(self) -> tuple[Meter, ...]:
        return (
            self.bytes_in, self.bytes_out, self.bytes_rejected, self.failed_fetches,
            self.failed_produces, self.fetches, self.messages_in, self.produces,
        )  # fmt: skip


class Traffic:
    """Counted by produce and fetch, once for each partition of a request."""

    def __init__(self, registry: Registry) -> None:
        self.total = TopicTraffic(registry)
        self.damaged = registry.meter(GROUP, TYPE, "InvalidMessageCrcRecordsPerSec")
        self.misnumbered = registry.meter(GROUP, TYPE, "InvalidOffsetOrSequenceRecordsPerSec")
        self.null_keys = registry.meter(GROUP, TYPE, "NoKeyCompactedTopicRecordsPerSec")
        self.replicated_out = registry.meter(GROUP, TYPE, "ReplicationBytesOutPerSec")
        """Sent to followers."""
        self.reassigned_out = registry.meter(GROUP, TYPE, "ReassignmentBytesOutPerSec")
        """Sent to those that a reassignment adds."""
        for name in ALWAYS_ZERO:
            registry.meter(GROUP, TYPE, name)
        self._registry = registry
        self._topics: dict[str, TopicTraffic] = {}

    def __repr__(self) -> str:
        total = self.total
        return f"Traffic({total.bytes_in.count} bytes in, {total.bytes_out.count} out)"

    def topic(self, name: str) -> TopicTraffic:
        found = self._topics.get(name)
        if found is None:
            found = self._topics[name] = TopicTraffic(self._registry, topic=name)
        return found

    def produced(self, topic: str, size: int, messages: int, batches: int = 1) -> None:
        """Batches were appended."""
        # hot: 0.5 us, once for each topic of a request.
        one, total = self._topics.get(topic) or self.topic(topic), self.total
        one.produces.count += batches
        total.produces.count += batches
        one.bytes_in.count += size
        total.bytes_in.count += size
        one.messages_in.count += messages
        total.messages_in.count += messages

    def refused(self, topic: str, size: int, error: MoldauError) -> None:
        """A batch was not, and why."""
        self.damaged.count += isinstance(error, CorruptRecordError)
        self.misnumbered.count += isinstance(error, MisnumberedBatchError)
        self.null_keys.count += error.null_keys if isinstance(error, BatchRefusedError) else 0
        for one in (self.topic(topic), self.total):
            one.produces.count += 1
            one.failed_produces.count += 1
            one.bytes_rejected.count += size

    def fetched(self, topic: str, size: int, partitions: int = 1) -> None:
        """So many bytes are on their way to a consumer."""
        one, total = self._topics.get(topic) or self.topic(topic), self.total
        one.fetches.count += partitions
        total.fetches.count += partitions
        one.bytes_out.count += size
        total.bytes_out.count += size

    def shared(self, topic: str, size: int) -> None:
        """So many bytes are on their way to a member of a share group."""
        (self._topics.get(topic) or self.topic(topic)).bytes_out.count += size
        self.total.bytes_out.count += size

    def fetch_failed(self, topic: str) -> None:
        for one in (self.topic(topic), self.total):
            one.fetches.count += 1
            one.failed_fetches.count += 1

    def forget(self, topic: str) -> None:
        """The topic is gone."""
        if self._topics.pop(topic, None) is not None:
            self._registry.forget("topic", topic)
