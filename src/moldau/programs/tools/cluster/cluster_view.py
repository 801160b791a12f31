"""What `moldau top` shows: topics by what is written to them, groups by how far they are behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import ClusterView, GroupView, OffsetPlace, TopicView
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.cluster.lags import COMMITTING, PartitionLag, find_lags
from moldau.programs.tools.cluster.tables import count_text, size_text, table_lines

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["Snapshot", "screen", "snapshot_fields", "take_snapshot"]

MS_PER_SECOND = 1000
TOPIC_HEADS = ("TOPIC", "PARTITIONS", "RECORDS/S", "RECORDS", "SIZE")
GROUP_HEADS = ("GROUP", "STATE", "MEMBERS", "LAG", "RECORDS/S")
CLIENT_HEADS = ("CLIENT", "HOST", "GROUP", "PARTITIONS")
TopicRow = tuple[str, int, float | None, int, str]
GroupRow = tuple[str, str, int, int, float | None]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cluster at one moment."""

    time_ms: int
    cluster: ClusterView
    topics: dict[str, TopicView]
    beginnings: dict[TopicPartition, int]
    ends: dict[TopicPartition, int]
    sizes: dict[str, int]
    """Bytes on all brokers together."""
    groups: dict[str, GroupView]
    lags: list[PartitionLag]


def take_snapshot(admin: Admin, now_ms: int) -> Snapshot:
    topics = admin.describe_topics(admin.list_topics(internal=False)).values
    parts = [
        TopicPartition(view.name, part.partition)
        for view in topics.values()
        for part in view.partitions
    ]
    groups = list(admin.list_groups(types=COMMITTING).values)
    return Snapshot(
        now_ms,
        admin.describe_cluster(),
        topics,
        _offsets(admin, parts, OffsetPlace.EARLIEST),
        _offsets(admin, parts, OffsetPlace.LATEST),
        _sizes(admin),
        admin.describe_consumer_groups(groups).values if groups else {},
        find_lags(admin, groups) if groups else [],
    )


def _offsets(
    admin: Admin, parts: Iterable[TopicPartition], place: OffsetPlace
) -> dict[TopicPartition, int]:
    found = admin.list_offsets(dict.fromkeys(parts, place)).values
    return {part: view.offset for part, view in found.items() if view.offset is not None}


def _sizes(admin: Admin) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for dirs in admin.describe_log_dirs().values.values():
        for one in dirs.values():
            for part, replica in one.replicas.items():
                sizes[part.topic] = sizes.get(part.topic, 0) + replica.size
    return sizes


def snapshot_fields(now: Snapshot, before: Snapshot | None) -> dict[str, object]:
    """For scripts."""
    return {
        "time_ms": now.time_ms,
        "cluster_id": now.cluster.cluster_id,
        "brokers": [
            {"id": node.node_id, "host": node.host, "port": node.port} for node in now.cluster.nodes
        ],
        "topics": [
            dict(
                zip(
                    ("topic", "partitions", "records_per_second", "records", "bytes"),
                    (*row[:-1], now.sizes.get(str(row[0]), 0)),
                    strict=True,
                )
            )
            for row in _topic_rows(now, before)
        ],
        "groups": [
            dict(zip(("group", "state", "members", "lag", "records_per_second"), row, strict=True))
            for row in _group_rows(now, before)
        ],
        "clients": [
            dict(zip(("client", "host", "group", "partitions"), row, strict=True))
            for row in _client_rows(now)
        ],
    }


def screen(now: Snapshot, before: Snapshot | None, columns: int, rows_max: int) -> list[str]:
    """What fits on a terminal of this size."""
    head = ", ".join(
        (
            f"cluster {now.cluster.cluster_id}",
            count_text(len(now.cluster.nodes), "broker"),
            count_text(len(now.topics), "topic"),
            count_text(len(now.groups), "group"),
        )
    )
    tables = (
        table_lines(TOPIC_HEADS, _topic_rows(now, before)),
        table_lines(GROUP_HEADS, _group_rows(now, before)),
        table_lines(CLIENT_HEADS, _client_rows(now)),
    )
    used = [table for table in tables if len(table) > 1]
    each = max(3, (rows_max - 2 - len(used)) // max(1, len(used)))
    lines = [head]
    for table in used:
        lines += ["", *table[:each]]
        if len(table) > each:
            lines[-1] = f"… and {len(table) - each + 1} more"
    return [line[:columns] for line in lines[:rows_max]]


def _topic_rows(now: Snapshot, before: Snapshot | None) -> list[TopicRow]:
    rows: list[TopicRow] = []
    for name, view in now.topics.items():
        parts = [TopicPartition(name, part.partition) for part in view.partitions]
        ends = sum(now.ends.get(part, 0) for part in parts)
        kept = ends - sum(now.beginnings.get(part, 0) for part in parts)
        rate = None
        if before is not None and name in before.topics:
            rate = _rate(now, before, ends - sum(before.ends.get(part, 0) for part in parts))
        rows.append((name, len(parts), rate, kept, size_text(now.sizes.get(name, 0))))
    return sorted(rows, key=lambda row: (-(row[2] or 0.0), -row[3], row[0]))


def _group_rows(now: Snapshot, before: Snapshot | None) -> list[GroupRow]:
    rows: list[GroupRow] = []
    for name, view in now.groups.items():
        lag = sum(row.lag or 0 for row in now.lags if row.group == name)
        rate = None
        if before is not None and name in before.groups:
            rate = _rate(now, before, _committed(now, name) - _committed(before, name))
        rows.append((name, view.state, len(view.members), lag, rate))
    return sorted(rows, key=lambda row: (-row[3], row[0]))


def _client_rows(now: Snapshot) -> list[tuple[object, ...]]:
    return sorted(
        (member.client_id, member.host, name, len(member.assignment))
        for name, view in now.groups.items()
        for member in view.members
    )


def _committed(snapshot: Snapshot, group: str) -> int:
    return sum(row.committed for row in snapshot.lags if row.group == group)


def _rate(now: Snapshot, before: Snapshot, count: int) -> float:
    elapsed_ms = max(1, now.time_ms - before.time_ms)
    return max(0.0, count * MS_PER_SECOND / elapsed_ms)
