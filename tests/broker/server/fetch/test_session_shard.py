"""Who gives way to whom where there is no place left."""

from __future__ import annotations

import pytest

from moldau.broker.server.fetch.due_partitions import DuePartitions
from moldau.broker.server.fetch.fetched import Fetched
from moldau.broker.server.fetch.session import PartitionKey, Session
from moldau.broker.server.fetch.session_shard import IDLE_MS_MAX, SessionShard
from moldau.platform.simulated.randomness import SeededRandom


def some(
    session_id: int, *, is_privileged: bool = False, created_ms=0, used_ms=0, size=2
) -> Session:
    """A session of so many partitions."""
    partitions: dict[PartitionKey, Fetched] = {}
    session = Session(
        session_id, partitions, DuePartitions(partitions), created_ms, lambda over: None,
        is_privileged=is_privileged, uses_topic_ids=True,
    )  # fmt: skip
    session.size, session.used_ms = size, used_ms
    return session


OLD_MS = IDLE_MS_MAX + 1


def shard_with(*sessions, slots=None):
    slots = len(sessions) if slots is None else slots
    shard = SessionShard(SeededRandom(1), slots, range(1, 1000))
    for session in sessions:
        shard.put(session, session.used_ms)
    return shard


def test_while_there_are_places_none_goes():
    shard = shard_with(some(1), slots=2)
    assert shard.has_place(False, 1, 0)
    assert repr(shard) == "SessionShard(1 of 2)"


def test_without_places_none_comes():
    assert not shard_with(slots=0).has_place(True, 9, 0)


def test_young_sessions_keep_their_places():
    assert not shard_with(some(1)).has_place(False, 99, IDLE_MS_MAX)


def test_one_that_was_idle_for_too_long_goes_for_any_other():
    shard = shard_with(some(1, size=9), some(2, size=1, used_ms=5))
    assert shard.has_place(False, 1, OLD_MS)
    assert (list(shard.sessions), shard.evictions) == ([2], 1)


@pytest.mark.parametrize(("size", "may_come"), [(2, False), (3, True)])
def test_one_that_had_its_time_goes_for_a_larger_one(size, may_come):
    shard = shard_with(some(1, size=9), some(2, used_ms=OLD_MS), some(3, size=5, used_ms=OLD_MS))
    shard.sessions[1].used_ms = OLD_MS - 1
    shard.sessions[1].created_ms = 1
    assert shard.has_place(False, size, OLD_MS) is may_come
    assert (2 in shard.sessions) is not may_come


def test_time_since_the_last_use_does_not_make_a_session_old():
    shard = shard_with(some(1, used_ms=IDLE_MS_MAX))
    assert not shard.has_place(False, 99, IDLE_MS_MAX + 1000)


def test_a_follower_takes_the_place_of_a_young_consumer_but_not_of_a_young_follower():
    consumer, follower = some(1, size=9), some(2, is_privileged=True)
    assert shard_with(consumer, follower).has_place(True, 1, 0)
    assert not shard_with(follower).has_place(True, 9, 0)
    assert not shard_with(consumer).has_place(False, 99, 0)


def test_an_old_follower_does_not_go_for_a_consumer():
    follower = some(1, is_privileged=True, used_ms=OLD_MS)
    assert not shard_with(follower).has_place(False, 99, OLD_MS)
    assert shard_with(follower).has_place(True, 3, OLD_MS)


def test_ids_are_in_their_range_and_of_no_other():
    shard = SessionShard(SeededRandom(1), 2, range(3))
    shard.put(some(1), 0)
    assert {shard.free_id() for _ in range(20)} == {2}
