"""DescribeCluster: the cluster's id, its controller, its nodes (KIP-700).

Versions 0-2: 1 asks brokers for brokers and controllers for controllers (KIP-919), 2 fenced brokers
on demand (KIP-1073). A broker names some live broker as the controller, because it passes on what
is the controller's to decide; a controller names the active one, and answers only to who may alter
the cluster.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.metadata.cluster import Endpoint
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import may, require
from moldau.protocol.messages.cluster.describe_cluster import (
    DescribeClusterRequest,
    DescribeClusterResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

BROKERS, CONTROLLERS = 1, 2
NO_LEADER = -1
Node = DescribeClusterResponse.DescribeClusterBroker


def handle(call: Call[DescribeClusterRequest], broker: Broker) -> DescribeClusterResponse:
    request = call.request
    is_controller = broker.serves_controllers(call.listener)
    expected = CONTROLLERS if is_controller else BROKERS
    if is_controller:
        require(call, broker, Operation.ALTER)
    if request.endpoint_type not in (BROKERS, CONTROLLERS):
        return _refusal(request, ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, "1 is brokers, 2 controllers")
    if request.endpoint_type != expected:
        here = "controllers" if is_controller else "brokers"
        code = ErrorCode.MISMATCHED_ENDPOINT_TYPE if call.version else ErrorCode.INVALID_REQUEST
        return _refusal(request, code, f"{here} are known here")
    response = _controllers(call, broker) if is_controller else _brokers(call, broker, request)
    if request.include_cluster_authorized_operations:
        sees = may(call, broker, Operation.DESCRIBE)
        response.cluster_authorized_operations = (
            broker.authorizer.allowed(call, Resource.CLUSTER, CLUSTER_NAME) if sees else 0
        )
    return response


def _refusal(request: DescribeClusterRequest, code: int, text: str) -> DescribeClusterResponse:
    return DescribeClusterResponse(
        throttle_time_ms=0,
        error_code=code,
        error_message=f"{text}; the request is about endpoints of type {request.endpoint_type}",
        cluster_id="",
        brokers=[],
    )


def _brokers(
    call: Call, broker: Broker, request: DescribeClusterRequest
) -> DescribeClusterResponse:
    known = broker.metadata.image.cluster.brokers
    alive = [broker_id for broker_id, state in known.items() if not state.fenced]
    nodes = [
        _node(broker_id, state.endpoints, call, state.rack, state.fenced)
        for broker_id, state in known.items()
        if call.listener in state.endpoints and (not state.fenced or request.include_fenced_brokers)
    ]
    controller = alive[broker.random.randrange(0, len(alive))] if alive else NO_LEADER
    return _response(broker, BROKERS, controller, nodes)


def _controllers(call: Call, broker: Broker) -> DescribeClusterResponse:
    nodes = [
        _node(controller_id, state.endpoints, call)
        for controller_id, state in broker.metadata.image.cluster.controllers.items()
        if call.listener in state.endpoints
    ]
    return _response(broker, CONTROLLERS, broker.metadata.leader_id, nodes)


def _node(
    node_id: int,
    endpoints: Mapping[str, Endpoint],
    call: Call,
    rack: str | None = None,
    is_fenced: bool = False,
) -> Node:
    endpoint = endpoints[call.listener]
    return Node(
        broker_id=node_id, host=endpoint.host, port=endpoint.port, rack=rack, is_fenced=is_fenced
    )


def _response(
    broker: Broker, endpoint_type: int, controller_id: int, nodes: list[Node]
) -> DescribeClusterResponse:
    return DescribeClusterResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        endpoint_type=endpoint_type,
        cluster_id=broker.cluster_id,
        controller_id=controller_id,
        brokers=nodes,
    )
