"""FindCoordinator: which broker coordinates a group, a transaction, a share partition.

Versions 0-6. Any broker answers: the key's hash picks a partition of the coordinator's topic, and
its leader is the coordinator. The first question for a topic that is not there has it created, and
has to be sent again; so has one that comes before the leader has become one, since the next request
to it would be refused. Keys of share partitions read `group:topicId:partition` (KIP-932) and need
version 6; versions up to 3 ask for one key, later ones for many (KIP-699). Success is spelled
`NONE` in versions 1 to 3, as Kafka spells it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any, NamedTuple

from moldau.broker.coordinator.placement import partition_of
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Answer, Call
from moldau.broker.server.controller.access import require
from moldau.broker.server.leaders import NodeAddress, address_of
from moldau.broker.server.slices import STEP, each
from moldau.broker.server.topic.creation import OFFSETS_TOPIC, SHARE_STATE_TOPIC, TRANSACTIONS_TOPIC
from moldau.errors import DecodeError, KafkaError
from moldau.protocol.messages.group.find_coordinator import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import parse_uuid

MANY_KEYS = 4
"""From this version on a request has a list of keys."""
SHARE_KEYS = 6
SHARE_KEY_PARTS = 3
SUCCESS = "NONE"
NOWHERE = -1
Coordinator = FindCoordinatorResponse.Coordinator


class KeyType(NamedTuple):
    """A kind of coordinator: its topic, and what one must be allowed to ask for it."""

    topic: str
    led_here: Callable[[Broker], Any]
    """Those that the broker itself is; they know by what partitions."""
    operation: Operation
    resource: Resource
    refusal: ErrorCode


GROUP = KeyType(
    OFFSETS_TOPIC,
    lambda broker: broker.groups,
    Operation.DESCRIBE,
    Resource.GROUP,
    ErrorCode.GROUP_AUTHORIZATION_FAILED,
)
TRANSACTION = KeyType(
    TRANSACTIONS_TOPIC,
    lambda broker: broker.transactions,
    Operation.DESCRIBE,
    Resource.TRANSACTIONAL_ID,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
)
SHARE = KeyType(
    SHARE_STATE_TOPIC,
    lambda broker: broker.share_states,
    Operation.CLUSTER_ACTION,
    Resource.CLUSTER,
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
)
KEY_TYPES = (GROUP, TRANSACTION, SHARE)
"""By the number in the request."""


def handle(call: Call[FindCoordinatorRequest], broker: Broker) -> Answer:
    request = call.request
    if not 0 <= request.key_type < len(KEY_TYPES):
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"There is no coordinator of type {request.key_type}."
        )
    kind = KEY_TYPES[request.key_type]
    if call.version >= MANY_KEYS:
        keys = request.coordinator_keys
        if len(keys) <= STEP:
            return _blank(coordinators=[_find(call, broker, kind, key) for key in keys])
        return _find_many(call, broker, kind, keys)
    return _as_one(_find(call, broker, kind, request.key))


def _find_many(
    call: Call, broker: Broker, kind: KeyType, keys: list[str]
) -> Generator[None, None, FindCoordinatorResponse]:
    found = yield from each(partial(_find, call, broker, kind), keys)
    return _blank(coordinators=found)


def _as_one(found: Coordinator) -> FindCoordinatorResponse:
    """The answer of the versions that ask for one key."""
    answer = _blank(coordinators=[])
    answer.node_id, answer.host, answer.port = found.node_id, found.host, found.port
    answer.error_code = found.error_code
    code = ErrorCode.read(found.error_code)
    answer.error_message = code.message if found.error_code else SUCCESS
    return answer


def _blank(coordinators: list[Coordinator]) -> FindCoordinatorResponse:
    return FindCoordinatorResponse(
        throttle_time_ms=0,
        error_code=0,
        error_message="",
        node_id=0,
        host="",
        port=0,
        coordinators=coordinators,
    )


def _find(call: Call, broker: Broker, kind: KeyType, key: str) -> Coordinator:
    if kind is SHARE:
        if call.version < SHARE_KEYS:
            return _no_coordinator(key, ErrorCode.INVALID_REQUEST)
        require(call, broker, Operation.CLUSTER_ACTION)
        if not _is_share_key(key):
            return _no_coordinator(key, ErrorCode.INVALID_REQUEST)
    elif not broker.authorizer.allows(call, kind.operation, kind.resource, key):
        return _no_coordinator(key, kind.refusal)
    address = _address(call, broker, kind, key)
    if address is None:
        return _no_coordinator(key, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    return Coordinator(
        key=key,
        node_id=address.node_id,
        host=address.host,
        port=address.port,
        error_code=ErrorCode.NONE,
        error_message="",
    )


def _no_coordinator(key: str, code: ErrorCode) -> Coordinator:
    return Coordinator(
        key=key, node_id=NOWHERE, host="", port=NOWHERE, error_code=code, error_message=""
    )


def _address(call: Call, broker: Broker, kind: KeyType, key: str) -> NodeAddress | None:
    """Where the key's coordinator is; a topic that is missing is made meanwhile."""
    image = broker.metadata.image
    topic = image.topics.by_name.get(kind.topic)
    if topic is None:
        broker.topic_creation.begin(broker, [kind.topic])
        return None
    index = partition_of(key, len(topic.partitions))
    partition = topic.partitions.get(index)
    if partition is None:
        return None
    if partition.leader == broker.node_id and not kind.led_here(broker).knows(index):
        return None
    return address_of(image, partition.leader, call.listener)


def _is_share_key(key: str) -> bool:
    """Whether it reads `group:topicId:partition`; the group may have colons in it."""
    parts = key.rsplit(":", 2)
    if len(parts) < SHARE_KEY_PARTS or not parts[0].strip():
        return False
    try:
        parse_uuid(parts[1])
        int(parts[2])
    except (DecodeError, ValueError):
        return False
    return True
