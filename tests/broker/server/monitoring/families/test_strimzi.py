"""What Strimzi's dashboards and alert rules ask a node for, each name as they spell it.

Its dashboards strimzi-kafka, strimzi-kraft and strimzi-kafka-exporter, and its rules for Kafka and
for the exporter, were read on 2026-08-22 of its main branch. What they ask of Kubernetes itself, of
containers, volumes and pods (`container_*`, `kubelet_*`, `kube_*`, `up`), Kubernetes reports. The
dashboards of its other metrics reporter have names that follow no rule, and are not served.
"""

from __future__ import annotations

import pytest

from tests.broker.server.monitoring.figures.live_node import page, scraped, value

BROKERS = """
jvm_gc_collection_seconds_count jvm_gc_collection_seconds_sum jvm_memory_used_bytes
jvm_threads_current
kafka_cluster_partition_atminisr kafka_cluster_partition_replicascount
kafka_cluster_partition_underminisr
kafka_controller_controllerstats_uncleanleaderelections_total
kafka_controller_kafkacontroller_activecontrollercount
kafka_controller_kafkacontroller_offlinepartitionscount
kafka_log_log_size kafka_log_logmanager_offlinelogdirectorycount
kafka_network_socketserver_networkprocessoravgidle_percent
kafka_server_brokertopicmetrics_bytesin_total kafka_server_brokertopicmetrics_bytesout_total
kafka_server_brokertopicmetrics_failedfetchrequests_total
kafka_server_brokertopicmetrics_failedproducerequests_total
kafka_server_brokertopicmetrics_messagesin_total
kafka_server_brokertopicmetrics_totalfetchrequests_total
kafka_server_brokertopicmetrics_totalproducerequests_total
kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent
kafka_server_kafkaserver_linux_disk_read_bytes kafka_server_kafkaserver_linux_disk_write_bytes
kafka_server_replicamanager_leadercount kafka_server_replicamanager_partitioncount
kafka_server_replicamanager_underminisrpartitioncount
kafka_server_replicamanager_underreplicatedpartitions
kafka_server_socket_server_metrics_connection_count process_open_fds
"""
QUORUM = """
kafka_server_raftchannelmetrics_incoming_byte_total
kafka_server_raftchannelmetrics_outgoing_byte_total
kafka_server_raftchannelmetrics_request_total kafka_server_raftchannelmetrics_response_total
kafka_server_raftmetrics_append_records_rate kafka_server_raftmetrics_commit_latency_avg
kafka_server_raftmetrics_current_epoch kafka_server_raftmetrics_current_leader
kafka_server_raftmetrics_current_state kafka_server_raftmetrics_current_vote
kafka_server_raftmetrics_fetch_records_rate kafka_server_raftmetrics_high_watermark
kafka_server_raftmetrics_log_end_offset
"""
EXPORTER = """
kafka_broker_info kafka_consumergroup_current_offset kafka_consumergroup_lag
kafka_topic_partition_current_offset kafka_topic_partition_in_sync_replica
kafka_topic_partition_leader_is_preferred kafka_topic_partition_oldest_offset
kafka_topic_partition_replicas kafka_topic_partition_under_replicated_partition
kafka_topic_partitions
"""


@pytest.mark.parametrize("name", [*BROKERS.split(), *QUORUM.split(), *EXPORTER.split()])
def test_what_strimzi_asks_for_is_there(name):
    assert f"\n{name}{{" in page() or f"\n{name} " in page()


def test_the_state_in_the_quorum_is_a_label_of_its_own_name():
    assert value("kafka_server_raftmetrics_current_state", 'current_state="leader"') == 1


def test_both_spellings_have_the_same_number():
    for name in ("current_epoch", "current_vote"):  # the log grows while a page is made
        spelt = [value(f"kafka_server_{group}_{name}") for group in ("raftmetrics", "raft_metrics")]
        assert len(set(spelt)) == 1, spelt


def test_the_process_stands_in_the_place_of_a_jvm():
    heap = value("jvm_memory_used_bytes", 'area="heap"')
    assert heap == value("process_resident_memory_bytes") > 1 << 20
    assert ("jvm_gc_collection_seconds_sum", 'gc="python"') in scraped()
