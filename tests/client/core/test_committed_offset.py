"""An offset and what is kept beside it."""

from __future__ import annotations

from moldau.client.core.committed_offset import CommittedOffset, epoch_or_none


def test_an_epoch_that_is_not_known_has_a_number_of_its_own_on_the_wire():
    assert CommittedOffset(5).wire_epoch == -1
    assert CommittedOffset(5, 0).wire_epoch == 0
    assert (epoch_or_none(-1), epoch_or_none(0), epoch_or_none(7)) == (None, 0, 7)
