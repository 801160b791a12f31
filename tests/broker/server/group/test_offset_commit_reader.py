"""Commits by the short way and by the handler: the same answers, the same log, the same counts."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from moldau.broker.log.reading import Isolation
from moldau.broker.metadata.settings import Quotas
from moldau.broker.replica.isr import FollowerProgress
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.errors import DiskFullError
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.consumer.conversation import join
from tests.broker.server.asking import answers_in, frame_of
from tests.broker.server.data_broker import DataBroker, topic_id
from tests.broker.server.frame_sender import FrameSender
from tests.broker.server.group_broker import Forbids, enable_protocols, result_of

Topic = OffsetCommitRequest.OffsetCommitRequestTopic
Partition = Topic.OffsetCommitRequestPartition


def topic(name: str = "t", *partitions: Partition) -> Topic:
    return Topic(name=name, topic_id=topic_id(name), partitions=list(partitions or (one(),)))


def one(index: int = 0, offset: int = 7, metadata: str | None = "", epoch: int = 1) -> Partition:
    return Partition(
        partition_index=index,
        committed_offset=offset,
        committed_leader_epoch=epoch,
        committed_metadata=metadata,
    )


def commit(*topics: Topic, version: int = 9, group: str = "g", **fields: Any) -> bytes:
    given: dict[str, Any] = {"member_id": "", **fields}
    for asked in topics:
        asked.name, asked.topic_id = (
            (asked.name, bytes(16)) if version < 10 else ("", topic_id(asked.name))
        )
    request = OffsetCommitRequest(group_id=group, topics=list(topics), **given)
    return bytes(frame_of(request, version))


class Sent(NamedTuple):
    """A frame, on whose connection it comes, and whether we wait for the answer."""

    frame: bytes
    number: int = 1
    waits: bool = True


Meanwhile = Callable[[DataBroker, int], Coroutine[Any, Any, None]]


def both(sent: Sequence[Sent], meanwhile: Meanwhile | None = None) -> list[Any]:
    """What is seen from outside, the same by both ways; and how many went the short one."""
    short, read_fast = one_way(sent, meanwhile, reads_fast=True)
    plain, _ = one_way(sent, meanwhile, reads_fast=False)
    assert short == plain
    return [*short, read_fast]


def one_way(
    sent: Sequence[Sent], meanwhile: Meanwhile | None, *, reads_fast: bool
) -> tuple[list[Any], int]:
    async def scenario(world: DataBroker) -> tuple[list[Any], int]:
        await world.topic("u", 2)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        lines = []
        for index, (frame, number, waits) in enumerate(sent):
            if meanwhile is not None:
                await meanwhile(world, index)
            lines.append(sender.open(frame, number=number))
            if waits:
                await world.tasks.sleep(1)
        await world.tasks.sleep(10_000)
        answers = [(b"".join(line.sent), line.is_closed) for line in lines]
        return [answers, *everything(world)], sender.read_fast

    return result_of(scenario)


def everything(world: DataBroker) -> list[Any]:
    """What lies in the log and in the store, and what was counted."""
    partition = world.replicas.find(OFFSETS_TOPIC, 0)
    log = b""
    if partition is not None and partition.log.failure is None:
        log = bytes(partition.read(0, 1 << 20, Isolation.LOG_END).read())
    runtime = world.broker.groups
    offsets = [dict(runtime.find(0).shard.groups.offsets.of_group(name)) for name in ("g", "h")]
    counts = sorted((str(name), repr(kind)) for name, kind in world.broker.metrics)
    return [log, offsets, runtime.written, counts]


def codes(answer: tuple[bytes, bool], version: int = 9) -> list[int]:
    ((_, response),) = answers_in(answer[0], OffsetCommitRequest.KEY, version)
    return [each.error_code for asked in response.topics for each in asked.partitions]


PARTITIONS = some.builds(
    one,
    some.sampled_from((0, 0, 1, 1, 9)),
    some.integers(-1, 1 << 62),
    some.sampled_from((None, "", "", "", "m", "m" * 126, "m" * 127, "m" * 128, "ü")),
    some.integers(-1, 9),
)
NAMES = (("t",), ("t",), ("t",), ("t", "u"), ("u", "t"), ("t", "t"), ("t", "absent"), ("",), ())


@some.composite
def frames(draw: Any) -> Sent:
    """Requests in all shapes, some of them damaged, from one of two connections."""
    version = draw(some.sampled_from((8, 9, 9, 10, 10)))
    topics = [
        topic(name, *draw(some.lists(PARTITIONS, min_size=1, max_size=3)))
        for name in draw(some.sampled_from(NAMES))
    ]
    if topics and draw(some.integers(0, 9)) == 0:
        topics[0].partitions = []
    frame = bytearray(
        commit(
            *topics,
            version=version,
            group=draw(some.sampled_from(("g", "g", "g", "h", ""))),
            member_id=draw(some.sampled_from(("", "", "", "m"))),
            generation_id_or_member_epoch=draw(some.sampled_from((-1, -1, -1, 3))),
            group_instance_id=draw(some.sampled_from((None, None, "i"))),
        )
    )
    if draw(some.integers(0, 9)) == 0:
        frame[draw(some.integers(8, len(frame) - 1))] ^= draw(some.integers(1, 255))
    end = draw(some.sampled_from((b"",) * 9 + (b"\0",)))
    number = draw(some.sampled_from((1, 1, 2)))
    return Sent(bytes(frame) + end, number, draw(some.booleans()))


@settings(max_examples=100, deadline=None)
@given(some.lists(frames(), min_size=1, max_size=8))
def test_both_ways_answer_append_and_count_alike(sent):
    both(sent)


@pytest.mark.parametrize("version", [9, 10])
def test_commits_that_go_on_go_the_short_way(version):
    sent = [Sent(commit(topic(), version=version)) for _ in range(5)]
    answers, *_, read_fast = both(sent)
    assert [codes(answer, version) for answer in answers] == [[0]] * 5
    assert read_fast == 5


def test_a_commit_may_be_of_many_topics_and_partitions():
    topics = [topic("t", one(0), one(1, 8, "m")), topic("u", one(1), one(0)), topic("t")]
    answers, _, (offsets, _), *_, read_fast = both([Sent(commit(*topics))] * 3)
    assert [codes(answer) for answer in answers] == [[0] * 5] * 3
    assert (len(offsets), read_fast) == (4, 3)


def test_commits_of_one_turn_share_a_batch():
    sent = [
        Sent(commit(topic("t", one(0, offset))), offset % 2, waits=False) for offset in range(6)
    ]
    answers, log, *_, read_fast = both([Sent(commit(topic()), 7), *sent])
    assert [codes(answer) for answer in answers] == [[0]] * 7
    assert read_fast == 7
    counts = [read_whole_header(batch).record_count for batch in iterate_batches(log)]
    assert counts == [1, 6]


def test_another_shape_is_answered_as_well():
    shapes = [(one(0),), (one(0), one(1)), (one(0),), (one(0, 7, "m"), one(1)), (one(1),)]
    sent = [Sent(commit(topic("t", *shape))) for shape in shapes for _ in range(2)]
    answers, *_, read_fast = both(sent)
    assert [codes(answer) for answer in answers] == [
        [0] * len(shape) for shape in shapes for _ in range(2)
    ]
    assert read_fast == 10


def test_what_differs_behind_the_first_partition_is_seen():
    shapes = [(one(0), one(1)), (one(0), one(0)), (one(0), one(9)), (one(0), one(1))]
    sent = [Sent(commit(topic("t", *shape))) for shape in shapes for _ in range(2)]
    answers, *_ = both(sent)
    assert [codes(answer) for answer in answers] == [
        code for code in ([0, 0], [0, 0], [3, 0], [0, 0]) for _ in range(2)
    ]


def test_a_topic_without_partitions_is_not_reported():
    empty = topic("u")
    empty.partitions = []
    answers, *_ = both([Sent(commit(topic(), empty))] * 3)
    assert [codes(answer) for answer in answers] == [[0]] * 3
    assert all(b"u" not in frame for frame, _ in answers)


def test_members_are_asked_for_their_epoch():
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == 0:
            enable_protocols(world)
            await world.ask(join().request, 1)

    sent = [
        Sent(commit(topic(), member_id="m", generation_id_or_member_epoch=epoch))
        for epoch in (2, 2, 2, 1, 3, 2)
    ]
    answers, *_, read_fast = both(sent, meanwhile)
    stale = ErrorCode.STALE_MEMBER_EPOCH
    assert [codes(answer) for answer in answers] == [[0], [0], [0], [stale], [stale], [0]]
    assert read_fast >= 4


@pytest.mark.parametrize("forbidden", ["g", "t"])
def test_who_may_no_longer_commit_is_refused(forbidden):
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == 3:
            world.broker.authorizer = Forbids(forbidden)

    answers, *_, read_fast = both([Sent(commit(topic()))] * 5, meanwhile)
    refused = {"g": ErrorCode.GROUP_AUTHORIZATION_FAILED, "t": ErrorCode.TOPIC_AUTHORIZATION_FAILED}
    assert [codes(answer) for answer in answers] == [[0]] * 3 + [[refused[forbidden]]] * 2
    assert read_fast == 3


def test_a_topic_that_is_deleted_is_no_longer_committed_for():
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == 2:
            world.delete("t")

    answers, *_ = both([Sent(commit(topic()))] * 4, meanwhile)
    assert [codes(answer) for answer in answers] == [[0], [0], [3], [3]]


def test_where_a_quota_is_set_the_handler_answers():
    async def meanwhile(world: DataBroker, index: int) -> None:
        quotas = Quotas({(("user", "alice"),): {"request_percentage": 1.0}})
        world.metadata.image = replace(world.metadata.image, quotas=quotas)

    *_, read_fast = both([Sent(commit(topic()))] * 3, meanwhile)
    assert read_fast == 0


def test_an_answer_waits_until_its_records_are_replicated():
    async def meanwhile(world: DataBroker, index: int) -> None:
        partition = world.partition(OFFSETS_TOPIC)
        if index == 2:
            partition.isr, partition.is_alone = (*partition.isr, 2), False
            partition.followers[2] = FollowerProgress()
        if index == 4:
            partition.followers[2].log_end_offset = partition.log_end_offset
            partition.advance_high_watermark()

    sent = [Sent(commit(topic("t", one(0, offset)))) for offset in range(5)]
    answers, *_, read_fast = both(sent, meanwhile)
    late = ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert [codes(answer) for answer in answers] == [[0]] * 4 + [[late]]
    assert read_fast == 5


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_an_append_that_fails_is_reported_as_the_handler_reports_it(failing):
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == failing:
            world.partition(OFFSETS_TOPIC).min_isr = 2
        elif index == failing + 1:
            world.partition(OFFSETS_TOPIC).min_isr = 1

    answers, *_ = both([Sent(commit(topic()))] * 5, meanwhile)
    late = ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert [codes(answer)[0] for answer in answers] == [
        late if index == failing else 0 for index in range(5)
    ]


def test_who_waits_for_others_learns_when_the_coordinator_moves():
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == 3:
            runtime = world.broker.groups
            runtime.on_leaving(OFFSETS_TOPIC, 0)
            runtime.on_leading(OFFSETS_TOPIC, 0, 1)

    sent = [Sent(commit(topic("t", one(0, number))), number, waits=False) for number in range(4)]
    answers, _, (offsets, _), *_ = both(sent, meanwhile)
    moved, loading = ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    assert [codes(answer)[0] for answer in answers] == [moved] * 3 + [loading]
    assert offsets == {}


def test_shapes_are_not_kept_without_bound():
    async def scenario(world: DataBroker) -> list[int]:
        sender, kept = FrameSender(world.broker, reads_fast=True), list[int]()
        for number in range(5):
            sender.send(commit(topic(), group=f"group {number}"))
            reader: Any = sender.dispatcher._routes[(OffsetCommitRequest.KEY << 16) + 9].fast
            reader.shapes_max = 2
            kept.append(len(reader._shapes))
        return kept

    assert result_of(scenario) == [1, 2, 1, 2, 1]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_a_disk_that_fails_is_reported_as_the_handler_reports_it(failing):
    async def meanwhile(world: DataBroker, index: int) -> None:
        if index == failing:
            log = world.replicas.partition(OFFSETS_TOPIC, 0).log
            log.state.failure = DiskFullError("a file", "no room is left")

    answers, *_ = both([Sent(commit(topic()))] * 4, meanwhile)
    moved = ErrorCode.NOT_COORDINATOR
    assert [codes(answer) for answer in answers] == [[0]] * failing + [[moved]] * (4 - failing)
