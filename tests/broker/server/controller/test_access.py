"""A client that may not ask the controller gets the name of the right that it lacks."""

import asyncio

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.controller.access import ask_controller, denial, forward, may, require
from moldau.errors import KafkaError
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge

CALL = call_of(UnregisterBrokerRequest(broker_id=1), 0)


def test_who_may_gets_the_controllers_answer():
    broker = broker_with(answers=["answer"])
    assert asyncio.run(ask_controller(CALL, broker, Operation.ALTER)) == "answer"
    assert may(CALL, broker, Operation.ALTER)


def test_without_time_nothing_is_decided():
    request = DeleteTopicsRequest(topics=[], topic_names=["t"], timeout_ms=0)
    with pytest.raises(KafkaError) as refusal:
        asyncio.run(forward(call_of(request, 5), broker_with(), request))
    assert refusal.value.code == ErrorCode.REQUEST_TIMED_OUT


def test_who_may_not_is_refused_by_the_kind_of_resource():
    broker = broker_with()
    broker.authorizer = Judge((Operation.READ,))
    assert not may(CALL, broker, Operation.ALTER)
    with pytest.raises(KafkaError) as refusal:
        require(CALL, broker, Operation.ALTER, Resource.TOPIC, "t")
    assert refusal.value.code == ErrorCode.TOPIC_AUTHORIZATION_FAILED
    require(CALL, broker, Operation.READ, Resource.TOPIC, "t")


def test_a_denial_names_who_what_and_where():
    text = str(denial(CALL, Operation.ALTER, Resource.GROUP, "g"))
    assert text == "User:ANONYMOUS may not ALTER GROUP 'g'"
