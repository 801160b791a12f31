"""Envelope: a client's request, passed on by a broker in the client's name (KIP-590).

Version 0. The sender must be a node of the cluster; the principal inside is taken as it is, and
access is checked for it once more. Only what a broker would pass on is opened. What goes wrong
inside is answered inside; the outer error is for the envelope: an API that is not forwarded, a
version that is not served, or a principal that cannot be read.
"""

from __future__ import annotations

from inspect import isawaitable
from ipaddress import ip_address
from typing import cast

from moldau.broker.security.access import Operation
from moldau.broker.server.apis import CONTROLLER, handler_of, versions_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import require
from moldau.broker.server.refusing import refusal
from moldau.errors import DecodeError, KafkaError
from moldau.network.principal import Principal
from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Address
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.broker.envelope import EnvelopeRequest, EnvelopeResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.stored.principal import DefaultPrincipalData
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import (
    read_request_start,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Message

PASSED_ON = frozenset(
    {
        ApiKey.CREATE_TOPICS,
        ApiKey.DELETE_TOPICS,
        ApiKey.CREATE_ACLS,
        ApiKey.DELETE_ACLS,
        ApiKey.ALTER_CONFIGS,
        ApiKey.CREATE_PARTITIONS,
        ApiKey.CREATE_DELEGATION_TOKEN,
        ApiKey.RENEW_DELEGATION_TOKEN,
        ApiKey.EXPIRE_DELEGATION_TOKEN,
        ApiKey.ELECT_LEADERS,
        ApiKey.INCREMENTAL_ALTER_CONFIGS,
        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
        ApiKey.LIST_PARTITION_REASSIGNMENTS,
        ApiKey.ALTER_CLIENT_QUOTAS,
        ApiKey.ALTER_USER_SCRAM_CREDENTIALS,
        ApiKey.DESCRIBE_QUORUM,
        ApiKey.UPDATE_FEATURES,
        ApiKey.UNREGISTER_BROKER,
        ApiKey.ADD_RAFT_VOTER,
        ApiKey.REMOVE_RAFT_VOTER,
    }
)
"""APIs that clients may ask any broker, and only the active controller decides."""
OF_THE_LEADER = frozenset({ApiKey.DESCRIBE_QUORUM, ApiKey.ADD_RAFT_VOTER, ApiKey.REMOVE_RAFT_VOTER})
"""Of those, what the quorum answers. Apache Kafka's brokers keep the way to a controller until an
envelope is refused, and with an answer within would ask a leader that is none for ever."""


async def handle(call: Call[EnvelopeRequest], broker: Broker) -> EnvelopeResponse:
    request = call.request
    require(call, broker, Operation.CLUSTER_ACTION)
    inner = _open(call, request)
    response = await _answer(inner, broker)
    if inner.throttle_ms and hasattr(response, "throttle_time_ms"):
        response.throttle_time_ms = inner.throttle_ms
    header_version = response_header_version(type(response), inner.version)
    header = encode(ResponseHeader(correlation_id=inner.correlation_id), header_version)
    return EnvelopeResponse(
        response_data=header + encode(response, inner.version), error_code=ErrorCode.NONE
    )


async def _answer(inner: Call, broker: Broker) -> Message:
    leader_id = broker.metadata.leader_id
    if inner.api_key in OF_THE_LEADER and leader_id != broker.node_id:
        text = f"this controller does not lead the quorum; node {leader_id} does"
        raise KafkaError(ErrorCode.NOT_CONTROLLER, text)
    answer = handler_of(inner.api_key, CONTROLLER[inner.api_key])
    try:
        response = answer(inner, broker)
        return cast("Message", await response if isawaitable(response) else response)
    except KafkaError as error:
        if error.code == ErrorCode.NOT_CONTROLLER:
            raise  # an error of the envelope, so that the broker looks for the controller anew
        return refusal(inner.request, inner.version, error.code, error.message)


def _open(outer: Call, request: EnvelopeRequest) -> Call:
    """The call inside, as if its client had come here itself."""
    frame = request.request_data
    try:
        start = read_request_start(frame)
        if start.api_key not in PASSED_ON or start.api_version not in versions_of(start.api_key):
            text = f"API {start.api_key} version {start.api_version} is not passed on"
            raise KafkaError(ErrorCode.INVALID_REQUEST, text)
        api = BY_KEY[start.api_key].request
        header_version = request_header_version(api, start.api_version)
        header, size = decode_prefix(RequestHeader, header_version, frame)
        body = decode(api, start.api_version, memoryview(frame)[size:])
        peer = Address(str(ip_address(request.client_host_address)), 0)
    except (DecodeError, ValueError) as error:
        text = f"the request in the envelope cannot be read: {error}"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text) from error
    return Call(
        api_key=start.api_key,
        version=start.api_version,
        correlation_id=start.correlation_id,
        client_id=header.client_id,
        request=body,
        principal=_principal(request.request_principal),
        listener=outer.listener,
        peer=peer,
        connection_id=outer.connection_id,
        received_ns=outer.received_ns,
    )


def _principal(buffer: Buffer | None) -> Principal:
    try:
        if buffer is None:
            raise DecodeError("there is none")
        version = int.from_bytes(buffer[:2], "big")
        if version not in DefaultPrincipalData.VERSIONS:
            raise DecodeError(f"its version is {version}")
        data = decode(DefaultPrincipalData, version, memoryview(buffer)[2:])
    except DecodeError as error:
        text = f"the principal in the envelope cannot be read: {error}"
        raise KafkaError(ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE, text) from error
    return Principal(data.type, data.name, data.token_authenticated)
