"""Loads by peers that want more than their share, in a process of their own.

    python -m tests.floods.hostile_load PORT LOAD

Goes on until it is killed; says `ready` when it has begun.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from string import ascii_lowercase, digits

from moldau.protocol.messages.config.describe_configs import DescribeConfigsRequest
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.floods.greed import crowd, framed, read_exactly
from tests.judges.kafka_node import HOST

LONG_BYTES = 4_000_000
"""Of one long request."""
AT_ONCE = 2
"""Connections with long requests."""
CROWD = 50
AHEAD = 100
UNREAD_S = 0.5
"""How long answers are left unread before the crowd comes anew."""
SESSION_PARTITIONS = 20_000
WITH_SESSIONS = 8
PATIENCE_S = 120


def names(count: int) -> list[str]:
    """Different ones, of four characters each."""
    letters = product(ascii_lowercase + digits, repeat=4)
    return ["".join(some) for some in islice(letters, count)]


def describe_groups() -> bytes:
    groups = names(LONG_BYTES // 5)
    return framed(DescribeGroupsRequest(groups=groups, include_authorized_operations=False), 5)


def find_coordinator() -> bytes:
    keys = names(LONG_BYTES // 5)
    return framed(FindCoordinatorRequest(key_type=0, coordinator_keys=keys), 4)


def offset_fetch() -> bytes:
    asked = OffsetFetchRequest.OffsetFetchRequestGroup
    groups = [asked(group_id=name, topics=[]) for name in names(LONG_BYTES // 8)]
    return framed(OffsetFetchRequest(groups=groups), 8)


def list_offsets() -> bytes:
    topic = ListOffsetsRequest.ListOffsetsTopic
    one = topic.ListOffsetsPartition(partition_index=0, timestamp=-1)
    topics = [topic(name=name, partitions=[one]) for name in names(LONG_BYTES // 25)]
    return framed(ListOffsetsRequest(replica_id=-1, isolation_level=0, topics=topics), 6)


def fetch_request(partitions: int, epoch: int) -> FetchRequest:
    topic = FetchRequest.FetchTopic
    asked = [
        topic.FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=1 << 20)
        for index in range(partitions)
    ]
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        session_epoch=epoch,
        topics=[topic(topic="nowhere", partitions=asked)],
    )


def fetch() -> bytes:
    return framed(fetch_request(LONG_BYTES // 33, -1), 12)


def fetch_sessions() -> bytes:
    return framed(fetch_request(SESSION_PARTITIONS, 0), 12)


def describe_configs() -> bytes:
    asked = DescribeConfigsRequest.DescribeConfigsResource
    resources = [
        asked(resource_type=2, resource_name=name, configuration_keys=None)
        for name in names(LONG_BYTES // 8)
    ]
    return framed(DescribeConfigsRequest(resources=resources), 4)


def metadata_by_name() -> bytes:
    topics = [MetadataRequest.MetadataRequestTopic(name=name) for name in names(LONG_BYTES // 6)]
    return framed(MetadataRequest(topics=topics, allow_auto_topic_creation=False), 9)


def delete_records() -> bytes:
    topic = DeleteRecordsRequest.DeleteRecordsTopic
    one = topic.DeleteRecordsPartition(partition_index=0, offset=0)
    topics = [topic(name=name, partitions=[one]) for name in names(LONG_BYTES // 21)]
    return framed(DeleteRecordsRequest(topics=topics, timeout_ms=1000), 2)


def create_topics() -> bytes:
    topic = CreateTopicsRequest.CreatableTopic
    topics = [
        topic(name=name, num_partitions=1, replication_factor=1, assignments=[], configs=[])
        for name in names(LONG_BYTES // 16)
    ]
    return framed(CreateTopicsRequest(topics=topics, timeout_ms=1000, validate_only=True), 5)


LONG: dict[str, Callable[[], bytes]] = {
    "describe_groups": describe_groups,
    "find_coordinator": find_coordinator,
    "offset_fetch": offset_fetch,
    "list_offsets": list_offsets,
    "fetch": fetch,
    "describe_configs": describe_configs,
    "metadata_by_name": metadata_by_name,
    "delete_records": delete_records,
    "create_topics": create_topics,
}
"""One request that names as much as four megabytes can."""
UNREAD = "unread_metadata"
SESSIONS = "fetch_sessions"
LOADS = (UNREAD, SESSIONS, *LONG)


def ask_for_ever(port: int, frame: bytes) -> None:
    """The same question, as soon as the one before is answered."""
    while True:
        with (
            suppress(OSError, AssertionError),
            socket.create_connection((HOST, port), PATIENCE_S) as peer,
        ):
            while True:
                peer.sendall(frame)
                read_exactly(peer, int.from_bytes(read_exactly(peer, 4), "big"))


def leave_unread(port: int) -> None:
    """A crowd asks for all topics, a hundred times each, and reads nothing."""
    everything = MetadataRequest(topics=None)
    ahead = b"".join(framed(everything, version) for version in (8, 9)) * (AHEAD // 2)
    while True:
        with suppress(OSError), crowd(port, CROWD, ahead):
            time.sleep(UNREAD_S)


def main() -> None:
    port, load = int(sys.argv[1]), sys.argv[2]
    if load == UNREAD:
        print("ready", flush=True)
        leave_unread(port)
    frame = fetch_sessions() if load == SESSIONS else LONG[load]()
    for _ in range(WITH_SESSIONS if load == SESSIONS else AT_ONCE):
        threading.Thread(target=ask_for_ever, args=(port, frame), daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
