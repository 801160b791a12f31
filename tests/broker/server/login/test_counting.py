"""Logins are counted for each listener, by what came of them."""

from __future__ import annotations

from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.server.login.counting import FAILED, SUCCEEDED, count_login
from tests.broker.node.simulated_node import run
from tests.broker.server.login.dialogue import authenticate, handshake, log_in, node

LISTENER = "PLAINTEXT"


def counts(registry: Registry) -> dict[tuple[str, str], int]:
    return {
        (name.name, dict(name.tags)["listener"]): metric.count
        for name, metric in registry.collect()
        if isinstance(metric, Meter) and name.name in (FAILED, SUCCEEDED)
    }


def test_each_listener_has_its_own_count():
    registry = Registry()
    for listener, outcome in (("A", FAILED), ("A", FAILED), ("B", SUCCEEDED)):
        count_login(registry, listener, outcome)
    assert counts(registry) == {(FAILED, "A"): 2, (SUCCEEDED, "B"): 1}


def test_a_node_counts_who_logged_in_and_who_did_not():
    async def story(play):
        served = node(play)
        await served.start()
        await log_in(play, await play.connect(served))
        stranger = await play.connect(served)
        await handshake(play, stranger)
        await authenticate(play, stranger, b"\0alice\0wrong")
        found = counts(served.broker.metrics)
        await served.stop()
        return found

    assert run(story) == {(SUCCEEDED, LISTENER): 1, (FAILED, LISTENER): 1}
