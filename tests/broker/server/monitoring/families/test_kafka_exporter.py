"""The names of kafka_exporter, as a node shows them that is a cluster."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.server.monitoring.families.kafka_exporter import once_in_the_cluster
from tests.broker.server.monitoring.figures.live_node import COMMITTED, RECORDS, scraped, value

T = 'topic="t",partition="0"'
PARTITION = "kafka_topic_partition_"


def test_each_partition_that_is_led_here_shows_how_it_is():
    wanted = {
        "current_offset": RECORDS, "oldest_offset": 0, "leader": 1, "replicas": 1,
        "in_sync_replica": 1, "leader_is_preferred": 1, "under_replicated_partition": 0,
    }  # fmt: skip
    assert {name: value(PARTITION + name, T) for name in wanted} == wanted


def test_the_active_controller_shows_the_cluster():
    assert value("kafka_brokers") == 1
    assert value("kafka_topic_partitions", 'topic="t"') == 1
    (labels,) = (labels for name, labels in scraped() if name == "kafka_broker_info")
    assert labels.startswith('id="1",address="')


def test_others_do_not_tell_it_again():
    follower: Any = SimpleNamespace(leads_the_quorum=False)
    assert list(once_in_the_cluster(lambda _: iter([((), 3.0)]))(follower)) == []


def test_groups_tell_their_members_and_offsets():
    assert value("kafka_consumergroup_members", 'consumergroup="readers"') == 0
    labels = 'consumergroup="readers",topic="t"'
    assert value("kafka_consumergroup_current_offset_sum", labels) == COMMITTED
