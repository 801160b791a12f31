"""Asks a node one thing at a time over a plain socket, to set a case up; never as its load."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self, TypeVar

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import request_header_version, response_header_version
from moldau.protocol.wire.schema import Request, Response

HOST = "127.0.0.1"
TIMEOUT_S = 60.0
SYNC_TIMEOUT_S = 180.0
"""A follower may have to fetch all of a large topic."""
POLL_S = 0.02
SOON_S = 0.002
"""How often a node that starts is asked whether it answers."""
R = TypeVar("R", bound=Response)
Topic = CreateTopicsRequest.CreatableTopic
Setting = Topic.CreatableTopicConfig
Place = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition
Partition = MetadataResponse.MetadataResponseTopic.MetadataResponsePartition
AT_THE_END = -1
CONSUMER = -1


class AskingError(Exception):
    """A node refused, or did not answer."""


class Connection:
    """One connection, one request after the other."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), timeout=TIMEOUT_S)
        self._stream = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._socket.close()

    def ask(self, request: Request, response: type[R], version: int) -> R:
        self._socket.sendall(frame(request, version))
        size = int.from_bytes(self._stream.read(4), "big")
        answer = self._stream.read(size)
        if not answer or len(answer) < size:
            raise AskingError(f"The node closed the connection at {type(request).__name__}.")
        header = response_header_version(response, version)
        _, start = decode_prefix(ResponseHeader, header, answer)
        return decode(response, version, answer[start:])

    def create_topic(self, name: str, partitions: int, settings: Mapping[str, str]) -> None:
        """Return when every partition has its leader."""
        topic = Topic(
            name=name,
            num_partitions=partitions,
            replication_factor=1,
            assignments=[],
            configs=[Setting(name=key, value=value) for key, value in settings.items()],
        )
        self._create(topic)
        until_s = time.monotonic() + TIMEOUT_S
        while not self.is_led(name, partitions):
            if time.monotonic() > until_s:
                raise AskingError(f"Topic {name} got no leaders within {TIMEOUT_S:g} s.")
            time.sleep(POLL_S)

    def _create(self, topic: Topic) -> None:
        """Names are new: one that exists was made by this request, which its broker has repeated
        after a change of controllers (thousands of partitions at once take long enough for one).
        """
        answer = self.ask(CreateTopicsRequest(topics=[topic]), CreateTopicsResponse, 7).topics[0]
        if answer.error_code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
            raise AskingError(f"Topic {topic.name} was not created: {answer.error_message}.")

    def create_placed(
        self, name: str, places: Sequence[Sequence[int]], settings: Mapping[str, str]
    ) -> None:
        """With these replicas for each partition."""
        topic = Topic(
            name=name,
            num_partitions=-1,
            replication_factor=-1,
            assignments=[
                Topic.CreatableReplicaAssignment(partition_index=index, broker_ids=list(replicas))
                for index, replicas in enumerate(places)
            ],
            configs=[Setting(name=key, value=value) for key, value in settings.items()],
        )
        self._create(topic)

    def await_in_sync(self, name: str, partitions: int, replicas: int) -> None:
        """Return when so many replicas of each partition are in sync."""
        until_s = time.monotonic() + SYNC_TIMEOUT_S
        while not self._in_sync(name, partitions, replicas):
            if time.monotonic() > until_s:
                raise AskingError(f"Topic {name} was not in sync within {SYNC_TIMEOUT_S:g} s.")
            time.sleep(POLL_S)

    def _in_sync(self, name: str, partitions: int, replicas: int) -> bool:
        found = self.partitions(name)
        whole = sum(len(one.isr_nodes) >= replicas and not one.error_code for one in found)
        return whole == partitions

    def partitions(self, name: str) -> list[Partition]:
        """Of a topic, by their index; none where it is not known."""
        asked = MetadataRequest(
            topics=[MetadataRequest.MetadataRequestTopic(name=name)],
            allow_auto_topic_creation=False,
        )
        topic = self.ask(asked, MetadataResponse, 12).topics[0]
        return sorted(topic.partitions, key=lambda one: one.partition_index)

    def is_led(self, name: str, partitions: int) -> bool:
        """Whether the node says so in its metadata, and whether its leaders answer.

        Apache Kafka says so some moments earlier. An idempotent producer that comes in between has
        its first batch refused and its second taken, and then sends the first until it gives up,
        after two minutes (seen with 4.3.1).
        """
        return self._has_leaders(name, partitions) and self._leaders_answer(name, partitions)

    def _has_leaders(self, name: str, partitions: int) -> bool:
        found = self.partitions(name)
        return sum(one.leader_id >= 0 and not one.error_code for one in found) == partitions

    def _leaders_answer(self, name: str, partitions: int) -> bool:
        asked = ListOffsetsRequest.ListOffsetsTopic(
            name=name,
            partitions=[
                Place(partition_index=index, timestamp=AT_THE_END) for index in range(partitions)
            ],
        )
        request = ListOffsetsRequest(replica_id=CONSUMER, topics=[asked])
        topics = self.ask(request, ListOffsetsResponse, 8).topics
        return not any(one.error_code for topic in topics for one in topic.partitions)

    def delete_topic(self, name: str) -> None:
        """Nothing happens if it does not exist."""
        request = DeleteTopicsRequest(topic_names=[name], timeout_ms=int(TIMEOUT_S * 1000))
        self.ask(request, DeleteTopicsResponse, 5)

    def has_brokers(self) -> bool:
        return self.brokers() > 0

    def brokers(self) -> int:
        """How many it names."""
        return len(self.ask(MetadataRequest(topics=[]), MetadataResponse, 12).brokers)

    def move(self, name: str, partitions: int, replicas: Sequence[int]) -> None:
        """Return when these are the replicas of every partition."""
        of = AlterPartitionReassignmentsRequest.ReassignableTopic
        parts = [
            of.ReassignablePartition(partition_index=index, replicas=list(replicas))
            for index in range(partitions)
        ]
        request = AlterPartitionReassignmentsRequest(topics=[of(name=name, partitions=parts)])
        answer = self.ask(request, AlterPartitionReassignmentsResponse, 0)
        if answer.error_code:
            raise AskingError(f"Topic {name} was not moved: {answer.error_message}.")
        wanted = ListPartitionReassignmentsRequest(topics=None)
        while self.ask(wanted, ListPartitionReassignmentsResponse, 0).topics:
            time.sleep(POLL_S)


def frame(request: Request, version: int) -> bytes:
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version,
        correlation_id=1,
        client_id="versus",
    )
    body = encode(header, request_header_version(type(request), version)) + encode(request, version)
    return len(body).to_bytes(4, "big") + body


def answers(port: int) -> bool:
    """Whether ApiVersions is answered there, now."""
    request = ApiVersionsRequest(client_software_name="versus", client_software_version="1")
    try:
        with Connection(port) as connection:
            connection.ask(request, ApiVersionsResponse, 4)
    except (OSError, AskingError):
        return False
    return True
