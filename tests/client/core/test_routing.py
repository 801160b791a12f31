"""Whom to ask where any would do."""

from __future__ import annotations

from random import Random

from moldau.client.core.routing import Reachability, candidates
from moldau.client.errors import UnreachableError
from moldau.network.outgoing.backoff import Backoff
from moldau.platform.ports.network import Address

ONE, TWO, THREE, GIVEN = (Address(host, 9092) for host in ("b1", "b2", "b3", "given"))
ERROR = UnreachableError("b1:9092", "connection refused")


def test_connected_brokers_come_first_and_given_addresses_last():
    for seed in range(20):
        order = candidates([ONE, TWO, THREE], [GIVEN], {TWO}, Random(seed))
        assert (order[0], order[-1]) == (TWO, GIVEN)
        assert sorted(order) == sorted([ONE, TWO, THREE, GIVEN])


def test_chance_spreads_clients_over_the_brokers():
    firsts = {candidates([ONE, TWO, THREE], [], (), Random(seed))[0] for seed in range(50)}
    assert firsts == {ONE, TWO, THREE}


def test_no_broker_is_a_candidate_twice():
    assert candidates([ONE, ONE], [ONE], (), Random(1)) == [ONE]


def test_who_failed_is_left_alone_for_a_while_and_longer_each_time():
    reachability = Reachability(Backoff(Random(1), 50, 1000))
    assert reachability.failed(ONE, ERROR, 0)
    assert reachability.refusal(ONE, 39) is ERROR
    assert reachability.refusal(ONE, 61) is None
    assert not reachability.failed(ONE, ERROR, 61)
    assert reachability.refusal(ONE, 61 + 79) is ERROR


def test_who_was_reached_has_a_clean_slate():
    reachability = Reachability(Backoff(Random(1), 50, 1000))
    reachability.failed(ONE, ERROR, 0)
    reachability.reached(ONE)
    assert reachability.refusal(ONE, 0) is None
    assert reachability.failed(ONE, ERROR, 0)
