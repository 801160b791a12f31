"""The way to the quorum."""

import asyncio

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.quorum.access import ask_quorum
from moldau.errors import KafkaError
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.quorum_asking import Only, request_of


def test_a_refusal_says_who_may_not_do_what():
    broker = broker_with()
    broker.authorizer = Only(Operation.DESCRIBE)
    with pytest.raises(KafkaError, match="ANONYMOUS may not ALTER the cluster"):
        asyncio.run(ask_quorum(call_of(request_of("Vote"), 0), broker, Operation.ALTER))


def test_request_and_version_reach_the_quorum():
    broker = broker_with(answers=["answer"])
    call = call_of(request_of("Vote"), 1)
    assert asyncio.run(ask_quorum(call, broker, Operation.ALTER)) == "answer"
    assert broker.metadata.asked == [call.request]
