"""The whole of it by HTTP, with commits of librdkafka on a node of ours."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.tasks import run
from moldau.programs.lag.service import LagService, LagSettings
from moldau.programs.lag.state import LagRules

TIMEOUT_S = 60
HOUR_MS = 3_600_000


class Asking:
    """Of one service."""

    def __init__(self) -> None:
        self.address: Address
        self.is_up = Event()
        self.has_asked = Event()

    def ask(self, path, method="GET", body=None):
        link = http.client.HTTPConnection(self.address.host, self.address.port, timeout=TIMEOUT_S)
        link.request(method, path, body)
        answer = link.getresponse()
        found = answer.read().decode()
        link.close()
        is_json = answer.headers["Content-Type"] == "application/json"
        return answer.status, json.loads(found) if is_json else found

    def until(self, path, condition):
        """What is answered as soon as it is so."""
        deadline = time.monotonic() + TIMEOUT_S
        while not condition(found := self.ask(path)[1]):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return found


@contextmanager
def served(place):
    asking = Asking()

    async def main(tasks):
        network = SystemNetwork()
        client = {"bootstrap.servers": place}
        settings = LagSettings(client=client, host="here", refresh_ms=100, rules=LagRules())
        service = LagService(settings, network, tasks, SystemClock())
        await service.start(Address("127.0.0.1", 0))
        asking.address = service.address
        asking.is_up.set()
        await tasks.offload(asking.has_asked.wait)
        await service.stop()
        network.close()

    thread = Thread(target=run, args=(main,))
    thread.start()
    try:
        assert asking.is_up.wait(TIMEOUT_S)
        yield asking
    finally:
        asking.has_asked.set()
        thread.join(TIMEOUT_S)
    assert not thread.is_alive()


@pytest.fixture
def topic(place):
    """Ten records of an hour ago in one of two partitions."""
    name = f"lags-{uuid.uuid4().hex[:12]}"
    admin = AdminClient({"bootstrap.servers": place})
    admin.create_topics([NewTopic(name, 2, 1)])[name].result(TIMEOUT_S)
    producer = Producer({"bootstrap.servers": place})
    for number in range(10):
        producer.produce(name, b"%d" % number, partition=1, timestamp=now_ms() - HOUR_MS)
    assert not producer.flush(TIMEOUT_S)
    return name


def now_ms():
    return int(time.time() * 1000)


def commit(place, topic, offset, partition=1):
    consumer = Consumer({"bootstrap.servers": place, "group.id": topic})
    consumer.commit(offsets=[TopicPartition(topic, partition, offset)], asynchronous=False)
    consumer.close()


def test_groups_are_followed_from_their_past_on(place, topic):
    commit(place, topic, 4)
    group = f"/v3/kafka/local/consumer/{topic}"
    with served(place) as asking:
        asking.until("/burrow/admin/ready", lambda found: found == "READY")
        found = asking.until(f"{group}/lag", lambda found: found["status"]["totallag"])
        (row,) = found["status"]["partitions"]
        assert found["request"] == {"url": f"{group}/lag", "host": "here"}
        assert found["status"]["status"] == "ERR"  # by its only commit it has stopped
        assert (row["partition"], row["status"], row["current_lag"]) == (1, "STOP", 6)
        assert (row["end"]["offset"], row["complete"]) == (4, 0.1)

        series = f'group_lag_seconds{{cluster_name="local",group="{topic}",topic="{topic}",'
        metrics = asking.until("/metrics", lambda text: series in text)
        (line,) = [one for one in metrics.splitlines() if series in one]
        assert 3_600 <= float(line.rpartition(" ")[2]) < 4_000

        commit(place, topic, 10)
        found = asking.until(f"{group}/status", lambda found: found["status"]["totallag"] == 0)
        assert (found["status"]["status"], found["status"]["partitions"]) == ("OK", [])
        (before, after) = asking.ask(group)[1]["topics"][topic]
        assert [one["offset"] for one in after["offsets"] if one] == [4, 10]
        assert before["offsets"] == []


def test_seconds_are_those_of_a_consumer_that_reads_the_record_itself(place, topic):
    """Records of irregular times; of each offset that the group commits."""
    producer = Producer({"bootstrap.servers": place})
    for number, ago_ms in enumerate((90_000, 7_000, 7_000_000, 1_500, 600_000)):
        producer.produce(topic, b"%d" % number, partition=0, timestamp=now_ms() - ago_ms)
    assert not producer.flush(TIMEOUT_S)
    reader = Consumer({"bootstrap.servers": place, "group.id": f"{topic}-truth"})
    with served(place) as asking:
        for offset in range(5):
            commit(place, topic, offset, partition=0)
            reader.assign([TopicPartition(topic, 0, offset)])
            message = reader.poll(TIMEOUT_S)
            assert message is not None
            asking.until("/metrics", is_age_of(message.timestamp()[1], topic))
    reader.close()


def is_age_of(written_ms, group):
    """Whether a page says how old that record is, asked for from now on."""
    asked_ms = now_ms()

    def is_true(text):
        found = seconds_of(text, group)
        earliest, latest = asked_ms - written_ms, now_ms() - written_ms
        return found is not None and earliest <= found * 1000 <= latest

    return is_true


def seconds_of(text, group):
    series = f'group_lag_seconds{{cluster_name="local",group="{group}",topic="{group}",'
    found = [one for one in text.splitlines() if series in one]
    return float(found[0].rpartition(" ")[2]) if found else None


def test_what_is_forgotten_comes_back_with_the_next_commit(place, topic):
    commit(place, topic, 4)
    groups = "/v3/kafka/local/consumer"
    with served(place) as asking:
        asking.until(groups, lambda found: topic in found["consumers"])
        assert asking.ask(f"{groups}/{topic}", "DELETE")[0] == 200
        assert topic not in asking.ask(groups)[1]["consumers"]
        commit(place, topic, 5)
        asking.until(groups, lambda found: topic in found["consumers"])
