"""Judge: with a tiny quota of requests, the same requests are throttled, and the same are not."""

from __future__ import annotations

import time

import pytest

from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.protocol.messages.broker.alter_partition import AlterPartitionRequest
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from tests.interop.differential.side import CLIENT_ID, Side

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

PATIENCE_S = 30
PERCENT = 0.001
"""Eleven seconds of it are a tenth of a millisecond: no request is that cheap more than once."""
FOLLOWER = 2
UNKNOWN = 77


def limited() -> AlterClientQuotasRequest:
    of = AlterClientQuotasRequest.EntryData
    entity = of.EntityData(entity_type="client-id", entity_name=CLIENT_ID)
    change = of.OpData(key="request_percentage", value=PERCENT, remove=False)
    entry = of(entity=[entity], ops=[change])
    return AlterClientQuotasRequest(entries=[entry], validate_only=False)


def fetch(replica_id: int) -> FetchRequest:
    return FetchRequest(
        replica_state=FetchRequest.ReplicaState(replica_id=replica_id),
        max_wait_ms=0,
        min_bytes=0,
        topics=[],
        forgotten_topics_data=[],
    )


def add_unknown() -> AddRaftVoterRequest:
    return AddRaftVoterRequest(
        cluster_id=None,
        timeout_ms=1000,
        voter_id=-1,
        voter_directory_id=bytes(16),
        listeners=[],
    )


def on_both():
    """Name, request and version."""
    remove = RemoveRaftVoterRequest(cluster_id=None, voter_id=-1, voter_directory_id=bytes(16))
    return [
        ("fetch of a consumer", fetch(-1), 17),
        ("fetch of a follower", fetch(FOLLOWER), 17),
        ("add a voter", add_unknown(), 1),
        ("remove a voter", remove, 0),
        ("update features", UpdateFeaturesRequest(timeout_ms=1000, feature_updates=[]), 2),
    ]


def on_controller():
    beat = BrokerHeartbeatRequest(
        broker_id=UNKNOWN,
        broker_epoch=1,
        current_metadata_offset=1,
        want_fence=False,
        want_shut_down=False,
    )
    return [
        ("heartbeat", beat, 1),
        ("producer ids", AllocateProducerIdsRequest(broker_id=UNKNOWN, broker_epoch=1), 0),
        ("alter", AlterPartitionRequest(broker_id=UNKNOWN, broker_epoch=1, topics=[]), 3),
    ]


def throttled(side: Side, questions) -> dict[str, bool]:
    """Which of them are, once the request is that always is."""
    deadline = time.monotonic() + PATIENCE_S
    usual = UpdateFeaturesRequest(timeout_ms=1000, feature_updates=[])
    while not side.ask(usual, 2).throttle_time_ms:
        assert time.monotonic() < deadline, f"{side.name} never throttles"
    return {
        f"{name} of the {side.name}": side.ask(request, version).throttle_time_ms > 0
        for name, request, version in questions
    }


def verdicts(node) -> dict[str, bool]:
    node.start()
    broker, controller = Side("broker", node.client_port), Side("controller", node.controller_port)
    assert [one.error_code for one in broker.ask(limited(), 1).entries] == [0]
    outcomes = throttled(broker, on_both()) | throttled(controller, on_both() + on_controller())
    broker.close()
    controller.close()
    node.stop()
    return outcomes


def test_the_same_requests_are_throttled(new_moldau_node, new_kafka_node):
    ours, theirs = verdicts(new_moldau_node()), verdicts(new_kafka_node())
    assert ours == theirs
