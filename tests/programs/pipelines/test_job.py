"""A job refuses what cannot go well, in one sentence."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import cast

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import BatchStoppedError, PipelineError, StoppedError
from moldau.programs.pipelines.job import LATE, POOL, Beside, Work, landing, why
from moldau.programs.pipelines.reconciliation import Counts, rows_of
from moldau.programs.pipelines.tables import LakeTables
from moldau.spark.errors import DataLossError
from tests.judges.moldau_node import MoldauNode
from tests.programs.pipelines.running import FileTopic, job_in, job_on
from tests.spark.topics import Topics


def count_all(frame, batch):
    return Counts(read=frame.count(), known=0, good=0)


def test_a_checkpoint_of_another_pipeline_is_refused(tmp_path):
    owner = Owner("clickstream", "events", str(tmp_path / "lake"))
    Checkpoint(str(tmp_path / "checkpoint"), SystemFiles()).begin(owner, {})
    work, no_records = Work({}, count_all), cast("DataFrame", None)
    with pytest.raises(PipelineError, match="belongs to the pipeline clickstream"):
        job_in(tmp_path, None, []).run(work, no_records)


def test_a_table_without_places_is_not_doubled_by_a_new_checkpoint(tmp_path):
    write_deltalake(tmp_path / "lake" / "sessions", pa.table({"visitor": ["v1"]}))
    no_records = cast("DataFrame", None)
    work = Work({}, count_all, beside=[Beside("sessions", no_records)])
    with pytest.raises(PipelineError, match="sessions was written under another checkpoint"):
        job_in(tmp_path, None, []).run(work, no_records)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("[STREAM_FAILED] Query x\nCaused by: java.io.IOException: no room", "no room"),
        ("[STREAM_FAILED] Query x\nValueError: no date\n SQLSTATE", "no date"),
        ("[STREAM_FAILED] Query [id = 1] terminated with exception: no. SQLSTATE: XXKST", "no."),
    ],
)
def test_without_a_sentence_of_ours_the_innermost_cause_is_reported(message, sentence):
    assert why(PySparkException(message)) == f"the query ended: {sentence}"


def test_a_batch_that_is_stopped_raises_one_line_by_which_spark_knows_it():
    line = "org.apache.spark.SparkException: Job 7 cancelled part of cancelled job group r1"
    message = f"An error occurred while calling o1.save.\n: {line}\n" + "\tat x.y(Z.java:1)\n" * 900
    batch = Batch(0, cast("LakeTables", None))
    with pytest.raises(BatchStoppedError) as raised, landing(batch):
        raise Py4JError(message)
    assert str(raised.value) == line
    assert raised.value.__suppress_context__, "else Python writes the long one, too"
    with pytest.raises(Py4JError, match="no such table"), landing(batch):
        raise Py4JError("An error occurred: no such table")


def test_a_full_disk_under_spark_comes_with_the_remedy():
    message = "[STREAM_FAILED] Query x\nCaused by: java.io.IOException: No space left on device"
    assert "device where the checkpoint or Spark's own files are; make room" in why(
        PySparkException(message)
    )


def test_a_worker_that_starts_too_late_comes_with_the_remedy():
    message = (
        "[STREAM_FAILED] Query terminated with exception: Python worker failed to connect back."
    )
    assert "Start the pipeline again" in why(PySparkException(message))


def test_state_of_another_version_comes_with_the_remedy():
    refused = "[STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE] Provided key schema does not match existing"
    message = f"[STREAM_FAILED] Query x terminated with exception: {refused} state key schema."
    assert "begin with a new checkpoint and a new lake" in why(PySparkException(message))


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_what_goes_wrong_in_a_batch_is_one_sentence(spark, tmp_path):
    def fail(frame, batch):
        raise DataLossError("records 3 to 7 of events-0 are gone")

    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    with pytest.raises(PipelineError, match=r"^records 3 to 7 of events-0 are gone$"):
        job_in(tmp_path, spark, []).run(Work({}, fail), topic.stream(spark))


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_topic_that_is_not_there_is_one_sentence(spark, broker, tmp_path):
    job = job_in(tmp_path, spark, [])
    job = replace(job, route=replace(job.route, bootstrap=broker.bootstrap, topic="nothing"))
    with pytest.raises(PipelineError, match="nothing") as refused:
        job.run(Work({}, count_all), job.records())
    assert "\n" not in str(refused.value)


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_records_that_retention_took_are_one_sentence_and_lag_is_reported(spark, topics, tmp_path):
    topic, lines = topics.make(1, 10), list[str]()
    job = replace(job_on(topics.bootstrap, topic, tmp_path, spark), show=lines.append)
    work = Work({}, count_all, keeps_records=False)
    job.run(work, job.records(at_most=6))
    assert [line.rpartition(", ")[2] for line in lines] == ["lag 4", "lag 0"]
    topics.write(topic, range(10, 20), 1)
    topics.trim(topic, 0, 15)
    with pytest.raises(PipelineError, match="5 offsets were deleted before they were") as refused:
        job.run(work, job.records())
    assert "\n" not in str(refused.value)


def keep(frame, batch):
    batch.tables.append("bronze", frame.select("topic", "partition", "offset"), batch.number)
    return Counts(read=frame.count(), known=0, good=frame.count())


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_small_files_go_together_after_so_many_batches(spark, tmp_path):
    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    topic.write([b"y"])
    lines: list[str] = []
    work = Work({"bronze": ""}, keep, compact_every=2)
    job_in(tmp_path, spark, lines).run(work, topic.stream(spark))
    assert lines[-1] == "compaction: 2 files became 1"


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_query_whose_worker_came_too_late_starts_again_and_no_other(spark, tmp_path):
    failures = [LATE, LATE, "another"]

    def land(frame, batch):
        raise RuntimeError(failures.pop(0))

    topic, lines = FileTopic(tmp_path / "topic"), list[str]()
    topic.write([b"x"])
    with pytest.raises(PipelineError, match="another"):
        job_in(tmp_path, spark, lines).run(Work({}, land), topic.stream(spark))
    assert [line.rpartition("; ")[2] for line in lines] == ["the queries start again"] * 2


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_query_that_fails_while_nothing_waits_for_it_fails_the_job(spark, tmp_path):
    is_looked_away = threading.Event()

    def fail(frame, batch):
        is_looked_away.wait()
        raise DataLossError("records 3 to 7 of events-0 are gone")

    def look_away():
        is_looked_away.set()
        while spark.streams.active:
            time.sleep(0.01)
        return False

    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    job = replace(job_in(tmp_path, spark, []), is_stopping=look_away)
    with pytest.raises(PipelineError, match="records 3 to 7 of events-0 are gone"):
        job.run(Work({}, fail), topic.stream(spark))


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_job_that_is_to_stop_stops_its_queries(spark, tmp_path):
    topic = FileTopic(tmp_path / "topic")
    topic.write([b"x"])
    job = replace(job_in(tmp_path, spark, []), available_now=False, is_stopping=lambda: True)
    with pytest.raises(StoppedError):
        job.run(Work({}, count_all), topic.stream(spark))
    assert spark.streams.active == []


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_broker_that_is_lost_for_good_is_one_sentence_and_no_record_is_lost(spark, tmp_path):
    folder = tmp_path / "broker"
    folder.mkdir()
    node = MoldauNode(folder)
    node.start()
    topics = Topics(node.bootstrap)
    topic = topics.make(2, 100)

    def land(frame, batch):
        batch.tables.append("bronze", frame.select("topic", "partition", "offset"), batch.number)
        node.kill()  # when the first batch is in its table, and not yet in the checkpoint
        return Counts(read=frame.count(), known=0, good=frame.count())

    patience = {"kafka.default.api.timeout.ms": "3000"}
    job = job_on(node.bootstrap, topic, tmp_path, spark)
    job = replace(job, route=replace(job.route, source=patience))
    try:
        with pytest.raises(PipelineError, match=r"cannot reach|did not answer") as refused:
            replace(job, available_now=False).run(Work({"bronze": ""}, land), job.records())
        assert "\n" not in str(refused.value)
        node.start()
        topics.write(topic, range(100, 200), 2)
        job.run(Work({"bronze": ""}, keep), job.records())
    finally:
        node.kill()
    places = [(row["partition"], row["offset"]) for row in rows_of(f"{tmp_path}/lake/bronze", {})]
    assert sorted(places) == [(part, offset) for part in range(2) for offset in range(100)]


def spark_pool(spark, name):
    """One of those between which Spark's scheduler chooses, as Java has it."""
    return spark.sparkContext._jsc.sc().getPoolForName(name).get()


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_tables_may_wait_for_more_while_a_query_beside_them_does_not(spark, tmp_path):
    topic, pools = FileTopic(tmp_path / "topic"), dict[str, str | None]()
    landed, beside = list[int](), list[int]()

    def land(frame, batch):
        landed.append(batch.number)
        pools["tables"] = spark.sparkContext.getLocalProperty(POOL)
        return count_all(frame, batch)

    def land_beside(frame, batch):
        beside.append(frame.count())
        pools["beside"] = spark.sparkContext.getLocalProperty(POOL)
        if len(beside) < 3:
            topic.write([b"more"])

    topic.write([b"x"])
    more = Beside("more", topic.stream(spark), land_beside, is_urgent=True)
    work = Work({}, land, beside=[more], every_s=86_400)
    job = job_in(tmp_path, spark, [])
    job = replace(job, available_now=False, is_stopping=lambda: bool(beside[2:] and landed))
    with pytest.raises(StoppedError):
        job.run(work, topic.stream(spark))
    assert beside[:3] == [1, 1, 1]
    assert landed == [0]
    tables, urgent = (spark_pool(spark, pools[name]) for name in ("tables", "beside"))
    assert tables.minShare() == 0 < urgent.minShare()
    assert spark.sparkContext.getLocalProperty(POOL) is None
