"""Replicas are spread over racks, never twice on a broker, and led by a live one."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.controller.partitions.placement import UsableBroker, place
from moldau.errors import KafkaError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.error_codes import ErrorCode

RACKS = st.sampled_from([None, "a", "b", "c"])


def cluster(*brokers):
    return [UsableBroker(index, rack, fenced) for index, (rack, fenced) in enumerate(brokers, 1)]


@given(
    brokers=st.lists(st.tuples(RACKS, st.booleans()), min_size=1, max_size=9),
    wanted=st.integers(1, 9),
    partitions=st.integers(1, 20),
    seed=st.integers(0, 99),
)
def test_every_placement_is_possible_and_led_by_a_live_broker(brokers, wanted, partitions, seed):
    usable = cluster(*brokers)
    if wanted > len(usable) or all(broker.fenced for broker in usable):
        with pytest.raises(KafkaError) as refusal:
            place(partitions, wanted, usable, SeededRandom(seed))
        assert refusal.value.code == ErrorCode.INVALID_REPLICATION_FACTOR
        return
    placed = place(partitions, wanted, usable, SeededRandom(seed))
    fenced = {broker.broker_id: broker.fenced for broker in usable}
    assert len(placed) == partitions
    for replicas in placed:
        assert len(set(replicas)) == wanted
        assert set(replicas) <= set(fenced)
        assert not fenced[replicas[0]]


@given(seed=st.integers(0, 99))
def test_replicas_lie_in_as_many_racks_as_there_are(seed):
    usable = cluster(*[(rack, False) for rack in "aabbcc"])
    racks = {broker.broker_id: broker.rack for broker in usable}
    for replicas in place(30, 3, usable, SeededRandom(seed)):
        assert {racks[broker_id] for broker_id in replicas} == {"a", "b", "c"}


@given(seed=st.integers(0, 99))
def test_leaders_and_replicas_are_spread_evenly(seed):
    placed = place(12, 2, cluster(*[(None, False)] * 4), SeededRandom(seed))
    assert set(Counter(replicas[0] for replicas in placed).values()) == {3}
    assert max(Counter(broker for replicas in placed for broker in replicas).values()) <= 9


def test_fenced_brokers_come_last():
    placed = place(20, 2, cluster((None, False), (None, True), (None, False)), SeededRandom(1))
    assert [set(replicas) for replicas in placed] == [{1, 3}] * 20


@pytest.mark.parametrize("replication_factor", [0, -1])
def test_a_partition_needs_a_replica(replication_factor):
    with pytest.raises(KafkaError):
        place(1, replication_factor, cluster((None, False)), SeededRandom(1))


@pytest.mark.parametrize(
    ("replication_factor", "brokers", "reason"),
    [
        (0, [(None, False)], "Invalid replication factor 0: the replication factor must be"),
        (
            1,
            [(None, True)],
            "All brokers are currently fenced, or have all their log directories cordoned.",
        ),
    ],
)
def test_a_refusal_reads_as_kafkas(replication_factor, brokers, reason):
    with pytest.raises(KafkaError) as refused:
        place(1, replication_factor, cluster(*brokers), SeededRandom(1))
    beginning = f"Unable to replicate the partition {replication_factor} time(s): {reason}"
    assert (refused.value.message or "").startswith(beginning)
