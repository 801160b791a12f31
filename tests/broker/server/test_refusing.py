"""Whole requests that are refused, where Kafka puts the error in each."""

from typing import Any

import pytest

from moldau.broker.server.refusing import MIRRORED, refusal
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.index import APIS, BY_KEY
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersRequest
from moldau.protocol.wire.compile import decode, encode
from tests.protocol.messages.random_messages import Pair, random_message


def refused(request, version, code, message):
    return refusal(request, version, code, message)


SERVED = [api for api in APIS if api.module != "cluster.removed"]


@pytest.mark.parametrize("api", SERVED, ids=lambda api: api.name)
def test_every_request_in_every_version_can_be_refused(api):
    for version in api.request.VERSIONS.each():
        request = random_message(SeededRandom(3), Pair(api.request, version))
        response = refused(request, version, 41, "not here")
        assert decode(api.response, version, encode(response, version)) is not None


def test_all_mirrors_name_lists_that_are_there():
    for key, mirrors in MIRRORED.items():
        for mirror in mirrors:
            assert (mirror.within or mirror.asked) in BY_KEY[key].request.DECLARED
            assert mirror.listed in BY_KEY[key].response.DECLARED


def test_a_refused_produce_reports_it_for_every_partition():
    data = ProduceRequest.TopicProduceData
    request = ProduceRequest(
        acks=1,
        timeout_ms=1,
        topic_data=[
            data(
                name="orders",
                partition_data=[
                    data.PartitionProduceData(index=index, records=b"") for index in (3, 4)
                ],
            )
        ],
    )
    (topic,) = refused(request, 9, 7, None).responses
    partitions = [(one.index, one.error_code, one.base_offset) for one in topic.partition_responses]
    assert (topic.name, partitions) == ("orders", [(3, 7, -1), (4, 7, -1)])


def test_a_refused_fetch_has_empty_records_and_no_watermark():
    topic = FetchRequest.FetchTopic(
        topic="orders",
        partitions=[
            FetchRequest.FetchTopic.FetchPartition(
                partition=5, fetch_offset=0, partition_max_bytes=1
            )
        ],
    )
    response = refused(FetchRequest(max_wait_ms=0, min_bytes=0, topics=[topic]), 12, 56, None)
    (partition,) = response.responses[0].partitions
    assert response.error_code == 56
    assert (partition.partition_index, partition.error_code) == (5, 56)
    assert (partition.high_watermark, partition.records) == (-1, b"")


def test_topics_to_be_deleted_are_mirrored_from_either_list():
    old = DeleteTopicsRequest(topic_names=["a", "b"], timeout_ms=1)
    assert [topic.name for topic in refused(old, 5, 41, None).responses] == ["a", "b"]


def test_a_coordinator_that_is_not_found_has_no_id():
    request = FindCoordinatorRequest(key="group", key_type=0)
    response = refused(request, 2, 15, "not yet")
    assert (response.error_code, response.node_id, response.port) == (15, -1, -1)


def test_markers_that_are_refused_name_each_partition_once():
    """As Kafka, which has them in maps; a topic without partitions is in none."""
    marker = WriteTxnMarkersRequest.WritableTxnMarker
    topic = marker.WritableTxnMarkerTopic
    named = [
        topic(name="a", partition_indexes=[0]),
        topic(name="b", partition_indexes=[]),
        topic(name="a", partition_indexes=[0, 1]),
    ]
    ends: Any = {"producer_epoch": 0, "transaction_result": True, "coordinator_epoch": 0}
    markers = [marker(producer_id=7, topics=topics, **ends) for topics in ([], named)]
    request = WriteTxnMarkersRequest(markers=markers)
    (answer,) = refused(request, 1, 31, None).markers
    (only,) = answer.topics
    assert (answer.producer_id, only.name) == (7, "a")
    assert [(one.partition_index, one.error_code) for one in only.partitions] == [(0, 31), (1, 31)]
