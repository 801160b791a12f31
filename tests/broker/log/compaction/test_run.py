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
from tests.broker.log.compacted_logs import COMPACTED, Story
from tests.broker.log.logs import batches_of


def test_the_last_value_of_each_key_is_left_at_its_offset():
    story = Story()
    story.write(("a", "1"), ("b", "1"))
    story.write(("a", "2"), ("c", "1"))
    story.compact()
    assert story.left() == [(1, "b", "1"), (2, "a", "2"), (3, "c", "1")]


def test_what_is_left_is_byte_for_byte_what_was_written():
    story = Story()
    story.write(("a", "1"), ("b", "1"), codec=Codec.ZSTD)
    story.write(("a", "2"), codec=Codec.LZ4)
    story.compact()
    assert story.records() == [story.written[1], story.written[2]]


def test_the_clean_part_is_cleaned_again_with_what_the_dirty_part_says():
    story = Story()
    story.write(("a", "1"), ("b", "1"))
    story.compact()
    story.write(("a", "2"))
    story.compact()
    assert story.left() == [(1, "b", "1"), (2, "a", "2")]


def test_records_without_a_key_go():
    story = Story()
    story.write((None, "1"), ("a", "1"))
    story.compact()
    assert story.left() == [(1, "a", "1")]


def test_the_active_segment_is_left_alone():
    story = Story()
    story.write(("a", "1"))
    story.compact()
    story.write(("a", "2"))
    assert story.left() == [(0, "a", "1"), (1, "a", "2")]


def test_a_tombstone_stays_until_its_horizon_and_goes_with_the_next_round():
    story = Story()
    story.write(("a", "1"), ("b", "1"))
    story.write(("a", None))
    story.compact()
    assert story.left() == [(1, "b", "1"), (2, "a", None)]
    horizons = [read_header(one).delete_horizon_ms for _, one in batches_of(story.log)]
    assert horizons == [None, story.now_ms + COMPACTED.delete_retention_ms]
    for wait_ms, left in ((999, [(1, "b", "1"), (2, "a", None)]), (1, [(1, "b", "1")])):
        story.wait(wait_ms)
        story.write(("more", "1"))
        story.compact()
        assert [one for one in story.left() if one[1] != "more"] == left


def test_without_anything_dirty_a_round_does_nothing():
    story = Story()
    story.write(("a", None))
    story.compact()
    story.wait(5_000)
    done = story.compact()
    assert (done.cleaned_up_to, done.read_bytes) == (1, 0)
    assert story.left() == [(0, "a", None)]


def test_a_horizon_changes_no_timestamp():
    story = Story()
    story.write(("a", None), ("b", "1"))
    story.compact()
    assert story.records() == [story.written[0], story.written[1]]


def test_data_of_aborted_transactions_goes_and_does_not_count():
    story = Story()
    story.write(("a", "1"))
    story.write(("a", "2"), producer=7, transactional=True)
    story.end(7, commit=False)
    story.compact()
    assert story.left() == [(0, "a", "1")]


def test_a_marker_goes_a_horizon_after_its_data():
    story = Story()
    story.write(("a", "1"), producer=7, transactional=True)
    marker = story.end(7, commit=True)
    story.write(("a", "2"), ("b", "1"), producer=8)
    story.log.producers.expire(2**60)
    for expected in ([0, marker], [marker], [marker], []):
        assert [base for base, _, count in story.headers() if count and base < 2] == expected
        story.wait(1_000)
        story.write(("more", "1"))
        story.compact()


def test_an_aborted_transaction_is_reported_to_readers_as_long_as_it_has_batches():
    story = Story()
    story.write(("a", "1"), producer=7, transactional=True)
    story.end(7, commit=False)
    story.write(("b", "1"))
    story.compact()
    result = story.log.read(0, 10_000, Isolation.COMMITTED)
    assert [aborted.producer_id for aborted in result.aborted_transactions or ()] == [7]
    assert story.headers() == [(0, 0, 0), (1, 1, 1), (2, 2, 1)]


def test_a_producers_last_batch_stays_as_a_bare_header():
    story = Story()
    story.write(("a", "1"), ("b", "1"), producer=7)
    story.write(("a", "2"), ("b", "2"))
    story.compact()
    assert story.headers() == [(0, 1, 0), (2, 3, 2)]
    story.reopen()
    story.write(("a", "3"), producer=7)
    assert story.left()[-1] == (4, "a", "3")


def test_the_end_of_the_round_stays_as_a_bare_header():
    story = Story()
    story.write(("a", "1"))
    story.write((None, "1"))
    story.compact()
    assert story.headers() == [(0, 0, 1), (1, 1, 0)]
    assert story.cleaned_up_to == 2


def test_the_files_take_the_place_of_their_sources_with_their_time():
    story = Story()
    for number in range(4):
        story.write(("a", str(number)))
        story.roll()
    modified_ms = list(story.log.segments)[3].modified_ms
    story.wait(5_000)
    done = story.compact()
    assert story.log.segments.base_offsets == (0, 4)
    assert story.log.segments.first.modified_ms == modified_ms
    assert story.bench.names(".deleted") == story.bench.names(".cleaned") == []
    assert (done.keys, done.cleaned_up_to, done.read_bytes > done.written_bytes) == (1, 4, True)


def test_small_segments_are_put_together_up_to_segment_bytes():
    story = Story()
    for number in range(6):
        story.write((f"key {number}", "x" * 40_000))
        story.roll()
    story.compact()
    assert story.log.segments.base_offsets == (0, 2, 4, 6)


def test_a_round_ends_where_the_map_is_full_and_the_next_goes_on():
    story = Story()
    for number in range(6):
        story.write(("a", str(number)), (f"b{number}", "1"))
    story.compact(buffer_bytes=5 * 240)
    assert story.cleaned_up_to == 6
    assert [key for _, key, _ in story.left()].count("a") == 4
    story.compact()
    assert [offset for offset, key, _ in story.left() if key == "a"] == [10]


def test_a_round_can_be_stopped_and_nothing_is_lost():
    story = Story()
    story.write(("a", "1"))
    story.write(("a", "2"))
    story.roll()
    answers = iter([False, False, True])
    stopped = Compaction(
        story.log.state, story.measure(), story.now_ms, must_stop=lambda: next(answers)
    )
    with pytest.raises(CompactionStoppedError, match="the next round does it again"):
        stopped.run()
    assert story.bench.names(".cleaned") == []
    assert [offset for offset, _, _ in story.left()] == [0, 1]


def test_a_corrupt_batch_ends_the_round_and_changes_nothing():
    story = Story()
    story.write(("a", "1"))
    story.write(("a", "2"))
    story.roll()
    segment = story.log.segments.first
    segment.log.write_at(segment.size - 1, b"\xff")
    with pytest.raises(CorruptRecordError):
        Compaction(story.log.state, story.measure(), story.now_ms).run()
    assert story.bench.names(".cleaned") == []
    assert len(batches_of(story.log)) == 2


def test_after_a_restart_the_log_is_the_same():
    story = Story()
    for number in range(30):
        story.write((f"k{number % 7}", f"v{number}"), (f"k{number % 3}", None))
    story.compact()
    before = story.records()
    story.reopen()
    assert story.records() == before
    assert story.log.log_end_offset == 60


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
    story = Story()
    committed: dict[int, tuple[str | None, str | None]] = {}
    for step in script:
        match step:
            case ("write", some, codec, producer):
                base = story.write(*some, codec=codec, producer=producer)
                committed |= dict(enumerate(some, base))
            case ("transact", some, commits, producer):
                base = story.write(*some, producer=producer, transactional=True)
                story.end(producer, commit=commits)
                if commits:
                    committed |= dict(enumerate(some, base))
            case ("compact", wait_ms, reopens):
                story.wait(wait_ms)
                story.compact()
                _compare(story, committed)
                if reopens:
                    story.reopen()
                    _compare(story, committed)
            case _:
                story.roll()


def _compare(story: Story, committed) -> None:
    """All there is was written so; of each key the last value is there, and nothing older."""
    last = {key: offset for offset, (key, _) in sorted(committed.items()) if key is not None}
    valued = {offset for offset in last.values() if committed[offset][1] is not None}
    found = {offset: (key, value) for offset, key, value in story.left()}
    assert valued <= set(found) <= set(last.values())
    assert all(committed[offset] == pair for offset, pair in found.items())
    assert all(story.written[record.offset] == record for record in story.records())
    story.log.segments.first.transaction_index.sanity_check(0)


def begun() -> tuple[Story, Compaction]:
    story = Story()
    for number in range(30):
        story.write((f"k{number % 7}", f"v{number}"))
    story.roll()
    return story, Compaction(story.log.state, story.measure(), story.now_ms)


def test_appends_and_reads_go_on_between_the_steps_of_a_round():
    story, round_ = begun()
    while (prepared := round_.prepare()) is not None:
        story.write(("later", "1"))
        assert story.log.read(0, 100).size
        round_.switch(prepared)
    assert round_.done.written_bytes < round_.done.read_bytes
    assert len(story.left()) > 7
    assert story.left()[-1][1] == "later"


def test_what_left_the_log_during_a_round_does_not_come_back():
    story, round_ = begun()
    prepared = round_.prepare()
    assert prepared is not None
    story.log.high_watermark = story.log.log_end_offset
    removal = story.log.delete_segments(list(story.log.segments)[:1])
    round_.switch(prepared)
    removal.remove()
    assert story.log.log_start_offset == story.log.segments.first.base_offset > 0
    assert story.bench.names(".cleaned") == []
    assert round_.done.removals == []
