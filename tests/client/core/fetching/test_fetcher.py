"""The fetcher, step by step in simulated time."""

from __future__ import annotations

from moldau.client.core.fetching.events import (
    Answered,
    Broken,
    Deliver,
    Fail,
    LeaveOff,
    LookUpRange,
    RangeFound,
    Refresh,
    Refreshed,
    Send,
    Tick,
    Want,
)
from moldau.client.core.fetching.fetcher import Fetcher
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.metadata import UNKNOWN_TRIES_MAX
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    AccessDeniedError,
    OffsetGoneError,
    TimedOutError,
    UnknownTopicError,
    UnreachableError,
    UnsupportedVersionError,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import OTHER_ID, fetched, metadata, row, unknown
from tests.client.batches import data_batch
from tests.client.conversation import context

AWAY = UnreachableError("b1:9092", "connection refused")
LEADERS = {"t": {0: (1, 3), 1: (1, 3), 2: (2, 3)}}


class FetcherWithClock:
    """A fetcher and its clock; `leaders`, as metadata, are applied first."""

    def __init__(self, leaders=LEADERS, **settings: str) -> None:
        self.context = context(**settings)
        self.now_ms = 0
        self.wake_at_ms: float | None = None
        self._fetcher = Fetcher(self.context, Isolation.READ_UNCOMMITTED)
        if leaders is not None:
            self.learns(leaders)

    def learns(self, leaders, **more) -> None:
        self.context.cluster.apply_metadata(metadata(leaders, **more), self.now_ms)

    def step(self, event, later_ms: int = 0):
        self.now_ms += later_ms
        effects, self.wake_at_ms = self._fetcher.step(event, self.now_ms)
        return effects

    def wakes(self):
        """The time comes that the last step asked for."""
        assert self.wake_at_ms is not None
        return self.step(Tick(), max(0, int(self.wake_at_ms - self.now_ms) + 1))

    def wants(self, what: Reading) -> Send:
        (effect,) = self.step(Want((what,)))
        assert isinstance(effect, Send)
        return effect


def reading(partition: int = 0, start: int = 0, end: int = 100) -> Reading:
    return Reading(TopicPartition("t", partition), start, end, 1000)


def kinds(effects) -> list[str]:
    return [type(effect).__name__ for effect in effects]


def failure(effects):
    (effect,) = (effect for effect in effects if isinstance(effect, Fail))
    return effect.error


def asked(send: Send) -> dict[int, int]:
    rows = [row for topic in send.request.topics for row in topic.partitions]
    return {row.partition: row.fetch_offset for row in rows}


def test_what_is_wanted_is_asked_of_its_leader():
    send = FetcherWithClock().wants(reading(2, 5))
    assert (send.node_id, asked(send)) == (2, {2: 5})


def test_a_reading_gets_one_chunk_each_time_that_it_is_wanted():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    delivered = fetcher.step(Answered(1, fetched(row(data_batch(0)), session_id=7)))
    assert kinds(delivered) == ["Deliver"]
    assert asked(fetcher.wants(what)) == {0: 3}


def test_a_broker_has_one_fetch_at_a_time_and_the_next_is_for_all_that_wait():
    fetcher, first, second = FetcherWithClock(), reading(0), reading(1)
    fetcher.wants(first)
    assert fetcher.step(Want((second,))) == []
    effects = fetcher.step(Answered(1, fetched(row(b"", high_watermark=0), session_id=7)))
    assert [asked(send) for send in effects if isinstance(send, Send)] == [{1: 0}]


class SharedFetcher(FetcherWithClock):
    """Two readings of partition 0: one at the end of the log, and one that just began."""

    def __init__(self, start: int) -> None:
        super().__init__(fetch_max_wait_ms="500")
        self.first, self.second = reading(), reading(start=start)
        self.wants(self.first)
        assert self.step(Want((self.second,))) == []
        (send,) = self.answered()
        assert (asked(send), max_wait(send)) == ({}, 0), "the second may have records to fetch"

    def answered(self, records: bytes = b"", high_watermark: int = 0):
        found = row(records, high_watermark=high_watermark)
        return self.step(Answered(1, fetched(found, session_id=7)))

    @property
    def fetching(self) -> list[Reading]:
        return [one for one in (self.first, self.second) if one.node_id == 1]


def test_readings_of_a_partition_take_turns():
    fetcher = SharedFetcher(start=0)
    for turn in range(4):
        (send,) = fetcher.answered()
        assert max_wait(send) == 500, "nothing is there for the other one"
        assert fetcher.fetching == [(fetcher.second, fetcher.first)[turn % 2]]


def test_a_fetch_at_the_end_does_not_wait_while_another_reading_has_records_to_fetch():
    fetcher = SharedFetcher(start=50)
    (send,) = fetcher.answered()
    assert (asked(send), max_wait(send)) == ({0: 50}, 500)
    (delivered,) = fetcher.answered(data_batch(50), high_watermark=60)
    assert isinstance(delivered, Deliver)
    send = fetcher.wants(fetcher.second)
    assert (asked(send), max_wait(send)) == ({0: 0}, 0)
    (send,) = fetcher.answered()
    assert (asked(send), max_wait(send)) == ({0: 53}, 500)


class UntakenTalk(FetcherWithClock):
    """Of broker 1, a chunk of partition 0 lies untaken, and partition 1 is read to its end."""

    def __init__(self) -> None:
        super().__init__(fetch_max_wait_ms="500")
        self.first, self.at_end = reading(0), reading(1)
        self.wants(self.first)
        assert self.step(Want((self.at_end,))) == []
        delivered, send = self.step(Answered(1, fetched(row(data_batch(0)), session_id=7)))
        assert (type(delivered), max_wait(send)) == (Deliver, 500), "its end is not known yet"
        nothing = fetched(row(b"", partition=1, high_watermark=0), session_id=7)
        assert self.step(Answered(1, nothing), later_ms=20) == []


def max_wait(send) -> int:
    assert isinstance(send, Send)
    return send.request.max_wait_ms


def test_what_is_wanted_next_never_waits_for_a_fetch_at_the_ends_of_others():
    fetcher = UntakenTalk()
    send = fetcher.wants(fetcher.first)
    assert (asked(send), max_wait(send)) == ({0: 3}, 500)


def test_ends_are_looked_at_now_and_then_while_chunks_lie_untaken():
    fetcher = UntakenTalk()
    assert fetcher.wake_at_ms == 520
    for _ in range(2):
        (send,) = fetcher.wakes()
        assert max_wait(send) == 0
        assert fetcher.step(Answered(1, fetched(session_id=7))) == []
        assert fetcher.wake_at_ms == fetcher.now_ms + 500


def test_a_fetch_at_the_ends_waits_once_nothing_lies_untaken():
    fetcher = UntakenTalk()
    (send,) = fetcher.step(LeaveOff(fetcher.first))
    assert max_wait(send) == 500


def test_chunks_of_another_broker_hold_nothing_up():
    fetcher, elsewhere, at_end = FetcherWithClock(), reading(2), reading(1)
    fetcher.wants(elsewhere)
    fetcher.step(Answered(2, fetched(row(data_batch(0), partition=2))))
    fetcher.wants(at_end)
    (send,) = fetcher.step(Answered(1, fetched(row(b"", partition=1, high_watermark=0))))
    assert max_wait(send) == 500


def test_a_silent_session_is_no_trouble():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(b"", high_watermark=0), session_id=7)))
    (send,) = fetcher.step(Answered(1, fetched(session_id=7)))
    assert isinstance(send, Send)
    assert (send.request.session_epoch, asked(send)) == (2, {})


def test_at_the_end_the_reading_is_forgotten():
    fetcher, what = FetcherWithClock(), reading(0, 0, 3)
    fetcher.wants(what)
    assert kinds(fetcher.step(Answered(1, fetched(row(data_batch(0)))))) == ["Deliver"]
    assert fetcher.wake_at_ms is None
    assert what.is_done


def test_a_partition_without_known_leader_is_asked_for_once():
    fetcher = FetcherWithClock(leaders=None)
    assert fetcher.step(Want((reading(),))) == [Refresh(("t",))]
    assert fetcher.step(Want((reading(1),))) == []
    fetcher.learns(LEADERS)
    (send,) = fetcher.step(Refreshed())
    assert isinstance(send, Send)
    assert asked(send) == {0: 0, 1: 0}


def test_a_leader_that_moved_with_a_hint_is_followed_at_once():
    fetcher = FetcherWithClock()
    fetcher.wants(reading())
    moved = row(code=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=(2, 4))
    (send,) = fetcher.step(Answered(1, fetched(moved)))
    assert isinstance(send, Send)
    assert send.node_id == 2


def test_a_leader_that_moved_without_a_hint_is_looked_for_after_a_while():
    fetcher = FetcherWithClock()
    fetcher.wants(reading())
    moved = row(code=ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert fetcher.step(Answered(1, fetched(moved))) == []
    assert fetcher.wakes() == [Refresh(("t",))]
    fetcher.learns({"t": {0: (2, 4)}})
    (send,) = fetcher.step(Refreshed())
    assert isinstance(send, Send)
    assert send.node_id == 2


def test_a_broker_that_went_away_is_tried_again_later_each_time():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    waits = []
    for _ in range(3):
        assert fetcher.step(Broken(1, AWAY)) == []
        waits.append(what.not_before_ms - fetcher.now_ms)
        assert fetcher.wakes() == [Refresh(("t",))]
        fetcher.learns(LEADERS)
        assert kinds(fetcher.step(Refreshed())) == ["Send"]
    assert waits == sorted(waits)


def test_without_success_it_ends_when_the_time_is_over():
    fetcher, what = FetcherWithClock(default_api_timeout_ms="1000"), reading()
    fetcher.wants(what)
    fetcher.step(Broken(1, AWAY), later_ms=999)
    error = failure(fetcher.wakes())
    assert isinstance(error, TimedOutError)
    assert "reading t-0 from offset 0 after 1000 ms" in str(error)
    assert "connection refused" in str(error)


def test_records_that_are_not_written_in_time_end_it_too():
    fetcher, what = FetcherWithClock(default_api_timeout_ms="1000"), reading(0, 0, 5)
    fetcher.wants(what)
    effects = fetcher.step(Answered(1, fetched(row(b"", high_watermark=0))), later_ms=1000)
    assert "the log ends at 0" in str(failure(effects))


def test_success_gives_new_time():
    fetcher, what = FetcherWithClock(default_api_timeout_ms="1000"), reading()
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(data_batch(0)))), later_ms=900)
    fetcher.wants(what)
    fetcher.step(Broken(1, AWAY), later_ms=900)
    assert fetcher.wake_at_ms is not None


def test_a_dropped_session_begins_anew():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(data_batch(0)), session_id=7)))
    assert fetcher.wants(what).request.session_epoch == 1
    fetcher.step(Answered(1, fetched(code=ErrorCode.FETCH_SESSION_ID_NOT_FOUND)))
    (send,) = fetcher.wakes()
    assert isinstance(send, Send)
    assert (send.request.session_id, send.request.session_epoch, asked(send)) == (0, 0, {0: 3})


def test_a_broker_that_throttles_is_left_alone():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(data_batch(0)), throttle_time_ms=250)))
    assert fetcher.step(Want((what,))) == []
    assert fetcher.wake_at_ms == 250
    assert kinds(fetcher.wakes()) == ["Send"]


def test_offsets_that_retention_overtook_are_reported_with_what_is_left():
    fetcher, what = FetcherWithClock(), reading(0, 5)
    fetcher.wants(what)
    effects = fetcher.step(Answered(1, fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))))
    assert effects == [LookUpRange(what)]
    error = failure(fetcher.step(RangeFound(what, 50, 90)))
    assert isinstance(error, OffsetGoneError)
    assert (error.part, error.start, error.earliest, error.latest) == (what.part, 5, 50, 90)


def test_an_offset_that_is_in_range_after_all_is_asked_for_again():
    fetcher, what = FetcherWithClock(), reading(0, 5)
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))))
    assert fetcher.step(RangeFound(what, 0, 90)) == []
    assert kinds(fetcher.wakes()) == ["Send"]


def test_a_range_that_is_not_waited_for_any_more_is_no_matter():
    fetcher, what = FetcherWithClock(), reading(0, 5)
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))))
    fetcher.step(LeaveOff(what))
    assert fetcher.step(RangeFound(what, 50, 90)) == []


def test_fresh_metadata_are_no_matter_to_those_who_are_fetching():
    fetcher, other = FetcherWithClock(), reading(2)
    fetcher.wants(reading())
    fetcher.context.cluster.mark_stale("t")
    assert fetcher.step(Want((other,))) == [Refresh(("t",))]
    fetcher.learns(LEADERS)
    (send,) = fetcher.step(Refreshed())
    assert isinstance(send, Send)
    assert asked(send) == {2: 0}


def test_a_range_that_is_not_answered_is_no_end():
    fetcher, what = FetcherWithClock(), reading(0, 5)
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(code=ErrorCode.OFFSET_OUT_OF_RANGE))))
    assert fetcher.step(RangeFound(what, error=AWAY)) == []
    assert kinds(fetcher.wakes()) == ["Send"]


def test_a_topic_that_stays_unknown_ends_the_reading():
    fetcher, what = FetcherWithClock(leaders=None), reading()
    fetcher.step(Want((what,)))
    for _ in range(UNKNOWN_TRIES_MAX):
        fetcher.context.cluster.apply_metadata(unknown("t"), fetcher.now_ms)
        assert fetcher.step(Refreshed()) == []
        assert fetcher.wakes() == [Refresh(("t",))]
    fetcher.context.cluster.apply_metadata(unknown("t"), fetcher.now_ms)
    assert isinstance(failure(fetcher.step(Refreshed())), UnknownTopicError)


def test_a_partition_that_is_not_there_ends_the_reading():
    fetcher = FetcherWithClock(leaders=None)
    fetcher.step(Want((reading(9),)))
    fetcher.learns(LEADERS)
    assert "has no partition 9" in str(failure(fetcher.step(Refreshed())))


def test_a_topic_that_may_not_be_read_ends_the_reading():
    fetcher = FetcherWithClock(leaders=None)
    fetcher.step(Want((reading(),)))
    fetcher.learns({}, refused={"t": ErrorCode.TOPIC_AUTHORIZATION_FAILED})
    assert isinstance(failure(fetcher.step(Refreshed())), AccessDeniedError)


def test_a_topic_that_was_made_again_is_another_topic():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    fetcher.step(Answered(1, fetched(row(data_batch(0)))))
    fetcher.context.cluster.mark_stale("t")
    fetcher.step(Want((what,)))
    fetcher.learns(LEADERS, topic_id=OTHER_ID)
    assert "made again" in str(failure(fetcher.step(Refreshed())))


def test_a_broker_that_is_too_old_ends_the_reading():
    fetcher = FetcherWithClock()
    fetcher.wants(reading())
    error = UnsupportedVersionError("too old")
    assert failure(fetcher.step(Broken(1, error))) is error


def test_metadata_that_cannot_be_had_are_tried_for_again():
    fetcher = FetcherWithClock(leaders=None)
    fetcher.step(Want((reading(),)))
    assert fetcher.step(Refreshed(AWAY)) == []
    assert fetcher.wakes() == [Refresh(("t",))]


def test_what_is_not_wanted_any_more_is_not_delivered():
    fetcher, what = FetcherWithClock(), reading()
    fetcher.wants(what)
    fetcher.step(LeaveOff(what))
    effects = fetcher.step(Answered(1, fetched(row(data_batch(0)))))
    assert [effect for effect in effects if isinstance(effect, Deliver)] == []


def test_old_metadata_are_renewed():
    fetcher = FetcherWithClock(metadata_max_age_ms="1000")
    assert fetcher.step(Want((reading(),)), later_ms=1001) == [Refresh(("t",))]
