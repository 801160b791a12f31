"""What our log package writes into the judged topics: the same kinds as `kafka_writer.py`.

Every record that is appended is kept, so that a reader can be held against the intention and not
only against our own reading.
"""

from __future__ import annotations

from random import Random

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.compaction.plan import measure
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.partition_log import PartitionLog
from moldau.platform.system.clock import SystemClock
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.records.record import Header, Record

BATCHES = 3
RECORDS = 12
KEYS = 9
HOUR_MS = 3_600_000
FIRST, SECOND, PLAIN = 70_001, 70_002, 70_003
"""Producer ids that the node's own coordinator is far from giving out."""
COORDINATOR_EPOCH = 4


class LogWriter:
    """Writes to one log at a time; sequences go on from round to round."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._clock = SystemClock()
        self._open: list[int] = []
        self._next_sequence: dict[tuple[str, int], int] = {}
        self.written: dict[str, dict[int, Record]] = {}
        """By topic, then by offset."""
        self.aborted: dict[str, set[int]] = {}

    def write_plain(self, log: PartitionLog, *, keyless: bool = True) -> None:
        """All codecs, idempotent or not."""
        for codec in Codec:
            for number in range(BATCHES):
                producer = PLAIN if number % 2 else None
                self._append(log, codec, producer, keyless=keyless)

    def write_transactions(self, log: PartitionLog, *, keyless: bool = True) -> None:
        """Two producers whose transactions overlap, and one without any in between."""
        for number in range(BATCHES):
            codec = Codec(number)
            first = self._append(log, codec, FIRST, keyless=keyless, transactional=True)
            second = self._append(log, codec, SECOND, keyless=keyless, transactional=True)
            self._append(log, codec, PLAIN, keyless=keyless)
            self.end(log, SECOND, second, commit=number % 2 == 0)
            first += self._append(log, codec, FIRST, keyless=keyless, transactional=True)
            self.end(log, FIRST, first, commit=number % 3 == 0)

    def begin(self, log: PartitionLog) -> None:
        """A transaction that stays open until `end_open`."""
        self._open = self._append(log, Codec.NONE, SECOND, transactional=True)

    def end_open(self, log: PartitionLog, *, commit: bool) -> None:
        self.end(log, SECOND, self._open, commit=commit)

    def end(self, log: PartitionLog, producer_id: int, offsets: list[int], *, commit: bool) -> None:
        marker = build_marker_batch(
            EndMarker(commit, COORDINATOR_EPOCH),
            producer_id=producer_id,
            producer_epoch=0,
            timestamp=self._clock.now_ms(),
        )
        log.append_as_leader(marker, epoch_of(log), AppendOrigin.COORDINATOR)
        log.high_watermark = log.log_end_offset
        if not commit:
            self.aborted.setdefault(topic_of(log), set()).update(offsets)

    def batch_behind(self, log: PartitionLog, gap: int = 0) -> bytes:
        """What the idempotent producer of `write_plain` would send next, or too early."""
        sequence = self._next_sequence[topic_of(log), PLAIN] + gap
        builder = BatchBuilder(
            BatchFields(producer_id=PLAIN, producer_epoch=0, base_sequence=sequence)
        )
        builder.append(self._clock.now_ms(), b"key", b"value")
        return bytes(builder.build())

    def compact(self, log: PartitionLog) -> int:
        """Clean all sealed segments; the bytes that were saved."""
        log.roll()
        log.flush()
        now_ms = self._clock.now_ms()
        done = Compaction(log.state, measure(log.state, None, now_ms), now_ms).run()
        for removal in done.removals:
            removal.remove()
        return done.read_bytes - done.written_bytes

    def _append(
        self,
        log: PartitionLog,
        codec: Codec,
        producer: int | None,
        *,
        keyless: bool = True,
        transactional: bool = False,
    ) -> list[int]:
        builder = BatchBuilder(BatchFields(codec=codec, is_transactional=transactional))
        records = [self._draw(index, keyless) for index in range(self._random.randint(1, RECORDS))]
        for record in records:
            builder.append(*record[1:5])
        if producer is not None:
            place = (topic_of(log), producer)
            sequence = self._next_sequence.get(place, 0)
            builder.set_producer(producer, 0, sequence)
            self._next_sequence[place] = sequence + len(records)
        offset = log.append_as_leader(builder.build(), epoch_of(log)).first_offset
        log.high_watermark = log.log_end_offset
        offsets = [offset + index for index in range(len(records))]
        self.written.setdefault(topic_of(log), {}).update(zip(offsets, records, strict=True))
        return offsets

    def _draw(self, index: int, keyless: bool) -> Record:
        random = self._random
        return Record(
            -1,
            self._clock.now_ms() - random.randrange(HOUR_MS),
            None if keyless and random.random() < 0.2 else b"k%d" % random.randrange(KEYS),
            None if random.random() < 0.2 else random.randbytes(random.randrange(300)),
            (Header("a", b"1"), Header("a", None), Header("\u010d", b"")) if index % 4 == 1 else (),
        )


def epoch_of(log: PartitionLog) -> int:
    """The node has noted it when it led the partition; we go on in its name."""
    return log.epochs.latest_epoch or 0


def topic_of(log: PartitionLog) -> str:
    return log.directory.rpartition("/")[2].removesuffix("-0")
