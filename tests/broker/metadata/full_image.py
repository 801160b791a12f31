"""An image with something of everything."""

from __future__ import annotations

from moldau.broker.metadata.cluster import (
    BrokerState,
    Cluster,
    ControllerState,
    Endpoint,
    SupportedLevels,
)
from moldau.broker.metadata.image import Image, ProducerIds
from moldau.broker.metadata.security import (
    AccessRule,
    Acls,
    DelegationToken,
    Scram,
    ScramCredential,
    Tokens,
)
from moldau.broker.metadata.settings import Configs, Features, Quotas
from moldau.broker.metadata.topics import PartitionState, Topics, TopicState

TOPIC_ID, DISK = b"t" * 16, b"d" * 16
ENDPOINTS = {"PLAIN": Endpoint("PLAIN", "host", 9092, 0)}
LEVELS = {"metadata.version": SupportedLevels(7, 30)}


def full_image(metadata_version: int = 30) -> Image:
    partition = PartitionState(
        (1, 2), (DISK, DISK), (1,), (2,), (), 1, 3, 4, 1, eligible_leader_replicas=(2,)
    )
    topic = TopicState("orders", TOPIC_ID, {0: partition, 1: partition})
    broker = BrokerState(
        1, 12, b"i" * 16, ENDPOINTS, "rack", False, True, (DISK,), LEVELS, False, ()
    )
    return Image(
        offset=99,
        epoch=5,
        features=Features({"metadata.version": metadata_version, "group.version": 1}),
        cluster=Cluster({1: broker}, {1: ControllerState(1, b"c" * 16, ENDPOINTS, LEVELS)}),
        topics=Topics({"orders": topic}, {TOPIC_ID: topic}),
        configs=Configs({(2, "orders"): {"a": "1"}, (4, ""): {"b": "2"}}),
        quotas=Quotas({(("client-id", None), ("user", "u")): {"rate": 5.0}}),
        acls=Acls({b"r" * 16: AccessRule(2, "orders", 3, "User:a", "*", 3, 3)}),
        scram=Scram({(1, "a"): ScramCredential(b"s", b"k", b"v", 4096)}),
        tokens=Tokens({"t": DelegationToken("User:a", "User:b", ("User:c",), 1, 3, 2, "t")}),
        producer_ids=ProducerIds(2000),
    )
