"""The same reading on a standalone cluster of two workers, without a change."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.judges.java_for_spark import need_java
from tests.spark.cluster import Cluster, environment

PROGRAM = """
import sys
import moldau.spark

master, bootstrap, topic, folder = sys.argv[1:]
settings = {"spark_driver_memory": "512m", "spark_executor_memory": "480m"}
spark = moldau.spark.session(master, spark_driver_host="127.0.0.1", **settings)
topics = {"kafka.bootstrap.servers": bootstrap, "subscribe": topic}
rows = spark.read.format("moldau").options(**topics).load()
print("read", rows.selectExpr("count(distinct partition, offset)").first()[0])
rows.selectExpr("cast(value as string)").write.format("moldau-delta").mode("append").save(folder)
spark.stop()
"""


@pytest.fixture
def cluster(tmp_path):
    need_java()
    cluster = Cluster(tmp_path, workers=2)
    yield cluster
    cluster.close()


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_cluster_reads_and_writes_as_one_machine_does(cluster, topics, tmp_path):
    topic = topics.make(4, 400)
    command = [sys.executable, "-c", PROGRAM, cluster.address, topics.bootstrap, topic]
    lake = tmp_path / "lake"
    done = subprocess.run(
        [*command, str(lake)], env=environment(), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "read 400" in done.stdout
    workers = {worker for worker, _ in cluster.executors()}
    assert len(workers) == 2, "both workers had an executor"
    assert sum(1 for _ in lake.glob("*.parquet")) >= 1
