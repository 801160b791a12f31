"""Requests for topics that ask for schemas: by both ways, nothing is appended that is refused."""

from __future__ import annotations

import pytest

from moldau.broker.server.call import CLOSE
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import frame_of
from tests.broker.server.data_broker import result_of, topic_id
from tests.broker.server.frame_sender import FrameSender
from tests.broker.server.produce.schema_world import (
    GOOD,
    SEVEN,
    Registry,
    asking_topic,
    values,
)
from tests.broker.server.produce.schemas.test_conditions import (
    ABOVE,
    NUMBER,
    RULES,
    known_schema,
    payload,
)

Data = ProduceRequest.TopicProduceData
WRONG = values(GOOD, SEVEN)
FINE = values(GOOD)


def request(acks=1, **batches):
    return ProduceRequest(
        acks=acks,
        timeout_ms=1000,
        topic_data=[
            Data(
                name=name,
                topic_id=topic_id(name),
                partition_data=[Data.PartitionProduceData(index=0, records=batch)],
            )
            for name, batch in batches.items()
        ],
    )


def outcomes(answer):
    return [
        (one.error_code, one.base_offset, [error.batch_index for error in one.record_errors])
        for topic in answer.responses
        for one in topic.partition_responses
    ]


def ends(world):
    return [world.partition(name).log_end_offset for name in ("topic", "other")]


REFUSED = (ErrorCode.INVALID_RECORD, -1, [1])


@pytest.mark.parametrize("version", [9, 13])
def test_a_wrong_record_refuses_its_batch_and_no_other(version):
    async def scenario(world):
        await asking_topic(world, Registry())
        first = outcomes(await world.ask(request(topic=WRONG, other=WRONG), version))
        second = outcomes(await world.ask(request(topic=FINE), version))
        return first, second, ends(world)

    assert result_of(scenario) == ([REFUSED, (0, 0, [])], [(0, 0, [])], [1, 2])


def test_the_bytes_of_a_request_are_judged_as_the_message_is():
    async def scenario(world):
        registry = Registry()
        await asking_topic(world, registry)
        sender = FrameSender(world.broker, reads_fast=True)
        answers = []
        for batch in (FINE, WRONG, FINE):
            line = sender.open(frame_of(request(topic=bytes(batch), other=bytes(batch)), 13))
            await world.tasks.sleep(1)
            answers.append((b"".join(line.sent).count(b"registry"), line.is_closed))
        return sender.read_fast, answers, registry.asked, ends(world)

    read_fast, answers, asked, found = result_of(scenario)
    assert (read_fast, asked, found) == (3, [1, 7], [2, 4])
    assert [closed for _, closed in answers] == [False] * 3
    assert [count > 0 for count, _ in answers] == [False, True, False]


def test_the_connection_of_a_sender_who_waits_for_no_answer_is_closed():
    async def scenario(world):
        await asking_topic(world, Registry())
        return await world.ask(request(acks=0, topic=WRONG), 13), ends(world)

    assert result_of(scenario) == (CLOSE, [0, 0])


def test_the_topic_of_a_sender_who_may_not_write_is_not_looked_at():
    class Nothing:
        def allows(self, *_):
            return False

    async def scenario(world):
        registry = Registry()
        await asking_topic(world, registry)
        world.broker.authorizer = Nothing()
        answer = await world.ask(request(topic=FINE), 13)
        return outcomes(answer)[0][0], registry.asked

    assert result_of(scenario) == (ErrorCode.TOPIC_AUTHORIZATION_FAILED, [])


def test_what_is_no_batch_is_refused_as_ever():
    async def scenario(world):
        await asking_topic(world, Registry())
        damaged = bytearray(FINE)
        damaged[-2] ^= 1
        return outcomes(await world.ask(request(topic=damaged), 13))[0][0], ends(world)

    assert result_of(scenario) == (ErrorCode.CORRUPT_MESSAGE, [0, 0])


def test_a_broken_rule_refuses_its_batch_by_both_ways_before_anything_is_appended():
    pytest.importorskip("celpy", reason="cel-python is not installed")
    known = known_schema(ABOVE)
    good, bad = payload(known, 6), payload(known, 5)

    async def scenario(world):
        registry = Registry()
        registry.known[NUMBER] = known
        await asking_topic(world, registry, **RULES)
        sender = FrameSender(world.broker, reads_fast=True)
        for batch in (values(good), values(good, bad), values(good)):
            frame = frame_of(request(topic=bytes(batch), other=bytes(batch)), 13)
            line = sender.open(frame)
            await world.tasks.sleep(1)
            lines.append(b"breaks the rule" in b"".join(line.sent))
        ask = request(topic=values(good, bad, bad), other=values(good))
        return outcomes(await world.ask(ask, 13)), sender.read_fast, ends(world)

    lines: list[bool] = []
    invalid = (ErrorCode.INVALID_RECORD, -1, [1, 2])
    assert result_of(scenario) == ([invalid, (0, 4, [])], 3, [2, 5])
    assert lines == [False, True, False]
