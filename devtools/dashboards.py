"""The dashboards of deploy/grafana: which queries stand on which page.

`./dev docs` writes their files; a test compares, and asks a running node for every series. All of
them keep to one data source, which Grafana asks for on import, and to the nodes that are picked at
the top.
"""

from __future__ import annotations

from pathlib import Path

from devtools.grafana import Dashboard, Panel, dashboard_text

FOLDER = Path(__file__).resolve().parent.parent / "deploy" / "grafana"
HERE = 'instance=~"$instance"'
ALL_TOPICS, EACH_TOPIC = f'{HERE}, topic=""', f'{HERE}, topic!=""'
FAILED = f'{HERE}, error!="NONE"'
TRAFFIC = "kafka_server_brokertopicmetrics"
REPLICAS = "kafka_server_replicamanager"
REQUESTS = "kafka_network_requestmetrics"
CONTROLLER = "kafka_controller_kafkacontroller"
ELECTIONS = "kafka_controller_controllerstats"
GROUP = "kafka_server_group_coordinator_metrics"
RAFT = "kafka_server_raft_metrics"
QUERY_LAG = 'kafka_consumergroup_group_lag{member_host=""}'
QUERY_SECONDS = 'kafka_consumergroup_group_lag_seconds{member_host=""}'
QUERY_OFFSET = 'kafka_consumergroup_group_offset{member_host=""}'

Query = tuple[str, str]
"""PromQL, and the legend of its lines."""


def number(title: str, query: str) -> Panel:
    return Panel(title, ((query, ""),), kind="stat")


def chart(title: str, *queries: Query, unit: str = "short") -> Panel:
    return Panel(title, queries, unit)


def by_node(metric: str, legend: str = "{{instance}}") -> Query:
    return f"{metric}{{{HERE}}}", legend


def total(metric: str, by: str, legend: str = "") -> Query:
    return f"sum by ({by}) ({metric}{{{HERE}}})", legend or f"{{{{{by}}}}}"


def per_second(metric: str, by: str = "", chosen: str = HERE, legend: str = "") -> Query:
    grouped = f"sum by ({by})" if by else "sum"
    shown = legend or " ".join(f"{{{{{label}}}}}" for label in by.split(", "))
    return f"{grouped} (rate({metric}{{{chosen}}}[$__rate_interval]))", shown


def slowest(metric: str, by: str) -> Query:
    return f'max by ({by}) ({metric}{{quantile="0.99", {HERE}}})', f"{{{{{by}}}}}"


def of_clients(metric: str) -> Query:
    """What they push (KIP-714)."""
    name = f"kafka_client_telemetry_org_apache_kafka_{metric}"
    return f"avg by (client_id) ({name}{{{HERE}}})", "{{client_id}}"


def query_reads() -> Query:
    return f"sum by (group) (rate({QUERY_OFFSET}[$__rate_interval]))", "{{group}}"


def query_receives() -> Query:
    """Of the topics that queries read."""
    ends = "rate(kafka_partition_latest_offset[$__rate_interval])"
    return f"sum by (topic) ({ends} and on (topic, partition) {QUERY_LAG})", "{{topic}}"


CLUSTER = Dashboard(
    "cluster",
    "Kafka: cluster",
    (
        (
            number("Brokers", f"max({CONTROLLER}_activebrokercount)"),
            number("Fenced", f"max({CONTROLLER}_fencedbrokercount)"),
            number("Controllers", f"sum({CONTROLLER}_activecontrollercount)"),
            number("Offline", f"max({CONTROLLER}_offlinepartitionscount)"),
            number("Under-replicated", f"sum({REPLICAS}_underreplicatedpartitions)"),
            number("Under min ISR", f"sum({REPLICAS}_underminisrpartitioncount)"),
        ),
        (
            chart(
                "Bytes in and out",
                per_second(f"{TRAFFIC}_bytesin_total", chosen=ALL_TOPICS, legend="in"),
                per_second(f"{TRAFFIC}_bytesout_total", chosen=ALL_TOPICS, legend="out"),
                unit="Bps",
            ),
            chart(
                "Records in, by broker",
                per_second(f"{TRAFFIC}_messagesin_total", "instance", ALL_TOPICS),
            ),
        ),
        (
            chart("Requests", per_second(f"{REQUESTS}_requests_total", "request"), unit="reqps"),
            chart("99 of 100 take", slowest(f"{REQUESTS}_totaltimems", "request"), unit="ms"),
            chart(
                "Answers that are errors",
                per_second(f"{REQUESTS}_errors_total", "request, error", FAILED),
                unit="reqps",
            ),
        ),
        (
            chart(
                "Idle, of the last minute",
                by_node("kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent"),
                unit="percentunit",
            ),
            chart(
                "Connections",
                total("kafka_server_socket_server_metrics_connection_count", "instance"),
            ),
            chart(
                "Requests in purgatory",
                total("kafka_server_delayedoperationpurgatory_purgatorysize", "delayedoperation"),
            ),
        ),
        (
            chart("Leaders", by_node(f"{REPLICAS}_leadercount")),
            chart(
                "Replicas that leave and join the ISR",
                per_second(f"{REPLICAS}_isrshrinks_total", legend="leave"),
                per_second(f"{REPLICAS}_isrexpands_total", legend="join"),
            ),
            chart(
                "Records behind the leader", by_node("kafka_server_replicafetchermanager_maxlag")
            ),
        ),
    ),
)

TOPICS = Dashboard(
    "topics",
    "Kafka: topics",
    (
        (
            chart(
                "Bytes in",
                per_second(f"{TRAFFIC}_bytesin_total", "topic", EACH_TOPIC),
                unit="Bps",
            ),
            chart(
                "Bytes out",
                per_second(f"{TRAFFIC}_bytesout_total", "topic", EACH_TOPIC),
                unit="Bps",
            ),
        ),
        (
            chart("Records in", per_second(f"{TRAFFIC}_messagesin_total", "topic", EACH_TOPIC)),
            chart(
                "Refused batches",
                per_second(f"{TRAFFIC}_failedproducerequests_total", "topic", EACH_TOPIC),
            ),
        ),
        (
            chart("Size on disk, all replicas", total("kafka_log_log_size", "topic"), unit="bytes"),
            chart("Segments", total("kafka_log_log_numlogsegments", "topic")),
            chart(
                "Partitions with too few replicas in sync",
                total("kafka_cluster_partition_underreplicated", "topic"),
            ),
        ),
    ),
)

GROUPS = Dashboard(
    "groups",
    "Kafka: groups",
    (
        (
            chart("Lag, by group", total("kafka_consumergroup_lag", "consumergroup")),
            chart(
                "Lag, by group and topic",
                by_node("kafka_consumergroup_lag_sum", "{{consumergroup}} {{topic}}"),
            ),
        ),
        (
            chart(
                "Offsets committed a second",
                per_second("kafka_consumergroup_current_offset", "consumergroup, topic"),
            ),
            chart("Groups", total(f"{GROUP}_group_count", "protocol")),
            chart(
                "Rebalances",
                per_second(f"{GROUP}_group_completed_rebalance_count", legend="classic"),
                per_second(f"{GROUP}_consumer_group_rebalance_count", legend="consumer"),
            ),
        ),
    ),
)

QUORUM = Dashboard(
    "quorum",
    "Kafka: quorum",
    (
        (
            chart("Role", by_node(f"{RAFT}_current_state", "{{instance}} {{state}}")),
            chart(
                "Leader and epoch",
                by_node(f"{RAFT}_current_leader", "leader, {{instance}}"),
                by_node(f"{RAFT}_current_epoch", "epoch, {{instance}}"),
            ),
        ),
        (
            chart("High watermark", by_node(f"{RAFT}_high_watermark")),
            chart(
                "From append to commit",
                by_node(f"{RAFT}_commit_latency_avg", "mean, {{instance}}"),
                by_node(f"{RAFT}_commit_latency_max", "longest, {{instance}}"),
                unit="ms",
            ),
            chart(
                "Behind the active controller",
                by_node("kafka_server_broker_metadata_metrics_last_applied_record_lag_ms"),
                unit="ms",
            ),
        ),
        (
            chart(
                "99 of 100 decisions take",
                slowest(
                    "kafka_controller_controllereventmanager_eventqueueprocessingtimems", "instance"
                ),
                unit="ms",
            ),
            chart(
                "Elections of leaders",
                per_second(f"{ELECTIONS}_leaderelections_total", legend="all"),
                per_second(f"{ELECTIONS}_uncleanleaderelections_total", legend="unclean"),
            ),
            chart(
                "Topics and partitions",
                (f"max({CONTROLLER}_globaltopiccount)", "topics"),
                (f"max({CONTROLLER}_globalpartitioncount)", "partitions"),
            ),
        ),
    ),
)

CLIENTS = Dashboard(
    "clients",
    "Kafka: clients",
    (
        (
            chart("Connections", by_node("kafka_server_socket_server_metrics_connection_count")),
            chart("Requests", per_second(f"{REQUESTS}_requests_total", "request, version")),
            chart(
                "Clients that push metrics", by_node("kafka_server_client_metrics_instance_count")
            ),
        ),
        (
            chart(
                "Producers: an answer takes", of_clients("producer_request_latency_avg"), unit="ms"
            ),
            chart(
                "Producers: a record waits in the client",
                of_clients("producer_record_queue_time_avg"),
                unit="ms",
            ),
            chart(
                "Producers: held back by quotas",
                of_clients("producer_produce_throttle_time_avg"),
                unit="ms",
            ),
        ),
        (
            chart(
                "Consumers: a fetch takes",
                of_clients("consumer_fetch_manager_fetch_latency_avg"),
                unit="ms",
            ),
            chart(
                "Consumers: a commit takes",
                of_clients("consumer_coordinator_commit_latency_avg"),
                unit="ms",
            ),
            chart(
                "Consumers: waiting for records, of their time",
                of_clients("consumer_poll_idle_ratio_avg"),
                unit="percentunit",
            ),
        ),
        (
            chart(
                "Consumers: a rebalance takes",
                of_clients("consumer_coordinator_rebalance_latency_avg"),
                unit="ms",
            ),
            chart(
                "Consumers: partitions that they own",
                of_clients("consumer_coordinator_assigned_partitions"),
            ),
        ),
    ),
)
"""What clients measure themselves is there once they are asked: `moldau client-metrics`."""

PIPELINES = Dashboard(
    "pipelines",
    "Kafka: pipelines",
    (
        (
            chart("Records that wait, by query", (f"sum by (group) ({QUERY_LAG})", "{{group}}")),
            chart(
                "Seconds behind, by query",
                (f"max by (group) ({QUERY_SECONDS})", "{{group}}"),
                unit="s",
            ),
        ),
        (
            chart("Records read a second, by query", query_reads()),
            chart("Records that come in a second, by topic", query_receives()),
        ),
        (
            chart(
                "Seconds behind, by partition",
                (QUERY_SECONDS, "{{group}} {{topic}}-{{partition}}"),
                unit="s",
            ),
        ),
    ),
)
"""Spark's queries commit as groups without members, and `moldau burrow` has the series."""

DASHBOARDS = (CLUSTER, TOPICS, GROUPS, QUORUM, CLIENTS, PIPELINES)


def write_dashboards() -> None:
    for dashboard in DASHBOARDS:
        (FOLDER / f"{dashboard.name}.json").write_text(dashboard_text(dashboard))
        print(f"deploy/grafana/{dashboard.name}.json")


if __name__ == "__main__":
    write_dashboards()
