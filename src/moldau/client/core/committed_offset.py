"""An offset that is kept for a group, with what is kept beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from moldau.client.core.consuming.record import ConsumerRecord

__all__ = ["NO_LEADER_EPOCH", "CommittedOffset", "epoch_or_none"]

NO_LEADER_EPOCH: Final = -1
"""As in `protocol.records.batch`, which a program that only commits need not load."""


class CommittedOffset(NamedTuple):
    """The next offset to read, as it was committed."""

    offset: int
    leader_epoch: int | None = None
    """Of the record before it: by this a leader finds out whether it lost that record (KIP-320)."""
    metadata: str = ""

    @classmethod
    def after(cls, record: ConsumerRecord, metadata: str = "") -> CommittedOffset:
        """Where to go on after this record was processed."""
        return cls(record.offset + 1, epoch_or_none(record.leader_epoch), metadata)

    @property
    def wire_epoch(self) -> int:
        """As messages and batches have it."""
        return NO_LEADER_EPOCH if self.leader_epoch is None else self.leader_epoch


def epoch_or_none(wire_epoch: int) -> int | None:
    """None for what messages and batches have where there is none."""
    return None if wire_epoch == NO_LEADER_EPOCH else wire_epoch
