"""Drawn requests of one connection while followers are behind, as where each waits its turn."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from moldau.broker.log.reading import Isolation
from moldau.broker.metadata.settings import Quotas
from moldau.network.receiving import TURN_BYTES
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from tests.broker.log.batches import batch
from tests.broker.server.asking import frame_of, sized
from tests.broker.server.data_broker import DataBroker, result_of, topic_id
from tests.broker.server.frame_sender import FrameSender

PLAYS, PLAYS_OF_A_TEST = 120, 20
FOLLOWED: dict[str, Any] = {
    "replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)],
}  # fmt: skip
TOPICS = ("followed", "followed too", "alone")
QUOTAS = Quotas({(("client-id", "another"),): {"request_percentage": 50.0}})
"""Where some are set, one request is in work at a time."""
LARGE = 20_000
"""Bytes of a value: such a frame is read in slices if need be."""
Data = ProduceRequest.TopicProduceData


def draw(random: Random) -> list[bytes]:
    """Frames of one client: an idempotent producer and others, some of whom are wrong."""
    frames, sequence = [], 0
    for number in range(random.randint(2, 25)):
        if random.random() < 0.1:
            frames.append(frame_of(ApiVersionsRequest(), 0, correlation_id=number))
            continue
        topics = random.sample((*TOPICS, *TOPICS, "absent"), random.choice((1, 1, 2)))
        producer = (-1, -1, -1)
        if random.random() < 0.4:
            topics, producer = ["followed"], (7, 0, random.choice((sequence, sequence, 3)))
            sequence += 1
        value = b"v" * random.choice((1, 1, LARGE))
        request = ProduceRequest(
            acks=random.choice((-1,) * 7 + (1, 1, 0) + (5,) * (random.random() < 0.3)),
            timeout_ms=30_000,
            topic_data=[
                Data(
                    name=name,
                    topic_id=topic_id(name),
                    partition_data=[
                        Data.PartitionProduceData(
                            index=0, records=bytes(batch(0, (value,), producer=producer))
                        )
                    ],
                )
                for name in dict.fromkeys(topics)
            ],
        )
        frame = frame_of(request, random.choice((9, 12, 13)), correlation_id=number)
        frames.append(frame[:-30] if random.random() < 0.02 else frame)
    return frames


def seen(seed: int, *, one_at_a_time: bool) -> tuple[list[Any], int]:
    """What is answered and appended, and how many answers waited together."""

    async def scenario(world: DataBroker) -> tuple[list[Any], int]:
        await world.topic("followed", **FOLLOWED)
        await world.topic("followed too", **FOLLOWED)
        await world.topic("alone")
        if one_at_a_time:
            world.metadata.image = replace(world.metadata.image, quotas=QUOTAS)
        random = Random(seed)
        frames = draw(random)
        sender = FrameSender(world.broker, reads_fast=random.random() < 0.5)
        line = sender.open(frames[0], behind=b"".join(map(sized, frames[1:])))
        partitions, most = [world.partition(name) for name in TOPICS], 0
        for _ in range(20 * len(frames)):
            most = max(most, world.broker.purgatory.held["Produce"])
            partition = random.choice(partitions[:2])
            follower, end = partition.followers[2], partition.log_end_offset
            follower.log_end_offset = random.randint(follower.log_end_offset, end)
            if partition.advance_high_watermark():
                partition.wake()
            await world.tasks.sleep(random.choice((0, 1, 10)))
        logs = [one.read(0, 1 << 22, Isolation.LOG_END).read() for one in partitions]
        return [b"".join(line.sent), line.is_closed, *logs], most

    return result_of(scenario)


@pytest.mark.parametrize("first", range(0, PLAYS, PLAYS_OF_A_TEST))
def test_what_is_appended_and_answered_is_as_one_at_a_time(first):
    together = 0
    for seed in range(first, first + PLAYS_OF_A_TEST):
        found, most = seen(seed, one_at_a_time=False)
        expected, most_of_one = seen(seed, one_at_a_time=True)
        assert found == expected, seed
        assert most_of_one <= 1, seed
        together = max(together, most)
    assert together > 3


@pytest.mark.parametrize("reads_fast", [True, False])
def test_an_answer_that_is_set_aside_holds_no_memory_of_its_frame(reads_fast):
    async def scenario(world: DataBroker) -> list[bool]:
        await world.topic("followed", **FOLLOWED)
        sender = FrameSender(world.broker, reads_fast=reads_fast)
        records = bytes(batch(0, (bytes(TURN_BYTES),)))
        data = [Data.PartitionProduceData(index=0, records=records)]
        request = ProduceRequest(
            acks=-1,
            timeout_ms=30_000,
            topic_data=[Data(name="followed", topic_id=topic_id("followed"), partition_data=data)],
        )
        sender.open(frame_of(request, 13))
        return [world.partition("followed").log_end_offset == 1, sender.receiving.spare is not None]

    assert result_of(scenario) == [True, True], (
        "appended, and its memory is there for the next frame"
    )
