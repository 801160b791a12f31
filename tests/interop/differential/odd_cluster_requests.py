"""What a stranger may ask of a cluster of three: lists that name a thing twice, brokers and epochs
that are not there, followers in place of leaders.

Nothing that is asked here changes anything for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from moldau.broker.server.apis import versions_of
from moldau.protocol.messages.cluster.alter_replica_log_dirs import AlterReplicaLogDirsRequest
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.offset_for_leader_epoch import OffsetForLeaderEpochRequest
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.describe_topic_partitions import (
    DescribeTopicPartitionsRequest,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from tests.interop.differential.cluster_changes import (
    TIMEOUT_MS,
    UNKNOWN_ID,
    deletion,
    made,
    placed,
    seen,
)
from tests.interop.differential.dialogues import Dialogue, Step

PREFERRED, UNCLEAN, UNKNOWN_KIND = 0, 1, 2
WITH_FACTOR_GUARD = 1
FETCH_BY_NAME = 12
SPECIAL_TIMES = (-1, -2, -3, -4, -5, -6, -7, 0, 1 << 60)
EPOCHS = (-1, 0, 7)
OTHER_DISK = b"d" * 16


def odd_requests(node_id: int) -> Iterator[Dialogue]:
    """Through this node."""
    others = [one for one in (1, 2, 3) if one != node_id]
    for version in versions_of(AlterPartitionReassignmentsRequest.KEY):
        yield _moves(f"odd-moves-{node_id}-{version}", version, [node_id, *others])
    for version in versions_of(ElectLeadersRequest.KEY):
        yield _elections(f"odd-elections-{node_id}-{version}", version, [node_id, *others])
    for version in versions_of(AddRaftVoterRequest.KEY):
        yield _voters(version)
    yield _pages(f"odd-pages-{node_id}", [node_id, *others])
    yield _log_dirs(f"odd-dirs-{node_id}", [node_id, *others])
    for place in range(3):
        replicas = [*others[:place], node_id, *others[place:]]
        yield _data(f"odd-data-{node_id}-{place}", replicas)
    yield _data(f"odd-elsewhere-{node_id}", others)


def _moves(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas)
    of = AlterPartitionReassignmentsRequest.ReassignableTopic
    first, second, third = replicas
    odd: Sequence[Sequence[tuple[str, Sequence[tuple[int, list[int] | None]]]]] = (
        [],
        [(name, [])],
        [(name, [(0, None)])],
        [(name, [(0, None), (0, None)])],
        [(name, [(0, [first, second, third]), (0, [first])])],
        [(name, [(0, [UNKNOWN_ID])]), (name, [(0, None)])],
        [(name, [(0, [-1])])],
        [(name, [(0, [first, second, third, UNKNOWN_ID])])],
        [(name, [(-1, [first])]), ("missing", [(0, [first])]), ("", [(0, None)])],
        [("a/b", [(0, [first])]), ("missing", [(0, None)])],
        [(name, [(0, [first, second, third])])],
    )
    for named in odd:
        topics = [
            of(
                name=topic,
                partitions=[
                    of.ReassignablePartition(partition_index=index, replicas=wanted)
                    for index, wanted in parts
                ],
            )
            for topic, parts in named
        ]
        request = AlterPartitionReassignmentsRequest(topics=topics, timeout_ms=TIMEOUT_MS)
        yield Step(request, version)
    if version >= WITH_FACTOR_GUARD:
        for wanted in ([first], [first, second, third], [third, second, first]):
            part = of.ReassignablePartition(partition_index=0, replicas=wanted)
            request = AlterPartitionReassignmentsRequest(
                topics=[of(name=name, partitions=[part])],
                timeout_ms=TIMEOUT_MS,
                allow_replication_factor_change=False,
            )
            yield Step(request, version)
    yield from _lists(name)
    yield Step(deletion(name, 6), 6)


def _lists(name: str) -> Dialogue:
    of = ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics
    for topics in (
        [],
        [of(name=name, partition_indexes=[])],
        [of(name=name, partition_indexes=[0, 0, 9])],
        [of(name="missing", partition_indexes=[0])],
    ):
        request = ListPartitionReassignmentsRequest(topics=topics, timeout_ms=TIMEOUT_MS)
        yield Step(request, 0)


def _elections(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas)
    of = ElectLeadersRequest.TopicPartitions
    odd: Sequence[Sequence[tuple[str, list[int]]]] = (
        [],
        [(name, [])],
        [(name, [0, 0])],
        [(name, [0, -1, 9]), ("missing", [0]), ("", [0])],
    )
    for kind in (PREFERRED, UNCLEAN, UNKNOWN_KIND, -1) if version else (PREFERRED,):
        for wanted in odd:
            topics = [of(topic=topic, partitions=indexes) for topic, indexes in wanted]
            request = ElectLeadersRequest(
                election_type=kind, topic_partitions=topics, timeout_ms=TIMEOUT_MS
            )
            yield Step(request, version)
        request = ElectLeadersRequest(
            election_type=kind, topic_partitions=None, timeout_ms=TIMEOUT_MS
        )
        yield Step(request, version, shows=_but_partitions)
    yield Step(deletion(name, 6), 6)


def _but_partitions(tree: Any) -> Any:
    """All of the cluster's that needed one: of other tests, too."""
    return tree.get("error_code")


def _voters(version: int) -> Dialogue:
    """Voters that are configured cannot be changed, whatever is asked."""
    listener = AddRaftVoterRequest.Listener(name="CONTROLLER", host="127.0.0.1", port=1)
    for cluster_id in (None, "another"):
        for voter_id, listeners in (
            (1, [listener]),
            (UNKNOWN_ID, [listener]),
            (UNKNOWN_ID, []),
            (-1, []),
        ):
            request = AddRaftVoterRequest(
                cluster_id=cluster_id,
                timeout_ms=TIMEOUT_MS,
                voter_id=voter_id,
                voter_directory_id=OTHER_DISK,
                listeners=listeners,
            )
            yield Step(request, version)
        for voter_id in (1, UNKNOWN_ID, -1):
            removal = RemoveRaftVoterRequest(
                cluster_id=cluster_id, voter_id=voter_id, voter_directory_id=OTHER_DISK
            )
            yield Step(removal, 0)


def _pages(name: str, replicas: Sequence[int]) -> Dialogue:
    """Partitions, page by page."""
    both = [f"{name}-a", f"{name}-b"]
    for topic in both:
        wanted = placed(topic, [replicas] * 3)
        yield Step(CreateTopicsRequest(topics=[wanted], timeout_ms=TIMEOUT_MS), 7)
        yield seen(topic, 3)
    of = DescribeTopicPartitionsRequest
    for cursor in (
        None,
        (both[0], 0),
        (both[0], 2),
        (both[0], 3),
        (both[0], -1),
        (both[1], 1),
        (f"{name}-aa", 0),
        (f"{name}-c", 0),
        ("", 0),
    ):
        at = None if cursor is None else of.Cursor(topic_name=cursor[0], partition_index=cursor[1])
        for limit in (1, 2, 4, 2000, 0, -1):
            for names in (both, both[::-1], [both[1]], [both[0], both[0]], [*both, "missing"]):
                request = of(
                    topics=[of.TopicRequest(name=one) for one in names],
                    response_partition_limit=limit,
                    cursor=at,
                )
                yield Step(request, 0, shows=_sets)
    for topic in both:
        yield Step(deletion(topic, 6), 6)


def _sets(tree: Any) -> Any:
    """Ids differ, and replicas in sync are a set."""
    for topic in tree["topics"]:
        topic.pop("topic_id", None)
        for part in topic["partitions"]:
            part["isr_nodes"] = sorted(part["isr_nodes"])
    return tree


def _log_dirs(name: str, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas)
    of = AlterReplicaLogDirsRequest.AlterReplicaLogDir
    for path, topic, indexes in (
        ("/nowhere", name, [0]),
        ("relative", name, [0]),
        ("", name, [0, 0]),
        ("/nowhere", "missing", [0]),
        ("/nowhere", name, [9, -1]),
        ("/nowhere", name, []),
    ):
        wanted = of(path=path, topics=[of.AlterReplicaLogDirTopic(name=topic, partitions=indexes)])
        for version in versions_of(AlterReplicaLogDirsRequest.KEY):
            yield Step(AlterReplicaLogDirsRequest(dirs=[wanted]), version)
    yield Step(deletion(name, 6), 6)


def _data(name: str, replicas: Sequence[int]) -> Dialogue:
    """Of a leader, a follower, or a broker without a replica."""
    yield from made(name, replicas)
    for epoch in EPOCHS:
        for last in EPOCHS:
            yield _fetched(name, epoch, last)
            yield from _epoch_ends(name, epoch, last)
        yield from _offsets(name, epoch)
    for offset in (0, -1, -2, 5):
        of = DeleteRecordsRequest.DeleteRecordsTopic
        part = of.DeleteRecordsPartition(partition_index=0, offset=offset)
        topics = [of(name=name, partitions=[part])]
        yield Step(DeleteRecordsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 2)
    yield Step(deletion(name, 6), 6)


def _fetched(name: str, epoch: int, last_epoch: int) -> Step:
    of = FetchRequest.FetchTopic
    part = of.FetchPartition(
        partition=0,
        current_leader_epoch=epoch,
        last_fetched_epoch=last_epoch,
        fetch_offset=0,
        partition_max_bytes=1 << 20,
    )
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, session_epoch=-1, topics=[of(topic=name, partitions=[part])]
    )
    return Step(request, FETCH_BY_NAME)


def _epoch_ends(name: str, epoch: int, asked: int) -> Dialogue:
    of = OffsetForLeaderEpochRequest.OffsetForLeaderTopic
    part = of.OffsetForLeaderPartition(partition=0, current_leader_epoch=epoch, leader_epoch=asked)
    for replica_id in (-1, -2):
        request = OffsetForLeaderEpochRequest(
            replica_id=replica_id, topics=[of(topic=name, partitions=[part])]
        )
        yield Step(request, 4)


def _offsets(name: str, epoch: int) -> Dialogue:
    of = ListOffsetsRequest.ListOffsetsTopic
    for time in SPECIAL_TIMES:
        part = of.ListOffsetsPartition(
            partition_index=0, current_leader_epoch=epoch, timestamp=time
        )
        for replica_id in (-1, -2):
            request = ListOffsetsRequest(
                replica_id=replica_id, isolation_level=0, topics=[of(name=name, partitions=[part])]
            )
            yield Step(request, versions_of(ListOffsetsRequest.KEY)[-1])
