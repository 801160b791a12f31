"""Logs that get compacted: what is written, when it rolls, what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.compaction.plan import DirtyRange, measure
from moldau.broker.log.compaction.run import Compacted, Compaction
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import COMPACT, DELETE, LogSettings
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.records.record import Record, iterate_records
from tests.broker.log.logs import Bench, batches_of

COMPACTED = LogSettings(
    cleanup_policy=frozenset({COMPACT}),
    segment_bytes=100_000,
    segment_index_bytes=1_200,
    index_interval_bytes=100,
    delete_retention_ms=1_000,
)
Pair = tuple[str | None, str | None]


def encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


class CompactedLog:
    """A log, and the verbs of the tests."""

    def __init__(self, settings: LogSettings = COMPACTED) -> None:
        self.bench = Bench(settings)
        self.log: PartitionLog = self.bench.open()
        self.cleaned_up_to: int | None = None
        self.written: dict[int, Record] = {}
        self.next_sequence: dict[int, int] = {}

    @property
    def now_ms(self) -> int:
        return self.bench.clock.now_ms()

    def wait(self, milliseconds: int) -> None:
        self.bench.clock.advance_ms(milliseconds)

    def write(
        self,
        *pairs: Pair,
        producer: int | None = None,
        transactional: bool = False,
        codec: Codec = Codec.NONE,
    ) -> int:
        """One batch of these keys and values; its base offset.

        Records without a key come from before the topic was compacted.
        """
        sequence = self.next_sequence.get(producer or 0, 0)
        fields = BatchFields(codec=codec, is_transactional=transactional)
        builder = BatchBuilder(fields)
        for index, (key, value) in enumerate(pairs):
            builder.append(self.now_ms + index, encoded(key), encoded(value), [("h", b"x")])
        if producer is not None:
            builder.set_producer(producer, 0, sequence)
            self.next_sequence[producer] = sequence + len(pairs)
        if all(key is not None for key, _ in pairs):
            return self._append(builder.build(), AppendOrigin.CLIENT)
        self.log.settings = replace(self.bench.settings, cleanup_policy=frozenset({DELETE}))
        base_offset = self._append(builder.build(), AppendOrigin.CLIENT)
        self.log.settings = self.bench.settings
        return base_offset

    def end(self, producer: int, *, commit: bool) -> int:
        marker = build_marker_batch(
            EndMarker(commit, 0), producer_id=producer, producer_epoch=0, timestamp=self.now_ms
        )
        return self._append(marker, AppendOrigin.COORDINATOR)

    def _append(self, batch: bytearray, origin: AppendOrigin) -> int:
        base_offset = self.log.log_end_offset
        self.log.append_as_leader(batch, 0, origin)
        self.log.high_watermark = self.log.log_end_offset
        newest = batches_of_from(self.log, base_offset)
        for record in (record for one in newest for record in iterate_records(one)):
            self.written[record.offset] = record
        return base_offset

    def roll(self) -> None:
        self.log.roll()
        self.log.flush()

    def measure(self) -> DirtyRange:
        return measure(self.log.state, self.cleaned_up_to, self.now_ms)

    def compact(self, buffer_bytes: int = 1_000_000) -> Compacted:
        """Roll, and do a round over all that is cleanable."""
        self.roll()
        round_ = Compaction(self.log.state, self.measure(), self.now_ms, buffer_bytes=buffer_bytes)
        done = round_.run()
        self.cleaned_up_to = done.cleaned_up_to
        for removal in done.removals:
            removal.remove()
        return done

    def reopen(self) -> None:
        self.log.close()
        self.log = self.bench.open()
        self.log.high_watermark = self.log.log_end_offset

    # What is left.

    def records(self) -> list[Record]:
        return [record for _, one in batches_of(self.log) for record in iterate_records(one)]

    def left(self) -> list[tuple[int, str | None, str | None]]:
        """Offset, key and value of what users wrote and can still read."""
        return [
            (record.offset, decoded(record.key), decoded(record.value))
            for _, one in batches_of(self.log)
            if not read_header(one).is_control
            for record in iterate_records(one)
        ]

    def headers(self) -> list[tuple[int, int, int]]:
        """Base offset, last offset and record count of every batch."""
        found = [read_header(one) for _, one in batches_of(self.log)]
        return [(header.base_offset, header.last_offset, header.record_count) for header in found]


def decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode()


def batches_of_from(log: PartitionLog, offset: int) -> Sequence[bytes]:
    return [log.read(offset, 1_000_000).read()]
