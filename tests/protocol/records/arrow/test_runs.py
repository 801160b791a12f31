"""Runs hold all records in their order, whatever the batches are like."""

from __future__ import annotations

import numpy as np
import pytest

from moldau.protocol.records.arrow import runs, walk
from moldau.protocol.records.arrow.blocks import Blocks, read_blocks
from moldau.protocol.records.arrow.runs import iterate_runs
from moldau.protocol.records.arrow.walk import OFFSET_DELTA
from moldau.protocol.records.builder import BatchBuilder, BatchFields


def blocks_of(*counts: int) -> Blocks:
    buffer = bytearray()
    for index, count in enumerate(counts):
        builder = BatchBuilder(BatchFields(base_offset=index * 1_000_000))
        for _ in range(count):
            builder.append(0, None, b"value")
        buffer += builder.build()
    return read_blocks(buffer, None, True, 0)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("counts", [(1,), (3, 0, 5), (10, 10, 10, 10), (9_000, 1, 4_096)])
def test_every_record_is_in_one_run(
    monkeypatch: pytest.MonkeyPatch, compiled: bool, counts: tuple[int, ...]
) -> None:
    monkeypatch.setattr(walk, "SCANNER_IS_COMPILED", compiled)
    monkeypatch.setattr(runs, "RUN_RECORDS", 15)
    found = list(iterate_runs(blocks_of(*counts)))
    bases = [run.per_record(lambda block: block.header.base_offset) for run in found]
    offsets = np.concatenate(bases) + np.concatenate([run.rows[:, OFFSET_DELTA] for run in found])
    expected = [
        index * 1_000_000 + delta for index, count in enumerate(counts) for delta in range(count)
    ]
    assert offsets.tolist() == expected
    lengths = [len(run.rows) for run in found]
    assert [run.first for run in found] == [sum(lengths[:index]) for index in range(len(found))]


def test_small_batches_share_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "RUN_RECORDS", 15)
    found = list(iterate_runs(blocks_of(*[1] * 40)))
    assert [len(run.pieces) for run in found] == [15, 15, 10]


def test_no_records_are_no_runs() -> None:
    assert list(iterate_runs(blocks_of())) == list(iterate_runs(blocks_of(0))) == []
