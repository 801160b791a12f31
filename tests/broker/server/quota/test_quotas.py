"""Whose limit holds, and what it does."""

from __future__ import annotations

from math import inf

import pytest

from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.metadata.settings import quota_entity
from moldau.broker.server.quota import quotas as module
from moldau.broker.server.quota.quotas import ListenerRates, Quotas, limit_for
from moldau.broker.server.quota.windows import Windows
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import call_of

RATE = "producer_byte_rate"


def image(**limits):
    """Entities by a short name: u a user, c a client, U and C their defaults."""
    kinds = {"u": ("user", "ANONYMOUS"), "U": ("user", None)}
    kinds |= {"c": ("client-id", "a client"), "C": ("client-id", None)}
    by_entity = {
        quota_entity(kinds[letter] for letter in name): values for name, values in limits.items()
    }
    return QuotaImage(by_entity)


def some_call():
    return call_of(ApiVersionsRequest(), 0)


def test_the_most_specific_limit_holds():
    order = ["uc", "uC", "u", "Uc", "UC", "U", "c", "C"]
    for position in range(len(order)):
        limits = {name: {RATE: float(index)} for index, name in enumerate(order)}
        known = image(**{name: limits[name] for name in order[position:]})
        found = limit_for(known.by_entity, RATE, "ANONYMOUS", "a client")
        assert found is not None
        assert found.bound == position


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("u", (RATE, "ANONYMOUS", None)),
        ("C", (RATE, None, "a client")),
        ("UC", (RATE, "ANONYMOUS", "a client")),
    ],
)
def test_a_limit_is_shared_by_those_whom_it_does_not_tell_apart(name, measure):
    found = limit_for(image(**{name: {RATE: 1.0}}).by_entity, RATE, "ANONYMOUS", "a client")
    assert found is not None
    assert found.measure == measure


def test_without_a_limit_nothing_is_measured():
    quotas = Quotas(SimulatedClock(), image)
    call = some_call()
    quotas.produced(call, 1 << 40)
    assert quotas.fetched(call, 1 << 40)
    quotas.spent(call, 1 << 40)
    quotas.mutated(call, 1000, is_strict=True)
    assert (call.throttle_ms, quotas.are_set, repr(quotas)) == (
        0,
        False,
        "Quotas(0 set, 0 measured)",
    )


def test_a_producer_that_is_too_fast_owes_time():
    quotas = Quotas(SimulatedClock(), lambda: known)
    known = image(u={RATE: 100.0})
    call = some_call()
    quotas.produced(call, 1000)
    assert call.throttle_ms == 0
    quotas.produced(call, 1000)
    assert call.throttle_ms == 10_000
    (measured,) = quotas.measured()
    assert (measured.key, measured.rate, measured.throttle_ms) == (RATE, 200.0, 5_000)


def test_a_consumer_that_is_too_fast_gets_nothing_and_is_not_charged_for_it():
    clock = SimulatedClock()
    known = image(c={"consumer_byte_rate": 100.0})
    quotas = Quotas(clock, lambda: known)
    first, second = some_call(), some_call()
    assert quotas.fetched(first, 900)
    assert not quotas.fetched(second, 5000)
    assert second.throttle_ms > 0
    assert quotas.fetched(some_call(), 100)


def test_time_of_the_processor_is_limited_in_per_cent_and_muting_to_a_second():
    known = image(U={"request_percentage": 1.0})
    quotas = Quotas(SimulatedClock(), lambda: known)
    call = some_call()
    quotas.spent(call, 10_000_000_000)
    assert call.throttle_ms == 1000


def test_a_changed_limit_holds_at_once():
    images = [image(u={RATE: 1.0}), image(u={RATE: 1e9})]
    quotas = Quotas(SimulatedClock(), lambda: images[0])
    slow, quick = some_call(), some_call()
    quotas.produced(slow, 1000)
    del images[0]
    quotas.produced(quick, 1000)
    assert slow.throttle_ms > 0
    assert quick.throttle_ms == 0


def test_changes_are_refused_to_the_strict_and_delayed_for_others():
    known = image(u={"controller_mutation_rate": 1.0})
    quotas = Quotas(SimulatedClock(), lambda: known)
    quotas.mutated(some_call(), 20, is_strict=True)
    strict, other = some_call(), some_call()
    with pytest.raises(KafkaError) as refusal:
        quotas.mutated(strict, 1, is_strict=True)
    assert refusal.value.code == ErrorCode.THROTTLING_QUOTA_EXCEEDED
    assert strict.throttle_ms == 9000
    quotas.mutated(other, 1, is_strict=False)
    assert other.throttle_ms == 10_000


def test_the_time_of_nodes_is_measured_apart_and_charged_to_no_client():
    known = image(C={"request_percentage": 0.1})
    quotas = Quotas(SimulatedClock(), lambda: known, controller_listeners=["CONTROLLER"])
    calls = [call_of(DescribeQuorumRequest(topics=[]), 2) for _ in range(3)]
    calls[1].listener = "CONTROLLER"
    calls[2].listener = "CONTROLLER"
    for call in calls:
        quotas.spent(call, 1_000_000_000)
    assert [call.throttle_ms > 0 for call in calls] == [True, False, False]
    rates = {one.key: (one.client_id, one.rate) for one in quotas.measured()}
    assert rates == {"request_percentage": ("a client", 10.0), "exempt": (None, 20.0)}


def test_connections_are_limited_by_their_address_and_by_listener():
    known = QuotaImage({(("ip", "10.0.0.1"),): {"connection_creation_rate": 0.1}})
    quotas = Quotas(SimulatedClock(), lambda: known, ListenerRates(by_listener={"SLOW": 0.1}))
    assert quotas.address_delay_ms("10.0.0.1") == 0
    assert quotas.address_delay_ms("10.0.0.1") > 0
    assert quotas.address_delay_ms("10.0.0.2") == 0
    assert quotas.listener_delay_ms("SLOW") == 0
    assert quotas.listener_delay_ms("SLOW") > 0
    assert quotas.listener_delay_ms("PLAINTEXT") == 0


def test_a_listener_shares_the_limit_of_the_node_unless_brokers_use_it_among_themselves():
    rates = ListenerRates(0.1, {"OWN": 0.2}, protected_listener="BROKERS")
    quotas = Quotas(SimulatedClock(), image, rates)
    assert quotas.listener_delay_ms("BROKERS") == quotas.listener_delay_ms("BROKERS") == 0
    assert quotas.listener_delay_ms("PLAINTEXT") == 0
    assert quotas.listener_delay_ms("OWN") == quotas.listener_delay_ms("OWN") / 2 == 10_000
    quotas.listener_rates = ListenerRates()
    assert quotas.listener_delay_ms("OWN") == 0


def test_an_address_is_let_in_as_often_as_its_limit_however_often_it_is_refused():
    clock = SimulatedClock()
    known = QuotaImage({(("ip", "10.0.0.1"),): {"connection_creation_rate": 1.0}})
    quotas = Quotas(clock, lambda: known)
    let_in = 0
    for _ in range(600):
        delay_ms = quotas.address_delay_ms("10.0.0.1")
        assert delay_ms <= 1000
        let_in += not delay_ms
        clock.advance_ms(100)
    assert 60 <= let_in <= 72


def test_no_consumer_is_given_more_at_a_time_than_its_quota_can_let_pass():
    known = image(c={"consumer_byte_rate": 100.0})
    quotas = Quotas(SimulatedClock(), lambda: known)
    assert quotas.fetch_bytes_max(some_call()) == 1000
    assert quotas.fetched(some_call(), 1000)
    assert Quotas(SimulatedClock(), image).fetch_bytes_max(some_call()) == inf


def test_clients_that_name_themselves_anew_every_time_take_no_memory(monkeypatch):
    monkeypatch.setattr(module, "MEASURES_MAX", 10)
    known = image(C={RATE: 100.0})
    quotas = Quotas(SimulatedClock(), lambda: known)
    for number in range(100):
        call = some_call()
        call.client_id = f"client {number}"
        quotas.produced(call, 1)
    assert repr(quotas) == "Quotas(1 set, 10 measured)"


def test_how_far_quotas_look_back_is_set_at_the_start():
    known = image(u={RATE: 100.0, "request_percentage": 1.0, "controller_mutation_rate": 1.0})
    windows = Windows(3, 2)
    quotas = Quotas(SimulatedClock(), lambda: known, windows=windows, mutation_windows=windows)
    producing, working, changing = some_call(), some_call(), some_call()
    quotas.produced(producing, 401)
    quotas.spent(working, 10_000_000_000)
    quotas.mutated(changing, 8, is_strict=False)
    assert (producing.throttle_ms, working.throttle_ms, changing.throttle_ms) == (10, 2000, 2000)
