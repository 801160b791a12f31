"""What is in the log and not committed yet.

Each batch waits with its decoded records, or undecoded where it was read from the disk or came
from a leader. An idle controller writes a batch with a single NoOpRecord twice a second, so most
batches of a quiet log are those, all with the same 72 bytes but for offset, epoch and time; they
are recognised by their bytes and never taken apart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from struct import Struct

from moldau.broker.metadata.record_codec import decode_record
from moldau.broker.quorum.voters import VoterSet, voters_of
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.control import KRaftVersionRecord, VotersRecord
from moldau.protocol.records.batch import read_whole_header
from moldau.protocol.records.control import ControlType, parse_key
from moldau.protocol.records.record import iterate_records
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message

_NOOP_BATCH_SIZE = 72
_NOOP_VALUE_AT = 67
_NOOP_PLACE = Struct(">q4xi19xq")
"""Base offset, leader epoch and max timestamp of any batch."""
_NOOP_VALUE = b"\x01\x14\x00\x00"
"""Frame, record id and version of a NoOpRecord, and its empty list of tagged fields."""


@dataclass(slots=True)
class PendingBatch:
    """One batch that waits to be committed."""

    base_offset: int
    last_offset: int
    epoch: int
    timestamp_ms: int
    size: int
    batch: Buffer | None
    """None where there is nothing in it to be applied, or the records are known."""
    records: Sequence[Message] = ()

    def metadata_records(self) -> Sequence[Message]:
        if self.batch is None:
            return self.records
        return [decode_record(record.value or b"") for record in iterate_records(self.batch)]


@dataclass(frozen=True, slots=True)
class ControlNews:
    """What of a control batch the quorum must have at once."""

    offset: int
    voters: VoterSet | None = None
    kraft_version: int | None = None


class Pending:
    """The uncommitted tail of the log, oldest first."""

    def __init__(self) -> None:
        self._batches: deque[PendingBatch] = deque()

    def __len__(self) -> int:
        return len(self._batches)

    def __repr__(self) -> str:
        return f"Pending({len(self._batches)} batches)"

    def add_records(
        self, records: Sequence[Message], last_offset: int, epoch: int, now_ms: int, size: int
    ) -> None:
        """A batch that this node wrote."""
        base_offset = last_offset - len(records) + 1
        self._batches.append(
            PendingBatch(base_offset, last_offset, epoch, now_ms, size, None, records)
        )

    def add_batch(self, batch: Buffer) -> list[ControlNews]:
        """A batch as it lies in the log; what it holds of the quorum itself comes back."""
        if is_noop(batch):
            base_offset, epoch, timestamp_ms = _NOOP_PLACE.unpack_from(batch)
            self._batches.append(
                PendingBatch(base_offset, base_offset, epoch, timestamp_ms, _NOOP_BATCH_SIZE, None)
            )
            return []
        header = read_whole_header(batch)
        news = control_news(batch) if header.is_control else []
        kept = None if header.is_control else bytes(batch)
        self._batches.append(
            PendingBatch(
                header.base_offset,
                header.last_offset,
                header.leader_epoch,
                header.max_timestamp,
                header.size,
                kept,
            )
        )
        return news

    def take_below(self, offset: int) -> list[PendingBatch]:
        """The batches that lie wholly below; they are committed and wait no more."""
        taken = []
        while self._batches and self._batches[0].last_offset < offset:
            taken.append(self._batches.popleft())
        return taken

    def truncate(self, end_offset: int) -> None:
        """Forget the batches that the log has lost."""
        while self._batches and self._batches[-1].last_offset >= end_offset:
            self._batches.pop()

    def clear(self) -> None:
        self._batches.clear()


def is_noop(batch: Buffer) -> bool:
    """Whether there is a single NoOpRecord in it.

    # hot: a node that was idle for an hour wrote 7,200 of them. Known by their bytes they are read
    # at 4 microseconds each, taken apart at 12.
    """
    return (
        len(batch) == _NOOP_BATCH_SIZE
        and batch[_NOOP_VALUE_AT : _NOOP_VALUE_AT + len(_NOOP_VALUE)] == _NOOP_VALUE
    )


def control_news(batch: Buffer) -> list[ControlNews]:
    """Voters and kraft.version in a control batch."""
    news = []
    for record in iterate_records(batch):
        value = record.value or b""
        match parse_key(record.key):
            case ControlType.KRAFT_VERSION:
                level = decode(KRaftVersionRecord, 0, value).kraft_version
                news.append(ControlNews(record.offset, kraft_version=level))
            case ControlType.KRAFT_VOTERS:
                voters = voters_of(decode(VotersRecord, 0, value))
                news.append(ControlNews(record.offset, voters=voters))
            case _:
                pass
    return news
