"""Three nodes under load report every metric that dashboards and alerts for Kafka are made of."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from confluent_kafka import Consumer, Producer

from moldau.broker.metrics.beans import bean_of
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.prometheus import label_of
from moldau.client import Admin, ShareConsumer
from moldau.client.admin import entity_of
from tests.cluster.asking import make_topic, until
from tests.cluster.kafka_metrics import WantedMetric, wanted_metrics
from tests.cluster.metrics_pages import Series, has, series_of
from tests.cluster.nodes import Nodes
from tests.judges.kafka_node import HOST

TOPIC = "orders"
TOPIC_PARTITIONS = 3
TIMEOUT_S = 60
RECORDS = 2_000
"""All three nodes are in the ISR, so followers have fetched them."""
BURST = 20_000
ATTEMPTS_MAX = 30
TRAFFIC = "kafka_server_brokertopicmetrics_"
LIMITED = {
    "producer_byte_rate": 50_000.0,
    "consumer_byte_rate": 50_000.0,
    "request_percentage": 0.5,
}


@pytest.fixture(scope="module")
def ports(tmp_path_factory) -> Iterator[list[int]]:
    """Of the pages of three nodes that clients use."""
    folder = tmp_path_factory.mktemp("nodes")
    with Nodes(folder, shows_metrics=True) as nodes, load(nodes.bootstrap):
        yield nodes.metrics_ports


@contextmanager
def load(bootstrap: str) -> Iterator[None]:
    """Consumers of three protocols stay, and one that a quota slows down has been there."""
    make_topic(bootstrap, TOPIC, TOPIC_PARTITIONS, 3)
    send(bootstrap, "quick", RECORDS)
    readers = [Consumer(of_group(bootstrap, protocol)) for protocol in ("classic", "consumer")]
    try:
        for reader in readers:
            reader.subscribe([TOPIC])
            until(partial(has_read, reader))
            reader.commit(asynchronous=False)
        limit(bootstrap)
        send(bootstrap, "limited", BURST)
        slow = Consumer({**of_group(bootstrap, "classic"), "client.id": "limited", "group.id": "g"})
        slow.subscribe([TOPIC])
        until(lambda: has_read(slow))
        with ShareConsumer(bootstrap, group_id="sharers") as sharer:
            sharer.subscribe(TOPIC)
            until(partial(has_shared, bootstrap, sharer))
            yield
        slow.close()
    finally:
        for reader in readers:
            reader.close()


def of_group(bootstrap: str, protocol: str) -> dict[str, str]:
    return {
        "bootstrap.servers": bootstrap,
        "group.id": f"readers-{protocol}",
        "group.protocol": protocol,
        "auto.offset.reset": "earliest",
    }


def has_read(reader: Consumer) -> bool:
    message = reader.poll(0.1)
    return message is not None and message.error() is None


def has_shared(bootstrap: str, sharer: ShareConsumer) -> bool:
    """A group begins at the end; what was returned is accepted with the next poll."""
    send(bootstrap, "quick", TOPIC_PARTITIONS)
    return bool(sharer.poll(1)) and not sharer.poll(0)


def send(bootstrap: str, client_id: str, count: int) -> None:
    settings = {"bootstrap.servers": bootstrap, "client.id": client_id, "acks": "all"}
    producer = Producer(settings)
    for number in range(count):
        producer.produce(TOPIC, b"x" * 100, partition=number % TOPIC_PARTITIONS)
    assert producer.flush(TIMEOUT_S) == 0


def limit(bootstrap: str) -> None:
    with Admin(bootstrap) as asking:
        asking.alter_client_quotas({entity_of({"client-id": "limited"}): LIMITED}).all()


def labels_of(wanted: WantedMetric) -> dict[str, str]:
    return {label_of(key): value for key, value in wanted.name.tags}


def missing(found: list[Series]) -> list[str]:
    return [str(one.name) for one in wanted_metrics() if not has(found, one.family, labels_of(one))]


def test_every_name_is_on_the_page_of_a_node(ports):
    left = missing(series_of(ports))
    for _ in range(ATTEMPTS_MAX):
        if not (left := missing(series_of(ports))):
            break
        time.sleep(1)
    assert left == []


def lacks_bean(ports: list[int], wanted: WantedMetric) -> bool:
    """No node has an object of this name and these tags, with the attribute where it is one."""
    bean, attribute = bean_of(wanted.name)
    pattern = quote(f"{bean.domain}:{','.join(map('='.join, bean.properties))},*", safe=":,=*")
    for port in ports:
        with urlopen(f"http://{HOST}:{port}/jolokia/read/{pattern}", timeout=TIMEOUT_S) as answer:
            found = json.load(answer).get("value", {})
        if any(attributes and attribute in (None, *attributes) for attributes in found.values()):
            return False
    return True


def test_every_name_is_a_bean_of_a_node(ports):
    left = list(wanted_metrics())
    for _ in range(ATTEMPTS_MAX):
        if not (left := [one for one in left if lacks_bean(ports, one)]):
            break
        time.sleep(1)
    assert [str(one.name) for one in left] == []
    unknown = WantedMetric(MetricName("kafka.log", "Log", "Sizes", ()))
    assert lacks_bean(ports, unknown)


def test_replication_is_counted_where_it_leaves_and_where_it_comes(ports):
    sums: Counter[str] = Counter()
    for one in series_of(ports):
        if one.name.startswith(TRAFFIC) and not one.labels:
            sums[one.name.removeprefix(TRAFFIC)] += int(one.value)
    came = sums["bytesin_total"]
    assert sums["replicationbytesout_total"] >= sums["replicationbytesin_total"] >= 2 * came > 0


def test_a_name_that_no_node_has_is_missing(ports):
    found = series_of(ports)
    assert not has(found, "kafka_log_log_size", {"topic": "others"})
    assert not has(found, "kafka_log_log_sizes", {})
    assert has(found, "kafka_log_log_size", {"topic": TOPIC})
