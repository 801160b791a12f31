"""An image as the records that would make it, in the order in which Kafka writes them.

Levels come first, metadata.version before all others, because they decide how the rest is written.
What the finalized metadata.version cannot carry is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.metadata.cluster import (
    BrokerState,
    ControllerState,
    sent_endpoints,
    sent_features,
)
from moldau.broker.metadata.features import KRAFT_VERSION, METADATA_VERSION, METADATA_VERSIONS
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import PartitionState
from moldau.protocol.messages.stored.metadata_brokers import (
    RegisterBrokerRecord,
    RegisterControllerRecord,
)
from moldau.protocol.messages.stored.metadata_cluster import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    ProducerIdsRecord,
)
from moldau.protocol.messages.stored.metadata_security import (
    AccessControlEntryRecord,
    DelegationTokenRecord,
    UserScramCredentialRecord,
)
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord
from moldau.protocol.wire.schema import Message

NO_BROKER = -1


def image_records(image: Image) -> Iterator[Message]:
    """All records of a snapshot of this image."""
    yield from _features(image)
    yield from _nodes(image)
    yield from _topics(image)
    yield from _settings(image)
    yield from _secrets(image)


def _features(image: Image) -> Iterator[Message]:
    levels = {**image.features.levels}
    levels.pop(KRAFT_VERSION, None)
    for name in sorted(levels, key=lambda name: (name != METADATA_VERSION, name)):
        yield FeatureLevelRecord(name=name, feature_level=levels[name])


def _nodes(image: Image) -> Iterator[Message]:
    version = METADATA_VERSIONS[image.features.metadata_version]
    for _, broker in sorted(image.cluster.brokers.items()):
        record = broker_record(broker)
        if not version.has_cordoned_directories:
            record.cordoned_log_dirs = None
        if not version.has_directory_assignment:
            record.log_dirs = []
        yield record
    if version.has_controller_registration:
        for _, controller in sorted(image.cluster.controllers.items()):
            yield controller_record(controller)


def _topics(image: Image) -> Iterator[Message]:
    version = METADATA_VERSIONS[image.features.metadata_version]
    for name in sorted(image.topics.by_name):
        topic = image.topics.by_name[name]
        yield TopicRecord(name=name, topic_id=topic.topic_id)
        for index in sorted(topic.partitions):
            record = partition_record(topic.topic_id, index, topic.partitions[index])
            if not version.has_elr:
                record.eligible_leader_replicas = record.last_known_elr = None
            if not version.has_directory_assignment:
                record.directories = []
            yield record


def _settings(image: Image) -> Iterator[Message]:
    for (kind, resource), settings in sorted(image.configs.by_resource.items()):
        for name, value in sorted(settings.items()):
            yield ConfigRecord(resource_type=kind, resource_name=resource, name=name, value=value)
    for entity, quotas in image.quotas.by_entity.items():
        for key, limit in sorted(quotas.items()):
            parts = [
                ClientQuotaRecord.EntityData(entity_type=kind, entity_name=name)
                for kind, name in entity
            ]
            yield ClientQuotaRecord(entity=parts, key=key, value=limit, remove=False)
    if image.producer_ids.next_producer_id > 0:
        yield ProducerIdsRecord(
            broker_id=NO_BROKER, next_producer_id=image.producer_ids.next_producer_id
        )


def _secrets(image: Image) -> Iterator[Message]:
    version = METADATA_VERSIONS[image.features.metadata_version]
    for rule_id, rule in image.acls.by_id.items():
        yield AccessControlEntryRecord(id=rule_id, **rule._asdict())
    if version.has_scram:
        for (mechanism, user), credential in sorted(image.scram.by_user.items()):
            yield UserScramCredentialRecord(name=user, mechanism=mechanism, **credential._asdict())
    if version.has_delegation_tokens:
        for token in image.tokens.by_id.values():
            yield DelegationTokenRecord(
                owner=token.owner,
                requester=token.requester,
                renewers=list(token.renewers),
                issue_timestamp=token.issue_timestamp_ms,
                max_timestamp=token.max_timestamp_ms,
                expiration_timestamp=token.expiration_timestamp_ms,
                token_id=token.token_id,
            )


def broker_record(broker: BrokerState) -> RegisterBrokerRecord:
    """The registration that makes this broker."""
    cordoned = broker.cordoned_log_dirs
    return RegisterBrokerRecord(
        broker_id=broker.broker_id,
        is_migrating_zk_broker=broker.is_migrating_zk_broker,
        incarnation_id=broker.incarnation_id,
        broker_epoch=broker.epoch,
        end_points=sent_endpoints(RegisterBrokerRecord.BrokerEndpoint, broker.endpoints.values()),
        features=sent_features(RegisterBrokerRecord.BrokerFeature, broker.features),
        rack=broker.rack,
        fenced=broker.fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=list(broker.log_dirs),
        cordoned_log_dirs=None if cordoned is None else list(cordoned),
    )


def controller_record(controller: ControllerState) -> RegisterControllerRecord:
    """The registration that makes this controller."""
    return RegisterControllerRecord(
        controller_id=controller.controller_id,
        incarnation_id=controller.incarnation_id,
        zk_migration_ready=controller.zk_migration_ready,
        end_points=sent_endpoints(
            RegisterControllerRecord.ControllerEndpoint, controller.endpoints.values()
        ),
        features=sent_features(RegisterControllerRecord.ControllerFeature, controller.features),
    )


def partition_record(topic_id: bytes, index: int, state: PartitionState) -> PartitionRecord:
    """The record that makes this partition."""
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(state.replicas),
        isr=list(state.isr),
        removing_replicas=list(state.removing_replicas),
        adding_replicas=list(state.adding_replicas),
        leader=state.leader,
        leader_recovery_state=state.recovery_state,
        leader_epoch=state.leader_epoch,
        partition_epoch=state.partition_epoch,
        directories=list(state.directories),
        eligible_leader_replicas=list(state.eligible_leader_replicas) or None,
        last_known_elr=list(state.last_known_elr) or None,
    )
