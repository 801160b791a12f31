"""Failed handshakes are logged with who and why, and a host that goes on is not logged for each."""

import logging

import pytest

from moldau.network.tls.failures import AGAIN_NS, HandshakeFailures
from moldau.platform.ports.network import Address

NS_PER_S = 1_000_000_000


class Hand:
    def __init__(self):
        self.ns = 0

    def now_ms(self):
        return 0

    def monotonic_ns(self):
        return self.ns


@pytest.fixture
def logged(caplog):
    caplog.set_level(logging.WARNING)
    return lambda: [record.getMessage() for record in caplog.records]


def test_a_host_is_named_once_for_each_reason_and_counted(logged):
    clock = Hand()
    failures = HandshakeFailures("OUTSIDE", clock)
    for port in range(100):
        failures.failed(Address("10.0.0.9", port), "it has expired")
    failures.failed(Address("10.0.0.9", 1), "it is foreign")
    assert len(logged()) == 2
    assert logged()[0] == (
        "Failed authentication with 10.0.0.9:0 on OUTSIDE (SSL handshake failed): it has expired"
    )
    clock.ns += AGAIN_NS
    failures.failed(Address("10.0.0.9", 7), "it has expired")
    assert logged()[-1].endswith("it has expired (99 more from there before)")
    assert failures.count == 102
