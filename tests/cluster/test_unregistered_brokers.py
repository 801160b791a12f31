"""A broker that runs is unregistered: three nodes of Apache Kafka and three of ours do the same.

The others forget it and lead without it. It lives on, follows, and is taken into no in-sync set;
only a new start registers it again.
"""

from __future__ import annotations

import time

import pytest

from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(600)]

TOPIC = "orders"
GONE = 3
HEARTBEATS_S = 5.0
"""A broker of either kind has sent some meanwhile, and would have registered again."""
SECONDS_MAX = 60
METADATA_VERSION = 12


@pytest.fixture(params=[OURS, APACHE])
def nodes(request, kafka_libs, tmp_path):
    with Nodes(tmp_path, kinds=[request.param] * 3, libs=kafka_libs) as started:
        yield started


class Asked:
    """What node 1, and node 3 itself, say of the cluster."""

    def __init__(self, nodes: Nodes) -> None:
        self.sides = [Side(f"node {one}", nodes[one].client_port) for one in (1, GONE)]

    def unregister(self) -> tuple[int, str]:
        answer = self.sides[0].ask(UnregisterBrokerRequest(broker_id=GONE), 0)
        return answer.error_code, answer.error_message

    def make_topic(self) -> None:
        topic = CreateTopicsRequest.CreatableTopic(
            name=TOPIC, num_partitions=3, replication_factor=3, assignments=[], configs=[]
        )
        request = CreateTopicsRequest(topics=[topic], timeout_ms=10_000)
        assert self.sides[0].ask(request, 5).topics[0].error_code == 0

    def state(self, side: Side) -> tuple[list[int], list[list[int]], list[list[int]], set[int]]:
        """Brokers; of each partition those in sync, and those that are away; leaders."""
        answer = side.ask(MetadataRequest(topics=None), METADATA_VERSION)
        (topic,) = [one for one in answer.topics if one.name == TOPIC]
        return (
            sorted(one.node_id for one in answer.brokers),
            [sorted(one.isr_nodes) for one in topic.partitions],
            [sorted(one.offline_replicas) for one in topic.partitions],
            {one.leader_id for one in topic.partitions},
        )

    def wait_for(self, brokers: list[int], away: list[int]) -> None:
        """Until node 1 sees these brokers, and they are in sync everywhere."""
        deadline = time.monotonic() + SECONDS_MAX
        while (seen := self.state(self.sides[0]))[:3] != (brokers, [brokers] * 3, [away] * 3):
            assert time.monotonic() < deadline, seen
            time.sleep(0.2)

    def close(self) -> None:
        for side in self.sides:
            side.close()


def test_a_broker_that_is_unregistered_stays_out_until_it_starts_anew(nodes):
    asked = Asked(nodes)
    asked.make_topic()
    asked.wait_for([1, 2, GONE], [])
    assert asked.unregister() == (0, "")
    asked.wait_for([1, 2], [GONE])
    time.sleep(HEARTBEATS_S)
    for side in asked.sides:
        brokers, in_sync, away, leaders = asked.state(side)
        assert (brokers, in_sync, away) == ([1, 2], [[1, 2]] * 3, [[GONE]] * 3)
        assert GONE not in leaders
    assert asked.unregister()[0] == ErrorCode.BROKER_ID_NOT_REGISTERED
    asked.close()
    nodes[GONE].kill()
    nodes[GONE].start()
    asked = Asked(nodes)
    asked.wait_for([1, 2, GONE], [])
    asked.close()
