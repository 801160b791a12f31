"""What a record costs: nanoseconds to scan, pack, read, build, validate, and turn into Arrow.

Every work is done on batches of 1,000 records with values of 100 bytes and no keys, uncompressed,
by the hot modules as mypyc compiles them and as their sources run, in two processes. A figure is
nanoseconds per record on one core: median of the rounds, with the fastest beside it.

    scan      where the parts of all records lie          pack      a block of records from that
    iterate   a Record object for each                    build     BatchBuilder.append for each
    validate  a broker's rules for clients                own       the same for its own
    decode    records to Arrow columns, CRC included      encode    Arrow columns to batches

    python -m bench.records [--rounds 9] [--value-bytes 100] [--json]
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path
from typing import Any

from devtools.hot_modules import ROOT, compiled_files

RECORDS = 1_000
BATCHES = 16
NOW = 1_700_000_000_000
WAYS = ("compiled", "plain")
TARGETS = {"decode": (150, 900), "encode": (250, 600)}

Figures = dict[str, tuple[float, float]]
"""Median and least nanoseconds per record of each work."""


def load(way: str) -> None:
    """See to it that the hot modules are imported as `way` wants them."""
    if way == "plain":
        sys.path_hooks.insert(0, _source_finder)
        sys.path_importer_cache.clear()
    elif not any(compiled_files()):
        sys.exit("The hot modules are not compiled: ./dev build does it.")


def _source_finder(folder: str) -> FileFinder:
    """Finds our sources, whatever lies beside them."""
    if not Path(folder).is_relative_to(ROOT / "src"):
        raise ImportError(folder)
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))


def works(value_bytes: int) -> dict[str, Callable[[], object]]:
    """What is measured; each does `RECORDS` records a batch, `BATCHES` times."""
    from moldau.protocol.records.batch import read_whole_header
    from moldau.protocol.records.builder import BatchBuilder
    from moldau.protocol.records.pack import pack_rows
    from moldau.protocol.records.record import iterate_records, records_block
    from moldau.protocol.records.scan import scan_records
    from moldau.protocol.records.validator import ValidationRules, validate_batch

    def build() -> bytearray:
        builder = BatchBuilder()
        for index in range(RECORDS):
            builder.append(NOW + index, None, value)
        return builder.build()

    def validate(*, from_client: bool) -> object:
        return validate_batch(
            batch,
            ValidationRules(),
            now_ms=NOW,
            base_offset=0,
            leader_epoch=1,
            from_client=from_client,
        )

    def repeat(work: Callable[[], object]) -> Callable[[], object]:
        return lambda: [work() for _ in range(BATCHES)]

    value = bytes(range(33, 33 + 50)) * (value_bytes // 50)
    batch = build()
    block = records_block(batch, read_whole_header(batch))
    rows = scan_records(block, RECORDS)
    return {
        "scan": repeat(lambda: scan_records(block, RECORDS)),
        "pack": repeat(lambda: pack_rows(rows, block, block, block)),
        "iterate": repeat(lambda: list(iterate_records(batch))),
        "build": repeat(build),
        "validate": repeat(lambda: validate(from_client=True)),
        "own": repeat(lambda: validate(from_client=False)),
        **arrow_works(bytes(batch) * BATCHES),
    }


def arrow_works(batches: bytes) -> dict[str, Callable[[], object]]:
    """Nothing, where the extra is missing."""
    try:
        arrow: Any = importlib.import_module("moldau.protocol.records.arrow")
    except ImportError:
        return {}
    table = arrow.read_batches(batches)
    size_max = len(batches) // BATCHES + 1
    return {
        "decode": lambda: arrow.read_batches(batches),
        "encode": lambda: arrow.write_batches(table, size_max=size_max),
    }


def measure(way: str, rounds: int, value_bytes: int) -> Figures:
    load(way)
    figures = {}
    for name, work in works(value_bytes).items():
        work()
        spent = sorted(_timed(work) for _ in range(rounds))
        figures[name] = (statistics.median(spent), spent[0])
    return figures


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / (RECORDS * BATCHES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--value-bytes", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="print figures for programs")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measure(options.way, options.rounds, options.value_bytes)))
        return
    figures = {way: _in_a_process_of_its_own(way, options) for way in WAYS}
    print(json.dumps(figures) if options.json else _table(figures))


def _in_a_process_of_its_own(way: str, options: argparse.Namespace) -> Figures:
    sizes = ["--rounds", str(options.rounds), "--value-bytes", str(options.value_bytes)]
    command = [sys.executable, "-m", "bench.records", "--way", way, *sizes]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    figures: Figures = json.loads(run.stdout)
    return figures


def _table(figures: dict[str, Figures]) -> str:
    lines = ["ns/record   compiled: median  least   aim    plain: median  least   aim"]
    for name in figures["compiled"]:
        aims = TARGETS.get(name, ("", ""))
        cells = [f"{name:<10}"]
        for way, aim in zip(WAYS, aims, strict=True):
            median, least = figures[way][name]
            cells.append(f"{median:16.0f} {least:6.0f} {aim:>5}")
        lines.append(" ".join(cells))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
