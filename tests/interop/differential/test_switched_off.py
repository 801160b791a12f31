"""Judge: with protocols of groups switched off by a setting, Kafka and Moldau refuse the same.

The setting is read at the start only, so each choice wants nodes of its own.
"""

from __future__ import annotations

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from tests.interop.differential.group_refusals import (
    FEATURES,
    ask_about_groups,
    ask_without_coordinator,
    at_levels,
)
from tests.interop.differential.running import Outcome
from tests.interop.differential.side import Side
from tests.interop.differential.world import prepare

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(1800)]

REFUSALS = 3_000
SETTINGS = {"log.retention.ms": "-1", "offsets.retention.check.interval.ms": "86400000"}


@pytest.fixture(params=["classic", "classic,consumer", "classic,streams", "classic,share"])
def sides(request, new_kafka_node, new_moldau_node):
    settings = {**SETTINGS, "group.coordinator.rebalance.protocols": request.param}
    nodes = {"ours": new_moldau_node(settings), "kafka": new_kafka_node(settings)}
    for node in nodes.values():
        node.start()
    both = [Side(name, node.client_port) for name, node in nodes.items()]
    yield both
    for side in both:
        side.close()
    for node in nodes.values():
        node.kill()


def test_the_same_is_refused_where_protocols_are_switched_off(sides, seed):
    outcome, random = Outcome(), SeededRandom(seed)
    ask_without_coordinator(sides, random, outcome)
    for side in sides:
        prepare(side)
    for levels in ({}, dict.fromkeys(FEATURES, 0)):
        with at_levels(sides, levels):
            ask_about_groups(sides, random, REFUSALS, outcome)
    assert not outcome.kinds, outcome.report()
