"""What goes on after a job has failed is waited for."""

from __future__ import annotations

import time

import pytest

from moldau.spark.lake.job_tasks import await_tasks, tagged

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]
TAG = "a pass"
BEATS, BEAT_S = 15, 0.1
"""Shorter than the 2 s that Spark gives a worker whose task was killed."""


def test_a_task_that_goes_on_beside_one_that_failed_has_ended(spark, tmp_path):
    begun, beating = tmp_path / "begun", tmp_path / "beating"

    def work(batches):
        is_first = next(batches).column("id")[0].as_py() == 0
        while is_first and not begun.exists():
            time.sleep(0.01)
        if is_first:
            raise ValueError("broken")
        begun.touch()
        for _ in range(BEATS):
            time.sleep(BEAT_S)
            beating.touch()
        yield from batches

    with tagged(spark.sparkContext, TAG), pytest.raises(Exception, match="broken"):
        spark.range(2, numPartitions=2).mapInArrow(work, "id bigint").collect()
    await_tasks(spark.sparkContext, TAG)
    beating.unlink(missing_ok=True)
    time.sleep(3 * BEAT_S)
    assert not beating.exists()


def test_jobs_behind_the_block_have_no_tag(spark):
    before = set(spark.sparkContext.getJobTags())
    with tagged(spark.sparkContext, TAG):
        assert set(spark.sparkContext.getJobTags()) == before | {TAG}
    assert set(spark.sparkContext.getJobTags()) == before
