"""A node shows what it is at the moment when it is asked."""

from __future__ import annotations

import asyncio
from itertools import islice

from moldau.broker.metrics.column import Column
from moldau.broker.metrics.prometheus import exposition
from moldau.platform.system.measured_loop import MeasuredLoop
from moldau.testing import Node
from tests.broker.node.simulated_node import run
from tests.broker.server.monitoring.figures.live_node import Client, make_traffic

FAMILIES = {"moldau.metrics.families": "process,strimzi,kafka-exporter,kminion"}
OF_PARTITIONS = ("kafka_topic_partition_", "kminion_kafka_topic_", "kafka_log_log_")


def test_a_node_that_runs_can_tell_all_its_metrics():
    async def main(machine):
        node = machine.node()
        await node.start()
        before = exposition(node.broker.metrics)
        await machine.connect(node)
        after = exposition(node.broker.metrics)
        await node.stop()
        return before.splitlines(), after.splitlines()

    before, after = run(main)
    assert "kafka_server_kafkaserver_brokerstate 3" in after
    assert "kafka_controller_kafkacontroller_activecontrollercount 1" in after
    connected = 'kafka_server_socket_server_metrics_connection_count{listener="PLAINTEXT"}'
    assert f"{connected} 0" in before
    assert f"{connected} 1" in after


async def differing():
    """How far a page was when another one, ahead of it, was finished, and one was not as alone."""
    async with Node(metrics_port=0, settings=FAMILIES) as node:
        host, _, port = node.bootstrap.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await make_traffic(Client(reader, writer))
        await node.node.broker.replicas.settled()
        writer.close()
        registry = node.node.broker.metrics
        readings = list(registry.read_page())
        alone = of_partitions(readings)
        assert len(alone) > len(FAMILIES)
        kafkas = len(list(registry.read()))
        return [
            one for one in range(kafkas) if overlapping(registry, kafkas, one) != [alone, alone]
        ]


def overlapping(registry, ahead, behind):
    """What two pages have of partitions; the second one begins in the middle of the first."""
    first, second = registry.read_page(), registry.read_page()
    begun, also_begun = list(islice(first, ahead)), list(islice(second, behind))
    return [of_partitions([*begun, *first]), of_partitions([*also_begun, *second])]


def of_partitions(readings):
    columns = (one for one in readings if isinstance(one, Column))
    return [
        (str(one.name), list(one.places), list(one.numbers))
        for one in columns
        if one.name.prometheus.startswith(OF_PARTITIONS)
    ]


def test_pages_that_are_made_at_the_same_time_have_each_number_once():
    with asyncio.Runner(loop_factory=MeasuredLoop) as runner:
        assert runner.run(differing()) == []
