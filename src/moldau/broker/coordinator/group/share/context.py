"""What all deciders about share groups share: groups, settings, topics' hashes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import cast

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.settings import (
    ShareGroupBrokerSettings,
    ShareGroupSettings,
)
from moldau.broker.coordinator.group.topic_hash import TopicHashes, group_hash
from moldau.broker.metadata.image import Image
from moldau.platform.quick_dataclass import dataclass


@dataclass(slots=True)
class ShareContext:
    """One for each shard."""

    groups: Groups
    hashes: TopicHashes = field(default_factory=dict)

    @property
    def image(self) -> Image:
        return self.groups.context.image()

    @property
    def settings(self) -> ShareGroupBrokerSettings:
        """The broker's; only share groups need this part of them."""
        return cast(ShareGroupBrokerSettings, self.groups.context.settings)

    def settings_of(self, group_id: str) -> ShareGroupSettings:
        return ShareGroupSettings(self.settings, self.image, group_id)

    def hash_of(self, topics: set[str]) -> int:
        return group_hash(topics, self.image, self.hashes)

    def group(self, group_id: str) -> ShareGroup:
        """The group, or GROUP_ID_NOT_FOUND."""
        group = self.groups.by_id.get(group_id)
        if not isinstance(group, ShareGroup):
            raise self.groups.missing(group_id, "share")
        return group

    def ids_of(self, names: Iterable[str]) -> tuple[bytes, ...]:
        """Ids of those topics that are there, in the order of their names."""
        by_name = self.image.topics.by_name
        return tuple(by_name[name].topic_id for name in names if name in by_name)
