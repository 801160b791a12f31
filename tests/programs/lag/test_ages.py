"""The time of the record that is next, on a node of ours."""

import uuid

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from confluent_kafka.admin import _TopicPartition as KafkaPartition

from moldau.client import TopicPartition
from moldau.client.aio import connect
from moldau.platform.system.tasks import run
from moldau.programs.lag.ages import look_up_ages
from moldau.programs.lag.commits import Committed
from moldau.programs.lag.state import LagRules, LagState

TIMEOUT_S = 60
PATIENCE_MS = 60_000


def test_it_is_read_once_and_given_up_with_its_offset(place):
    name = f"ages-{uuid.uuid4().hex[:12]}"
    admin = AdminClient({"bootstrap.servers": place})
    admin.create_topics([NewTopic(name, 2, 1)])[name].result(TIMEOUT_S)
    producer = Producer({"bootstrap.servers": place})
    for number in range(6):
        producer.produce(name, b"x", partition=0, timestamp=1000 + number)
        producer.produce(name, b"x", partition=1, timestamp=2000 + number)
    assert not producer.flush(TIMEOUT_S)
    gone = KafkaPartition(name, 1, 3)
    admin.delete_records([gone])[gone].result(TIMEOUT_S)

    first, second = TopicPartition(name, 0), TopicPartition(name, 1)
    state = LagState(LagRules())
    state.saw_ends({first: 6, second: 6})

    def commit(part, offset):
        state.saw_commit(Committed("g", part, offset, 0), 0, is_new=True)

    async def ages(tasks):
        async with connect(place) as connection:
            await look_up_ages(state, connection, tasks, PATIENCE_MS)
        return dict(state.first_unread_ms)

    commit(first, 4)
    commit(second, 1)  # its record was deleted
    assert run(ages) == {(first, 4): 1004}
    commit(first, 6)
    commit(second, 5)
    assert run(ages) == {(second, 5): 2005}
