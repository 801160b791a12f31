"""Images with a little of everything, for handlers that answer out of them."""

from __future__ import annotations

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.stored.metadata_brokers import (
    RegisterBrokerRecord,
    RegisterControllerRecord,
)
from moldau.protocol.messages.stored.metadata_cluster import ClientQuotaRecord, ConfigRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord
from tests.broker.server.asking import production_features


def image_of(*records) -> Image:
    """What these records add up to, in a cluster as it is formatted."""
    delta = Delta(Image(offset=10, features=production_features()))
    for record in records:
        delta.apply(record)
    return delta.build()


def topic_id(name):
    return name.encode().ljust(16, b"\0")


def topic(name, partitions=1, leader=1, replicas=(1,)):
    """The records of a topic."""
    yield TopicRecord(name=name, topic_id=topic_id(name))
    for index in range(partitions):
        yield PartitionRecord(
            partition_id=index,
            topic_id=topic_id(name),
            replicas=list(replicas),
            isr=list(replicas),
            removing_replicas=[],
            adding_replicas=[],
            leader=leader,
            leader_epoch=3,
            partition_epoch=4,
            directories=[bytes(16)] * len(replicas),
            eligible_leader_replicas=[9],
        )


def broker(number, *, fenced=False, rack=None, listener="PLAINTEXT"):
    return RegisterBrokerRecord(
        broker_id=number,
        incarnation_id=bytes(16),
        broker_epoch=number,
        end_points=[
            RegisterBrokerRecord.BrokerEndpoint(
                name=listener, host=f"host{number}", port=9092, security_protocol=0
            )
        ],
        features=[],
        rack=rack,
        fenced=fenced,
    )


def controller(number):
    return RegisterControllerRecord(
        controller_id=number,
        incarnation_id=bytes(16),
        zk_migration_ready=False,
        end_points=[
            RegisterControllerRecord.ControllerEndpoint(
                name="CONTROLLER", host=f"control{number}", port=9093, security_protocol=0
            )
        ],
        features=[],
    )


def config(kind, resource, name, value):
    return ConfigRecord(resource_type=kind, resource_name=resource, name=name, value=value)


def quota(value, **parts):
    entity = [
        ClientQuotaRecord.EntityData(entity_type=kind.replace("_", "-"), entity_name=name)
        for kind, name in parts.items()
    ]
    return ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=value, remove=False)
