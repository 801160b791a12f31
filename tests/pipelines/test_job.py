"""A job refuses what cannot go well, in one sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from pyspark.sql import DataFrame

from moldau.pipelines.checkpoints import Checkpoint, Owner
from moldau.pipelines.errors import PipelineError
from moldau.pipelines.job import Work
from moldau.pipelines.reconciliation import Counts
from moldau.spark.errors import DataLossError
from moldau.system.files import SystemFiles
from tests.pipelines.running import FileTopic, job_in


def count_all(frame, batch):
    return Counts(read=frame.count(), known=0, good=0)


def test_a_checkpoint_of_another_pipeline_is_refused(tmp_path):
    owner = Owner("clickstream", "events", str(tmp_path / "lake"))
    Checkpoint(str(tmp_path / "checkpoint"), SystemFiles()).begin(owner, {})
    work, no_records = Work("etl", {}, count_all), cast("DataFrame", None)
    with pytest.raises(PipelineError, match="belongs to the pipeline clickstream"):
        job_in(tmp_path, None, []).run(work, no_records)


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_what_goes_wrong_in_a_batch_is_one_sentence(spark, tmp_path):
    def fail(frame, batch):
        raise DataLossError("records 3 to 7 of events-0 are gone")

    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    with pytest.raises(PipelineError, match=r"^records 3 to 7 of events-0 are gone$"):
        job_in(tmp_path, spark, []).run(Work("etl", {}, fail), topic.stream(spark))


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_topic_that_is_not_there_is_one_sentence(spark, broker, tmp_path):
    job = replace(job_in(tmp_path, spark, []), bootstrap=broker.bootstrap, topic="nothing")
    with pytest.raises(PipelineError, match="nothing") as refused:
        job.run(Work("etl", {}, count_all), job.records())
    assert "\n" not in str(refused.value)


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_small_files_go_together_after_so_many_batches(spark, tmp_path):
    def keep(frame, batch):
        batch.tables.append("bronze", frame.select("topic", "partition", "offset"), batch.number)
        return Counts(read=frame.count(), known=0, good=frame.count())

    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    topic.write([b"y"])
    told: list[str] = []
    work = Work("etl", {"bronze": ""}, keep, compact_every=2)
    job_in(tmp_path, spark, told).run(work, topic.stream(spark))
    assert told[-1] == "compaction: 2 files became 1"
