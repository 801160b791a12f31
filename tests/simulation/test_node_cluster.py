"""Whole nodes form a cluster, lose machines, and go on."""

from __future__ import annotations

import pytest

from tests.present import present
from tests.simulation.node_cluster import BOTH, Cluster, with_nodes

SEEDS = range(1, 5)
HOUR_MS = 3_600_000
REGULAR_MS = 6_000
"""So long brokers send heartbeats until a short silence counts."""
SOON_MS = 1000
"""What a cluster may take to go on without a machine whose process was killed."""


def fenced(cluster: Cluster, broker_id: int) -> bool:
    """In the metadata of every node that runs."""
    return all(
        node.broker.metadata.image.cluster.brokers[broker_id].fenced for node in cluster.nodes
    )


async def kill_active(cluster: Cluster) -> tuple[int, int, int]:
    """Who was killed, and how long it took to have another controller and to fence the broker."""
    killed = cluster.active
    assert killed is not None
    await cluster.machines[killed].kill()
    cluster.note(f"killed {killed}")
    elected_ms = await cluster.until("another decides", lambda: cluster.active)
    fenced_ms = await cluster.until("the killed is fenced", lambda: fenced(cluster, killed))
    return killed, elected_ms, elected_ms + fenced_ms


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_controller_is_followed_by_another_and_its_broker_fenced_within_a_second(seed):
    async def scenario(cluster):
        _, elected_ms, fenced_ms = await kill_active(cluster)
        return elected_ms, fenced_ms

    elected_ms, fenced_ms = with_nodes(seed, scenario)
    assert elected_ms < SOON_MS
    assert fenced_ms < SOON_MS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_broker_is_fenced_within_a_second_and_comes_back(seed):
    async def scenario(cluster):
        killed = next(one for one in cluster.machines if one != cluster.active)
        await cluster.machines[killed].kill()
        fenced_ms = await cluster.until("it is fenced", lambda: fenced(cluster, killed))
        await cluster.machines[killed].start()
        await cluster.until("it is back", lambda: not fenced(cluster, killed))
        return fenced_ms

    assert with_nodes(seed, scenario) < SOON_MS


async def cut_off(cluster: Cluster, victim: int) -> int:
    """How long it took until the others had fenced it; it is back after that."""
    ways = [(f"m{victim}", f"m{other}") for other in cluster.machines if other != victim]
    ways += [(there, here) for here, there in ways]
    for way in ways:
        cluster.around.cut(*way)
    survivors = [node for node in cluster.nodes if node.settings.node_id != victim]

    def is_fenced() -> bool:
        images = [node.broker.metadata.image for node in survivors]
        return all(image.cluster.brokers[victim].fenced for image in present(images))

    fenced_ms = await cluster.until("it is fenced", is_fenced)
    for way in ways:
        cluster.around.heal(*way)
    await cluster.until("it is back", lambda: not is_fenced())
    return fenced_ms


def test_a_broker_that_is_cut_off_is_fenced_when_its_session_ends_and_not_before():
    async def scenario(cluster):
        victim = next(one for one in cluster.machines if one != cluster.active)
        return await cut_off(cluster, victim)

    assert 6_000 < with_nodes(3, scenario) < 10_000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_controller_that_is_cut_off_is_followed_and_its_broker_fenced_within_4_s(seed):
    """After the 2 s that the others wait for its answers."""

    async def scenario(cluster):
        await cluster.tasks.sleep(REGULAR_MS)
        return await cut_off(cluster, cluster.active)

    assert 2_000 < with_nodes(seed, scenario) < 4_000


@pytest.mark.parametrize("hours", [1, -1])
def test_a_wall_clock_that_is_set_fences_no_broker(hours):
    async def scenario(cluster):
        await cluster.tasks.sleep(REGULAR_MS)
        before = await decided(cluster)
        cluster.clock.set_wall_ms(cluster.clock.now_ms() + hours * HOUR_MS)
        after = await decided(cluster)
        killed = next(one for one in cluster.machines if one != cluster.active)
        await cluster.machines[killed].kill()
        fenced_ms = await cluster.until("it is fenced", lambda: fenced(cluster, killed))
        return abs(after - before), fenced_ms

    more_or_less, fenced_ms = with_nodes(2, scenario)
    assert more_or_less <= 1
    assert fenced_ms < SOON_MS


async def decided(cluster: Cluster) -> int:
    """How many records the controller writes in some seconds of rest: one each half second."""
    before = max(int(node.broker.metadata.image.offset) for node in cluster.nodes)
    await cluster.tasks.sleep(REGULAR_MS)
    return max(int(node.broker.metadata.image.offset) for node in cluster.nodes) - before


def test_brokers_without_a_controller_of_their_own_follow_those_that_decide():
    async def scenario(cluster):
        brokers = [cluster.machines[number].node for number in (4, 5)]
        known = [node.broker.metadata.leader_id for node in brokers]
        killed = cluster.active
        assert known == [killed, killed]
        await cluster.machines[killed].kill()
        await cluster.until("another decides", lambda: cluster.active)
        found_ms = await cluster.until(
            "the brokers know it",
            lambda: {node.broker.metadata.leader_id for node in brokers} == {cluster.active},
        )
        still = [
            not node.broker.metadata.image.cluster.brokers[node.broker.node_id].fenced
            for node in brokers
        ]
        return found_ms, still

    roles = ["controller"] * 3 + ["broker"] * 2
    found_ms, still = with_nodes(2, scenario, roles)
    assert found_ms < SOON_MS
    assert still == [True, True]


def test_the_same_seed_gives_the_same_events():
    async def scenario(cluster):
        await kill_active(cluster)
        return cluster.hash

    assert with_nodes(7, scenario, [BOTH] * 3) == with_nodes(7, scenario, [BOTH] * 3)
