"""Elections are held when they are asked for, and when it is time."""

import pytest

from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names
from tests.broker.controller.partitions.test_alter_partition import proposal

PREFERRED, UNCLEAN = 0, 1


def election(kind, *places):
    topic = ElectLeadersRequest.TopicPartitions
    asked = [topic(topic=name, partitions=list(indexes)) for name, *indexes in places]
    return ElectLeadersRequest(election_type=kind, topic_partitions=asked or None)


def led_by_the_second():
    cluster = Conversation(brokers=2)
    cluster.create("t", (1, 2))
    cluster.create("u", (2,))
    cluster.beat(1, want_fence=True)
    cluster.beat(1)
    return cluster


def rejoin(cluster, broker_id):
    state = cluster.partition("t")
    cluster.ask(proposal(cluster, "t", [*state.isr, broker_id]))


def codes(reply):
    return {
        (topic.topic, partition.partition_id): partition.error_code
        for topic in reply.replica_election_results
        for partition in topic.partition_result
    }


def test_the_preferred_replica_leads_again():
    cluster = led_by_the_second()
    rejoin(cluster, 1)
    records, reply = cluster.ask(election(PREFERRED, ("t", 0)))
    assert (names(records), codes(reply)) == (["PartitionChange"], {("t", 0): 0})
    assert cluster.partition("t").leader == 1


def test_each_partition_is_answered_by_itself():
    records, reply = led_by_the_second().ask(
        election(PREFERRED, ("t", 0, 7), ("u", 0), ("gone", 0))
    )
    assert records == []
    assert codes(reply) == {
        ("t", 0): ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ("t", 7): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ("u", 0): ErrorCode.ELECTION_NOT_NEEDED,
        ("gone", 0): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }


def test_asked_about_all_only_those_learn_that_needed_one():
    cluster = led_by_the_second()
    rejoin(cluster, 1)
    _, reply = cluster.ask(election(PREFERRED))
    assert codes(reply) == {("t", 0): ErrorCode.NONE}


def test_an_unclean_election_is_for_those_without_a_leader():
    cluster = led_by_the_second()
    assert codes(cluster.ask(election(UNCLEAN, ("t", 0)))[1]) == {
        ("t", 0): ErrorCode.ELECTION_NOT_NEEDED
    }
    cluster.beat(2, want_fence=True)
    assert codes(cluster.ask(election(UNCLEAN, ("u", 0)))[1]) == {
        ("u", 0): ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE
    }
    cluster.ask(election(UNCLEAN, ("t", 0)))
    state = cluster.partition("t")
    assert (state.leader, state.isr, state.recovery_state) == (1, (1,), 1)


def test_there_are_two_kinds_of_election():
    assert led_by_the_second().refusal(election(5, ("t", 0))) == ErrorCode.INVALID_REQUEST


def test_no_election_is_refused_where_none_is_asked_for():
    _, reply = led_by_the_second().ask(ElectLeadersRequest(election_type=5, topic_partitions=[]))
    assert (reply.error_code, codes(reply)) == (ErrorCode.NONE, {})


@pytest.mark.parametrize(("balances", "leader"), [("true", 1), ("false", 2)])
def test_leadership_goes_back_by_itself_if_that_is_wanted(balances, leader):
    cluster = Conversation(
        brokers=2, broker_session_timeout_ms="999999", auto_leader_rebalance_enable=balances
    )
    cluster.create("t", (1, 2))
    cluster.beat(1, want_fence=True), cluster.beat(1)
    rejoin(cluster, 1)
    cluster.wait(300_000)
    assert cluster.partition("t").leader == leader
