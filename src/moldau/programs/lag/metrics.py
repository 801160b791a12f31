"""Lags as Prometheus reads them: by Burrow's names, and by those of kafka-lag-exporter.

burrow_kafka_consumer_lag_total{cluster="local",consumer_group="orders"} 3
kafka_consumergroup_group_lag_seconds{cluster_name="local",group="orders",…} 1.25
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from moldau.client import TopicPartition
from moldau.programs.lag.state import LagState
from moldau.programs.lag.statuses import GroupStatus, PartitionStatus

__all__ = ["MEDIA_TYPE", "metrics_text"]

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
MS_PER_SECOND: Final = 1000
ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
HELP: Final = {
    "burrow_kafka_consumer_lag_total": "The lag of a group, of all its partitions together",
    "burrow_kafka_consumer_status": "0 NOTFOUND, 1 OK, 2 WARN, 3 ERR",
    "burrow_kafka_consumer_current_offset": "The offset that a group has committed",
    "burrow_kafka_consumer_partition_lag": "The lag of a group in a partition",
    "burrow_kafka_topic_partition_status": "1 OK, 2 WARN, 4 STOP, 5 STALL, 6 REWIND",
    "burrow_kafka_topic_partition_offset": "The end of a partition's log",
    "kafka_consumergroup_group_lag": "The lag of a group in a partition",
    "kafka_consumergroup_group_lag_seconds": "The age of the oldest record that is not read",
    "kafka_consumergroup_group_max_lag": "The greatest lag of a group's partitions",
    "kafka_consumergroup_group_max_lag_seconds": "The greatest of these ages of a group",
    "kafka_consumergroup_group_offset": "The offset that a group has committed",
    "kafka_consumergroup_group_sum_lag": "The lag of a group, of all its partitions together",
    "kafka_consumergroup_group_topic_sum_lag": "The lag of a group in a topic",
    "kafka_partition_earliest_offset": "The first offset of a partition",
    "kafka_partition_latest_offset": "The end of a partition's log",
}
Labels = dict[str, str | int]
Sample = tuple[str, Labels, float]


def metrics_text(cluster: str, state: LagState, now_ms: int) -> bytes:
    """All series, by name."""
    series: dict[str, list[str]] = {name: [] for name in HELP}
    for name, labels, value in _samples(cluster, state, now_ms):
        series[name].append(f"{name}{{{_labels(labels)}}} {value + 0}")
    lines: list[str] = []
    for name, found in series.items():
        lines += [f"# HELP {name} {HELP[name]}", f"# TYPE {name} gauge", *found]
    return ("\n".join(lines) + "\n").encode()


def _samples(cluster: str, state: LagState, now_ms: int) -> Iterator[Sample]:
    for group in sorted(state.groups):
        status = state.status(group, now_ms)
        if status is not None:
            yield from _of_group(cluster, status, state, now_ms)
    for topic, ends in state.topics().items():
        for number, end in enumerate(ends):
            part: Labels = {"topic": topic, "partition": number}
            yield "burrow_kafka_topic_partition_offset", {"cluster": cluster, **part}, end
            yield "kafka_partition_latest_offset", {"cluster_name": cluster, **part}, end
    for one, start in sorted(state.starts.items()):
        part = _part_labels(one)
        yield "kafka_partition_earliest_offset", {"cluster_name": cluster, **part}, start


def _of_group(cluster: str, status: GroupStatus, state: LagState, now_ms: int) -> Iterator[Sample]:
    burrow: Labels = {"cluster": cluster, "consumer_group": status.group}
    exporter: Labels = {"cluster_name": cluster, "group": status.group}
    yield "burrow_kafka_consumer_lag_total", burrow, status.total_lag
    yield "burrow_kafka_consumer_status", burrow, status.status
    yield "kafka_consumergroup_group_sum_lag", exporter, status.total_lag
    for topic, lag in _by_topic(status.partitions).items():
        yield "kafka_consumergroup_group_topic_sum_lag", exporter | {"topic": topic}, lag
    seconds: list[float] = []
    for one in status.partitions:
        part = _part_labels(one.part)
        offset = one.commits[-1].offset
        yield "burrow_kafka_consumer_current_offset", burrow | part, offset
        yield "burrow_kafka_consumer_partition_lag", burrow | part, one.lag
        yield "burrow_kafka_topic_partition_status", burrow | part, one.status
        member: Labels = part | {"member_host": one.owner, "client_id": one.client_id}
        yield "kafka_consumergroup_group_lag", exporter | member, one.lag
        yield "kafka_consumergroup_group_offset", exporter | member, offset
        lag_ms = state.lag_ms(one.part, offset, now_ms)
        if lag_ms is not None:
            seconds.append(lag_ms / MS_PER_SECOND)
            yield "kafka_consumergroup_group_lag_seconds", exporter | member, seconds[-1]
    yield "kafka_consumergroup_group_max_lag", exporter, _greatest(status.partitions)
    if seconds:
        yield "kafka_consumergroup_group_max_lag_seconds", exporter, max(seconds)


def _by_topic(partitions: Iterable[PartitionStatus]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for one in partitions:
        sums[one.part.topic] += one.lag
    return sums


def _greatest(partitions: Iterable[PartitionStatus]) -> int:
    return max((one.lag for one in partitions), default=0)


def _part_labels(part: TopicPartition) -> Labels:
    return {"topic": part.topic, "partition": part.partition}


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{str(value).translate(ESCAPES)}"' for name, value in labels.items())
