"""From one image to the next: records go in, an image comes out, and what changed can be asked.

Each kind of record has one line in the table below. NoOp records and the brackets of metadata
transactions change nothing here: `metadata.loader` gives a delta only records that count.

`apply` may go on after `build`: the controller keeps one image per decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from moldau.broker.metadata.cluster import BrokerState, ClusterDelta
from moldau.broker.metadata.image import Image, ProducerIds
from moldau.broker.metadata.security import (
    AccessRule,
    Acls,
    DelegationToken,
    EntriesDelta,
    Scram,
    ScramCredential,
    Tokens,
    credential_of,
    rule_of,
    token_of,
)
from moldau.broker.metadata.settings import (
    TOPIC,
    ConfigsDelta,
    FeaturesDelta,
    QuotasDelta,
    Resource,
)
from moldau.broker.metadata.topics import TopicsDelta
from moldau.protocol.messages.stored.metadata_brokers import (
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
)
from moldau.protocol.messages.stored.metadata_cluster import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    ProducerIdsRecord,
    ZkMigrationStateRecord,
)
from moldau.protocol.messages.stored.metadata_security import (
    AccessControlEntryRecord,
    DelegationTokenRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
)
from moldau.protocol.messages.stored.metadata_topics import (
    ClearElrRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from moldau.protocol.messages.stored.metadata_transactions import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)
from moldau.protocol.wire.schema import Message


class Delta:
    """Changes on top of an image."""

    def __init__(self, image: Image) -> None:
        self.image = image
        """What it all begins with."""
        self.offset = image.offset
        self.epoch = image.epoch
        self.features = FeaturesDelta(image.features)
        self.cluster = ClusterDelta(image.cluster)
        self.topics = TopicsDelta(image.topics)
        self.configs = ConfigsDelta(image.configs)
        self.quotas = QuotasDelta(image.quotas)
        self.acls = EntriesDelta[bytes, AccessRule](image.acls.by_id)
        self.scram = EntriesDelta[tuple[int, str], ScramCredential](image.scram.by_user)
        self.tokens = EntriesDelta[str, DelegationToken](image.tokens.by_id)
        self.next_producer_id = image.producer_ids.next_producer_id

    def __repr__(self) -> str:
        return f"Delta(from offset {self.image.offset} to {self.offset})"

    def apply(self, record: Message, offset: int | None = None, epoch: int | None = None) -> None:
        """Take in one record; where and by which leader it was written, if that is known."""
        _APPLIERS[type(record)](self, record)
        if offset is not None:
            self.offset = offset
        if epoch is not None:
            self.epoch = epoch

    def advance(self, offset: int, epoch: int) -> None:
        """Note how far the log was read, where the records in between change nothing."""
        self.offset, self.epoch = offset, epoch

    def build(self) -> Image:
        """The image with all changes so far."""
        before = self.image
        acls, scram, tokens = self.acls.build(), self.scram.build(), self.tokens.build()
        return Image(
            offset=self.offset,
            epoch=self.epoch,
            features=self.features.build(),
            cluster=self.cluster.build(),
            topics=self.topics.build(),
            configs=self.configs.build(),
            quotas=self.quotas.build(),
            acls=Acls(acls) if self.acls.changed else before.acls,
            scram=Scram(scram) if self.scram.changed else before.scram,
            tokens=Tokens(tokens) if self.tokens.changed else before.tokens,
            producer_ids=ProducerIds(self.next_producer_id),
        )

    # What changed.

    @property
    def changed_topics(self) -> set[bytes]:
        """Ids of topics that are new or changed, without those that are gone."""
        return self.topics.changed

    @property
    def deleted_topics(self) -> set[bytes]:
        return self.topics.deleted

    @property
    def changed_partitions(self) -> set[tuple[bytes, int]]:
        """Topic id and index of partitions that are new or changed."""
        return self.topics.changed_partitions

    @property
    def changed_brokers(self) -> Mapping[int, BrokerState | None]:
        """None for one that is gone."""
        return self.cluster.changed_brokers

    @property
    def changed_configs(self) -> set[Resource]:
        return self.configs.changed

    # What is more than one line of the table.

    def remove_topic(self, record: RemoveTopicRecord) -> None:
        self.configs.forget((TOPIC, self.topics.apply_remove_topic(record)))

    def take_producer_ids(self, record: ProducerIdsRecord) -> None:
        self.next_producer_id = record.next_producer_id


def _nothing(delta: Delta, record: Message) -> None:
    """The record changes no metadata."""


_APPLIERS: dict[type[Message], Callable[[Delta, Any], object]] = {
    RegisterBrokerRecord: lambda delta, record: delta.cluster.apply_register_broker(record),
    UnregisterBrokerRecord: lambda delta, record: delta.cluster.apply_unregister_broker(record),
    BrokerRegistrationChangeRecord: (
        lambda delta, record: delta.cluster.apply_registration_change(record)
    ),
    FenceBrokerRecord: lambda delta, record: delta.cluster.apply_fence(record),
    UnfenceBrokerRecord: lambda delta, record: delta.cluster.apply_unfence(record),
    RegisterControllerRecord: lambda delta, record: delta.cluster.apply_register_controller(record),
    TopicRecord: lambda delta, record: delta.topics.apply_topic(record),
    PartitionRecord: lambda delta, record: delta.topics.apply_partition(record),
    PartitionChangeRecord: lambda delta, record: delta.topics.apply_partition_change(record),
    ClearElrRecord: lambda delta, record: delta.topics.apply_clear_elr(record),
    RemoveTopicRecord: Delta.remove_topic,
    ConfigRecord: lambda delta, record: delta.configs.apply_config(record),
    ClientQuotaRecord: lambda delta, record: delta.quotas.apply_quota(record),
    FeatureLevelRecord: lambda delta, record: delta.features.apply_level(record),
    ProducerIdsRecord: Delta.take_producer_ids,
    AccessControlEntryRecord: lambda delta, record: delta.acls.put(record.id, rule_of(record)),
    RemoveAccessControlEntryRecord: lambda delta, record: delta.acls.remove(record.id),
    UserScramCredentialRecord: (
        lambda delta, record: delta.scram.put(
            (record.mechanism, record.name), credential_of(record)
        )
    ),
    RemoveUserScramCredentialRecord: (
        lambda delta, record: delta.scram.remove((record.mechanism, record.name))
    ),
    DelegationTokenRecord: (
        lambda delta, record: delta.tokens.put(record.token_id, token_of(record))
    ),
    RemoveDelegationTokenRecord: lambda delta, record: delta.tokens.remove(record.token_id),
    NoOpRecord: _nothing,
    ZkMigrationStateRecord: _nothing,
    BeginTransactionRecord: _nothing,
    EndTransactionRecord: _nothing,
    AbortTransactionRecord: _nothing,
}
