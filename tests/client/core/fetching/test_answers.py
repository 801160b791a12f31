"""What a broker's word about one partition means."""

from __future__ import annotations

import pytest

from moldau.client.core.cluster import Cluster, Leader
from moldau.client.core.fetching.answers import judge_row
from moldau.client.core.fetching.events import Deliver, Fail, LookUpRange
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    AccessDeniedError,
    LogTruncatedError,
    OldFormatError,
    RefusedError,
)
from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import fetched, metadata, row
from tests.client.batches import data_batch, marker

PART = TopicPartition("t", 0)


def cluster() -> Cluster:
    view = Cluster(1000)
    view.apply_metadata(metadata({"t": {0: (1, 3)}}), 0)
    return view


def reading(start: int = 0, end: int = 100) -> Reading:
    return Reading(PART, start, end, 1000)


def judge(what: Reading, *rows, view=None, isolation=Isolation.READ_UNCOMMITTED, **more):
    answer = fetched(*rows, **more)
    return judge_row(view or cluster(), what, rows[0], answer, isolation)


def test_records_move_the_reading_on_and_are_handed_over_as_they_are():
    what = reading(1)
    verdict = judge(what, row(data_batch(0, leader_epoch=2) + data_batch(3, leader_epoch=2)))
    assert isinstance(verdict, Deliver)
    assert (verdict.chunk.start, verdict.chunk.end) == (1, 6)
    assert (what.position, what.last_epoch) == (6, 2)


def test_a_chunk_ends_where_the_reading_ends():
    what = reading(0, 4)
    verdict = judge(what, row(data_batch(0) + data_batch(3)))
    assert isinstance(verdict, Deliver)
    assert verdict.chunk.end == 4
    assert what.is_done


@pytest.mark.parametrize(("isolation", "end"), [("READ_UNCOMMITTED", 9), ("READ_COMMITTED", 3)])
def test_the_end_is_where_the_reader_is_sent_no_more(isolation, end):
    what = reading()
    ends = []
    for records in (data_batch(0), b""):
        found = row(records, high_watermark=9, last_stable_offset=3)
        judge(what, found, isolation=Isolation[isolation])
        ends.append(what.known_end)
    assert ends == [end, end]


def test_aborted_transactions_are_void_for_those_who_read_committed_records_only():
    records = data_batch(0, producer_id=7, transactional=True) + marker(3, 7, is_commit=False)
    void = {}
    for isolation in Isolation:
        verdict = judge(reading(), row(records, aborted=((7, 0),)), isolation=isolation)
        assert isinstance(verdict, Deliver)
        void[isolation] = verdict.chunk.void
    assert void == {Isolation.READ_UNCOMMITTED: frozenset(), Isolation.READ_COMMITTED: {0}}


def test_at_the_end_of_the_log_nothing_is_an_answer():
    what = reading(100, 200)
    assert judge(what, row(b"", high_watermark=100)) is None
    assert what.known_end == 100


def test_a_hole_up_to_the_end_of_the_log_is_accepted_when_it_is_reported_twice():
    what = reading(50, 200)
    assert judge(what, row(b"", high_watermark=60)) is None
    verdict = judge(what, row(b"", high_watermark=60))
    assert isinstance(verdict, Deliver)
    assert (len(verdict.chunk.records), what.position) == (0, 60)


def test_those_who_read_committed_records_step_only_up_to_what_is_decided():
    what = reading(50, 200)
    for _ in range(2):
        judge(
            what,
            row(b"", high_watermark=60, last_stable_offset=55),
            isolation=Isolation.READ_COMMITTED,
        )
    assert what.position == 55


def test_an_answer_that_was_full_with_others_proves_no_hole():
    what = reading(50, 200)
    for _ in range(5):
        full = row(data_batch(0), partition=1)
        assert judge(what, row(b"", high_watermark=60), full) is None
    assert what.position == 50


@pytest.mark.parametrize("records", [data_batch(10)[:40], data_batch(0)])
def test_records_that_bring_nothing_further_are_asked_for_again(records):
    what = reading(10)
    assert judge(what, row(records)) is None
    assert what.position == 10


def test_an_offset_out_of_range_is_a_question_for_the_range():
    what = reading()
    assert judge(what, row(code=ErrorCode.OFFSET_OUT_OF_RANGE)) == LookUpRange(what)


def test_a_log_that_parts_from_what_was_read_ends_the_reading():
    verdict = judge(reading(50), row(b"", diverging=(2, 40)))
    assert isinstance(verdict, Fail)
    assert isinstance(verdict.error, LogTruncatedError)
    assert verdict.error.end_offset == 40


def test_the_leader_that_is_named_instead_is_asked_at_once():
    view = cluster()
    moved = row(code=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=(3, 4))
    assert judge(reading(), moved, view=view, endpoints={3: "b3"}) is None
    assert view.leader(PART) == Leader(3, 4)


def test_without_a_hint_the_topic_is_asked_for():
    view = cluster()
    verdict = judge(reading(), row(code=ErrorCode.FENCED_LEADER_EPOCH), view=view)
    assert isinstance(verdict, RefusedError)
    assert not view.is_fresh("t", 0)


def test_what_passes_by_itself_needs_no_fresh_metadata():
    view = cluster()
    verdict = judge(reading(), row(code=ErrorCode.OFFSET_NOT_AVAILABLE), view=view)
    assert isinstance(verdict, RefusedError)
    assert view.is_fresh("t", 0)


def test_what_cannot_pass_ends_the_reading():
    verdict = judge(reading(), row(code=ErrorCode.TOPIC_AUTHORIZATION_FAILED))
    assert isinstance(verdict, Fail)
    assert isinstance(verdict.error, AccessDeniedError)


def test_an_old_format_ends_the_reading():
    old = (5).to_bytes(8, "big") + bytes(8) + b"\x01" + bytes(30)
    verdict = judge(reading(), row(old))
    assert isinstance(verdict, Fail)
    assert isinstance(verdict.error, OldFormatError)


def test_records_that_make_no_sense_are_fetched_again():
    broken = bytearray(data_batch(0))
    broken[8:12] = (3).to_bytes(4, "big")
    what = reading()
    assert isinstance(judge(what, row(bytes(broken))), CorruptRecordError)
    assert what.position == 0
