"""Questions to the coordinator that are still open."""

from __future__ import annotations

import pytest

from moldau.broker.log.producers.transaction_verification import Verification, VerificationGuard


@pytest.mark.parametrize(
    ("sequence", "epoch", "lowest"), [(3, 0, (0, 3)), (9, 0, (0, 5)), (7, 1, (1, 7))]
)
def test_the_lowest_sequence_of_the_newest_epoch_is_kept(sequence, epoch, lowest):
    verification = Verification(5, 0, 0, supports_epoch_bump=False)
    verification.note(sequence, epoch)
    assert (verification.epoch, verification.lowest_sequence) == lowest


def test_a_guard_is_equal_to_itself_alone():
    guard = VerificationGuard()
    assert guard == guard
    assert guard != VerificationGuard()
