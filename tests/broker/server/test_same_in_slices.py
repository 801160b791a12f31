"""A handler that is interrupted after each look at the clock answers the same as one that is not.

Requests are drawn, about what is there and what is not, and given to two brokers to which the same
has happened: one whose slices are never over, and one whose slices are over at once.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.call import LATER, Slices
from moldau.broker.server.group import offset_commit, offset_fetch
from moldau.broker.server.slices import in_slices
from moldau.broker.server.spliced import SplicedAnswer
from moldau.errors import KafkaError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.fields import fields_of
from moldau.protocol.wire.schema import Message, Struct
from moldau.protocol.wire.types import Array, Primitive
from tests.broker.server.asking import call_of
from tests.broker.server.data_broker import NOT_YET, Asked, DataBroker, topic_id
from tests.broker.server.group_broker import result_of
from tests.broker.server.hasty_clock import HastyDisk
from tests.protocol.messages.random_messages import Pair, random_message

APIS = {
    "Fetch": 13, "ListOffsets": 8, "Metadata": 12, "OffsetCommit": 9, "OffsetFetch": 9,
    "FindCoordinator": 5, "DescribeGroups": 5, "ListGroups": 5, "DeleteGroups": 2,
    "DeleteRecords": 2, "OffsetForLeaderEpoch": 4, "OffsetDelete": 0, "DescribeProducers": 0,
    "WriteTxnMarkers": 1, "AddPartitionsToTxn": 3, "ConsumerGroupDescribe": 1,
}  # fmt: skip
"""With a version of each."""
WORDS = ("t", "t", "g", "h", "absent", "", "Stable", "classic")
NUMBERS = (-1, 0, 0, 1, 2)
LENGTHS = (0, 1, 2, 5, 40)


def pair_of(name: str) -> Pair:
    request = next(api.request for api in BY_KEY.values() if api.name == name)
    return Pair(request, APIS[name])


def speak(random: SeededRandom, struct: Struct) -> None:
    """Put words and numbers in it that mean something to the brokers, and lists of any length."""
    for field in fields_of(type(struct)):
        value = getattr(struct, field.name)
        if isinstance(value, Struct):
            speak(random, value)
        elif isinstance(field.type, Array) and value:
            wanted = random.choice(LENGTHS)
            elements = [element for _ in range(wanted) for element in value][:wanted]
            setattr(struct, field.name, [varied(random, field.type.of, one) for one in elements])
        elif value is not None:
            setattr(struct, field.name, varied(random, field.type, value))


def varied(random: SeededRandom, wire_type: Any, value: Any) -> Any:
    if isinstance(value, Struct):
        copy = type(value)(**{name: getattr(value, name) for name in value.DECLARED})
        speak(random, copy)
        return copy
    if not isinstance(wire_type, Primitive):
        return value
    match wire_type.name:
        case "string":
            return random.choice(WORDS)
        case "uuid":
            return topic_id(random.choice(("t", "absent")))
        case "int8" | "int16" | "int32" | "int64":
            return random.choice(NUMBERS)
        case _:
            return value


def drawn(seed: int, name: str, count: int) -> list[Message]:
    random = SeededRandom(seed)
    made = []
    for _ in range(count):
        message: Any = random_message(random, pair_of(name))
        speak(random, message)
        if name == "Fetch":
            message.session_id, message.session_epoch, message.max_wait_ms = 0, -1, 0
        if name == "OffsetCommit":
            message.group_id, message.generation_id_or_member_epoch = "g", -1
        made.append(message)
    return made


async def answer_to(broker: DataBroker, request: Message, version: int) -> Any:
    asked = Asked(request.KEY, version)
    call = call_of(request, version)
    call.divert(asked.take)
    answer: Any = handler_of(request.KEY, BROKER[request.KEY])(call, broker.broker)
    if isinstance(answer, Slices):
        answer = await in_slices(broker.broker, answer)
    if isinstance(answer, Coroutine):
        answer = await answer
    if answer is not LATER:
        asked.take(answer)
    while asked.answer is NOT_YET:
        await broker.tasks.sleep(1)
    return asked.answer


def answers(name: str, requests: list[Message], disk: Any = None) -> list[bytes | str]:
    async def scenario(broker: DataBroker) -> list[bytes | str]:
        broker.broker.settings.auto_create_topics_enable = False
        if disk is not None:
            broker.broker.fetch_sessions.listed_max = 2
        found: list[bytes | str] = []
        for request in requests:
            try:
                answer = await answer_to(broker, request, APIS[name])
            except KafkaError as error:
                found.append(repr(error))
                continue
            is_spliced = isinstance(answer, SplicedAnswer)
            found.append(answer.encode() if is_spliced else encode(answer, APIS[name]))
        return found

    return result_of(scenario, disk=disk)


@pytest.fixture
def short_parts(monkeypatch):
    """Who would be long enough to be worked on in parts is so from the third element on."""
    monkeypatch.setattr(offset_commit, "PARTITIONS_MAX", 2)
    monkeypatch.setattr(offset_fetch, "PART_PARTITIONS", 3)


@pytest.mark.parametrize("name", APIS)
def test_answers_are_the_same_in_slices(name, seed, volume, monkeypatch, request):
    print(f"seed {seed}")
    count = volume(30, 1_000)
    expected = answers(name, drawn(seed, name, count))
    request.getfixturevalue("short_parts")
    assert answers(name, drawn(seed, name, count), HastyDisk()) == expected
