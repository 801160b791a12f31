"""Rounds of compaction over whole logs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.broker.log.compaction.plan import CompactionStoppedError
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.reading import Isolation
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.compression import Codec
from tests.broker.log.compacted_logs import COMPACTED, CompactedLog
from tests.broker.log.logs import batches_of


def test_the_last_value_of_each_key_is_left_at_its_offset():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    compacted.write(("a", "2"), ("c", "1"))
    compacted.compact()
    assert compacted.left() == [(1, "b", "1"), (2, "a", "2"), (3, "c", "1")]


def test_what_is_left_is_byte_for_byte_what_was_written():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"), codec=Codec.ZSTD)
    compacted.write(("a", "2"), codec=Codec.LZ4)
    compacted.compact()
    assert compacted.records() == [compacted.written[1], compacted.written[2]]


def test_the_clean_part_is_cleaned_again_with_what_the_dirty_part_says():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    compacted.compact()
    compacted.write(("a", "2"))
    compacted.compact()
    assert compacted.left() == [(1, "b", "1"), (2, "a", "2")]


def test_records_without_a_key_go():
    compacted = CompactedLog()
    compacted.write((None, "1"), ("a", "1"))
    compacted.compact()
    assert compacted.left() == [(1, "a", "1")]


def test_the_active_segment_is_left_alone():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.compact()
    compacted.write(("a", "2"))
    assert compacted.left() == [(0, "a", "1"), (1, "a", "2")]


def test_a_tombstone_stays_until_its_horizon_and_goes_with_the_next_round():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    compacted.write(("a", None))
    compacted.compact()
    assert compacted.left() == [(1, "b", "1"), (2, "a", None)]
    horizons = [read_header(one).delete_horizon_ms for _, one in batches_of(compacted.log)]
    assert horizons == [None, compacted.now_ms + COMPACTED.delete_retention_ms]
    for wait_ms, left in ((999, [(1, "b", "1"), (2, "a", None)]), (1, [(1, "b", "1")])):
        compacted.wait(wait_ms)
        compacted.write(("more", "1"))
        compacted.compact()
        assert [one for one in compacted.left() if one[1] != "more"] == left


def test_without_anything_dirty_a_round_does_nothing():
    compacted = CompactedLog()
    compacted.write(("a", None))
    compacted.compact()
    compacted.wait(5_000)
    done = compacted.compact()
    assert (done.cleaned_up_to, done.read_bytes) == (1, 0)
    assert compacted.left() == [(0, "a", None)]


def test_a_horizon_changes_no_timestamp():
    compacted = CompactedLog()
    compacted.write(("a", None), ("b", "1"))
    compacted.compact()
    assert compacted.records() == [compacted.written[0], compacted.written[1]]


def test_data_of_aborted_transactions_goes_and_does_not_count():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"), producer=7, transactional=True)
    compacted.end(7, commit=False)
    compacted.compact()
    assert compacted.left() == [(0, "a", "1")]


def test_a_marker_goes_a_horizon_after_its_data():
    compacted = CompactedLog()
    compacted.write(("a", "1"), producer=7, transactional=True)
    marker = compacted.end(7, commit=True)
    compacted.write(("a", "2"), ("b", "1"), producer=8)
    compacted.log.producers.expire(2**60)
    for expected in ([0, marker], [marker], [marker], []):
        assert [base for base, _, count in compacted.headers() if count and base < 2] == expected
        compacted.wait(1_000)
        compacted.write(("more", "1"))
        compacted.compact()


def test_an_aborted_transaction_is_reported_to_readers_as_long_as_it_has_batches():
    compacted = CompactedLog()
    compacted.write(("a", "1"), producer=7, transactional=True)
    compacted.end(7, commit=False)
    compacted.write(("b", "1"))
    compacted.compact()
    result = compacted.log.read(0, 10_000, Isolation.COMMITTED)
    assert [aborted.producer_id for aborted in result.aborted_transactions or ()] == [7]
    assert compacted.headers() == [(0, 0, 0), (1, 1, 1), (2, 2, 1)]


def test_a_producers_last_batch_stays_as_a_bare_header():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"), producer=7)
    compacted.write(("a", "2"), ("b", "2"))
    compacted.compact()
    assert compacted.headers() == [(0, 1, 0), (2, 3, 2)]
    compacted.reopen()
    compacted.write(("a", "3"), producer=7)
    assert compacted.left()[-1] == (4, "a", "3")


def test_the_end_of_the_round_stays_as_a_bare_header():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write((None, "1"))
    compacted.compact()
    assert compacted.headers() == [(0, 0, 1), (1, 1, 0)]
    assert compacted.cleaned_up_to == 2


def test_the_files_take_the_place_of_their_sources_with_their_time():
    compacted = CompactedLog()
    for number in range(4):
        compacted.write(("a", str(number)))
        compacted.roll()
    modified_ms = list(compacted.log.segments)[3].modified_ms
    compacted.wait(5_000)
    done = compacted.compact()
    assert compacted.log.segments.base_offsets == (0, 4)
    assert compacted.log.segments.first.modified_ms == modified_ms
    assert compacted.bench.names(".deleted") == compacted.bench.names(".cleaned") == []
    assert (done.keys, done.cleaned_up_to, done.read_bytes > done.written_bytes) == (1, 4, True)


def test_small_segments_are_put_together_up_to_segment_bytes():
    compacted = CompactedLog()
    for number in range(6):
        compacted.write((f"key {number}", "x" * 40_000))
        compacted.roll()
    compacted.compact()
    assert compacted.log.segments.base_offsets == (0, 2, 4, 6)


def test_a_round_ends_where_the_map_is_full_and_the_next_goes_on():
    compacted = CompactedLog()
    for number in range(6):
        compacted.write(("a", str(number)), (f"b{number}", "1"))
    compacted.compact(buffer_bytes=5 * 240)
    assert compacted.cleaned_up_to == 6
    assert [key for _, key, _ in compacted.left()].count("a") == 4
    compacted.compact()
    assert [offset for offset, key, _ in compacted.left() if key == "a"] == [10]


def test_a_round_can_be_stopped_and_nothing_is_lost():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.roll()
    answers = iter([False, False, True])
    stopped = Compaction(
        compacted.log.state, compacted.measure(), compacted.now_ms, must_stop=lambda: next(answers)
    )
    with pytest.raises(CompactionStoppedError, match="the next round does it again"):
        stopped.run()
    assert compacted.bench.names(".cleaned") == []
    assert [offset for offset, _, _ in compacted.left()] == [0, 1]


def test_a_corrupt_batch_ends_the_round_and_changes_nothing():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.write(("a", "2"))
    compacted.roll()
    segment = compacted.log.segments.first
    segment.log.write_at(segment.size - 1, b"\xff")
    with pytest.raises(CorruptRecordError):
        Compaction(compacted.log.state, compacted.measure(), compacted.now_ms).run()
    assert compacted.bench.names(".cleaned") == []
    assert len(batches_of(compacted.log)) == 2


def test_after_a_restart_the_log_is_the_same():
    compacted = CompactedLog()
    for number in range(30):
        compacted.write((f"k{number % 7}", f"v{number}"), (f"k{number % 3}", None))
    compacted.compact()
    before = compacted.records()
    compacted.reopen()
    assert compacted.records() == before
    assert compacted.log.log_end_offset == 60


keys = st.sampled_from(["a", "b", "c", "d" * 40, None])
values = st.none() | st.sampled_from(["1", "2", "x" * 30])
pairs = st.lists(st.tuples(keys, values), min_size=1, max_size=4)
codecs = st.sampled_from(list(Codec))
steps = st.one_of(
    st.tuples(st.just("write"), pairs, codecs, st.none() | st.sampled_from([1, 2])),
    st.tuples(st.just("transact"), pairs, st.booleans(), st.sampled_from([11, 12])),
    st.tuples(st.just("compact"), st.integers(0, 1_500), st.booleans()),
    st.tuples(st.just("roll")),
)


@settings(max_examples=60)
@given(st.lists(steps, max_size=25))
def test_compaction_agrees_with_a_plain_dictionary(script):
    compacted = CompactedLog()
    committed: dict[int, tuple[str | None, str | None]] = {}
    for step in script:
        match step:
            case ("write", some, codec, producer):
                base = compacted.write(*some, codec=codec, producer=producer)
                committed |= dict(enumerate(some, base))
            case ("transact", some, commits, producer):
                base = compacted.write(*some, producer=producer, transactional=True)
                compacted.end(producer, commit=commits)
                if commits:
                    committed |= dict(enumerate(some, base))
            case ("compact", wait_ms, reopens):
                compacted.wait(wait_ms)
                compacted.compact()
                _compare(compacted, committed)
                if reopens:
                    compacted.reopen()
                    _compare(compacted, committed)
            case _:
                compacted.roll()


def _compare(compacted: CompactedLog, committed) -> None:
    """All there is was written so; of each key the last value is there, and nothing older."""
    last = {key: offset for offset, (key, _) in sorted(committed.items()) if key is not None}
    valued = {offset for offset in last.values() if committed[offset][1] is not None}
    found = {offset: (key, value) for offset, key, value in compacted.left()}
    assert valued <= set(found) <= set(last.values())
    assert all(committed[offset] == pair for offset, pair in found.items())
    assert all(compacted.written[record.offset] == record for record in compacted.records())
    compacted.log.segments.first.transaction_index.sanity_check(0)


def begun() -> tuple[CompactedLog, Compaction]:
    compacted = CompactedLog()
    for number in range(30):
        compacted.write((f"k{number % 7}", f"v{number}"))
    compacted.roll()
    return compacted, Compaction(compacted.log.state, compacted.measure(), compacted.now_ms)


def test_appends_and_reads_go_on_between_the_steps_of_a_round():
    compacted, round_ = begun()
    while (prepared := round_.prepare()) is not None:
        compacted.write(("later", "1"))
        assert compacted.log.read(0, 100).size
        round_.switch(prepared)
    assert round_.done.written_bytes < round_.done.read_bytes
    assert len(compacted.left()) > 7
    assert compacted.left()[-1][1] == "later"


def test_what_left_the_log_during_a_round_does_not_come_back():
    compacted, round_ = begun()
    prepared = round_.prepare()
    assert prepared is not None
    compacted.log.high_watermark = compacted.log.log_end_offset
    removal = compacted.log.delete_segments(list(compacted.log.segments)[:1])
    round_.switch(prepared)
    removal.remove()
    assert compacted.log.log_start_offset == compacted.log.segments.first.base_offset > 0
    assert compacted.bench.names(".cleaned") == []
    assert round_.done.removals == []
