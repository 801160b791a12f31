"""The same log, compacted by Apache Kafka 4.3.1 and by us.

`before` is what Kafka wrote with its cleaner off: five codecs, tombstones, idempotent producers,
committed and aborted transactions. `after` is what its cleaner made of it in one round.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.segment.transaction_index import TransactionIndex
from moldau.broker.log.settings import COMPACT, LogSettings
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.batch import BatchHeader, read_header
from moldau.protocol.records.record import iterate_records
from tests.broker.log.compacted_logs import CompactedLog
from tests.broker.log.logs import DIRECTORY

VECTORS = Path(__file__).parents[3] / "vectors" / "compaction"
AFTER = VECTORS / "after" / "00000000000000000000.log"
DAY_MS = 24 * 60 * 60 * 1000
SETTINGS = LogSettings(cleanup_policy=frozenset({COMPACT}), segment_bytes=1024 * 1024)


def batches(data: bytes) -> list[bytes]:
    found, position = [], 0
    while position < len(data):
        size = read_header(data, position).size
        found.append(data[position : position + size])
        position += size
    return found


def essence(header: BatchHeader) -> tuple[object, ...]:
    """All that must be the same; where deltas count from, and so size and checksum, is free."""
    return header.replaced(length=0, crc=0, base_timestamp=0), header.delete_horizon_ms


@pytest.fixture(scope="module")
def compacted() -> PartitionLog:
    """The log after a round of ours, at the time of Kafka's."""
    compacted = CompactedLog(SETTINGS)
    compacted.log.close()
    compacted.bench.files.remove_tree(DIRECTORY)
    compacted.bench.files.make_directory(DIRECTORY)
    for path in (VECTORS / "before").iterdir():
        file = compacted.bench.files.open(f"{DIRECTORY}/{path.name}", create=True)
        file.append(path.read_bytes())
        file.close()
    compacted.log = compacted.bench.open(Remembered(clean=True, recovery_point=235))
    compacted.log.high_watermark = compacted.log.log_end_offset
    Compaction(compacted.log.state, compacted.measure(), kafkas_now_ms()).run()
    return compacted.log


def kafkas_now_ms() -> int:
    horizons = {read_header(one).delete_horizon_ms for one in batches(AFTER.read_bytes())}
    (horizon_ms,) = horizons - {None}
    assert horizon_ms is not None
    return horizon_ms - DAY_MS


def test_the_same_batches_are_left_with_the_same_headers(compacted):
    ours = [essence(read_header(one)) for one in batches(contents(compacted))]
    assert ours == [essence(read_header(one)) for one in batches(AFTER.read_bytes())]


def test_the_same_records_are_left(compacted):
    ours = [record for one in batches(contents(compacted)) for record in iterate_records(one)]
    assert ours == [
        record for one in batches(AFTER.read_bytes()) for record in iterate_records(one)
    ]


def test_the_same_aborted_transactions_are_left(compacted):
    theirs = TransactionIndex(SystemFiles(), str(AFTER.with_suffix(".txnindex")))
    assert list(compacted.segments.first.transaction_index.entries()) == list(theirs.entries())
    theirs.close()


def contents(log: PartitionLog) -> bytes:
    segment = log.segments.first
    return segment.log.read_at(0, segment.size)
