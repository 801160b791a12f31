"""What a record costs on its way into Arrow columns and out of them.

Records of 100 bytes (a key of 8, a value of 92, no headers), CPU nanoseconds each on one core,
median of the rounds and, behind it, half the distance between the quartiles:

    read            `read_batches` with the compiled scanner, where it is compiled
    read, plain     the same with the NumPy walk, as where nothing is compiled
    write           `write_batches`; it has no compiled part of its own
    one by one      `iterate_records`, the plain way: a Python object per record
    kafka-python    its decoder, if it is installed: a Python object per record too

Then headers (one per record), and batches of 64 KiB compressed by each codec.

    python -m bench.arrow [--records 60000] [--rounds 9]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa

from moldau.protocol.records.arrow import read_batches, walk, write_batches
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.compression import CODECS, Codec
from moldau.protocol.records.record import iterate_records

KIB = 1024
SIZES = (16 * KIB, 64 * KIB, 1024 * KIB)
KEY_SIZE, VALUE_SIZE = 8, 92
TIME = 1_700_000_000_000
IS_COMPILED = walk.SCANNER_IS_COMPILED


class Stopwatch:
    """Nanoseconds per record of whatever it is given."""

    def __init__(self, records: int, rounds: int) -> None:
        self.records = records
        self.rounds = rounds

    def __call__(self, work: Callable[[], object]) -> str:
        times = []
        work()
        for _ in range(self.rounds):
            start = time.process_time()
            work()
            times.append((time.process_time() - start) / self.records * 1e9)
        low, median, high = statistics.quantiles(times, n=4)
        return f"{median:6.0f} ±{(high - low) / 2:4.0f}"


def make_table(records: int, *, with_headers: bool = False) -> pa.Table:
    words = np.random.default_rng(1).bytes(records * VALUE_SIZE // 2).hex().encode()
    values = [words[index : index + VALUE_SIZE] for index in range(0, len(words), VALUE_SIZE)]
    columns: dict[str, Any] = {
        "key": [b"key-%04d" % (index % 1_000) for index in range(records)],
        "value": values,
        "timestamp": np.arange(records) // 10 + TIME,
    }
    if with_headers:
        columns["headers"] = [[{"key": "trace", "value": b"0123456789abcdef"}]] * records
    return pa.table(columns)


def read_plain(buffer: bytes) -> pa.RecordBatch:
    walk.SCANNER_IS_COMPILED = False
    try:
        return read_batches(buffer)
    finally:
        walk.SCANNER_IS_COMPILED = IS_COMPILED


def read_one_by_one(buffer: bytes) -> int:
    return sum(1 for batch in iterate_batches(buffer) for _ in iterate_records(batch))


def kafka_python_reader() -> Callable[[bytes], int] | None:
    try:
        reader: Any = import_module("kafka.record").MemoryRecords
    except ImportError:
        return None

    def read(buffer: bytes) -> int:
        records = reader(buffer)
        count = 0
        while (batch := records.next_batch()) is not None:
            count += sum(1 for _ in batch)
        return count

    return read


def print_rows(measure: Stopwatch, label: str, table: pa.Table, fields: BatchFields, size: int,
               other: Callable[[bytes], int] | None) -> None:  # fmt: skip
    buffer = b"".join(write_batches(table, size_max=size, fields=fields))
    cells = [
        measure(lambda: read_batches(buffer)) if IS_COMPILED else "not compiled",
        measure(lambda: read_plain(buffer)),
        measure(lambda: write_batches(table, size_max=size, fields=fields)),
        measure(lambda: read_one_by_one(buffer)),
        measure(lambda: other(buffer)) if other else "not installed",
    ]
    print(f"{label:12}" + "".join(f"{cell:>14}" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    measure = Stopwatch(options.records, options.rounds)
    other = kafka_python_reader()
    table = make_table(options.records)
    columns = ("read", "read, plain", "write", "one by one", "kafka-python")
    print(f"{'ns/record':12}" + "".join(f"{column:>14}" for column in columns))
    for size in SIZES:
        print_rows(measure, f"{size // KIB} KiB", table, BatchFields(), size, other)
    headers = make_table(options.records, with_headers=True)
    print_rows(measure, "headers", headers, BatchFields(), SIZES[1], other)
    for codec in list(Codec)[1:]:
        print_rows(measure, CODECS[codec].name, table, BatchFields(codec), SIZES[1], other)


if __name__ == "__main__":
    main()
