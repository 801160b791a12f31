"""A producer and a consumer push their metrics to a node, in its own time."""

from __future__ import annotations

from moldau.broker.metrics.kinds import Gauge
from moldau.client.admin import ConfigResource, ResourceType
from tests.simulation.client_world import Machine
from tests.simulation.node_cluster import BOTH, Cluster, with_nodes

INTERVAL_MS = 500
PREFIX = "org.apache.kafka"
EXPECTED = {
    f"{PREFIX}.producer.connection.creation.total",
    f"{PREFIX}.producer.node.request.latency.avg",
    f"{PREFIX}.producer.produce.throttle.time.max",
    f"{PREFIX}.producer.record.queue.time.avg",
    f"{PREFIX}.consumer.connection.creation.rate",
    f"{PREFIX}.consumer.coordinator.assigned.partitions",
    f"{PREFIX}.consumer.coordinator.commit.latency.max",
    f"{PREFIX}.consumer.fetch.manager.fetch.latency.avg",
}


def pushed(cluster: Cluster) -> dict[str, float]:
    """What the node has of its clients, by name."""
    (node,) = cluster.nodes
    metrics = node.broker.metrics.collect()
    return {
        name.name: metric.value
        for name, metric in metrics
        if name.type == "telemetry" and isinstance(metric, Gauge)
    }


async def work(cluster: Cluster, *, is_wanted: bool = True, **settings: bool) -> dict[str, float]:
    machine = Machine(cluster, "client", 5)
    if is_wanted:
        wanted = ConfigResource(ResourceType.CLIENT_METRICS, "all")
        await machine.configure({wanted: {"metrics": "*", "interval.ms": str(INTERVAL_MS)}})
    await machine.create("t", partitions=3)
    producer = machine.producer(**settings)
    consumer = machine.consumer(group_id="g", auto_commit_interval_ms=100, **settings)
    await consumer.subscribe("t")
    until_ms = cluster.now_ms + 6 * INTERVAL_MS
    while cluster.now_ms < until_ms:
        await producer.send_and_wait("t", b"v")
        await consumer.poll(0.05)
    await producer.close()
    await consumer.close()
    await machine.end()
    return pushed(cluster)


def test_a_node_has_the_metrics_of_its_clients_under_the_names_of_javas():
    found = with_nodes(1, work, [BOTH])
    assert set(found) >= EXPECTED
    assert found[f"{PREFIX}.consumer.coordinator.assigned.partitions"] == 3
    assert found[f"{PREFIX}.producer.connection.creation.total"] >= 1


def test_nothing_is_pushed_without_a_subscription_or_by_a_client_that_shall_not():
    async def silent(cluster: Cluster) -> dict[str, float]:
        return await work(cluster, enable_metrics_push=False)

    async def unwanted(cluster: Cluster) -> dict[str, float]:
        return await work(cluster, is_wanted=False)

    assert with_nodes(1, silent, [BOTH]) == {}
    assert with_nodes(1, unwanted, [BOTH]) == {}
