"""Produce by the short way and by the handler: the same answers, the same log, the same counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count as numbers
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from moldau.broker.log.reading import Isolation
from moldau.broker.metadata.settings import Quotas
from moldau.broker.metadata.topics import Topics
from moldau.errors import DiskFullError
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.batch import set_checksum
from tests.broker.log.batches import batch
from tests.broker.server.asking import frame_of, sized
from tests.broker.server.data_broker import DataBroker, result_of, topic_id
from tests.broker.server.frame_sender import FrameSender

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}
KNOWN = ("topic", "other", "a", "__consumer_offsets", "followed")
Data = ProduceRequest.TopicProduceData
PLAIN = batch(0, (b"a", b"b"))
TAGS = b"\1\0\1\7"
"""An unknown one, instead of none."""


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


INDEXES = ((0,), (0,), (1,), (0, 1), (2, 0, 1), (0, 1, 2), (1, 1), (0, 1, 0), (0, 9), (9,), ())
NAMES = (
    ("topic",), ("topic",), ("topic", "other"), ("other", "a", "topic"), ("topic", "topic"),
    ("topic", "absent"), ("followed", "other"), ("__consumer_offsets",), ("",), (),
)  # fmt: skip


@some.composite
def topics(draw: Any, records: Any) -> Any:
    """What a request has for one topic after the other."""
    return [
        Data(
            name=name,
            topic_id=topic_id(name),
            partition_data=[
                Data.PartitionProduceData(index=index, records=draw(records))
                for index in draw(some.sampled_from(INDEXES))
            ],
        )
        for name in draw(some.sampled_from(NAMES))
    ]


@some.composite
def frames(draw: Any) -> Any:
    """Requests in our versions; some of them damaged."""
    version = draw(some.sampled_from((9, 12, 13)))
    request = ProduceRequest(
        acks=draw(some.sampled_from((1, 1, -1, 0, 3))),
        timeout_ms=1000,
        transactional_id=draw(some.sampled_from((None, None, None, "mine"))),
        topic_data=draw(topics(batches())),
    )
    frame = bytearray(frame_of(request, version))
    if draw(some.integers(0, 9)) == 0:
        frame[draw(some.integers(8, len(frame) - 1))] ^= draw(some.integers(1, 255))
    return bytes(frame) + draw(some.sampled_from((b"", b"", b"", b"\0")))


@some.composite
def refusable(draw: Any) -> Any:
    """Batches in our shape of which the log refuses some, whatever was appended before."""
    sequence = draw(some.sampled_from((-1, -1, 0, 2, 9)))
    producer = (-1, -1, -1) if sequence < 0 else (7, 0, sequence)
    made = batch(0, (b"a", b"b"), producer=producer)
    made[-1] ^= draw(some.sampled_from((0, 0, 0, 1)))
    return bytes(made)


def everything(world: DataBroker) -> list[Any]:
    """What lies in the logs, and what was counted."""
    seen: list[Any] = []
    for topic in KNOWN:
        for index in world.metadata.image.topics.by_name[topic].partitions:
            found = world.partition(topic, index).read(0, 1 << 20, Isolation.LOG_END)
            seen.append((topic, index, found.read(), found.high_watermark))
    return [*seen, sorted((str(name), repr(kind)) for name, kind in world.broker.metrics)]


def one_way(sent: list[bytes], *, reads_fast: bool) -> tuple[list[Any], int]:
    """All that can be seen from outside, and how many went the short sender."""

    async def scenario(world: DataBroker) -> tuple[list[Any], int]:
        for topic in ("topic", "other", "a", "__consumer_offsets"):
            await world.topic(topic, 3)
        await world.topic("followed", **TWO)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        seen: list[Any] = [sender.send(frame) for frame in sent]
        await world.tasks.sleep(1)  # questions about transactions find no coordinator
        return [*seen, *everything(world)], sender.read_fast

    return result_of(scenario)


@settings(max_examples=60, deadline=None)
@given(some.lists(frames(), min_size=1, max_size=6))
def test_both_ways_answer_append_and_count_alike(sent):
    with_reader, _ = one_way(sent, reads_fast=True)
    without, read_fast = one_way(sent, reads_fast=False)
    assert with_reader == without
    assert not read_fast


@settings(max_examples=60, deadline=None)
@given(some.lists(topics(refusable()), min_size=1, max_size=4))
def test_what_a_log_refuses_is_reported_and_counted_as_by_the_handler(asked):
    sent = [frame_of(ProduceRequest(acks=1, timeout_ms=1, topic_data=one), 13) for one in asked]
    assert one_way(sent, reads_fast=True)[0] == one_way(sent, reads_fast=False)[0]


def ordinary(
    version: int = 13,
    acks: int = 1,
    name: str = "topic",
    indexes: Iterable[int] = (0,),
    names: tuple[str, ...] = (),
    records: bytes | bytearray | None = PLAIN,
    **fields: Any,
) -> Any:
    data = [
        Data(
            name=one,
            topic_id=topic_id(one),
            partition_data=[
                Data.PartitionProduceData(index=index, records=records) for index in indexes
            ],
        )
        for one in names or (name,)
    ]
    return frame_of(ProduceRequest(acks=acks, timeout_ms=1000, topic_data=data, **fields), version)


@pytest.mark.parametrize("version", [9, 12, 13])
@pytest.mark.parametrize("acks", [1, -1])
def test_an_ordinary_request_goes_the_short_way(version, acks):
    sent = [
        ordinary(version, acks),
        ordinary(version, acks, indexes=(2, 0, 1)),
        ordinary(version, acks, indexes=(1, 0), names=("other", "topic", "a")),
    ]
    seen, read_fast = one_way(sent * 2, reads_fast=True)
    assert read_fast == 6
    assert seen == one_way(sent * 2, reads_fast=False)[0]


def test_ordinary_requests_take_the_fast_way_from_their_bytes_to_the_file():
    """What the plain way would refuse, for it looks at records, shows which of the two it was."""

    async def scenario(world: DataBroker) -> tuple[int, int]:
        await world.topic("topic", 1)
        sender, log = FrameSender(world.broker, reads_fast=True), world.partition("topic").log
        sender.send(ordinary(acks=-1))
        log.state.rules = replace(log.state.rules, is_compacted=True)
        for sequence in range(4):
            keyless = batch(0, (b"a", b"b"), producer=(7, 0, 2 * sequence), key=None)
            set_checksum(keyless, len(keyless))
            sender.send(ordinary(acks=-1, records=bytes(keyless)))
        return sender.read_fast, log.log_end_offset

    assert result_of(scenario) == (5, 10)


@pytest.mark.parametrize("count", [126, 127, 128, 400])
def test_a_topic_may_have_more_partitions_than_a_byte_counts(count):
    async def scenario(world: DataBroker) -> tuple[Any, int]:
        await world.topic("topic", count)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        return sender.send(ordinary(indexes=range(count))), sender.read_fast

    reads_fast = True
    answer, read_fast = result_of(scenario)
    reads_fast = False
    assert read_fast == 1
    assert (answer, 0) == result_of(scenario)


@pytest.mark.parametrize("size", [1, 50, 51, 52, 16_300, 16_308, 16_309, 16_310, 100_000])
def test_a_batch_may_be_of_any_size(size):
    sent = [ordinary(indexes=(0, 1), records=batch(0, (bytes(size),)))] * 2
    seen, read_fast = one_way(sent, reads_fast=True)
    assert read_fast == 2
    assert seen == one_way(sent, reads_fast=False)[0]


def strange() -> Iterator[bytes]:
    """Frames that look like ours."""
    whole = ordinary()
    yield from (ordinary(acks=0), ordinary(acks=2), ordinary(8))
    yield from (ordinary(12, name="__consumer_offsets"), ordinary(name="__consumer_offsets"))
    yield from (ordinary(name="absent"), ordinary(12, name="absent"), ordinary(12, name=""))
    yield from (ordinary(transactional_id="mine"), ordinary(transactional_id=""))
    yield from (ordinary(indexes=(0, 0)), ordinary(indexes=(0, 9)), ordinary(indexes=()))
    yield from (ordinary(names=("topic", "topic")), ordinary(names=("topic", "absent")))
    for records in (PLAIN + b"\0", PLAIN * 2, PLAIN[:-1], PLAIN[:60], b"", None):
        yield ordinary(records=records)
    yield ordinary(records=PLAIN[:16] + b"\1" + PLAIN[17:])
    yield ordinary(records=batch(attributes=0x10, producer=(7, 0, 0)))
    yield from (whole[:-end] + TAGS + whole[len(whole) - end + 1 :] for end in (1, 2, 3))
    yield from (whole + b"\0", whole[:-1], whole[:40], whole[:-3] + b"\1\0\0")
    yield whole.replace(b"\2" + topic_id("topic"), b"\1" + topic_id("topic"))


@pytest.mark.parametrize("frame", list(strange()), ids=numbers())
def test_what_is_out_of_the_ordinary_is_left_to_the_handler(frame):
    seen, read_fast = one_way([frame] * 2, reads_fast=True)
    assert read_fast == 0
    assert seen == one_way([frame] * 2, reads_fast=False)[0]


def waiting(*, reads_fast: bool, follows: bool) -> tuple[list[Any], int]:
    """What comes of two requests for all replicas, of which the second is late or followed."""

    async def scenario(world: DataBroker) -> tuple[list[Any], int]:
        await world.topic("topic", 3)
        await world.topic("followed", **TWO)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        frame = ordinary(acks=-1, names=("topic", "followed"))
        lines, partition = [sender.open(frame), sender.open(frame)], world.partition("followed")
        assert [line.sent for line in lines] == [[], []]
        partition.followers[2].log_end_offset = 4 if follows else 2
        partition.advance_high_watermark()
        partition.wake()
        await world.tasks.sleep(2000)
        return [line.sent for line in lines], sender.read_fast

    return result_of(scenario)


@pytest.mark.parametrize("follows", [False, True])
def test_what_waits_for_replicas_is_answered_alike(follows):
    sent, read_fast = waiting(reads_fast=True, follows=follows)
    assert (sent, 0) == waiting(reads_fast=False, follows=follows)
    assert read_fast == 2
    assert [len(line) for line in sent] == [1, 1]


def changed(change: Any) -> tuple[list[Any], list[int]]:
    """Answers before and after a change, and how many had gone the short way then."""

    async def scenario(world: DataBroker) -> tuple[list[Any], list[int]]:
        await world.topic("topic")
        sender = FrameSender(world.broker, reads_fast=True)
        answers = [sender.send(ordinary()) for _ in range(3)]
        read_fast = [sender.read_fast]
        change(world)
        answers += [sender.send(ordinary()) for _ in range(2)]
        return answers, [*read_fast, sender.read_fast]

    return result_of(scenario)


def test_a_topic_that_is_deleted_is_no_longer_written_to():
    answers, read_fast = changed(lambda world: world.delete("topic"))
    assert read_fast == [3, 3]
    assert answers[3] == answers[4] != answers[2]


def test_partitions_that_come_and_go_are_known_at_once():
    async def scenario(world: DataBroker) -> list[int]:
        await world.topic("topic", 3)
        known = world.metadata.image
        sender, read_fast = FrameSender(world.broker, reads_fast=True), []
        for count in (3, 1, 2, 3):
            topic = known.topics.by_name["topic"]
            topic = replace(topic, partitions={at: topic.partitions[at] for at in range(count)})
            topics = Topics({"topic": topic}, {topic.topic_id: topic})
            world.metadata.image = replace(known, topics=topics)
            sender.send(ordinary(indexes=(0, 1)))
            read_fast.append(sender.read_fast)
        return read_fast

    assert result_of(scenario) == [1, 1, 2, 3]


def test_who_may_no_longer_write_is_refused_by_the_handler():
    class Nothing:
        def allows(self, *asked: Any) -> bool:
            return False

    answers, read_fast = changed(lambda world: setattr(world.broker, "authorizer", Nothing()))
    assert read_fast == [3, 3]
    assert answers[3] == answers[4] != answers[2]


def test_where_a_quota_is_set_the_handler_answers_and_the_dispatcher_measures():
    def set_quota(world: DataBroker) -> None:
        quotas = Quotas({(("user", None),): {"producer_byte_rate": 1e9}})
        world.metadata.image = replace(world.metadata.image, quotas=quotas)

    _, read_fast = changed(set_quota)
    assert read_fast == [3, 3]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_a_disk_that_fails_is_reported_as_the_handler_reports_it(failing):
    async def scenario(world: DataBroker) -> list[Any]:
        await world.topic("topic", 3)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        log = world.partition("topic", failing).log
        log.state.failure = DiskFullError(log.directory, "no room is left")
        answers = [sender.send(ordinary(indexes=(0, 1, 2))) for _ in range(2)]
        return [answers, sorted((str(name), repr(kind)) for name, kind in world.broker.metrics)]

    reads_fast = True
    seen = result_of(scenario)
    reads_fast = False
    assert seen == result_of(scenario)
    assert b"no room is left" in seen[0][0][0]


def pipelined(*, reads_fast: bool, has_quotas: bool = False) -> tuple[list[int], list[bytes]]:
    """How far the log is while nothing is replicated, and what comes back to two requests."""

    async def scenario(world: DataBroker) -> tuple[list[int], list[bytes]]:
        await world.topic("followed", **TWO)
        if has_quotas:
            quotas = Quotas({(("client-id", None),): {"request_percentage": 50.0}})
            world.metadata.image = replace(world.metadata.image, quotas=quotas)
        sender, partition = (
            FrameSender(world.broker, reads_fast=reads_fast),
            world.partition("followed"),
        )
        frame = ordinary(acks=-1, name="followed")
        line = sender.open(frame, behind=sized(frame))
        ends = [partition.log_end_offset]
        partition.followers[2].log_end_offset = 4
        partition.advance_high_watermark()
        partition.wake()
        await world.tasks.sleep(100)
        return [*ends, partition.log_end_offset], line.sent

    return result_of(scenario)


@pytest.mark.parametrize("reads_fast", [True, False])
def test_requests_under_way_are_appended_before_those_before_them_are_replicated(reads_fast):
    ends, sent = pipelined(reads_fast=reads_fast)
    assert ends == [4, 4]
    both = b"".join(sent)
    first, second = both[: len(both) // 2], both[len(both) // 2 :]
    assert len(first) == len(second)
    assert first != second, "each has the offset of its own batch"


def test_who_may_have_to_be_muted_has_one_request_in_work():
    ends, _ = pipelined(reads_fast=False, has_quotas=True)
    assert ends == [2, 4]
