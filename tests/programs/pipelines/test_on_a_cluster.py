"""Pipelines on a standalone cluster of two workers: nothing is changed but their master."""

from __future__ import annotations

import pytest

from tests.judges.java_for_spark import need_java
from tests.spark.cluster import Cluster, environment

NAMES = ["etl", "clickstream", "logs", "fraud", "cdc", "telemetry", "sourcing", "services"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    need_java()
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(2_700)
@pytest.mark.parametrize("name", NAMES)
def test_a_pipeline_gives_on_two_workers_what_it_gives_on_one_machine(
    cluster, showing_of, tmp_path, name
):
    more = ["--master", cluster.address, "--conf", "spark.driver.host=127.0.0.1"]
    more += ["--conf", "spark.executor.memory=480m"]
    before = cluster.executors()
    running = showing_of(name).run(tmp_path, more, environment())
    assert running.exit_code == 0, running.last_words()
    workers = {worker for worker, _ in cluster.executors() - before}
    assert len(workers) == 2, "both workers had an executor"
    showing_of(name).ensure_same(str(tmp_path / "lake"))
