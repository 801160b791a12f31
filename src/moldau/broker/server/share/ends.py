"""How far partitions go, wherever they are led: what a share group's lag is counted from.

The group's coordinator describes offsets of partitions that other brokers lead, so their leaders
are asked (ListOffsets), each once for all of its partitions. A leader that has not got there yet,
as right after a topic is created, is asked again: a few times, as Apache Kafka does.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.replica.assignment import NO_LEADER
from moldau.broker.server.broker import Broker
from moldau.errors import KafkaError, NetworkError
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Ends", "Name", "ends_at_once", "ends_of"]

Name = tuple[str, int]
Ends = dict[Name, "int | KafkaError"]
Topic = ListOffsetsRequest.ListOffsetsTopic

CONSUMER = -1
LATEST = -1
TRIES = 5
PAUSE_MS = 100


async def ends_of(broker: Broker, names: Iterable[Name]) -> Ends:
    """The high watermark of each, or why it is not known."""
    ends: Ends = {}
    left = list(dict.fromkeys(names))
    for attempt in range(TRIES if left else 0):
        if attempt:
            await broker.tasks.sleep(PAUSE_MS)
        ends |= await ends_at_once(broker, left, broker.settings.request_timeout_ms)
        left = [name for name in left if _may_pass(ends[name])]
        if not left:
            break
    return ends


async def ends_at_once(broker: Broker, names: Iterable[Name], timeout_ms: float) -> Ends:
    """The same, where each leader is asked once and has that long to answer."""
    ends: Ends = {}
    for leader_id, led in _by_leader(broker, names).items():
        ends |= await _ends_at(broker, leader_id, led, timeout_ms)
    return ends


def _by_leader(broker: Broker, names: Iterable[Name]) -> dict[int, list[Name]]:
    found: dict[int, list[Name]] = {}
    for name in names:
        state = broker.metadata.image.topics.partition(*name)
        found.setdefault(NO_LEADER if state is None else state.leader, []).append(name)
    return found


async def _ends_at(broker: Broker, leader_id: int, names: list[Name], timeout_ms: float) -> Ends:
    if leader_id == broker.node_id:
        return {name: _end_here(broker, name) for name in names}
    if leader_id == NO_LEADER:
        error = KafkaError(ErrorCode.LEADER_NOT_AVAILABLE, "the partition has no leader now")
        return dict.fromkeys(names, error)
    try:
        response = await broker.others.ask(leader_id, _question(names), timeout_ms)
    except (NetworkError, TimeoutError) as error:
        return dict.fromkeys(names, KafkaError(ErrorCode.NETWORK_EXCEPTION, str(error)))
    except KafkaError as error:
        return dict.fromkeys(names, error)
    assert isinstance(response, ListOffsetsResponse)
    missing = KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "the leader's answer leaves it out")
    return dict.fromkeys(names, missing) | _read(response)


def _end_here(broker: Broker, name: Name) -> int | KafkaError:
    try:
        end: int = broker.replicas.leader(*name).high_watermark
    except KafkaError as error:
        return error
    return end


def _question(names: Iterable[Name]) -> ListOffsetsRequest:
    topics: dict[str, list[Topic.ListOffsetsPartition]] = {}
    for topic, index in names:
        asked = Topic.ListOffsetsPartition(partition_index=index, timestamp=LATEST)
        topics.setdefault(topic, []).append(asked)
    return ListOffsetsRequest(
        replica_id=CONSUMER,
        isolation_level=0,
        topics=[Topic(name=name, partitions=asked) for name, asked in topics.items()],
    )


def _read(response: ListOffsetsResponse) -> Ends:
    return {
        (topic.name, one.partition_index): (
            KafkaError(one.error_code, ErrorCode.read(one.error_code).message)
            if one.error_code
            else one.offset
        )
        for topic in response.topics
        for one in topic.partitions
    }


def _may_pass(end: int | KafkaError) -> bool:
    return isinstance(end, KafkaError) and ErrorCode.read(end.code).retriable
