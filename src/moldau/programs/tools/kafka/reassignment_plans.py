"""Where partitions are and where they shall be, as JSON that tools write and read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client.admin import Replica
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.kafka.json_files import (
    field_of,
    list_in,
    number_in,
    numbers_in,
    object_of,
    read_json,
    rows_in,
    version_in,
)
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = [
    "ANY_DIR",
    "Plan",
    "current_plan",
    "plan_json",
    "proposed_plan",
    "read_plan",
    "read_plan_to_execute",
    "topics_to_move",
]

ANY_DIR = "any"
NEWEST_VERSION = 1
NO_RACK = ""
NO_BROKERS = "All brokers are currently fenced, or have all their log directories cordoned."
UNKNOWN_TOPIC = "org.apache.kafka.common.errors.UnknownTopicOrPartitionException"


@dataclass(frozen=True, slots=True)
class Plan:
    """Brokers of partitions, the preferred leader first, and their directories."""

    replicas: dict[TopicPartition, tuple[int, ...]]
    dirs: dict[Replica, str]
    """Where a replica is not to be in any directory."""

    def of(self, parts: Collection[TopicPartition]) -> Plan:
        """The same for these alone, which must be there."""
        for part in parts:
            if part not in self.replicas:
                raise MoldauError(f"{UNKNOWN_TOPIC}: Unable to find partition: {part}")
        return Plan({part: self.replicas[part] for part in parts}, self.dirs)


def plan_json(plan: Plan) -> str:
    rows = [
        {
            "topic": part.topic,
            "partition": part.partition,
            "replicas": list(replicas),
            "log_dirs": [
                plan.dirs.get(Replica(part.topic, part.partition, broker), ANY_DIR)
                for broker in replicas
            ],
        }
        for part, replicas in sorted(plan.replicas.items())
    ]
    whole = {"version": NEWEST_VERSION, "partitions": rows}
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False)


def topics_to_move(files: Files, path: str) -> list[str]:
    found = object_of(read_json(files, path))
    version_in(found, NEWEST_VERSION)
    if "topics" not in found:
        return []
    topics = [str(field_of(row, "topic", str)) for row in rows_in(found, "topics")]
    twice = dict.fromkeys(topic for topic in topics if topics.count(topic) > 1)
    if twice:
        raise ToolFailedError(
            f"List of topics to reassign contains duplicate entries: [{', '.join(twice)}]"
        )
    return topics


def read_plan(files: Files, path: str) -> Plan:
    return _read(files, path)[0]


def read_plan_to_execute(files: Files, path: str) -> Plan:
    """What can be done, too: Kafka's tool looks for that only here."""
    plan, twice = _read(files, path)
    if not plan.replicas:
        raise ToolFailedError("Partition reassignment list cannot be empty")
    _check_replicas(plan)
    if twice:
        raise ToolFailedError(
            f"Partition reassignment contains duplicate topic partitions: {','.join(twice)}"
        )
    return plan


def _read(files: Files, path: str) -> tuple[Plan, list[str]]:
    """And the partitions that come twice."""
    found = object_of(read_json(files, path))
    version_in(found, NEWEST_VERSION)
    plan = Plan({}, {})
    twice = []
    for row in rows_in(found, "partitions") if "partitions" in found else []:
        part = TopicPartition(field_of(row, "topic", str), number_in(row, "partition"))
        if part in plan.replicas:
            twice.append(str(part))
        replicas = tuple(numbers_in(row, "replicas"))
        plan.replicas[part] = replicas
        if "log_dirs" in row:
            _add_dirs(plan, part, list_in(row, "log_dirs"))
    return plan, twice


def _add_dirs(plan: Plan, part: TopicPartition, dirs: Sequence[object]) -> None:
    replicas = plan.replicas[part]
    if len(dirs) != len(replicas):
        raise ToolFailedError(
            f"Size of replicas list {list(replicas)} is different from size of log dirs list "
            f"[{', '.join(map(str, dirs))}] for partition {part}"
        )
    for broker, path in zip(replicas, dirs, strict=True):
        if path != ANY_DIR:
            plan.dirs[Replica(part.topic, part.partition, broker)] = str(path)


def _check_replicas(plan: Plan) -> None:
    if any(not replicas for replicas in plan.replicas.values()):
        raise ToolFailedError("Partition replica list cannot be empty")
    for part, replicas in plan.replicas.items():
        twice = dict.fromkeys(broker for broker in replicas if replicas.count(broker) > 1)
        if twice:
            raise ToolFailedError(
                f"Partition replica lists may not contain duplicate entries: {part} contains "
                f"multiple entries for {','.join(map(str, twice))}"
            )


def current_plan(admin: Admin, topics: Iterable[str]) -> Plan:
    names = list(topics)
    views = admin.describe_topics(names)
    for name in views.errors:
        raise MoldauError(f"{UNKNOWN_TOPIC}: Topic {name} not found.")
    replicas = {
        TopicPartition(name, part.partition): tuple(part.replicas)
        for name, view in views.values.items()
        for part in view.partitions
    }
    asked = [
        Replica(part.topic, part.partition, broker)
        for part, brokers in replicas.items()
        for broker in brokers
    ]
    found = admin.describe_replica_log_dirs(asked).values if asked else {}
    dirs = {replica: one.current_dir for replica, one in found.items() if one.current_dir}
    return Plan(replicas, dirs)


def proposed_plan(
    admin: Admin, now: Plan, brokers: Sequence[int], random: Random, *, by_rack: bool
) -> Plan:
    """As many replicas as there are, spread evenly over brokers, and over racks if they have."""
    racks = {
        node.node_id: node.rack
        for node in admin.describe_cluster().nodes
        if node.node_id in brokers
    }
    if by_rack and len({rack is None for rack in racks.values()}) > 1:
        raise MoldauError(
            "Not all brokers have rack information. Add --disable-rack-aware in command line to "
            "make replica assignment without rack information."
        )
    if now.replicas and not racks:
        raise MoldauError(NO_BROKERS)
    known = {broker: (rack if by_rack else None) or NO_RACK for broker, rack in racks.items()}
    proposed: dict[TopicPartition, tuple[int, ...]] = {}
    factors = {part.topic: len(replicas) for part, replicas in sorted(now.replicas.items())}
    for topic, factor in factors.items():
        if factor > len(known):
            raise MoldauError(
                f"The target replication factor of {factor} cannot be reached because only "
                f"{len(known)} broker(s) are registered or some brokers have all "
                "their log directories cordoned."
            )
        ordered = _alternating(known)
        start = random.randrange(0, len(ordered))
        parts = sorted(part for part in now.replicas if part.topic == topic)
        for index, part in enumerate(parts):
            proposed[part] = _spread(ordered, known, start + index, factor)
    return Plan(proposed, {})


def _alternating(racks: Mapping[int, str]) -> list[int]:
    """Brokers so that neighbours are in different racks."""
    by_rack: dict[str, list[int]] = defaultdict(list)
    for broker, rack in sorted(racks.items()):
        by_rack[rack].append(broker)
    rows = [by_rack[rack] for rack in sorted(by_rack)]
    longest = max(map(len, rows))
    return [row[index] for index in range(longest) for row in rows if index < len(row)]


def _spread(
    ordered: Sequence[int], racks: Mapping[int, str], start: int, factor: int
) -> tuple[int, ...]:
    """The leader, and then brokers of racks that have none yet, as long as there are such."""
    count = len(ordered)
    shift = 1 + (start // count) % max(count - 1, 1)
    leader = ordered[start % count]
    others = [ordered[(start + shift + index) % count] for index in range(count)]
    left = [broker for broker in dict.fromkeys(others) if broker != leader]
    chosen = [leader]
    while len(chosen) < factor:
        used = [racks[broker] for broker in chosen]
        best = min(left, key=lambda broker: used.count(racks[broker]))
        left.remove(best)
        chosen.append(best)
    return tuple(chosen)
