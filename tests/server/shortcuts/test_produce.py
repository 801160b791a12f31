"""Produce by the short way and by the handler: the same answers, the same log, the same counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from moldau.errors import DiskFullError
from moldau.log.reading import Isolation
from moldau.messages.data.produce import ProduceRequest
from moldau.metadata.settings import Quotas
from moldau.records.batch import set_checksum
from tests.log.batches import batch
from tests.server.asking import frame_of
from tests.server.data_broker import DataBroker, play, topic_id
from tests.server.shortcuts.two_ways import Way

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}
TOPICS = ("topic", "followed", "absent", "__consumer_offsets", "", "a")
Data = ProduceRequest.TopicProduceData


@some.composite
def batches(draw: Any) -> Any:
    """Ordinary ones, mostly; and what producers send by mistake."""
    sequence = draw(some.sampled_from((-1, 0, 2, 4, 9)))
    producer = (-1, -1, -1) if sequence < 0 else (7, 0, sequence)
    attributes = draw(some.sampled_from((0, 0, 0, 0x01, 0x04, 0x05, 0x08, 0x10, 0x20, 0x80)))
    made = batch(0, (b"a", b"b"), producer=producer, attributes=attributes)
    if draw(some.booleans()):
        return bytes(made)
    made[draw(some.integers(0, len(made) - 1))] ^= draw(some.integers(1, 255))
    if draw(some.booleans()):
        set_checksum(made, len(made))
    ends = some.sampled_from((bytes(made), bytes(made) * 2, bytes(made) + b"\0", bytes(made[:70])))
    return draw(some.one_of(ends, some.sampled_from((b"", None, bytes(made[:20])))))


@some.composite
def frames(draw: Any) -> Any:
    """Requests in our versions; some of them damaged."""
    version = draw(some.sampled_from((9, 12, 13)))
    names = draw(some.lists(some.sampled_from(("topic", *TOPICS)), min_size=1, max_size=2))
    data = [
        Data(
            name=name,
            topic_id=topic_id(name),
            partition_data=[
                Data.PartitionProduceData(index=index, records=draw(batches()))
                for index in draw(some.sampled_from(((0,), (1,), (0,), (0, 1), (9,), ())))
            ],
        )
        for name in names[: draw(some.sampled_from((1, 1, 1, 2)))]
    ]
    request = ProduceRequest(
        acks=draw(some.sampled_from((1, 1, -1, 0, 3))),
        timeout_ms=1000,
        transactional_id=draw(some.sampled_from((None, None, None, "mine"))),
        topic_data=data,
    )
    frame = bytearray(frame_of(request, version))
    if draw(some.integers(0, 9)) == 0:
        frame[draw(some.integers(8, len(frame) - 1))] ^= draw(some.integers(1, 255))
    return bytes(frame) + draw(some.sampled_from((b"", b"", b"", b"\0")))


def one_way(said: list[bytes], *, has_shortcuts: bool) -> tuple[list[Any], int]:
    """All that can be seen from outside, and how many went the short way."""

    async def story(world: DataBroker) -> tuple[list[Any], int]:
        await world.topic("topic", 2)
        await world.topic("followed", **TWO)
        way = Way(world.broker, has_shortcuts=has_shortcuts)
        seen: list[Any] = [way.say(frame) for frame in said]
        await world.tasks.sleep(1)  # questions about transactions find nobody to ask
        for name, index in (("topic", 0), ("topic", 1), ("followed", 0)):
            found = world.partition(name, index).read(0, 1 << 20, Isolation.LOG_END)
            seen.append((found.read(), found.high_watermark))
        seen.append(sorted((str(name), repr(kind)) for name, kind in world.broker.metrics))
        return seen, way.shortened

    return play(story)


@settings(max_examples=60, deadline=None)
@given(some.lists(frames(), min_size=1, max_size=6))
def test_both_ways_answer_append_and_count_alike(said):
    with_shortcuts, _ = one_way(said, has_shortcuts=True)
    without, shortened = one_way(said, has_shortcuts=False)
    assert with_shortcuts == without
    assert not shortened


def ordinary(version: int = 13, acks: int = 1, name: str = "topic", **fields: Any) -> Any:
    one = Data.PartitionProduceData(index=0, records=batch(0, (b"a", b"b")))
    data = Data(name=name, topic_id=topic_id(name), partition_data=[one])
    request = ProduceRequest(acks=acks, timeout_ms=1000, topic_data=[data], **fields)
    return frame_of(request, version)


@pytest.mark.parametrize("version", [9, 12, 13])
@pytest.mark.parametrize("acks", [1, -1])
def test_an_ordinary_request_goes_the_short_way(version, acks):
    said = [ordinary(version, acks)] * 3
    seen, shortened = one_way(said, has_shortcuts=True)
    assert shortened == 3
    assert seen == one_way(said, has_shortcuts=False)[0]


@pytest.mark.parametrize(
    "frame",
    [
        ordinary(acks=0), ordinary(12, name="__consumer_offsets"), ordinary(name="absent"),
        ordinary(acks=-1, name="followed"), ordinary(transactional_id="mine"), ordinary(8),
    ],
)  # fmt: skip
def test_what_is_out_of_the_ordinary_is_left_to_the_handler(frame):
    assert one_way([frame] * 3, has_shortcuts=True)[1] == 0


def changed(change: Any) -> tuple[list[Any], list[int]]:
    """Answers before and after a change, and how many had gone the short way then."""

    async def story(world: DataBroker) -> tuple[list[Any], list[int]]:
        await world.topic("topic")
        way = Way(world.broker, has_shortcuts=True)
        answers = [way.say(ordinary()) for _ in range(3)]
        shortened = [way.shortened]
        change(world)
        answers += [way.say(ordinary()) for _ in range(2)]
        return answers, [*shortened, way.shortened]

    return play(story)


def test_a_topic_that_is_deleted_is_no_longer_written_to():
    answers, shortened = changed(lambda world: world.delete("topic"))
    assert shortened == [3, 3]
    assert answers[3] == answers[4] != answers[2]


def test_who_may_no_longer_write_is_refused_by_the_handler():
    class Nobody:
        def allows(self, *asked: Any) -> bool:
            return False

    answers, shortened = changed(lambda world: setattr(world.broker, "authorizer", Nobody()))
    assert shortened == [3, 3]
    assert answers[3] == answers[4] != answers[2]


def test_where_a_quota_is_set_the_handler_answers_and_the_dispatcher_measures():
    def set_quota(world: DataBroker) -> None:
        quotas = Quotas({(("user", None),): {"producer_byte_rate": 1e9}})
        world.metadata.image = replace(world.metadata.image, quotas=quotas)

    _, shortened = changed(set_quota)
    assert shortened == [3, 3]


def test_a_disk_that_fails_is_told_as_the_handler_tells_it():
    def fail(world: DataBroker) -> None:
        log = world.partition("topic").log
        log.state.failure = DiskFullError(log.directory, "no room is left")

    answers, shortened = changed(fail)
    assert shortened == [3, 3]
    assert b"no room is left" in answers[3][0]
