"""The cluster's nodes, what each of them understands, and forgetting one that is gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import AccessOperation, operations_of
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import (
    BROKERS,
    CONTROLLERS,
    AtBroker,
    ToAny,
    ToController,
    find_nodes,
    only_brokers,
)
from moldau.client.core.dialogue import Dialogue
from moldau.network.outgoing.versions import versions_request
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.cluster.describe_cluster import (
    DescribeClusterRequest,
    DescribeClusterResponse,
)
from moldau.protocol.messages.cluster.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import uuid_text
from moldau.protocol.wire.versions import Versions

__all__ = [
    "ClusterNode",
    "ClusterView",
    "broker_api_versions",
    "broker_ids",
    "client_instance_id",
    "describe_cluster",
    "unregister_broker",
]

ENDPOINTS_SINCE, FENCED_SINCE = 1, 2
NO_NODE = -1


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A broker, or a controller where controllers are asked."""

    node_id: int
    host: str
    port: int
    rack: str | None = None
    is_fenced: bool = False

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class ClusterView:
    """What a cluster consists of."""

    cluster_id: str
    controller_id: int | None
    """Brokers name one of them, which forwards; controllers name the active one."""
    nodes: tuple[ClusterNode, ...]
    operations: frozenset[AccessOperation] | None = None
    """What the caller may do to it; None where that was not asked for."""


@declared
def describe_cluster(
    call: AdminCall, *, operations: bool = False, fenced_brokers: bool = False
) -> Dialogue[ClusterView]:
    uses_controllers = call.context.uses_controllers
    request = DescribeClusterRequest(
        include_cluster_authorized_operations=operations,
        endpoint_type=CONTROLLERS if uses_controllers else BROKERS,
        include_fenced_brokers=fenced_brokers,
    )
    since = FENCED_SINCE if fenced_brokers else ENDPOINTS_SINCE if uses_controllers else 0
    plan = Plan(
        what="describing the cluster",
        route=ToAny[None](),
        request=lambda keys: request,
        read=_cluster,
        noun=lambda key: "cluster",
        oldest=lambda key: since,
    )
    return fulfil_one(call, plan)


def broker_ids(call: AdminCall) -> Dialogue[list[int]]:
    """The ids of all brokers that run."""
    deadline = call.deadline("looking for brokers")
    while (cause := (yield from find_nodes(call))) is not None:
        call.now_ms = (yield deadline.pause(call.now_ms, cause)).now_ms
    return sorted(call.context.cluster.brokers)


@declared
def broker_api_versions(
    call: AdminCall, nodes: Iterable[int] | None = None
) -> Dialogue[Outcomes[int, Mapping[str, Versions]]]:
    """Which versions of which requests each node understands, by the names of the requests."""
    wanted = (yield from broker_ids(call)) if nodes is None else list(nodes)
    plan = Plan(
        what="asking for versions",
        route=AtBroker[int](lambda node: node),
        request=lambda nodes: versions_request(),
        read=_versions,
        noun=lambda node: f"node {node}",
        alone=True,
    )
    return (yield from fulfil(call, plan, wanted))


@declared
def unregister_broker(call: AdminCall, node_id: int) -> Dialogue[None]:
    def read(
        answer: UnregisterBrokerResponse, keys: Sequence[None]
    ) -> Iterator[tuple[None, Failure | None]]:
        yield None, failure_or(answer.error_code, answer.error_message, None)

    plan = Plan(
        what=f"unregistering broker {node_id}",
        route=ToController[None](),
        request=lambda keys: UnregisterBrokerRequest(broker_id=node_id),
        read=read,
        noun=lambda key: f"broker {node_id}",
    )
    return fulfil_one(call, plan)


@declared
def client_instance_id(call: AdminCall) -> Dialogue[str]:
    """A new one for each time that it is asked for."""
    only_brokers(call)

    def read(
        answer: GetTelemetrySubscriptionsResponse, keys: Sequence[None]
    ) -> Iterator[tuple[None, str | Failure]]:
        yield None, failure_or(answer.error_code, None, uuid_text(answer.client_instance_id))

    plan = Plan(
        what="asking for an id",
        route=ToAny[None](),
        request=lambda keys: GetTelemetrySubscriptionsRequest(client_instance_id=NULL_UUID),
        read=read,
        noun=lambda key: "client",
    )
    return fulfil_one(call, plan)


def _cluster(
    answer: DescribeClusterResponse, keys: Sequence[None]
) -> Iterator[tuple[None, ClusterView | Failure]]:
    nodes = tuple(
        ClusterNode(row.broker_id, row.host, row.port, row.rack, row.is_fenced)
        for row in sorted(answer.brokers, key=lambda row: row.broker_id)
    )
    view = ClusterView(
        answer.cluster_id,
        None if answer.controller_id == NO_NODE else answer.controller_id,
        nodes,
        operations_of(answer.cluster_authorized_operations),
    )
    yield None, failure_or(answer.error_code, answer.error_message, view)


def _versions(
    answer: ApiVersionsResponse, nodes: Sequence[int]
) -> Iterator[tuple[int, Mapping[str, Versions] | Failure]]:
    found = {
        _name(row.api_key): Versions(row.min_version, row.max_version) for row in answer.api_keys
    }
    yield nodes[0], failure_or(answer.error_code, None, found)


def _name(key: int) -> str:
    try:
        return ApiKey(key).name
    except ValueError:
        return f"API {key}"
