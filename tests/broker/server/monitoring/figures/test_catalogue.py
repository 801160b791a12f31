"""All that is described is told by a live node, and nothing is told that is not described."""

from __future__ import annotations

import pytest

from devtools.reference import FOLDER
from moldau.broker.server.monitoring.figures.catalogue import ABSENT, DOC, TABLES
from tests.broker.server.monitoring.figures.live_node import page

NEEDS_A_QUOTA = {
    "kafka_server_produce_byte_rate",
    "kafka_server_fetch_byte_rate",
    "kafka_server_request_request_time",
}
NEEDS_A_LOGIN = {
    f"kafka_server_socket_server_metrics_{outcome}_total"
    for outcome in (
        "failed_authentication", "failed_reauthentication", "successful_authentication",
        "successful_authentication_no_reauth", "successful_reauthentication",
    )
}  # fmt: skip
NEEDS_AN_ERROR = {"kafka_network_requestmetrics_errors_total"}


def described():
    return set(DOC)


def told():
    return {line.split()[2] for line in page().splitlines() if line.startswith("# TYPE")}


def test_a_live_node_tells_what_is_described_and_nothing_else():
    assert told() - described() == set()
    assert described() - told() <= NEEDS_A_QUOTA | NEEDS_A_LOGIN | NEEDS_AN_ERROR


def test_the_page_says_what_each_metric_is():
    said = [line.split(maxsplit=3) for line in page().splitlines() if line.startswith("# HELP")]
    assert {family for _, _, family, _ in said} == told()
    assert all(DOC[family] == sentence for _, _, family, sentence in said)


def test_every_metric_is_in_the_documents():
    text = (FOLDER / "metrics.md").read_text()
    assert [name for name in sorted(described()) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("names", ABSENT)
def test_what_is_said_to_be_absent_is(names):
    there = {row.name for table in TABLES for row in table.rows}
    assert there.isdisjoint(names.split(", "))


def test_no_name_is_reported_twice():
    samples = [line.rpartition(" ")[0] for line in page().splitlines() if line[0] != "#"]
    assert len(samples) == len(set(samples))


STRIMZI = """
kafka_cluster_partition_atminisr kafka_cluster_partition_underminisr kafka_consumergroup_lag
kafka_controller_controllerstats_uncleanleaderelections_total
kafka_controller_kafkacontroller_activecontrollercount
kafka_controller_kafkacontroller_offlinepartitionscount
kafka_log_logmanager_offlinelogdirectorycount
kafka_network_socketserver_networkprocessoravgidle_percent
kafka_server_brokertopicmetrics_bytesin_total kafka_server_brokertopicmetrics_bytesout_total
kafka_server_brokertopicmetrics_failedfetchrequests_total
kafka_server_brokertopicmetrics_failedproducerequests_total
kafka_server_brokertopicmetrics_messagesin_total
kafka_server_brokertopicmetrics_totalfetchrequests_total
kafka_server_brokertopicmetrics_totalproducerequests_total
kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent
kafka_server_replicamanager_leadercount kafka_server_replicamanager_partitioncount
kafka_server_replicamanager_underminisrpartitioncount
kafka_server_replicamanager_underreplicatedpartitions
"""
"""What Strimzi's page and rules for brokers ask a node for. Two names of its exporter's are absent:
kafka_topic_partition_current_offset and kafka_topic_partition_under_replicated_partition."""


@pytest.mark.parametrize("name", STRIMZI.split())
def test_what_strimzi_asks_for_is_there(name):
    assert f"\n{name}{{" in page() or f"\n{name} " in page()
