"""A change is an event with its answer's errors, whichever way its handler answers."""

import asyncio

import pytest

from moldau.broker.server.audit import changes
from moldau.broker.server.audit.changes import AuditedHandlers
from moldau.broker.server.call import LATER
from moldau.errors import KafkaError
from moldau.platform.slices import at_once
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of

TOPIC = CreateTopicsRequest.CreatableTopic(
    name="t", num_partitions=1, replication_factor=1, assignments=[], configs=[]
)
FAILED = CreateTopicsResponse(
    topics=[
        CreateTopicsResponse.CreatableTopicResult(
            name="t", error_code=36, error_message=None, configs=[]
        )
    ]
)


def asked(**given):
    return call_of(CreateTopicsRequest(topics=[TOPIC], timeout_ms=1, **given), 7)


def answered(monkeypatch, handle, call=None):
    """What the handler, as it is found, answers in the end; and what was noted."""
    found = []
    monkeypatch.setattr(changes, "handler_of", lambda api_key, module: handle)
    handlers = AuditedHandlers(lambda call, things, errors: found.append((things, errors)))
    answer = handlers.find(ApiKey.CREATE_TOPICS, "topic.create_topics")(
        call or asked(), broker_with()
    )
    if asyncio.iscoroutine(answer):
        answer = asyncio.run(answer)
    return answer, found


async def in_a_task(call, broker):
    return FAILED


def straight(call, broker):
    return FAILED


def in_slices(call, broker):
    def work():
        yield
        return FAILED

    return work()


@pytest.mark.parametrize("handle", [in_a_task, straight, in_slices])
def test_an_answer_is_noted_with_its_errors(monkeypatch, handle):
    answer, found = answered(monkeypatch, handle)
    if answer is not FAILED:
        assert at_once(answer) is FAILED
    assert found == [(["topic t"], {"TOPIC_ALREADY_EXISTS"})]


def test_one_that_comes_later_is_noted_when_it_does(monkeypatch):
    sent: list[object] = []
    call = asked()
    call.divert(sent.append)
    _, found = answered(monkeypatch, lambda call, broker: LATER, call)
    assert found == []
    call.answer(FAILED)
    assert (sent, len(found)) == ([FAILED], 1)


def test_a_refusal_is_noted_with_its_code(monkeypatch):
    async def refuse(call, broker):
        raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)

    noted = []
    monkeypatch.setattr(changes, "handler_of", lambda api_key, module: refuse)
    handlers = AuditedHandlers(lambda call, things, errors: noted.append(errors))
    with pytest.raises(KafkaError):
        asyncio.run(handlers.find(ApiKey.CREATE_TOPICS, "")(asked(), broker_with()))
    assert noted == [{"CLUSTER_AUTHORIZATION_FAILED"}]


def test_what_is_only_validated_is_no_change(monkeypatch):
    assert answered(monkeypatch, straight, asked(validate_only=True))[1] == []


def test_other_requests_keep_their_handler(monkeypatch):
    monkeypatch.setattr(changes, "handler_of", lambda api_key, module: straight)
    assert AuditedHandlers(lambda *noted: None).find(ApiKey.PRODUCE, "") is straight
