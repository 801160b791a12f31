"""Judge: a broker that gets something wrong is refused by both controllers with the same error.

What is sent is what nodes send: registrations, heartbeats and reports of a broker that no process
stands behind, of one that is alive, and of one that was never there; with other clusters, other
directories, features that are too few, and epochs that are over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.metadata.features import METADATA_VERSION, supported_levels
from moldau.platform.system.files import SystemFiles
from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.protocol.messages.broker.alter_partition import AlterPartitionRequest
from moldau.protocol.messages.broker.assign_replicas_to_dirs import AssignReplicasToDirsRequest
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.protocol.wire.schema import Request
from tests.interop.differential.side import Side
from tests.judges.kafka_node import CLUSTER_ID, HOST

pytestmark = [pytest.mark.judge, pytest.mark.timeout(200)]

ALIVE, NEW, NEVER = 1, 7, 9
LIFE, OTHER_LIFE = b"a life of a node", b"another life now"
DISK, SECOND_DISK = b"one log directry", b"a second log dir"
RESERVED = bytes(15) + b"\x05"
LEVELS = supported_levels()
VERSION = 4


def registration(
    levels: dict[str, tuple[int, int]] | None = None, **changes: Any
) -> BrokerRegistrationRequest:
    of = BrokerRegistrationRequest
    asked: dict[str, Any] = {
        "broker_id": NEW,
        "cluster_id": CLUSTER_ID,
        "incarnation_id": LIFE,
        "listeners": [of.Listener(name="PLAINTEXT", host=HOST, port=9, security_protocol=0)],
        "features": [
            of.Feature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in (LEVELS if levels is None else levels).items()
        ],
        "rack": None,
        "log_dirs": [DISK],
    }
    return of(**(asked | changes))


def without(name: str) -> dict[str, tuple[int, int]]:
    return {feature: levels for feature, levels in LEVELS.items() if feature != name}


def registrations(disk_of_alive: bytes) -> Iterator[tuple[str, Request]]:
    low, high = LEVELS[METADATA_VERSION]
    yield "another cluster", registration(cluster_id="another")
    yield "no cluster", registration(cluster_id="")
    yield "alive elsewhere", registration(broker_id=ALIVE)
    yield "no directory", registration(log_dirs=[])
    yield "a directory twice", registration(log_dirs=[DISK, DISK])
    yield "a directory of another", registration(log_dirs=[disk_of_alive])
    yield "a reserved directory", registration(log_dirs=[RESERVED])
    yield "ZooKeeper", registration(is_migrating_zk_broker=True)
    for name in LEVELS:
        yield f"without {name}", registration(without(name))
    yield "older metadata", registration(LEVELS | {METADATA_VERSION: (low, high - 1)})
    yield "newer metadata", registration(LEVELS | {METADATA_VERSION: (high + 1, high + 2)})
    yield "an unknown feature", registration(LEVELS | {"unheard.of": (0, 5)})
    yield "the same life again", registration()
    yield "the same life, fewer features", registration(without("group.version"))
    yield (
        "another life, other disk",
        registration(incarnation_id=OTHER_LIFE, log_dirs=[SECOND_DISK]),
    )


def reports(epoch: int) -> Iterator[tuple[str, Request]]:
    """Of the broker that is registered and stands still, and of one that never was."""
    for node, sent in ((NEW, epoch), (NEW, epoch - 1), (NEW, epoch + 1), (NEW, -1), (NEVER, 0)):
        name = f"broker {node}, epoch {sent - epoch if node == NEW and sent >= 0 else sent}"
        yield f"heartbeat, {name}", heartbeat(node, sent)
        yield (
            f"in-sync set, {name}",
            AlterPartitionRequest(broker_id=node, broker_epoch=sent, topics=[]),
        )
        yield f"producer ids, {name}", AllocateProducerIdsRequest(broker_id=node, broker_epoch=sent)
        yield (
            f"directories, {name}",
            AssignReplicasToDirsRequest(broker_id=node, broker_epoch=sent, directories=[]),
        )


def heartbeat(node: int, epoch: int) -> BrokerHeartbeatRequest:
    return BrokerHeartbeatRequest(
        broker_id=node,
        broker_epoch=epoch,
        current_metadata_offset=0,
        want_fence=True,
        want_shut_down=False,
    )


def controller_registrations() -> Iterator[tuple[str, Request]]:
    of = ControllerRegistrationRequest
    for name, levels in (
        ("whole", LEVELS),
        ("without metadata.version", without(METADATA_VERSION)),
        ("without group.version", without("group.version")),
    ):
        yield (
            f"controller {name}",
            of(
                controller_id=NEW,
                incarnation_id=LIFE,
                zk_migration_ready=False,
                listeners=[of.Listener(name="CONTROLLER", host=HOST, port=9, security_protocol=0)],
                features=[
                    of.Feature(name=feature, min_supported_version=low, max_supported_version=high)
                    for feature, (low, high) in levels.items()
                ],
            ),
        )


def verdicts(node) -> dict[str, int]:
    node.start()
    properties = read_meta_properties(SystemFiles(), str(node.data))
    assert properties is not None
    assert properties.directory_id is not None
    controller = Side("controller", node.controller_port)
    codes = {}
    first = controller.ask(registration(), VERSION)
    codes["a new broker"] = first.error_code
    for name, asked in registrations(properties.directory_id):
        codes[name] = controller.ask(asked, VERSION).error_code
    again = controller.ask(registration(incarnation_id=OTHER_LIFE), VERSION)
    for name, asked in reports(again.broker_epoch):
        codes[name] = controller.ask(asked, asked.VERSIONS.high).error_code
    for name, asked in controller_registrations():
        codes[name] = controller.ask(asked, 0).error_code
    controller.close()
    node.stop()
    return codes


def test_every_mistake_of_a_broker_gets_kafkas_error(new_moldau_node, new_kafka_node):
    theirs, ours = verdicts(new_kafka_node()), verdicts(new_moldau_node())
    assert {name: (ours[name], theirs[name]) for name in theirs if ours[name] != theirs[name]} == {}
    assert ours.keys() == theirs.keys()
    assert sorted(set(theirs.values())) == [0, 35, 77, 101, 102, 104, 119]
