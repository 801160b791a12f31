"""Whose time is not charged."""

from __future__ import annotations

import pytest

from moldau.broker.server.quota.exemptions import IN_THE_QUORUM, is_exempt
from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.protocol.messages.broker.alter_partition import AlterPartitionRequest
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.index import APIS
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.vote import VoteRequest
from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import call_of

HEARTBEAT = BrokerHeartbeatRequest(
    broker_id=1,
    broker_epoch=1,
    current_metadata_offset=1,
    want_fence=False,
    want_shut_down=False,
)


def fetch(version, replica_id):
    request = FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[])
    if version < 15:
        request.replica_id = replica_id
    else:
        request.replica_state = FetchRequest.ReplicaState(replica_id=replica_id)
    return call_of(request, version)


def produce(acks):
    return call_of(ProduceRequest(transactional_id=None, acks=acks, timeout_ms=0, topic_data=[]), 9)


def test_names_are_names_of_apis():
    assert {api.name for api in APIS} >= IN_THE_QUORUM


@pytest.mark.parametrize("version", [4, 14, 15, 17])
def test_followers_fetch_for_nothing_and_consumers_do_not(version):
    assert is_exempt(fetch(version, 2), by_controller=False)
    assert not is_exempt(fetch(version, -1), by_controller=False)
    assert is_exempt(fetch(version, -1), by_controller=True)


def test_produce_is_charged_where_it_is_answered():
    exempt = [is_exempt(produce(acks), by_controller=False) for acks in (0, 1, -1)]
    assert exempt == [True, False, False]


def test_controllers_charge_no_client_for_the_quorum_and_brokers_do():
    asked = call_of(DescribeQuorumRequest(topics=[]), 2)
    assert is_exempt(asked, by_controller=True)
    assert not is_exempt(asked, by_controller=False)
    changed = AlterPartitionRequest(broker_id=1, broker_epoch=1, topics=[])
    assert is_exempt(call_of(changed, 3), by_controller=True)
    assert not is_exempt(call_of(HEARTBEAT, 1), by_controller=True)


def test_markers_are_written_for_nothing_and_versions_are_reported_for_time():
    markers = call_of(WriteTxnMarkersRequest(markers=[]), 1)
    assert is_exempt(markers, by_controller=False)
    assert not is_exempt(call_of(ApiVersionsRequest(), 0), by_controller=False)


def test_who_is_refused_because_it_is_no_node_is_charged():
    vote = call_of(VoteRequest(topics=[]), 2)
    refusals = (None, ErrorCode.INVALID_REQUEST, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    exempt = [is_exempt(vote, by_controller=True, error=error) for error in refusals]
    assert exempt == [True, True, False]


def test_producer_ids_are_charged_unless_they_are_refused():
    ids = call_of(AllocateProducerIdsRequest(broker_id=1, broker_epoch=1), 0)
    refusals = (None, ErrorCode.STALE_BROKER_EPOCH, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    exempt = [is_exempt(ids, by_controller=True, error=error) for error in refusals]
    assert exempt == [False, True, False]
