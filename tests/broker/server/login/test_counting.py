"""Logins are counted for each listener, by what came of them."""

from __future__ import annotations

from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.login.counting import (
    FAILED,
    FAILED_AGAIN,
    SUCCEEDED,
    SUCCEEDED_AGAIN,
    SUCCEEDED_ONCE,
    begin_counting,
    count_login,
)
from tests.broker.node.simulated_node import run
from tests.broker.server.login.dialogue import PREFIX, authenticate, handshake, log_in, node

LISTENER = "PLAINTEXT"
ALL = (FAILED, FAILED_AGAIN, SUCCEEDED, SUCCEEDED_AGAIN, SUCCEEDED_ONCE)


def counts(registry: Registry) -> dict[tuple[str, str], int]:
    return {
        (name.name, dict(name.tags)["listener"]): metric.count
        for name, metric in registry.collect()
        if isinstance(metric, Meter) and name.name in ALL and metric.count
    }


def test_what_has_not_happened_is_shown_as_none_for_each_listener():
    registry = Registry()
    begin_counting(registry, ("A", "B"))
    shown = [(name.name, dict(name.tags)["listener"]) for name, _ in registry.collect()]
    assert sorted(shown) == sorted((name, listener) for name in ALL for listener in "AB")
    assert counts(registry) == {}


def test_each_listener_has_its_own_count():
    registry = Registry()
    for listener, outcome in (("A", FAILED), ("A", FAILED), ("B", SUCCEEDED)):
        count_login(registry, listener, outcome)
    assert counts(registry) == {(FAILED, "A"): 2, (SUCCEEDED, "B"): 1}


def test_a_node_counts_who_logged_in_and_who_did_not():
    async def scenario(machine):
        served = node(machine)
        await served.start()
        await log_in(machine, await machine.connect(served))
        stranger = await machine.connect(served)
        await handshake(machine, stranger)
        await authenticate(machine, stranger, b"\0alice\0wrong")
        found = counts(served.broker.metrics)
        await served.stop()
        return found

    assert run(scenario) == {(SUCCEEDED, LISTENER): 1, (FAILED, LISTENER): 1}


def test_logging_in_again_is_counted_apart_and_so_are_clients_that_cannot():
    async def scenario(machine):
        served = node(machine, **{f"{PREFIX}plain.connections.max.reauth.ms": "10000"})
        await served.start()
        client, older = await machine.connect(served), await machine.connect(served)
        await log_in(machine, client)
        await log_in(machine, client)
        await handshake(machine, older)
        await authenticate(machine, older, b"\0alice\0wonder", 0)
        await machine.tasks.sleep(2000)
        await log_in(machine, client, password="wrong")
        found = counts(served.broker.metrics)
        await served.stop()
        return {outcome: count for (outcome, _), count in found.items()}

    assert run(scenario) == {SUCCEEDED: 2, SUCCEEDED_AGAIN: 1, SUCCEEDED_ONCE: 1, FAILED_AGAIN: 1}
