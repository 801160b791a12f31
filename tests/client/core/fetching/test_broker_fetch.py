"""The fetches of one broker."""

from __future__ import annotations

from moldau.client.core.fetching.broker_fetch import BrokerFetch
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.offset_lookups import Isolation
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, fetched, metadata, row
from tests.client.conversation import context


def reading(partition: int = 0, start: int = 5, max_bytes: int = 1000) -> Reading:
    return Reading(TopicPartition("t", partition), start, 100, max_bytes)


def broker(**settings: str) -> BrokerFetch:
    around = context(**settings)
    around.cluster.apply_metadata(metadata({"t": {0: (1, 3), 1: (1, 4)}}), 0)
    return BrokerFetch(around, Isolation.READ_COMMITTED)


def test_one_fetch_asks_for_all_readings_as_the_settings_say():
    request = broker(fetch_min_bytes="7", fetch_max_bytes="9000").ask(
        1, [(reading(0), 3), (reading(1), 4)], 8
    )
    assert (request.min_bytes, request.max_wait_ms, request.max_bytes) == (7, 8, 9000)
    assert request.isolation_level == 1
    assert request.topics[0].topic_id == TOPIC_ID
    assert [part.current_leader_epoch for part in request.topics[0].partitions] == [3, 4]


def test_a_partition_that_may_be_larger_than_all_together_is_granted_it():
    assert broker(fetch_max_bytes="10").ask(1, [(reading(), 3)], 0).max_bytes == 1000


def test_an_answer_sets_its_readings_free_and_finds_their_rows():
    fetch, asked = broker(), reading()
    fetch.ask(1, [(asked, 3)], 0)
    answer = fetched(row(partition=0), row(partition=9), session_id=7, throttle_time_ms=40)
    released = fetch.answered(answer, 100)
    assert [found for found, _ in fetch.rows(answer, released)] == [asked]
    assert (asked.node_id, fetch.is_busy, fetch.muted_until_ms) == (None, False, 140)
    assert fetch.session.session_id == 7


def test_an_error_or_a_break_ends_the_session():
    for end in ("answered", "broken"):
        fetch, asked = broker(), reading()
        fetch.ask(1, [(asked, 3)], 0)
        fetch.answered(fetched(session_id=7), 0)
        fetch.ask(1, [(asked, 3)], 0)
        if end == "answered":
            fetch.answered(fetched(code=ErrorCode.FETCH_SESSION_ID_NOT_FOUND, session_id=7), 0)
        else:
            assert list(fetch.broken().values()) == [asked]
        assert (fetch.session.session_id, asked.node_id, fetch.is_busy) == (0, None, False)
