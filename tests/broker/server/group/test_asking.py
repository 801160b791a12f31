"""Putting requests to the group coordinator."""

from __future__ import annotations

import pytest

from moldau.broker.server.group.asking import (
    ask_group,
    check_group,
    client_host,
    may_read_topic,
    with_message,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.group.heartbeat import HeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import heartbeat
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.group_broker import Forbids

CALL = call_of(heartbeat("m").request, 4)


def test_a_client_is_shown_by_a_slash_and_its_address():
    assert client_host(CALL) == f"/{CALL.peer.host}"


def test_what_is_forbidden_is_refused():
    broker = broker_with()
    broker.authorizer = Forbids("g", "t")
    with pytest.raises(KafkaError) as caught:
        check_group(CALL, broker, "g")
    assert caught.value.code == ErrorCode.GROUP_AUTHORIZATION_FAILED
    check_group(CALL, broker, "h")
    assert not may_read_topic(CALL, broker, "t")


def test_a_node_without_coordinator_says_so():
    asked = ask_group(CALL, broker_with(), "g", HeartbeatResponse)
    with pytest.raises(KafkaError, match="coordinates no groups"):
        asked.send(None)


def test_an_error_without_a_message_gets_that_of_its_code():
    with pytest.raises(KafkaError) as bare, with_message():
        raise KafkaError(ErrorCode.NOT_COORDINATOR)
    assert bare.value.message == ErrorCode.NOT_COORDINATOR.message
    with pytest.raises(KafkaError, match="because"), with_message():
        raise KafkaError(ErrorCode.NOT_COORDINATOR, "because")
