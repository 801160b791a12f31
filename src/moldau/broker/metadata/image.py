"""The cluster's metadata at one offset, as an immutable value.

An image is what the log's records up to and with `offset` add up to. Its holder may read it
for any time: the next image is another object, which shares with this one all that did
not change. Mappings in it are plain dictionaries that are never written to.
"""

from __future__ import annotations

from dataclasses import field

from moldau.broker.metadata.cluster import Cluster
from moldau.broker.metadata.security import Acls, Scram, Tokens
from moldau.broker.metadata.settings import Configs, Features, Quotas
from moldau.broker.metadata.topics import Topics
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProducerIds:
    """Which producer ids were handed out."""

    next_producer_id: int = 0
    """All below are; -1 is never in an image."""


@dataclass(frozen=True, slots=True, repr=False)
class Image:
    """All that the metadata log holds."""

    offset: int = -1
    """Of the last record that is in it."""
    epoch: int = 0
    """Of the leader that wrote that record."""
    features: Features = field(default_factory=Features)
    cluster: Cluster = field(default_factory=Cluster)
    topics: Topics = field(default_factory=Topics)
    configs: Configs = field(default_factory=Configs)
    quotas: Quotas = field(default_factory=Quotas)
    acls: Acls = field(default_factory=Acls)
    scram: Scram = field(default_factory=Scram)
    tokens: Tokens = field(default_factory=Tokens)
    producer_ids: ProducerIds = field(default_factory=ProducerIds)

    def __repr__(self) -> str:
        return (
            f"Image(offset {self.offset}, epoch {self.epoch}, "
            f"{len(self.cluster.brokers)} brokers, {len(self.topics.by_id)} topics)"
        )

    @property
    def is_empty(self) -> bool:
        """Nothing was ever written."""
        return self.offset < 0


EMPTY_IMAGE = Image()
