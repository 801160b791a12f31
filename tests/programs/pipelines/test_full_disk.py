"""A disk that is full in the middle of a pipeline: no batch is half there, with room it goes on."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest

from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.etl import EtlSettings, land
from moldau.programs.pipelines.job import Work
from moldau.programs.pipelines.landing import TABLES
from moldau.programs.pipelines.reconciliation import reconcile, rows_of
from tests.programs.pipelines.running import FileTopic, job_in

KIB = 1024
BATCHES, RECORDS, SIZE = 3, 16, 64 * KIB
"""Each batch has 1 MiB that nothing makes smaller, and it goes into bronze and silver."""
QUICK_KIB, LONG_KIB = [2_600], [40, 300, 1_000, 1_100, 2_000, 2_300, 3_300, 4_400, 5_500]
"""Sizes of the disk, one after another."""
LARGE_KIB = 16_000
"""With it there is room for all."""
FILLER = "filler"


def read(folder, table, column):
    return Counter(row[column] for row in rows_of(f"{folder}/lake/{table}", {}))


def halves(counts):
    """Batches of which a table has some records, or some records twice."""
    whole = dict.fromkeys(range(RECORDS), 1)
    found: dict[int, Counter[int]] = {number: Counter() for number in range(BATCHES)}
    for offset, count in counts.items():
        found[offset // RECORDS][offset % RECORDS] += count
    return {number: each for number, each in found.items() if each and each != whole}


def fill(folder):
    """To the last byte."""
    with suppress(OSError), (folder / FILLER).open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(KIB))


def refusal(folder, topic, spark, *, after_tables=False, after_batch=False):
    """Why a run failed; the disk may fill up behind a batch's tables, or behind its counts."""

    def land_all(frame, batch):
        counts = land(frame, batch, EtlSettings(form="raw"))
        if after_tables:
            fill(folder)
        return counts

    def show(_line):
        if after_batch:
            fill(folder)

    job = replace(job_in(folder, spark, []), show=show)
    with pytest.raises(PipelineError) as refused:
        job.run(Work(TABLES, land_all), topic.stream(spark))
    (folder / FILLER).unlink(missing_ok=True)
    return str(refused.value)


def ensure_nothing_is_half_there(folder):
    assert halves(read(folder, "bronze", "offset")) == {}
    assert halves(read(folder, "silver", "_offset")) == {}


@pytest.mark.judge
@pytest.mark.timeout(900)
def test_a_full_disk_leaves_no_batch_half_there_and_with_room_it_goes_on(
    spark, small_disk, tmp_path, seed, volume
):
    draw, topic, folder = random.Random(seed), FileTopic(tmp_path / "topic"), small_disk.folder
    for _ in range(BATCHES):
        topic.write([draw.randbytes(SIZE) for _ in range(RECORDS)])
    for kib in volume(QUICK_KIB, LONG_KIB):
        small_disk.resize(f"{kib}k")
        reason = refusal(folder, topic, spark)
        assert reason.endswith(
            "cannot be written: No space left on device; make room, and start again"
        )
        ensure_nothing_is_half_there(folder)
    small_disk.resize(f"{LARGE_KIB}k")
    for moment in ("after_tables", "after_batch"):
        reason = refusal(folder, topic, spark, **{moment: True})
        assert "No space left on device" in reason
        assert "\n" not in reason
        ensure_nothing_is_half_there(folder)
    work = Work(TABLES, lambda frame, batch: land(frame, batch, EtlSettings(form="raw")))
    job_in(folder, spark, []).run(work, topic.stream(spark))
    every_record = dict.fromkeys(range(BATCHES * RECORDS), 1)
    assert read(folder, "bronze", "offset") == every_record
    assert read(folder, "silver", "_offset") == every_record
    assert reconcile(str(folder / "lake"), {}, [*TABLES]).differences == []
