"""What a client knows about the cluster."""

from __future__ import annotations

from moldau.client.core.cluster import Cluster, Leader
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.network import Address
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import OTHER_ID, metadata, unknown

PART = TopicPartition("t", 0)


def cluster(leader: int = 1, epoch: int = 5) -> Cluster:
    view = Cluster(max_age_ms=1000)
    view.apply_metadata(metadata({"t": {0: (leader, epoch)}}), 0)
    return view


def endpoint(node: int) -> FetchResponse.NodeEndpoint:
    return FetchResponse.NodeEndpoint(node_id=node, host=f"b{node}", port=9092)


def test_brokers_and_leaders_are_as_they_were_reported():
    view = cluster()
    assert view.brokers == {1: Address("b1", 9092), 2: Address("b2", 9092)}
    assert view.leader(PART) == Leader(1, 5)


def test_what_was_never_reported_has_no_leader():
    assert cluster().leader(TopicPartition("t", 1)) is None
    assert cluster().leader(TopicPartition("u", 0)) is None


def test_a_leader_that_is_no_broker_cannot_be_asked():
    assert cluster(leader=9).leader(PART) is None
    assert cluster(leader=-1).leader(PART) is None


def test_an_answer_from_before_the_last_election_is_not_applied():
    view = cluster(leader=2, epoch=5)
    view.apply_metadata(metadata({"t": {0: (1, 4)}}), 10)
    assert view.leader(PART) == Leader(2, 5)


def test_a_topic_with_another_id_begins_anew():
    view = cluster(leader=2, epoch=5)
    view.apply_metadata(metadata({"t": {0: (1, 0)}}, topic_id=OTHER_ID), 10)
    assert view.leader(PART) == Leader(1, 0)


def test_a_view_grows_old():
    view = cluster()
    assert view.is_fresh("t", 1000)
    assert not view.is_fresh("t", 1001)


def test_what_was_reported_this_very_moment_is_fresh_however_short_its_life():
    view = Cluster(max_age_ms=0)
    view.apply_metadata(metadata({"t": {0: (1, 5)}}), 7)
    assert (view.is_fresh("t", 7), view.is_fresh("t", 8)) == (True, False)


def test_what_is_marked_stale_is_asked_for_again():
    view = cluster()
    view.mark_stale("t")
    assert not view.is_fresh("t", 1)
    view.apply_metadata(metadata({"t": {0: (1, 5)}}), 2)
    assert view.is_fresh("t", 3)


def test_a_topic_that_is_refused_is_not_fresh_and_the_code_is_kept():
    view = cluster()
    view.apply_metadata(unknown("t"), 1)
    assert not view.is_fresh("t", 1)
    assert view.refused == {"t": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    view.apply_metadata(metadata({"t": {0: (1, 5)}}), 2)
    assert view.refused == {}


def test_a_hint_of_a_newer_leader_is_applied_with_its_address():
    view = cluster(leader=1, epoch=5)
    assert view.apply_hint(PART, Leader(3, 6), [endpoint(3)])
    assert view.leader(PART) == Leader(3, 6)
    assert view.brokers[3] == Address("b3", 9092)


def test_a_hint_that_is_old_or_leads_nowhere_is_no_news():
    view = cluster(leader=1, epoch=5)
    assert not view.apply_hint(PART, Leader(2, 5), [])
    assert not view.apply_hint(PART, Leader(-1, -1), [])
    assert not view.apply_hint(PART, Leader(7, 6), [])
    assert not view.apply_hint(TopicPartition("u", 0), Leader(2, 6), [])
    assert view.leader(PART) == Leader(1, 5)
