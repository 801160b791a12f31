"""What is remembered of a producer."""

from __future__ import annotations

from moldau.broker.log.producers.entry import SEQUENCE_MASK, BatchNote, ProducerEntry


def test_a_note_has_where_its_batch_began():
    note = BatchNote(last_sequence=9, last_offset=104, offset_delta=4, timestamp=0)
    assert (note.first_sequence, note.first_offset) == (5, 100)


def test_a_first_sequence_may_lie_before_the_wrap():
    note = BatchNote(last_sequence=1, last_offset=104, offset_delta=4, timestamp=0)
    assert note.first_sequence == SEQUENCE_MASK - 2


def test_only_five_batches_are_kept():
    entry = ProducerEntry(1)
    for index in range(7):
        entry.batches.append(BatchNote(index, index, 0, 0))
    assert [note.last_sequence for note in entry.batches] == [2, 3, 4, 5, 6]


def test_a_new_epoch_forgets_the_batches_of_the_old_one():
    entry = ProducerEntry(1, epoch=0, note=BatchNote(5, 50, 2, 0))
    entry.begin_epoch(0)
    assert (entry.last_sequence, entry.last_offset, entry.last_offset_delta) == (5, 50, 2)
    entry.begin_epoch(1)
    assert (entry.last_sequence, entry.last_offset, entry.last_offset_delta) == (-1, -1, 0)
