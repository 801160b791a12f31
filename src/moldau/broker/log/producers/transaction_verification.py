"""Has the coordinator been asked whether this partition is in the producer's transaction?

A broker must not open a transaction on a partition that the coordinator does not have: no
marker would ever close it, and the last stable offset would hang (KIP-890). So before the first
transactional batch the broker asks, and keeps a guard meanwhile. If a marker arrives in between,
the guard is dropped and the late batch, which carries the old one, is refused.

While the question is open, later batches of the same producer may overtake the first one. The
lowest sequence seen is kept, and only the batch that starts with it may be the first in the log.
"""

from __future__ import annotations


class VerificationGuard:
    """A token: only itself is equal to it."""

    __slots__ = ()


class Verification:
    """One open question about one producer."""

    __slots__ = ("epoch", "guard", "lowest_sequence", "started_ms", "supports_epoch_bump")

    def __init__(
        self, sequence: int, epoch: int, started_ms: int, *, supports_epoch_bump: bool
    ) -> None:
        self.guard = VerificationGuard()
        self.lowest_sequence = sequence
        self.epoch = epoch
        self.started_ms = started_ms
        self.supports_epoch_bump = supports_epoch_bump
        """The client uses transactions v2, where each transaction starts at sequence 0."""

    def note(self, sequence: int, epoch: int) -> None:
        """Another batch of the same producer waits for the answer."""
        if epoch > self.epoch or (epoch == self.epoch and sequence < self.lowest_sequence):
            self.epoch = epoch
            self.lowest_sequence = sequence
