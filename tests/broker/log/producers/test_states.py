"""Appends of producers, as a conversation with one partition."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.producers.entry import SEQUENCE_MASK
from moldau.broker.log.producers.refusals import (
    InvalidTransactionStateError,
    OutOfOrderSequenceError,
    ProducerError,
)
from moldau.broker.log.producers.states import ProducerStates
from moldau.platform.system.files import SystemFiles
from tests.broker.log.producer_batches import ABORT, COMMIT, PRODUCER, data, end

CLIENT = AppendOrigin.CLIENT


@pytest.fixture
def states(tmp_path: Path) -> ProducerStates:
    return ProducerStates(SystemFiles(), str(tmp_path))


def append(states: ProducerStates, header, marker=None):
    repeated = states.check(header, CLIENT, marker=marker)
    assert repeated is None
    completed = states.apply(header, marker)
    states.map_end_offset = header.next_offset
    return completed


def test_any_of_the_last_five_batches_is_recognised_and_answered_with_its_old_offsets(states):
    for index in range(6):
        append(states, data(100 + 2 * index, 2 * index, 2))
    for index in range(1, 6):
        repeated = states.check(data(999, 2 * index, 2), CLIENT)
        assert repeated is not None
        assert (repeated.first_offset, repeated.last_offset) == (100 + 2 * index, 101 + 2 * index)


def test_a_repeat_older_than_five_batches_is_out_of_order(states):
    for index in range(6):
        append(states, data(index, index))
    with pytest.raises(OutOfOrderSequenceError):
        states.check(data(999, 0), CLIENT)


def test_part_of_an_old_batch_is_no_repeat(states):
    append(states, data(0, 0, 4))
    with pytest.raises(OutOfOrderSequenceError, match="where the next one is 4"):
        states.check(data(4, 0, 2), CLIENT)


def test_a_check_changes_nothing(states):
    append(states, data(0, 0))
    states.check(data(1, 1), CLIENT)
    assert states.check(data(1, 1), CLIENT) is None


def test_batches_without_a_producer_leave_no_trace(states):
    append(states, data(0, -1, producer_id=-1))
    assert len(states) == 0


def test_followers_take_what_the_leader_took(states):
    append(states, data(0, 0))
    assert states.check(data(1, 50), AppendOrigin.REPLICATION) is None
    assert states.check(data(1, 0, epoch=-1), AppendOrigin.REPLICATION) is None


def test_a_marker_closes_the_transaction_and_returns_its_range(states):
    append(states, data(10, 0, 3, transactional=True))
    assert states.first_unstable_offset == 10
    completed = append(states, end(13), ABORT)
    assert completed is not None
    assert completed.as_aborted() == (PRODUCER, 10, 13, 14)


def test_a_transaction_is_stable_only_when_its_marker_is_replicated(states):
    append(states, data(10, 0, transactional=True))
    append(states, end(11), COMMIT)
    states.on_high_watermark(11)
    assert states.first_unstable_offset == 10
    states.on_high_watermark(12)
    assert states.first_unstable_offset is None


def test_the_oldest_open_transaction_holds_the_stable_offset(states):
    append(states, data(10, 0, transactional=True))
    append(states, data(11, 0, producer_id=8, transactional=True))
    completed = append(states, end(12, producer_id=8), ABORT)
    assert completed is not None
    assert completed.last_stable_offset == 10
    states.on_high_watermark(13)
    assert states.first_unstable_offset == 10


def test_a_marker_without_data_completes_nothing(states):
    assert append(states, end(0), ABORT) is None
    assert states.first_unstable_offset is None


def test_a_marker_that_compaction_emptied_changes_nothing(states):
    states.apply(end(5))
    assert len(states) == 0


def test_a_marker_with_a_new_epoch_starts_sequences_anew(states):
    append(states, data(0, 0, 3, transactional=True))
    append(states, end(3, epoch=1), COMMIT)
    append(states, data(4, 0, epoch=1, transactional=True))
    assert states.has_ongoing_transaction(PRODUCER, 1)


def test_an_unverified_transaction_is_refused_until_its_guard_comes(tmp_path):
    states = ProducerStates(SystemFiles(), str(tmp_path), verify_transactions=True)
    first = data(0, 0, transactional=True)
    with pytest.raises(InvalidTransactionStateError, match="does not span this partition"):
        states.check(first, CLIENT)
    guard = states.begin_verification(PRODUCER, 0, 0, now_ms=0, supports_epoch_bump=True)
    assert states.check(first, CLIENT, guard=guard) is None
    states.apply(first)
    assert states.check(data(1, 1, transactional=True), CLIENT) is None
    assert states.begin_verification(PRODUCER, 1, 0, 0, supports_epoch_bump=True) is None


def test_a_marker_in_between_makes_the_guard_worthless(tmp_path):
    states = ProducerStates(SystemFiles(), str(tmp_path), verify_transactions=True)
    guard = states.begin_verification(PRODUCER, 0, 0, now_ms=0, supports_epoch_bump=False)
    states.apply(end(0), ABORT)
    with pytest.raises(InvalidTransactionStateError):
        states.check(data(1, 0, transactional=True), CLIENT, guard=guard)


def test_producers_expire_after_a_day_unless_their_transaction_is_open(states):
    append(states, data(0, 0, timestamp=0))
    append(states, data(1, 0, producer_id=8, timestamp=0, transactional=True))
    states.expire(states.expiration_ms - 1)
    assert len(states) == 2
    states.expire(states.expiration_ms)
    assert [entry.producer_id for entry in states.active()] == [8]


def test_a_snapshot_brings_back_sequences_and_open_transactions(states, tmp_path):
    append(states, data(0, 0, 5, transactional=True))
    append(states, data(5, 0, producer_id=8))
    path = states.take_snapshot()
    assert path == f"{tmp_path}/00000000000000000006.snapshot"
    again = ProducerStates(SystemFiles(), str(tmp_path))
    again.truncate_and_reload(0, 6, now_ms=1_000)
    assert (again.map_end_offset, again.first_unstable_offset) == (6, 0)
    assert again.check(data(6, 5, transactional=True), CLIENT) is None
    assert again.check(data(6, 0, producer_id=8), CLIENT) is not None


def test_nothing_new_makes_no_new_snapshot(states):
    append(states, data(0, 0))
    assert states.take_snapshot() is not None
    assert states.take_snapshot() is None


def test_truncation_goes_back_to_the_newest_snapshot_below_it(states):
    for offset in range(4):
        append(states, data(offset, offset))
        states.take_snapshot()
    states.truncate_and_reload(0, 3, now_ms=1_000)
    assert states.map_end_offset == 3
    assert states.snapshots.offsets == (1, 2, 3)
    states.truncate_and_reload(1, 2, now_ms=1_000)
    assert states.snapshots.offsets == (2,)
    assert states.check(data(2, 2), CLIENT) is None


def test_a_corrupt_snapshot_is_passed_over(states, tmp_path):
    for offset in range(2):
        append(states, data(offset, offset))
        states.take_snapshot()
    newest = tmp_path / "00000000000000000002.snapshot"
    newest.write_bytes(newest.read_bytes()[:-1])
    states.truncate_and_reload(0, 3, now_ms=1_000)
    assert states.map_end_offset == 1
    assert not newest.exists()


def test_the_expired_are_not_loaded_again(states):
    append(states, data(0, 0, timestamp=0))
    states.take_snapshot()
    states.truncate_and_reload(0, 9, now_ms=states.expiration_ms)
    assert len(states) == 0


def test_a_later_log_start_forgets_no_producer(states):
    append(states, data(0, 0))
    states.truncate_and_reload(1, 1, now_ms=1_000)
    states.on_log_start_offset(50)
    assert states.map_end_offset == 50
    assert states.check(data(50, 1), CLIENT) is None


def test_starting_elsewhere_forgets_everything(states):
    append(states, data(0, 0, transactional=True))
    states.take_snapshot()
    states.truncate_fully_and_start_at(40)
    assert (len(states), states.first_unstable_offset) == (0, None)
    assert (states.map_end_offset, states.snapshots.offsets) == (40, ())


Step = st.tuples(
    st.integers(0, 2), st.integers(0, 3), st.integers(-1, 6), st.integers(1, 3), st.booleans()
)


@given(start=st.sampled_from([0, SEQUENCE_MASK - 4]), steps=st.lists(Step, max_size=40))
def test_sequences_behave_like_a_plain_list_of_batches(start, steps, tmp_path_factory):
    states = ProducerStates(SystemFiles(), str(tmp_path_factory.getbasetemp() / "no-such"))
    model: dict[int, tuple[int, list[tuple[int, int]]]] = {}
    for offset, (producer_id, epoch, shift, count, _) in enumerate(steps):
        known, batches = model.get(producer_id, (epoch, []))
        following = (batches[-1][0] + batches[-1][1]) & SEQUENCE_MASK if batches else start
        if epoch > known:
            following = 0
        sequence = (following - shift) & SEQUENCE_MASK
        header = data(offset * 10, sequence, count, producer_id=producer_id, epoch=epoch)
        verdict = _verdict(states, header)
        assert verdict == _expected(model, producer_id, epoch, (sequence, count))
        if verdict == "appended":
            states.apply(header)
            kept = batches if epoch == known else []
            model[producer_id] = (epoch, [*kept, (sequence, count)][-5:])


def _verdict(states, header) -> str:
    try:
        return "repeated" if states.check(header, CLIENT) else "appended"
    except ProducerError as error:
        return type(error).__name__


def _expected(model, producer_id, epoch, batch) -> str:
    if producer_id not in model:
        return "appended"
    known, batches = model[producer_id]
    if epoch < known:
        return "InvalidProducerEpochError"
    if epoch == known and batch in batches:
        return "repeated"
    following = (batches[-1][0] + batches[-1][1]) & SEQUENCE_MASK if epoch == known else 0
    return "appended" if batch[0] == following else "OutOfOrderSequenceError"
