"""From committed batches of the log to images, one after the other.

Records between a BeginTransactionRecord and its EndTransactionRecord count together: until the end
is committed the image stays where it was, and an AbortTransactionRecord throws them away (KIP-868).
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.errors import CorruptRecordError
from moldau.protocol.messages.stored.metadata_transactions import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
)
from moldau.protocol.wire.schema import Message


class MetadataLoader:
    """The image that grows with the log."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._held: list[Message] | None = None
        """What the open transaction has changed so far."""

    @property
    def in_transaction(self) -> bool:
        """Whether a metadata transaction has begun and not ended."""
        return self._held is not None

    def load(self, records: Sequence[Message], last_offset: int, epoch: int) -> Delta:
        """Take in committed records; `image` has what counts of them, the delta what it changed."""
        delta = Delta(self.image)
        for record in records:
            self._take(delta, record)
        delta.advance(last_offset, epoch)
        self.image = delta.build()
        return delta

    def advance(self, last_offset: int, epoch: int) -> Delta:
        """Note that the log was read further, where there was nothing to take in."""
        return self.load((), last_offset, epoch)

    def set_level(self, name: str, level: int) -> None:
        """Show the level of a feature that no metadata record has."""
        delta = Delta(self.image)
        delta.features.set_level(name, level)
        self.image = delta.build()

    def _take(self, delta: Delta, record: Message) -> None:
        match record:
            case BeginTransactionRecord():
                self._ensure(record, inside=False)
                self._held = []
            case EndTransactionRecord() | AbortTransactionRecord():
                self._ensure(record, inside=True)
                held, self._held = self._held, None
                if isinstance(record, EndTransactionRecord):
                    for earlier in held or ():
                        delta.apply(earlier)
            case _ if self._held is not None:
                self._held.append(record)
            case _:
                delta.apply(record)

    def _ensure(self, record: Message, *, inside: bool) -> None:
        if self.in_transaction is not inside:
            where = "inside" if self.in_transaction else "outside"
            raise CorruptRecordError(
                f"the metadata log has a {type(record).__name__} {where} of a transaction after "
                f"offset {self.image.offset}"
            )
