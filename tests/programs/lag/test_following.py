"""What a node of ours shows of a group of librdkafka, and of its member."""

import time
import uuid

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.client import TopicPartition
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.tasks import run
from moldau.programs.lag.following import LagFollower
from moldau.programs.lag.state import LagRules, LagState, Owner

TIMEOUT_S = 60
REFRESH_MS = 50


def consume_and_commit(place, name):
    """As a member of a group of that name, which it stays."""
    settings = {
        "bootstrap.servers": place,
        "group.id": name,
        "client.id": "reader",
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }
    consumer = Consumer(settings)
    consumer.subscribe([name])
    message = consumer.poll(TIMEOUT_S)
    assert message is not None
    consumer.commit(message=message, asynchronous=False)
    return consumer


def test_ends_commits_and_members_are_followed(place):
    name = f"followed-{uuid.uuid4().hex[:12]}"
    part = TopicPartition(name, 0)
    admin = AdminClient({"bootstrap.servers": place})
    admin.create_topics([NewTopic(name, 1, 1)])[name].result(TIMEOUT_S)
    producer = Producer({"bootstrap.servers": place})
    for _ in range(3):
        producer.produce(name, b"x")
    assert not producer.flush(TIMEOUT_S)

    async def main(tasks):
        state = LagState(LagRules())
        client = {"bootstrap.servers": place}
        follower = LagFollower(client, state, tasks, SystemClock(), REFRESH_MS)
        tasks.spawn("lags", follower.run())

        async def until(condition):
            deadline = time.monotonic() + TIMEOUT_S
            while not condition():
                assert time.monotonic() < deadline
                await tasks.sleep(20)

        await until(lambda: follower.is_ready)
        assert state.end(part) == 3
        await until(lambda: state.starts.get(part) == 0)
        consumer = await tasks.offload(consume_and_commit, place, name)
        await until(lambda: state.owners.get(name))
        assert [one.offset for one in state.groups[name][part].commits] == [1]
        assert state.owners[name] == {part: Owner("127.0.0.1", "reader")}
        await tasks.offload(consumer.close)
        await tasks.offload(lambda: admin.delete_topics([name])[name].result(TIMEOUT_S))
        await until(lambda: name not in state.groups and part not in state.ends)
        follower.stop()

    run(main)
