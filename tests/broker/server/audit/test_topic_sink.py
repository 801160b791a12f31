"""Events go to a partition that the node leads, or to one that another leads."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metadata.topics import TopicState
from moldau.broker.server.audit.topic_sink import TopicSink
from moldau.errors import KafkaError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.records.record import iterate_records

EVENT = json.dumps({"type": "moldau.audit.login"}).encode()


class Others:
    def __init__(self, code):
        self.asked = []
        self._code = code

    async def ask(self, broker_id, request, timeout_ms):
        self.asked.append((broker_id, request))
        row = ProduceResponse.TopicProduceResponse
        one = row.PartitionProduceResponse(index=0, error_code=self._code, base_offset=0)
        return ProduceResponse(responses=[row(name="audit", partition_responses=[one])])


def broker_of(leaders, code=0):
    """Node 1, in a cluster whose audit topic is led by these."""
    states: Any = {
        index: SimpleNamespace(leader=leader) for index, leader in enumerate(leaders or [])
    }
    topic = TopicState("audit", b"\1" * 16, states)
    appended, created = [], []
    partition = SimpleNamespace(append=lambda batch, required_acks: appended.append(bytes(batch)))
    broker = SimpleNamespace(
        node_id=1,
        metadata=SimpleNamespace(
            image=SimpleNamespace(
                topics=SimpleNamespace(by_name={} if leaders is None else {"audit": topic})
            )
        ),
        replicas=SimpleNamespace(leader=lambda name, index: partition),
        others=Others(code),
        topic_creation=SimpleNamespace(begin_described=lambda _, topics: created.extend(topics)),
    )
    return broker, appended, created


def write(broker):
    sink = TopicSink(lambda: broker, SimulatedClock(), "audit", 3, -1)
    asyncio.run(sink.write([EVENT, EVENT]))


def test_a_partition_of_its_own_is_written_at_once():
    broker, appended, _ = broker_of([2, 1])
    write(broker)
    assert [record.value for record in iterate_records(appended[0])] == [EVENT, EVENT]
    assert broker.others.asked == []


def test_otherwise_a_leader_gets_them():
    broker, appended, _ = broker_of([2, 3])
    write(broker)
    ((leader_id, request),) = broker.others.asked
    assert (leader_id, appended) == (3, [])
    assert request.topic_data[0].partition_data[0].index == 1


@pytest.mark.parametrize(("leaders", "code"), [([2], 6), ([-1], 0), (None, 0)])
def test_where_that_cannot_be_they_are_to_come_again(leaders, code):
    broker, _, created = broker_of(leaders, code)
    with pytest.raises(KafkaError):
        write(broker)
    assert [(topic.name, topic.num_partitions) for topic in created] == (
        [("audit", 3)] if leaders is None else []
    )


def test_before_the_node_is_started_nothing_is_written():
    with pytest.raises(KafkaError, match="not started"):
        write(None)
