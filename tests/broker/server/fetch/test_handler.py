"""Fetches that name more than a broker has are answered as all others, and remembered as little."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.server.fetch.sessions import LISTED_MAX, UNKNOWN_MAX
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker as Disk
from tests.broker.server.data_broker import DataBroker, result_of, topic_id
from tests.broker.server.hasty_clock import HastyDisk

VERSION = 13
KNOWN = ("a", "b")
Topic = FetchRequest.FetchTopic


def request(named: list[tuple[str, int]], session: tuple[int, int] = (0, -1)) -> FetchRequest:
    topics: list[Topic] = []
    for name, index in named:
        if not topics or topics[-1].topic != name:
            topics.append(Topic(topic=name, topic_id=topic_id(name), partitions=[]))
        asked = Topic.FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=1 << 20)
        topics[-1].partitions.append(asked)
    return FetchRequest(
        max_wait_ms=500, min_bytes=1, session_id=session[0], session_epoch=session[1],
        topics=topics, forgotten_topics_data=[], replica_state=FetchRequest.ReplicaState(),
    )  # fmt: skip


async def ready(broker: DataBroker, listed_max: int = LISTED_MAX) -> None:
    broker.broker.fetch_sessions.listed_max = listed_max
    for name in KNOWN:
        await broker.topic(name, 3)
        broker.partition(name, 1).append(batch(0, (name.encode(),)))


def answer_to(
    named: list[tuple[str, int]], version: int, listed_max: int, disk: Disk | None = None
) -> Any:
    async def scenario(broker: DataBroker):
        await ready(broker, listed_max)
        answer = await broker.ask(request(named), version)
        return encode(answer, version)

    return result_of(scenario, disk)


def drawn(random: SeededRandom) -> list[tuple[str, int]]:
    """Some that are there, more that are not, some named twice."""
    names = [*KNOWN, "unknown", "unheard of"]
    count = random.randrange(UNKNOWN_MAX, 4 * UNKNOWN_MAX)
    return [(random.choice(names), random.randrange(5 * UNKNOWN_MAX)) for _ in range(count)]


@pytest.mark.parametrize("version", [12, 13, 17])
def test_a_long_fetch_is_answered_as_a_short_one(version, seed, volume):
    print(f"seed {seed}")
    random = SeededRandom(seed)
    for _ in range(volume(10, 200)):
        named = drawn(random)
        expected = answer_to(named, version, 10**9)
        assert answer_to(named, version, 1) == expected
        assert answer_to(named, version, 1, HastyDisk()) == expected


def test_a_long_fetch_of_what_is_there_waits_and_has_its_session():
    async def scenario(broker: DataBroker):
        await ready(broker, 1)
        answer = await broker.ask(request([("a", 0), ("a", 2), ("b", 0)], (0, 0)), VERSION)
        return answer.session_id, len(broker.broker.fetch_sessions)

    session_id, count = result_of(scenario, HastyDisk())
    assert session_id > 0
    assert count == 1


def test_many_unknown_partitions_leave_nothing_behind():
    async def scenario(broker: DataBroker):
        await ready(broker)
        unknown = [("unknown", index) for index in range(3 * LISTED_MAX)]
        answer = await broker.ask(request([("a", 1), *unknown], (0, 0)), VERSION)
        sessions = broker.broker.fetch_sessions
        return answer, len(sessions), sessions.partition_count

    answer, *kept = result_of(scenario, HastyDisk())
    codes = [one.error_code for topic in answer.responses for one in topic.partitions]
    assert codes == [0] + [ErrorCode.UNKNOWN_TOPIC_ID] * 3 * LISTED_MAX
    assert (answer.session_id, *kept) == (0, 0, 0)


def test_a_session_to_which_many_unknown_ones_are_added_at_once_is_closed():
    async def scenario(broker: DataBroker):
        await ready(broker)
        first = await broker.ask(request([("a", 1)], (0, 0)), VERSION)
        unknown = [("unknown", index) for index in range(2 * LISTED_MAX)]
        more = await broker.ask(request(unknown, (first.session_id, 1)), VERSION)
        after = await broker.ask(request([], (first.session_id, 2)), VERSION)
        return more, after, len(broker.broker.fetch_sessions)

    more, after, count = result_of(scenario, HastyDisk())
    assert [len(topic.partitions) for topic in more.responses] == [1, 2 * LISTED_MAX]
    assert (more.error_code, more.session_id, count) == (0, 0, 0)
    assert after.error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_of_two_long_fetches_in_one_session_the_slower_one_is_refused():
    named = [(name, index) for name in KNOWN for index in range(3)]

    async def scenario(broker: DataBroker):
        await ready(broker, 1)
        first = await broker.ask(request(named, (0, 0)), VERSION)
        both = [broker.begin(request(named, (first.session_id, 1)), VERSION) for _ in range(2)]
        await broker.tasks.sleep(1_000)
        return sorted(one.answer.error_code for one in both)

    assert result_of(scenario, HastyDisk()) == [0, ErrorCode.INVALID_FETCH_SESSION_EPOCH]
