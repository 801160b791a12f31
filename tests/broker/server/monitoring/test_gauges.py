"""A node tells what it is at the moment when it is asked."""

from moldau.broker.metrics.prometheus import exposition
from tests.broker.node.simulated_node import run


def test_a_node_that_runs_can_tell_all_its_metrics():
    async def main(play):
        node = play.node()
        await node.start()
        before = exposition(node.broker.metrics)
        await play.connect(node)
        after = exposition(node.broker.metrics)
        await node.stop()
        return before.splitlines(), after.splitlines()

    before, after = run(main)
    assert "kafka_server_kafkaserver_brokerstate 3" in after
    assert "kafka_controller_kafkacontroller_activecontrollercount 1" in after
    connected = 'kafka_server_socket_server_metrics_connection_count{listener="PLAINTEXT"}'
    assert f"{connected} 0" in before
    assert f"{connected} 1" in after
