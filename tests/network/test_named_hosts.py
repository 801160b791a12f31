"""A host is logged once in a while for each reason, and few of them are kept."""

import pytest

from moldau.network import named_hosts
from moldau.network.named_hosts import NamedHosts
from moldau.platform.simulated.clock import SimulatedClock

AGAIN_NS = 60


@pytest.fixture
def clock():
    return SimulatedClock()


@pytest.fixture
def hosts(clock):
    return NamedHosts(clock, AGAIN_NS)


def test_a_host_is_named_at_once_and_then_counted(hosts, clock):
    assert hosts.count_since("there", "expired") == 0
    assert [hosts.count_since("there", "expired") for _ in range(3)] == [None] * 3
    clock.advance_ns(AGAIN_NS)
    assert hosts.count_since("there", "expired") == 3
    clock.advance_ns(AGAIN_NS)
    assert hosts.count_since("there", "expired") == 0


def test_another_reason_and_another_host_are_named_by_themselves(hosts):
    named = [("there", "expired"), ("there", "unknown"), ("elsewhere", "expired")]
    assert [hosts.count_since(*one) for one in named] == [0, 0, 0]


def test_beyond_the_limit_the_host_that_was_named_first_is_dropped(hosts, monkeypatch):
    monkeypatch.setattr(named_hosts, "HOSTS_MAX", 10)
    for number in range(15):
        hosts.count_since(str(number), "expired")
    assert len(hosts) == 10
    assert hosts.count_since("5", "expired") is None
    assert hosts.count_since("4", "expired") == 0
