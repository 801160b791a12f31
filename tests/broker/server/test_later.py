"""An answer from a task is one like any other, also where the task failed."""

from __future__ import annotations

import pytest

from moldau.broker.server.call import LATER
from moldau.broker.server.later import answer_later
from moldau.errors import KafkaError
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of


def answer_of(work):
    """What is answered when a task does this."""

    async def main(tasks):
        topic = ProduceRequest.TopicProduceData
        data = topic.PartitionProduceData(index=0, records=b"")
        request = ProduceRequest(
            acks=1, timeout_ms=0, topic_data=[topic(name="t", partition_data=[data])]
        )
        call = call_of(request, 9)
        answers: list[object] = []
        call.divert(answers.append)
        assert answer_later(call, broker_with(tasks=tasks), work()) is LATER
        await tasks.sleep(1)
        return answers

    return run(main)


def test_what_the_task_returns_is_answered():
    async def work():
        return None

    assert answer_of(work) == [None]


def test_a_task_may_leave_the_answer_to_another_task():
    async def work():
        return LATER

    assert answer_of(work) == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KafkaError(ErrorCode.NOT_COORDINATOR), ErrorCode.NOT_COORDINATOR),
        (ZeroDivisionError(), ErrorCode.UNKNOWN_SERVER_ERROR),
    ],
)
def test_a_failed_task_is_answered_with_its_error(error, code):
    async def work():
        raise error

    (response,) = answer_of(work)
    assert response.responses[0].partition_responses[0].error_code == code
