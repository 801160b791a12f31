"""The names of KMinion, which a node has where its settings say so."""

from __future__ import annotations

import asyncio
import re

import pytest

from moldau.platform.system.measured_loop import MeasuredLoop
from moldau.testing import Node
from tests.broker.server.monitoring.figures.live_node import (
    COMMITTED,
    RECORDS,
    SAMPLE,
    Client,
    make_traffic,
    page,
    read_page,
)

T = 'topic_name="t"'
FAMILIES = {"moldau.metrics.families": "kminion"}


async def _play():
    async with Node(metrics_port=0, settings=FAMILIES) as node:
        host, _, port = node.bootstrap.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await make_traffic(Client(reader, writer))
        text = await read_page(node.node.metrics_address)
        writer.close()
        return text


@pytest.fixture(scope="module")
def shown():
    """By name and labels."""
    with asyncio.Runner(loop_factory=MeasuredLoop) as runner:
        text = runner.run(_play())
    found = (SAMPLE.fullmatch(line) for line in text.splitlines() if line[0] != "#")
    return {(one[1], one[2] or ""): float(one[3]) for one in found if one is not None}


def test_topics_and_their_logs_are_on_the_page(shown):
    assert shown["kminion_kafka_topic_high_water_mark_sum", T] == RECORDS
    assert shown["kminion_kafka_topic_low_water_mark_sum", T] == 0
    mark = "kminion_kafka_topic_partition_high_water_mark"
    assert shown[mark, f'{T},partition_id="0"'] == RECORDS
    size = shown["kminion_kafka_topic_log_dir_size_total_bytes", T]
    name = "kminion_kafka_broker_log_dir_size_total_bytes"
    places = {labels: value for (each, labels), value in shown.items() if each == name}
    (place,) = places
    assert re.fullmatch(r'broker_id="1",address="127\.0\.0\.1",port="\d+",rack_id=""', place)
    assert 0 < size <= places[place]
    info = f'{T},partition_count="1",replication_factor="1"'
    assert shown["kminion_kafka_topic_info", info] == 1


def test_groups_are_on_the_page(shown):
    readers = 'group_id="readers"'
    lag = "kminion_kafka_consumer_group_topic_lag"
    assert shown[lag, f"{readers},{T}"] == RECORDS - COMMITTED
    assert shown["kminion_kafka_consumer_group_topic_offset_sum", f"{readers},{T}"] == COMMITTED
    part = f'{readers},{T},partition_id="0"'
    assert shown["kminion_kafka_consumer_group_topic_partition_lag", part] == RECORDS - COMMITTED
    assert shown["kminion_kafka_consumer_group_members", readers] == 0
    assert shown["kminion_kafka_consumer_group_empty_members", readers] == 0
    assert shown["kminion_kafka_consumer_group_offset_commits_total", readers] == 1
    info = f'{readers},protocol="",protocol_type="",state="Empty",coordinator_id="1"'
    assert shown["kminion_kafka_consumer_group_info", info] == 0


def test_the_cluster_and_the_exporter_are_on_the_page(shown):
    names = {name for name, _ in shown}
    assert "kminion_kafka_broker_info" in names
    (cluster,) = (labels for name, labels in shown if name == "kminion_kafka_cluster_info")
    assert cluster.startswith(
        'cluster_version="v4.3",broker_count="1",controller_id="1",cluster_id='
    )
    assert shown["kminion_exporter_up", ""] == 1
    assert shown["kminion_exporter_offset_consumer_records_consumed_total", ""] == 1


def test_families_that_are_not_wanted_are_not_there(shown):
    assert not any(name.startswith(("process_", "jvm_", "kafka_topic_")) for name, _ in shown)
    assert "kminion_" not in page()
