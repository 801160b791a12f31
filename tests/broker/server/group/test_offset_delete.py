"""OffsetDelete through its handler."""

from __future__ import annotations

import pytest

from moldau.broker.server.group.offset_delete import handle
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit, delete
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, result_of

UNKNOWN = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def ask(request, forbids=()):
    async def scenario(one: DataBroker):
        await one.ask(commit(7).request, 9)
        one.broker.authorizer = Forbids(*forbids)
        answer = await one.ask(request, 0)
        return [(one.partition_index, one.error_code) for one in answer.topics[0].partitions]

    return result_of(scenario)


def test_what_is_unknown_is_refused_alone_and_stands_first():
    assert ask(delete(0, 9).request) == [(9, UNKNOWN), (0, 0)]
    assert ask(delete(0, topic="gone").request) == [(0, UNKNOWN)]


def test_a_group_that_is_not_there_is_reported_whatever_the_topics_are():
    async def scenario(one: DataBroker):
        with pytest.raises(KafkaError) as caught:
            await handle(call_of(delete(0, topic="gone").request, 0), one.broker)
        return caught.value.code

    assert result_of(scenario) == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_known_topic_without_partitions_is_left_out():
    async def scenario(one: DataBroker):
        await one.ask(commit(7).request, 9)
        return (await one.ask(delete().request, 0)).topics

    assert result_of(scenario) == []


def test_a_forbidden_topic_is_refused():
    assert ask(delete(0).request, ["t"]) == [(0, ErrorCode.TOPIC_AUTHORIZATION_FAILED)]


def test_a_group_needs_a_name():
    asked = handle(call_of(delete(0, group="").request, 0), broker_with())
    with pytest.raises(KafkaError, match="needs a name"):
        asked.send(None)
