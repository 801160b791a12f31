"""A request in an envelope is answered as if its client had come here itself."""

import asyncio

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.controller.envelope import handle
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.envelope import EnvelopeRequest
from moldau.protocol.messages.cluster.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.messages.stored.principal import DefaultPrincipalData
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of, frame_of

INNER = UnregisterBrokerRequest(broker_id=7)
REPLY = UnregisterBrokerResponse(throttle_time_ms=0, error_code=0, error_message="done")
HEADER_BYTES = 5


class Witness:
    """Remembers who asked, and allows the operations that it was given."""

    def __init__(self, *allowed):
        self.seen = []
        self._allowed = allowed

    def allows(self, caller, operation, resource, name):
        self.seen.append((str(caller.principal), caller.peer.host, operation))
        return operation in self._allowed


def envelope(frame=None, principal=b"", address=bytes([10, 0, 0, 1])):
    data = DefaultPrincipalData(type="User", name="alice", token_authenticated=False)
    return EnvelopeRequest(
        request_data=frame_of(INNER, 0) if frame is None else frame,
        request_principal=b"\0\0" + encode(data, 0) if principal == b"" else principal,
        client_host_address=address,
    )


def ask(request, *allowed):
    broker = broker_with(answers=[REPLY])
    broker.authorizer = Witness(*(allowed or (Operation.CLUSTER_ACTION, Operation.ALTER)))
    response = asyncio.run(handle(call_of(request, 0, "CONTROLLER"), broker))
    return response, broker.authorizer.seen


def test_the_answer_comes_back_whole_with_its_header():
    response, seen = ask(envelope())
    assert int.from_bytes(response.response_data[:4], "big") == 7
    inner = decode(UnregisterBrokerResponse, 0, response.response_data[HEADER_BYTES:])
    assert (response.error_code, inner.error_message) == (0, "done")
    assert seen == [
        ("User:ANONYMOUS", "client", Operation.CLUSTER_ACTION),
        ("User:alice", "10.0.0.1", Operation.ALTER),
    ]


def test_what_goes_wrong_inside_is_reported_inside():
    response, _ = ask(envelope(), Operation.CLUSTER_ACTION)
    inner = decode(UnregisterBrokerResponse, 0, response.response_data[HEADER_BYTES:])
    assert response.error_code == 0
    assert inner.error_code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (envelope(frame=b"short"), ErrorCode.INVALID_REQUEST),
        (envelope(frame=frame_of(INNER, 0)[:-1]), ErrorCode.INVALID_REQUEST),
        (envelope(frame=frame_of(INNER, 0, says_version=9)), ErrorCode.INVALID_REQUEST),
        (
            envelope(frame=frame_of(ListOffsetsRequest(replica_id=-1, topics=[]), 1)),
            ErrorCode.INVALID_REQUEST,
        ),
        (envelope(address=b"123"), ErrorCode.INVALID_REQUEST),
        (envelope(principal=None), ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        (envelope(principal=b"\0\7x"), ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
        (envelope(principal=b"\0\0\xff"), ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE),
    ],
)
def test_an_envelope_that_makes_no_sense_is_refused(request_, code):
    with pytest.raises(KafkaError) as refusal:
        ask(request_)
    assert refusal.value.code == code


def test_only_nodes_of_the_cluster_may_speak_for_others():
    with pytest.raises(KafkaError) as refusal:
        ask(envelope(), Operation.ALTER)
    assert refusal.value.code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


class Elsewhere:
    """A node that does not lead."""

    leader_id = 2

    async def ask(self, request, call):
        raise KafkaError(ErrorCode.NOT_CONTROLLER)


def test_who_asks_the_wrong_node_learns_it_from_the_envelope():
    broker = broker_with()
    broker.metadata = Elsewhere()
    broker.authorizer = Witness(Operation.CLUSTER_ACTION, Operation.ALTER)
    with pytest.raises(KafkaError) as refusal:
        asyncio.run(handle(call_of(envelope(), 0, "CONTROLLER"), broker))
    assert refusal.value.code == ErrorCode.NOT_CONTROLLER


@pytest.mark.parametrize(
    "question",
    [
        (DescribeQuorumRequest(topics=[]), 2),
        (RemoveRaftVoterRequest(cluster_id=None, voter_id=1, voter_directory_id=bytes(16)), 0),
    ],
)
def test_what_only_the_quorums_leader_answers_is_refused_as_an_envelope_elsewhere(question):
    broker = broker_with()
    broker.metadata = Elsewhere()
    broker.authorizer = Witness(*Operation)
    sealed = envelope(frame=frame_of(*question))
    with pytest.raises(KafkaError) as refusal:
        asyncio.run(handle(call_of(sealed, 0, "CONTROLLER"), broker))
    assert refusal.value.code == ErrorCode.NOT_CONTROLLER
