"""What all deciders about consumer groups share: groups, settings, topics' hashes, their timers."""

from __future__ import annotations

from dataclasses import field

from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.settings import ConsumerGroupSettings
from moldau.broker.coordinator.group.groups import GroupCoordinatorSettings, Groups
from moldau.broker.coordinator.group.topic_hash import TopicHashes, group_hash
from moldau.broker.metadata.image import Image
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.uuids import uuid_text

NO_IMAGE = -1
UUID_SIZE = 16


@dataclass(slots=True)
class ConsumerContext:
    """What the consumer groups of a shard share: settings, lookups, the metadata image."""

    groups: Groups
    classic: Rebalance
    """Of the classic groups, into which consumer groups may change."""
    hashes: TopicHashes = field(default_factory=dict)
    topics_created_at: int = NO_IMAGE
    """The offset of the newest metadata with topics that were not there before."""

    @property
    def image(self) -> Image:
        return self.groups.context.image()

    @property
    def settings(self) -> GroupCoordinatorSettings:
        return self.groups.context.settings

    def settings_of(self, group: ConsumerGroup) -> ConsumerGroupSettings:
        return ConsumerGroupSettings(self.settings, self.image, group.group_id)

    def hash_of(self, topics: set[str]) -> int:
        return group_hash(topics, self.image, self.hashes)

    def group(self, group_id: str) -> ConsumerGroup | None:
        """The group, if it is one of ours."""
        group = self.groups.by_id.get(group_id)
        return group if isinstance(group, ConsumerGroup) else None

    def member_id(self) -> str:
        """An id for a member that has brought none."""
        return new_member_id(self.groups.context.random)


def new_member_id(random: Random) -> str:
    """A random UUID (RFC 9562, version 4) as Kafka writes it: without a dash at the beginning."""
    while True:
        raw = bytearray(random.randbytes(UUID_SIZE))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        text = uuid_text(bytes(raw))
        if not text.startswith("-"):
            return text
