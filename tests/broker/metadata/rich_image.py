"""Like the image with something of everything, with several of each."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.metadata.cluster import (
    BrokerState,
    Cluster,
    ControllerState,
    Endpoint,
    SupportedLevels,
)
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.security import AccessRule, Acls, Scram, ScramCredential
from moldau.broker.metadata.settings import Configs, Quotas
from moldau.broker.metadata.topics import PartitionState, Topics, TopicState
from tests.broker.metadata.full_image import DISK, TOPIC_ID, full_image

ENDPOINTS = {"Z": Endpoint("Z", "h2", 1, 3), "A": Endpoint("A", "", 9, 2)}
LEVELS = {
    "metadata.version": SupportedLevels(7, 30),
    "group.version": SupportedLevels(0, 1),
    "a": SupportedLevels(1, 1),
}


def rich_image() -> Image:
    image = full_image()
    return replace(
        image,
        cluster=_cluster(image),
        topics=_topics(image.topics.by_id[TOPIC_ID]),
        configs=Configs(
            {
                (2, "orders"): {"retention.ms": "1", "cleanup.policy": "compact"},
                (4, ""): {"b": "2"},
                (4, "1"): {"ssl.keystore.password": "secret"},
                (16, "m"): {"interval.ms": "5"},
            }
        ),
        quotas=Quotas(
            {
                (("user", "a(b)\\c"),): {
                    "request_percentage": 0.5,
                    "consumer_byte_rate": 12345678901.0,
                },
                (("ip", "1.2.3.4"),): {"connection_creation_rate": 100.0},
                (("client-id", "x/y"), ("user", "z")): {"producer_byte_rate": 1e-5},
                (("client-id", "x"),): {"producer_byte_rate": 1e7},
            }
        ),
        acls=Acls(
            {
                b"r" * 16: AccessRule(2, "orders", 3, "User:a", "*", 3, 3),
                b"-" * 16: AccessRule(4, "kafka-cluster", 4, "User:CN=a, b", "h", 12, 2),
                b"q" * 16: AccessRule(5, "t", 4, "User:b", "h", 2, 2),
                b"x" * 16: AccessRule(6, "t", 4, "User:b", "h", 15, 2),
                b"y" * 16: AccessRule(7, "t", 4, "User:b", "h", 13, 2),
            }
        ),
        scram=Scram(
            {
                (1, "a"): ScramCredential(b"s\xff", b"k", b"v", 4096),
                (2, "zoë"): ScramCredential(b"s", b"k", b"v", 4097),
            }
        ),
    )


def _cluster(image: Image) -> Cluster:
    first = image.cluster.brokers[1]
    second = BrokerState(2, 13, b"j" * 16, ENDPOINTS, log_dirs=(b"a" * 16, DISK), features=LEVELS)
    controller = ControllerState(3, b"e" * 16, ENDPOINTS, LEVELS)
    brokers = {1: first, 2: second, 10: replace(first, broker_id=10)}
    return Cluster(brokers, {**image.cluster.controllers, 3: controller})


def _topics(orders: TopicState) -> Topics:
    plain = orders.partitions[0]
    ids = (bytes(16), bytes(15) + b"\x01")
    leaderless = replace(plain, leader=-1, isr=(), recovery_state=0, directories=ids)
    dotted = _topic("a.b", bytes(15) + b"\x7f", dict.fromkeys((0, 1, 2, 10), leaderless))
    other = _topic("orders-2", b"5" * 16, {0: plain})
    topics = (orders, dotted, other)
    return Topics({one.name: one for one in topics}, {one.topic_id: one for one in topics})


def _topic(name: str, topic_id: bytes, partitions: dict[int, PartitionState]) -> TopicState:
    return TopicState(name, topic_id, partitions)
