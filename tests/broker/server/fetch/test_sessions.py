"""Fetch sessions remember what was asked and answered, and give way in Kafka's order."""

from __future__ import annotations

import pytest

from moldau.broker.server.fetch.fetched import PartitionResponse
from moldau.broker.server.fetch.session_shard import IDLE_MS_MAX
from moldau.broker.server.fetch.sessions import (
    EPOCH_MAX,
    IDS_OF_SHARD,
    PARTITION_BYTES,
    UNKNOWN_MAX,
    FetchSessions,
    next_epoch,
)
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

E = ErrorCode
VERSION = 12
MS = 1_000_000


def request(*indexes, session=(0, 0), forgotten=(), offset=0):
    topic = FetchRequest.FetchTopic
    asked = [
        topic.FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=9)
        for index in indexes
    ]
    gone = [FetchRequest.ForgottenTopic(topic="t", partitions=list(forgotten))]
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        session_id=session[0],
        session_epoch=session[1],
        topics=[topic(topic="t", partitions=asked)],
        forgotten_topics_data=gone if forgotten else [],
        replica_state=FetchRequest.ReplicaState(),
    )


def partition(high_watermark=5, records=b"", error=0):
    return {
        "high_watermark": high_watermark, "log_start_offset": 0, "records": records,
        "error_code": error,
    }  # fmt: skip


class Talk:
    """A client that fetches in sessions."""

    def __init__(self, slots=80):
        self.clock = SimulatedClock()
        self.sessions = FetchSessions(self.clock, SeededRandom(1), slots)

    def fetch(self, asked, answers=None, *, is_follower=False):
        context = self.sessions.begin(asked, VERSION)
        if context.error:
            return context.error, 0, []
        found = answers or {}
        responses = [
            PartitionResponse(one, **found.get(one.index, partition()))
            for one in context.partitions
        ]
        error, session_id, reported = self.sessions.finish(
            context, responses, uses_topic_ids=False, is_follower=is_follower
        )
        return error, session_id, [one.fetched.index for one in reported]

    def begin(self, *indexes, is_follower=False):
        return self.fetch(request(*indexes), is_follower=is_follower)[1]

    def pass_ms(self, duration_ms):
        self.clock.advance_ns(duration_ms * MS)


def test_a_full_fetch_gets_everything_and_begins_a_session():
    error, session_id, reported = Talk().fetch(request(0, 1))
    assert (error, reported) == (0, [0, 1])
    assert session_id > 0


def test_epoch_minus_1_wants_no_session_and_ends_one():
    talk = Talk()
    session_id = talk.begin(0)
    assert talk.fetch(request(0, session=(session_id, -1)))[1:] == (0, [0])
    assert len(talk.sessions) == 0


@pytest.mark.parametrize(
    ("answer", "reported"),
    [
        (partition(), []),
        (partition(high_watermark=6), [1]),
        (partition(records=b"r"), [1]),
        (partition(error=6), [1]),
    ],
)
def test_only_what_has_changed_is_reported(answer, reported):
    talk = Talk()
    session_id = talk.begin(0, 1)
    assert talk.fetch(request(session=(session_id, 1)), {1: answer}) == (0, session_id, reported)


def test_a_partition_is_reported_again_when_its_error_is_over():
    talk = Talk()
    session_id = talk.begin(0)
    talk.fetch(request(session=(session_id, 1)), {0: partition(error=6)})
    assert talk.fetch(request(session=(session_id, 2)))[2] == [0]


def test_partitions_join_and_leave_a_session():
    talk = Talk()
    session_id = talk.begin(0, 1)
    reported = talk.fetch(request(2, session=(session_id, 1), forgotten=(0,)))[2]
    assert reported == [2]
    assert talk.sessions.partition_count == 2


def test_a_session_without_partitions_is_over():
    talk = Talk()
    session_id = talk.begin(0)
    talk.fetch(request(session=(session_id, 1), forgotten=(0,)))
    assert len(talk.sessions) == 0


def test_what_gave_records_moves_to_the_end():
    talk = Talk()
    session_id = talk.begin(0, 1, 2)
    talk.fetch(request(session=(session_id, 1)), {0: partition(records=b"r")})
    context = talk.sessions.begin(request(session=(session_id, 2)), VERSION)
    assert [one.index for one in context.partitions] == [1, 2, 0]


def test_an_unknown_session_and_a_wrong_epoch_are_refused():
    talk = Talk()
    session_id = talk.begin(0)
    assert talk.fetch(request(session=(77, 1)))[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert talk.fetch(request(session=(session_id, 2)))[0] == ErrorCode.INVALID_FETCH_SESSION_EPOCH


def test_a_session_of_names_takes_no_ids():
    talk = Talk()
    session_id = talk.begin(0)
    context = talk.sessions.begin(request(session=(session_id, 1)), 13)
    assert context.error == ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_a_fetch_that_was_overtaken_is_refused_by_name():
    talk = Talk()
    session_id = talk.begin(0)
    slow = talk.sessions.begin(request(session=(session_id, 1)), VERSION)
    talk.fetch(request(session=(session_id, 2)))
    error, _, _ = talk.sessions.finish(slow, [], uses_topic_ids=False, is_follower=False)
    assert error == ErrorCode.INVALID_FETCH_SESSION_EPOCH


def test_a_session_of_names_that_is_behind_gets_the_error_of_its_epoch_first():
    talk = Talk()
    session_id = talk.begin(0)
    context = talk.sessions.begin(request(session=(session_id, 9)), 13)
    assert context.error == ErrorCode.INVALID_FETCH_SESSION_EPOCH


def test_sessions_go_to_eight_shards_in_turn_and_have_ids_of_their_shards():
    talk = Talk(slots=31)
    ids = [talk.begin(0) for _ in range(32)]
    assert [one // IDS_OF_SHARD for one in ids[:24]] == [*range(8)] * 3
    assert (ids[24:], len(talk.sessions)) == ([0] * 8, 24)


def test_a_place_that_is_free_waits_for_the_turn_of_its_shard():
    talk = Talk(slots=8)
    ids = [talk.begin(0) for _ in range(8)]
    talk.fetch(request(0, session=(ids[3], -1)))
    assert [talk.begin(0) > 0 for _ in range(8)] == [False] * 3 + [True] + [False] * 4


def test_an_idle_session_gives_way():
    talk = Talk(slots=8)
    for _ in range(8):
        talk.begin(0, 1, 2)
    talk.pass_ms(IDLE_MS_MAX + 1)
    assert talk.begin(0) > 0
    assert talk.sessions.evictions == 1


def test_an_old_session_in_use_gives_way_to_a_larger_one():
    talk = Talk(slots=8)
    ids = [talk.begin(0, 1) for _ in range(8)]
    talk.pass_ms(IDLE_MS_MAX)
    talk.fetch(request(session=(ids[1], 1)))
    talk.pass_ms(1)
    for session_id in (ids[0], ids[2]):
        talk.fetch(request(session=(session_id, 1)))
    sizes = (0, 1, 2), (0, 1, 2), (0, 1)
    assert [talk.begin(*one) > 0 for one in sizes] == [True, False, False]


def test_ids_that_were_not_given_are_of_no_session():
    for session_id in (-1, EPOCH_MAX, -(2**31)):
        context = Talk().sessions.begin(request(session=(session_id, 1)), VERSION)
        assert context.error == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_epochs_wrap_to_1():
    assert next_epoch(EPOCH_MAX) == 1


class TalkInBytes(Talk):
    """With sessions that together have room for so many partitions."""

    def __init__(self, partitions):
        super().__init__()
        bytes_max = partitions * PARTITION_BYTES
        self.sessions = FetchSessions(self.clock, SeededRandom(1), 80, bytes_max=bytes_max)


def test_who_finds_no_room_in_bytes_fetches_without_a_session():
    talk = TalkInBytes(5)
    first = talk.begin(0, 1, 2)
    assert first
    assert talk.fetch(request(0, 1, 2))[1:] == (0, [0, 1, 2])
    assert talk.begin(0, 1)
    assert (len(talk.sessions), talk.sessions.partition_count) == (2, 5)
    assert talk.fetch(request(session=(first, 1)))[:2] == (0, first)


def test_idle_sessions_give_way_in_bytes_too_whichever_shard_they_are_in():
    talk = TalkInBytes(5)
    talk.begin(0, 1)
    talk.begin(0, 1)
    talk.pass_ms(IDLE_MS_MAX + 1)
    assert talk.begin(0, 1, 2, 3)
    assert (len(talk.sessions), talk.sessions.evictions) == (1, 2)


def test_a_followers_session_takes_the_room_of_consumers():
    talk = TalkInBytes(5)
    consumers = talk.begin(0, 1, 2)
    assert talk.begin(0, 1, 2, 3, is_follower=True)
    assert talk.fetch(request(session=(consumers, 1)))[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_session_that_grows_beyond_the_room_is_over_with_its_next_fetch():
    talk = TalkInBytes(3)
    session_id = talk.begin(0, 1)
    answered = talk.fetch(request(2, 3, session=(session_id, 1)))
    assert answered == (0, session_id, [2, 3])
    assert talk.fetch(request(session=(session_id, 2)))[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert talk.sessions.partition_count == 0


def test_partitions_that_are_given_up_make_room():
    talk = TalkInBytes(4)
    session_id = talk.begin(0, 1, 2)
    talk.fetch(request(session=(session_id, 1), forgotten=(1, 2)))
    assert talk.sessions.partition_count == 1
    assert talk.begin(0, 1, 2)


@pytest.mark.parametrize("code", [E.UNKNOWN_TOPIC_OR_PARTITION, E.UNKNOWN_TOPIC_ID])
def test_many_partitions_that_are_unknown_get_no_session(code):
    few, many = range(UNKNOWN_MAX), range(UNKNOWN_MAX + 1)
    for indexes, is_kept in ((few, True), (many, False)):
        talk = Talk()
        unknown = {index: partition(error=code) for index in indexes}
        session_id = talk.fetch(request(*indexes), unknown)[1]
        assert bool(session_id) is is_kept
        assert len(talk.sessions) == is_kept


def test_other_errors_are_no_reason_to_refuse_a_session():
    indexes = range(UNKNOWN_MAX + 1)
    wrong = {index: partition(error=E.NOT_LEADER_OR_FOLLOWER) for index in indexes}
    assert Talk().fetch(request(*indexes), wrong)[1]


def test_a_session_to_which_many_unknown_ones_are_added_is_over_with_its_next_fetch():
    talk = Talk()
    session_id = talk.begin(0)
    more = range(1, UNKNOWN_MAX + 2)
    unknown = {one: partition(error=E.UNKNOWN_TOPIC_OR_PARTITION) for one in more}
    _, closed, reported = talk.fetch(request(*more, session=(session_id, 1)), unknown)
    assert (closed, reported) == (0, [0, *more])
    assert talk.fetch(request(session=(session_id, 2)))[0] == E.FETCH_SESSION_ID_NOT_FOUND
    assert talk.sessions.partition_count == 0
