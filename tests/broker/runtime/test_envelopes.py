"""Clients' requests that a broker passes on."""

from __future__ import annotations

import asyncio

import pytest

from moldau.broker.controller.decision import Call, Sender
from moldau.broker.runtime.envelopes import open_answer, seal
from moldau.broker.server.controller.envelope import handle
from moldau.errors import KafkaError
from moldau.network.principal import Principal
from moldau.protocol.messages.broker.envelope import EnvelopeResponse
from moldau.protocol.messages.cluster.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

ASKED = UnregisterBrokerRequest(broker_id=7)
REPLY = UnregisterBrokerResponse(throttle_time_ms=0, error_code=0, error_message="done")


class Judge:
    """Allows everything, and remembers who asked from where."""

    def __init__(self) -> None:
        self.seen: list[tuple[object, str]] = []

    def allows(self, caller, operation, resource, name):
        self.seen.append((caller.principal, caller.peer.host))
        return True


def passed_on(host: str = "10.0.0.1") -> tuple[object, tuple[object, str]]:
    """What comes of it at the controller: the answer, and which client is named."""
    broker = broker_with(answers=[REPLY])
    broker.authorizer = judge = Judge()
    alice = Principal("User", "alice", token_authenticated=True)
    envelope = seal(ASKED, Call(0, client_id="me", sender=None), Sender(alice, host, 3))
    response = asyncio.run(handle(call_of(envelope, 0, "CONTROLLER"), broker))
    return open_answer(response, ASKED, 0), judge.seen[-1]


def test_the_controller_sees_the_client_and_its_answer_comes_back():
    answer, client = passed_on()
    assert answer == REPLY
    assert client == (Principal("User", "alice", token_authenticated=True), "10.0.0.1")


@pytest.mark.parametrize(
    ("host", "named"), [("::1", "::1"), ("fe80::1%eth0", "fe80::1"), ("somewhere", "0.0.0.0")]
)
def test_a_host_is_given_as_an_address(host, named):
    assert passed_on(host)[1][1] == named


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (EnvelopeResponse(error_code=ErrorCode.NOT_CONTROLLER), ErrorCode.NOT_CONTROLLER),
        (EnvelopeResponse(error_code=0), ErrorCode.UNKNOWN_SERVER_ERROR),
        (
            EnvelopeResponse(error_code=0, response_data=b"\0\0\0\1\0x"),
            ErrorCode.UNKNOWN_SERVER_ERROR,
        ),
    ],
)
def test_an_envelope_without_an_answer_is_an_error(response, code):
    with pytest.raises(KafkaError) as refused:
        open_answer(response, ASKED, 0)
    assert refused.value.code == code
