"""The log directories of brokers, and moving replicas between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.cluster import broker_ids
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.admin.routes import AtBroker
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import refusal
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.cluster.alter_replica_log_dirs import (
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
)
from moldau.protocol.messages.cluster.describe_log_dirs import (
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "LogDir",
    "Replica",
    "ReplicaLogDirs",
    "StoredReplica",
    "alter_replica_log_dirs",
    "describe_log_dirs",
    "describe_replica_log_dirs",
]

NOT_KNOWN = -1
Dir = AlterReplicaLogDirsRequest.AlterReplicaLogDir
Described = DescribeLogDirsRequest.DescribableLogDirTopic


class Replica(NamedTuple):
    """A partition's copy on one broker."""

    topic: str
    partition: int
    node_id: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition} on broker {self.node_id}"


@dataclass(frozen=True, slots=True)
class StoredReplica:
    """A log in a directory."""

    size: int
    offset_lag: int
    """Behind the high watermark; of a future log, behind the current one."""
    is_future: bool
    """On its way to take the place of the current log."""


@dataclass(frozen=True, slots=True)
class LogDir:
    """A directory of a broker."""

    error: MoldauError | None
    """Why it is offline."""
    replicas: Mapping[TopicPartition, StoredReplica]
    total_bytes: int | None
    """Of the volume; None: not known."""
    usable_bytes: int | None
    is_cordoned: bool
    """It gets no new partitions."""


@dataclass(frozen=True, slots=True)
class ReplicaLogDirs:
    """Where a replica is, and where it is going."""

    current_dir: str | None = None
    current_lag: int | None = None
    future_dir: str | None = None
    future_lag: int | None = None


Dirs: TypeAlias = dict[str, LogDir]


@declared
def describe_log_dirs(
    call: AdminCall,
    nodes: Iterable[int] | None = None,
    partitions: Iterable[TopicPartition] | None = None,
) -> Dialogue[Outcomes[int, Dirs]]:
    """By broker and path; of all brokers, or of these, and with all partitions, or with these."""
    topics = None if partitions is None else _asked(partitions)
    wanted = (yield from broker_ids(call)) if nodes is None else list(nodes)
    plan = Plan(
        what="describing log directories",
        route=AtBroker[int](lambda node: node),
        request=lambda nodes: DescribeLogDirsRequest(topics=topics),
        read=_described,
        noun=lambda node: f"broker {node}",
        alone=True,
    )
    return (yield from fulfil(call, plan, wanted))


@declared
def describe_replica_log_dirs(
    call: AdminCall, replicas: Iterable[Replica]
) -> Dialogue[Outcomes[Replica, ReplicaLogDirs]]:
    wanted = list(replicas)
    parts = dict.fromkeys(TopicPartition(one.topic, one.partition) for one in wanted)
    found = yield from describe_log_dirs(call, sorted({one.node_id for one in wanted}), parts)
    outcomes: Outcomes[Replica, ReplicaLogDirs] = Outcomes()
    for replica in wanted:
        if replica.node_id in found.errors:
            outcomes.errors[replica] = found.errors[replica.node_id]
        else:
            outcomes.values[replica] = _places(replica, found[replica.node_id])
    return outcomes


@declared
def alter_replica_log_dirs(
    call: AdminCall, paths: Mapping[Replica, str]
) -> Dialogue[Outcomes[Replica, None]]:
    """To which directory each shall move; or where it shall be created, once it is."""

    def request(replicas: Sequence[Replica]) -> AlterReplicaLogDirsRequest:
        by_path: dict[str, list[TopicPartition]] = defaultdict(list)
        for one in replicas:
            by_path[paths[one]].append(TopicPartition(one.topic, one.partition))
        return AlterReplicaLogDirsRequest(
            dirs=[Dir(path=path, topics=_topics(parts)) for path, parts in by_path.items()]
        )

    plan = Plan(
        what="moving replicas between directories",
        route=AtBroker[Replica](lambda replica: replica.node_id),
        request=request,
        read=_altered,
        noun=str,
    )
    return fulfil(call, plan, paths)


def _topics(parts: Iterable[TopicPartition]) -> list[Dir.AlterReplicaLogDirTopic]:
    return [
        Dir.AlterReplicaLogDirTopic(name=topic, partitions=[part.partition for part in rows])
        for topic, rows in by_topic(parts).items()
    ]


def _asked(parts: Iterable[TopicPartition]) -> list[Described]:
    return [
        Described(topic=topic, partitions=[part.partition for part in rows])
        for topic, rows in by_topic(parts).items()
    ]


def _described(
    answer: DescribeLogDirsResponse, nodes: Sequence[int]
) -> Iterator[tuple[int, Dirs | Failure]]:
    dirs = {row.log_dir: _dir(row) for row in answer.results}
    code = answer.error_code
    if not answer.results and not code:
        code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED  # so old brokers say it
    yield nodes[0], failure_or(code, None, dirs)


def _dir(row: DescribeLogDirsResponse.DescribeLogDirsResult) -> LogDir:
    error = None
    if row.error_code:
        error = refusal(f"directory {row.log_dir}", ErrorCode.read(row.error_code))
    replicas = {
        TopicPartition(topic.name, part.partition_index): StoredReplica(
            part.partition_size, part.offset_lag, part.is_future_key
        )
        for topic in row.topics
        for part in topic.partitions
    }
    return LogDir(
        error, replicas, _known(row.total_bytes), _known(row.usable_bytes), row.is_cordoned
    )


def _known(number: int) -> int | None:
    return None if number == NOT_KNOWN else number


def _places(replica: Replica, dirs: Dirs) -> ReplicaLogDirs:
    part = TopicPartition(replica.topic, replica.partition)
    current: tuple[str | None, int | None] = (None, None)
    future: tuple[str | None, int | None] = (None, None)
    for path, found in dirs.items():
        stored = found.replicas.get(part)
        if stored is not None and stored.is_future:
            future = (path, stored.offset_lag)
        elif stored is not None:
            current = (path, stored.offset_lag)
    return ReplicaLogDirs(*current, *future)


def _altered(
    answer: AlterReplicaLogDirsResponse, replicas: Sequence[Replica]
) -> Iterator[tuple[Replica, Failure | None]]:
    node_id = replicas[0].node_id
    for topic in answer.results:
        for row in topic.partitions:
            replica = Replica(topic.topic_name, row.partition_index, node_id)
            yield replica, failure_or(row.error_code, None, None)
