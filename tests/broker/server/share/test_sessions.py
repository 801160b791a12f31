"""Share sessions remember what a member fetches."""

from __future__ import annotations

import pytest

from moldau.broker.server.share.sessions import ShareSessions, forgotten, listed
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

T = b"t" * 16


def fetch(member_id="m", *indexes, gone=()):
    form = ShareFetchRequest.FetchTopic
    partitions = [
        form.FetchPartition(partition_index=index, acknowledgement_batches=[]) for index in indexes
    ]
    return ShareFetchRequest(
        group_id="g",
        member_id=member_id,
        share_session_epoch=0,
        max_wait_ms=0,
        min_bytes=0,
        max_records=1,
        batch_size=1,
        topics=[form(topic_id=T, partitions=partitions)],
        forgotten_topics_data=[ShareFetchRequest.ForgottenTopic(topic_id=T, partitions=list(gone))],
    )


def code_of(call):
    with pytest.raises(KafkaError) as refused:
        call()
    return refused.value.code


def test_a_session_goes_on_in_the_next_epoch_only():
    sessions = ShareSessions(10)
    session = sessions.begin(fetch("m", 0, 1), 1)
    assert sessions.go_on("g", "m", 1, 2) is session
    assert (session.epoch, session.connection_id) == (2, 2)
    wrong = code_of(lambda: sessions.go_on("g", "m", 1, 2))
    assert wrong == ErrorCode.INVALID_SHARE_SESSION_EPOCH
    assert code_of(lambda: sessions.get("g", "n")) == ErrorCode.SHARE_SESSION_NOT_FOUND


def test_partitions_come_and_go():
    session = ShareSessions(10).begin(fetch("m", 0, 1), 1)
    request = fetch("m", 2, gone=[0])
    session.update(listed(request), forgotten(request))
    assert session.rotated(0) == [(T, 1), (T, 2)]
    assert session.rotated(1) == [(T, 2), (T, 1)]


def test_there_is_room_for_so_many():
    sessions = ShareSessions(1)
    sessions.begin(fetch("a"), 1)
    sessions.begin(fetch("a"), 1)
    full = code_of(lambda: sessions.begin(fetch("b"), 2))
    assert full == ErrorCode.SHARE_SESSION_LIMIT_REACHED
    (session,) = sessions.of_connection(1)
    sessions.end(session)
    assert (len(sessions), sessions.has_group("g")) == (0, False)


def test_a_session_without_partitions_has_nothing_to_rotate():
    assert ShareSessions(1).begin(fetch("a"), 1).rotated(5) == []


def test_the_partitions_of_all_sessions_are_counted():
    sessions = ShareSessions(10)
    assert sessions.partition_count == 0
    for number, member_id in enumerate(("m", "n")):
        sessions.begin(fetch(member_id), number).update([(T, 0), (T, number)], [])
    assert sessions.partition_count == 3
