"""Which broker a key of a call leads to, and which errors say that it is another one by now.

Any broker takes what concerns the whole cluster, and forwards to the controller what changes it.
Where the client speaks to controllers alone (bootstrap.controllers, KIP-919) such requests go to
the active one, and what only brokers know is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import Generic, Protocol, TypeVar

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.coordinators import KeyType, find_coordinators, forget_coordinator
from moldau.client.core.dialogue import Ask, Asks, Received, Step
from moldau.client.core.metadata import UNKNOWN_TRIES_MAX, refresh_now
from moldau.client.errors import (
    InvalidArgumentError,
    UnknownTopicError,
    UnreachableError,
    refusal,
)
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass, field
from moldau.protocol.messages.cluster.describe_cluster import (
    DescribeClusterRequest,
    DescribeClusterResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "AtBroker",
    "Coordinators",
    "Found",
    "Leaders",
    "Route",
    "ToAny",
    "ToController",
    "find_nodes",
    "only_brokers",
]

Key = TypeVar("Key")

BROKERS, CONTROLLERS = 1, 2
UNKNOWN = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)


@dataclass(frozen=True, slots=True)
class Found(Generic[Key]):
    """Where keys lead; those in neither are looked for again."""

    nodes: dict[Key, int | None] = field(default_factory=dict)
    """None: any broker."""
    errors: dict[Key, MoldauError] = field(default_factory=dict)
    cause: MoldauError | None = None
    """Why some are not found yet."""


class Route(Protocol[Key]):
    """Finds brokers."""

    retried: frozenset[ErrorCode]
    """Errors after which the key is looked for again."""

    def find(
        self, call: AdminCall, keys: Iterable[Key]
    ) -> Generator[Step, Received, Found[Key]]: ...

    def lost(self, call: AdminCall, key: Key) -> None:
        """It led to the wrong broker, or to one that is away."""


class ToAny(Generic[Key]):
    """Any broker, or any controller."""

    retried: frozenset[ErrorCode] = frozenset()

    def find(self, call: AdminCall, keys: Iterable[Key]) -> Generator[Step, Received, Found[Key]]:
        yield from ()
        return Found(dict.fromkeys(keys, None))

    def lost(self, call: AdminCall, key: Key) -> None:
        """Another one is chosen by itself."""


class AtBroker(Generic[Key]):
    """The broker that the key names, or with None any; of controllers any means the active one."""

    retried: frozenset[ErrorCode] = frozenset({ErrorCode.NOT_CONTROLLER})

    def __init__(self, node_of: Callable[[Key], int | None]) -> None:
        self._node_of = node_of

    def find(self, call: AdminCall, keys: Iterable[Key]) -> Generator[Step, Received, Found[Key]]:
        wanted = {key: self._node_of(key) for key in keys}
        if not self._is_known(call, wanted.values()):
            cause = yield from find_nodes(call)
            if cause is not None:
                return Found(cause=cause)
        context, found = call.context, Found[Key]()
        for key, node in wanted.items():
            if node is None:
                found.nodes[key] = context.controller_id if context.uses_controllers else None
            elif node in context.cluster.brokers:
                found.nodes[key] = node
            else:
                there = ", ".join(map(str, sorted(context.cluster.brokers))) or "none"
                reason = f"no such node runs in the cluster, which has {there}"
                found.errors[key] = UnreachableError(f"broker {node}", reason)
        return found

    def lost(self, call: AdminCall, key: Key) -> None:
        """Its address may have changed, or another one be the active controller."""
        node = self._node_of(key)
        call.context.controller_id = None
        if node is not None:
            call.context.cluster.brokers.pop(node, None)

    def _is_known(self, call: AdminCall, nodes: Iterable[int | None]) -> bool:
        context = call.context
        has_any = not context.uses_controllers or context.controller_id is not None
        return all(has_any if node is None else node in context.cluster.brokers for node in nodes)


class ToController(AtBroker[Key]):
    """Any broker, which forwards it; or the active controller."""

    def __init__(self) -> None:
        super().__init__(lambda key: None)


class Leaders(Generic[Key]):
    """The broker that leads the key's partition."""

    retried: frozenset[ErrorCode] = frozenset(code for code in ErrorCode if code.retriable)

    def __init__(self, part_of: Callable[[Key], TopicPartition]) -> None:
        self._part_of = part_of
        self._absences: Counter[TopicPartition] = Counter()

    def find(self, call: AdminCall, keys: Iterable[Key]) -> Generator[Step, Received, Found[Key]]:
        only_brokers(call)
        cluster = call.context.cluster
        parts = {key: self._part_of(key) for key in keys}
        topics = sorted({part.topic for part in parts.values()})
        stale = [topic for topic in topics if not cluster.is_fresh(topic, call.now_ms)]
        if stale:
            error = yield from refresh_now(call.context, stale)
            if error is not None:
                return Found(cause=error)
        found: Found[Key] = Found()
        causes: list[MoldauError] = []
        for key, part in parts.items():
            leader = cluster.leader(part)
            if part.topic not in cluster.refused and leader is not None:
                found.nodes[key] = leader.node_id
                continue
            error = self._trouble(call, part)
            if isinstance(error, UnknownTopicError) or not _may_pass(error):
                found.errors[key] = error
            else:
                causes.append(error)
        return Found(found.nodes, found.errors, causes[0] if causes else None)

    def lost(self, call: AdminCall, key: Key) -> None:
        call.context.cluster.mark_stale(self._part_of(key).topic)

    def _trouble(self, call: AdminCall, part: TopicPartition) -> MoldauError:
        """Why there is no leader; a partition that is not there is waited for in vain."""
        cluster = call.context.cluster
        code = cluster.refused.get(part.topic, ErrorCode.LEADER_NOT_AVAILABLE)
        topic = None if part.topic in cluster.refused else cluster.topics.get(part.topic)
        is_absent = code in UNKNOWN or (topic is not None and part.partition not in topic.leaders)
        cluster.mark_stale(part.topic)
        if is_absent:
            self._absences[part] += 1
            if self._absences[part] > UNKNOWN_TRIES_MAX:
                reason = "does not exist, or this client may not see it"
                if topic is not None:
                    reason = f"has no partition {part.partition}: it has {len(topic.leaders)}"
                return UnknownTopicError(part.topic, reason)
            code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        return refusal(f"topic {part.topic}", code)


class Coordinators(Generic[Key]):
    """The broker that coordinates the key's group or transactional id."""

    retried: frozenset[ErrorCode] = frozenset(
        {
            ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
            ErrorCode.COORDINATOR_NOT_AVAILABLE,
            ErrorCode.NOT_COORDINATOR,
        }
    )

    def __init__(self, name_of: Callable[[Key], str], kind: KeyType = KeyType.GROUP) -> None:
        self._name_of = name_of
        self._kind = kind

    def find(self, call: AdminCall, keys: Iterable[Key]) -> Generator[Step, Received, Found[Key]]:
        only_brokers(call)
        names = {key: self._name_of(key) for key in keys}
        refused, cause = yield from find_coordinators(call.context, self._kind, names.values())
        known = call.context.coordinators
        return Found(
            {
                key: known[self._kind, name]
                for key, name in names.items()
                if name not in refused and (self._kind, name) in known
            },
            {key: refused[name] for key, name in names.items() if name in refused},
            cause,
        )

    def lost(self, call: AdminCall, key: Key) -> None:
        forget_coordinator(call.context, self._kind, self._name_of(key))


def find_nodes(call: AdminCall) -> Generator[Step, Received, MoldauError | None]:
    """The brokers that run, or the controllers; why they could not be found."""
    kind = CONTROLLERS if call.context.uses_controllers else BROKERS
    request = DescribeClusterRequest(
        include_cluster_authorized_operations=False, endpoint_type=kind
    )
    received = yield Asks((Ask(request),))
    call.now_ms = received.now_ms
    answer = received.answers[0]
    if isinstance(answer, MoldauError):
        if isinstance(answer, UnreachableError):
            return answer
        raise answer
    assert isinstance(answer, DescribeClusterResponse), f"{answer!r} names no nodes"
    if answer.error_code:
        error = refusal("cluster", ErrorCode.read(answer.error_code), answer.error_message)
        if not _may_pass(error):
            raise error
        return error
    context = call.context
    context.cluster.brokers = {
        node.broker_id: Address(node.host, node.port) for node in answer.brokers
    }
    context.cluster_id = answer.cluster_id
    context.controller_id = answer.controller_id if answer.controller_id >= 0 else None
    if context.uses_controllers and context.controller_id is None:
        return refusal("controller", ErrorCode.NOT_CONTROLLER, "the quorum has no leader now")
    return None


def only_brokers(call: AdminCall) -> None:
    """Refuse what controllers do not know."""
    if call.context.uses_controllers:
        raise InvalidArgumentError(
            "controllers cannot answer this: give bootstrap.servers instead of "
            "bootstrap.controllers"
        )


def _may_pass(error: MoldauError) -> bool:
    code = getattr(error, "error", None)
    return isinstance(code, ErrorCode) and code.retriable
