"""Waits until a broker serves partitions: metadata may tell of a leader before it can do its work.

Each is asked for its latest offset; a broker that does not lead it yet refuses that.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from bench.versus.asking import POLL_S, AskingError, Connection
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse

VERSION = 7
LATEST = -1
NO_REPLICA = -1
TIMEOUT_S = 120.0
Topic = ListOffsetsRequest.ListOffsetsTopic


def await_served(port: int, topics: Mapping[str, int]) -> None:
    """Return when every partition of them answers; they are given by name and count."""
    until_s = time.monotonic() + TIMEOUT_S
    with Connection(port) as connection:
        for name, count in topics.items():
            while not is_served(connection, name, count):
                if time.monotonic() > until_s:
                    raise AskingError(f"{name} is not served after {TIMEOUT_S:g} s.")
                time.sleep(POLL_S)


def is_served(connection: Connection, name: str, count: int) -> bool:
    wanted = [
        Topic.ListOffsetsPartition(partition_index=index, timestamp=LATEST)
        for index in range(count)
    ]
    request = ListOffsetsRequest(
        replica_id=NO_REPLICA, topics=[Topic(name=name, partitions=wanted)]
    )
    (topic,) = connection.ask(request, ListOffsetsResponse, VERSION).topics
    return not any(partition.error_code for partition in topic.partitions)
