"""Producers of partitions, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.producers import abort_transaction, describe_producers
from moldau.client.topic_partition import TopicPartition
from tests.client.answers import metadata
from tests.client.core.admin.asking import call, cluster, talk

ONE = TopicPartition("t", 0)


def test_leaders_are_asked_or_the_broker_that_is_named():
    held = talk(describe_producers(call(), [ONE])).receives(metadata({"t": {0: (2, 1)}}))
    assert held.asked[-1][0] == 2
    held = talk(describe_producers(call(), [ONE], 1)).receives(cluster(1, 2))
    assert held.asked[-1][0] == 1


def test_a_marker_that_aborts_goes_to_the_leader():
    held = talk(abort_transaction(call(), ONE, 7, 3, 5)).receives(metadata({"t": {0: (2, 1)}}))
    node, request = held.asked[-1]
    marker = request.markers[0]
    assert (node, marker.producer_id, marker.producer_epoch, marker.coordinator_epoch) == (
        2,
        7,
        3,
        5,
    )
    assert not marker.transaction_result
