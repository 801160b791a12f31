"""The state of a node in numbers."""

from moldau.metadata.image import Image
from moldau.metadata.topics import PartitionState, Topics, TopicState
from moldau.metrics.prometheus import exposition
from moldau.server.gauges import partition_counts
from tests.node.simulated_node import run


def test_partitions_are_counted_for_the_broker_and_for_all():
    def state(replicas, isr, leader):
        return PartitionState(replicas, (bytes(16),) * len(replicas), isr, leader=leader)

    partitions = {
        0: state((1, 2), (1,), 1),
        1: state((2, 1), (2, 1), 2),
        2: state((3,), (3,), -1),
    }
    topic = TopicState("t", bytes(16), partitions)
    counts = partition_counts(Image(topics=Topics({"t": topic}, {bytes(16): topic})), 1)
    assert counts == {
        "PartitionCount": 2,
        "LeaderCount": 1,
        "UnderReplicatedPartitions": 1,
        "GlobalPartitionCount": 3,
        "OfflinePartitionsCount": 1,
    }


def test_a_node_that_runs_can_tell_all_its_metrics():
    async def main(play):
        node = play.node()
        await node.start()
        await play.connect(node)
        text = exposition(node.broker.metrics)
        await node.stop()
        return text.splitlines()

    lines = run(main)
    assert "kafka_server_kafkaserver_brokerstate 3" in lines
    assert "kafka_controller_kafkacontroller_activecontrollercount 1" in lines
    assert "kafka_controller_kafkacontroller_activebrokercount 1" in lines
    assert "kafka_server_socket_server_metrics_connection_count 1" in lines
    purgatory = "kafka_server_delayedoperationpurgatory_purgatorysize"
    assert f'{purgatory}{{delayedoperation="Fetch"}} 0' in lines
