"""A group's lag is on its coordinator's page, whichever nodes have the partitions."""

from __future__ import annotations

from moldau.client import Consumer, Producer, TopicPartition
from tests.cluster.asking import make_topic
from tests.cluster.metrics_pages import series_of
from tests.cluster.nodes import Nodes

TOPIC, GROUP = "orders", "readers"
PARTITIONS = range(3)
"""One on each node, and no node has two."""
RECORDS, COMMITTED = 10, 4


def test_lag_of_all_partitions_is_with_the_coordinator(tmp_path):
    with Nodes(tmp_path, shows_metrics=True) as nodes:
        make_topic(nodes.bootstrap, TOPIC, len(PARTITIONS), 1)
        with Producer(nodes.bootstrap) as producer:
            for index in PARTITIONS:
                for _ in range(RECORDS):
                    producer.send(TOPIC, b"value", partition=index)
        with Consumer(nodes.bootstrap, group_id=GROUP, enable_auto_commit=False) as consumer:
            places = [TopicPartition(TOPIC, index) for index in PARTITIONS]
            consumer.assign(places)
            consumer.commit(dict.fromkeys(places, COMMITTED))
        lags = {
            one.labels["partition"]: one.value
            for one in series_of(nodes.metrics_ports)
            if one.name == "kafka_consumergroup_lag" and one.labels["consumergroup"] == GROUP
        }
    assert lags == {str(index): RECORDS - COMMITTED for index in PARTITIONS}
