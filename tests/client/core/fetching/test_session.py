"""Fetch sessions: what is sent, and what is not sent twice."""

from __future__ import annotations

from moldau.client.core.fetching.session import FetchSession, PartitionKey, Wanted
from moldau.protocol.messages.data.fetch import FetchRequest

ID = bytes(16)


def wanted(**offsets: int) -> dict[PartitionKey, Wanted]:
    """Partitions `p0`, `p1` … and their positions."""
    return {
        PartitionKey(ID, int(name[1:])): Wanted("t", offset, 1000, 4, 3)
        for name, offset in offsets.items()
    }


def filled(session: FetchSession, **offsets: int) -> FetchRequest:
    request = FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[])
    session.fill(request, wanted(**offsets))
    return request


def sent(request: FetchRequest) -> dict[int, int]:
    return {row.partition: row.fetch_offset for topic in request.topics for row in topic.partitions}


def forgotten(request: FetchRequest) -> list[int]:
    return [index for topic in request.forgotten_topics_data for index in topic.partitions]


def opened(**offsets: int) -> FetchSession:
    session = FetchSession()
    filled(session, **offsets)
    session.answered(77)
    return session


def test_the_first_fetch_names_everything_and_asks_for_a_session():
    request = filled(FetchSession(), p0=5, p1=6)
    assert (request.session_id, request.session_epoch) == (0, 0)
    assert sent(request) == {0: 5, 1: 6}


def test_a_row_says_position_epochs_and_bound():
    row = filled(FetchSession(), p0=5).topics[0].partitions[0]
    assert (row.fetch_offset, row.partition_max_bytes) == (5, 1000)
    assert (row.current_leader_epoch, row.last_fetched_epoch) == (4, 3)


def test_in_a_session_only_what_changed_is_reported():
    request = filled(opened(p0=5, p1=6), p0=5, p1=9)
    assert (request.session_id, request.session_epoch) == (77, 1)
    assert sent(request) == {1: 9}


def test_epochs_count_up_and_after_the_largest_comes_one():
    session = opened(p0=5)
    session.epoch = 2**31 - 1
    session.answered(77)
    assert session.epoch == 1


def test_what_is_not_wanted_is_forgotten_and_reported_anew_later():
    session = opened(p0=5, p1=6)
    first = filled(session, p0=5)
    session.answered(77)
    second = filled(session, p0=5, p1=6)
    assert (sent(first), forgotten(first)) == ({}, [1])
    assert (sent(second), forgotten(second)) == ({1: 6}, [])


def test_a_broker_without_room_for_a_session_gets_everything_each_time():
    session = FetchSession()
    filled(session, p0=5)
    session.answered(0)
    request = filled(session, p0=5)
    assert (request.session_id, request.session_epoch, sent(request)) == (0, 0, {0: 5})


def test_after_a_reset_everything_is_reported_again():
    session = opened(p0=5, p1=6)
    session.reset()
    request = filled(session, p0=5)
    assert (request.session_id, request.session_epoch) == (0, 0)
    assert (sent(request), forgotten(request)) == ({0: 5}, [])
