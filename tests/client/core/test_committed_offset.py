"""An offset and what is kept beside it."""

from __future__ import annotations

from moldau.client.core.committed_offset import CommittedOffset, epoch_or_none
from moldau.client.core.consuming.record import ConsumerRecord


def test_what_is_kept_after_a_record_is_the_next_offset_with_its_epoch():
    record = ConsumerRecord("t", 0, 4, 0, None, b"", leader_epoch=6)
    assert CommittedOffset.after(record) == CommittedOffset(5, 6)
    bare = ConsumerRecord("t", 0, 4, 0, None, b"")
    assert CommittedOffset.after(bare, "note") == CommittedOffset(5, None, "note")


def test_an_epoch_that_is_not_known_has_a_number_of_its_own_on_the_wire():
    assert CommittedOffset(5).wire_epoch == -1
    assert CommittedOffset(5, 0).wire_epoch == 0
    assert (epoch_or_none(-1), epoch_or_none(0), epoch_or_none(7)) == (None, 0, 7)
