"""A pipeline whose executors are pods, on a stand-in for the API server of Kubernetes.

Nothing of the pipeline is changed but its master and the image that Spark asks for.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from deltalake import DeltaTable

from moldau.platform.system.java import find_java
from moldau.programs.pipelines.reconciliation import reconcile
from tests.judges.java_for_spark import need_java
from tests.judges.kubernetes import Kubernetes
from tests.programs.pipelines.murdered import SOURCE, RunningPipeline

IMAGE = "moldau-spark"
RECORDS, PARTITIONS, BATCH = 3_000, 2, 500
TABLES = ["bronze", "silver", "dead_letters"]
READ = "Starting Python task"
"""What an executor logs when one of its Python workers gets something to do."""
PATIENCE_S = 240


def paths() -> str:
    """Where an image would have its Python and its Java."""
    java = find_java()
    assert java is not None
    return f"{Path(sys.executable).parent}:{Path(java).parent}:/usr/bin:/bin"


@pytest.fixture
def kubernetes(tmp_path):
    need_java()
    folder = tmp_path / "pods"
    folder.mkdir()
    image = {"PATH": paths(), "PYTHONPATH": str(SOURCE), "HOME": str(folder)}
    cluster = Kubernetes(folder, {IMAGE: image})
    yield cluster
    cluster.close()


def on_pods(kubernetes):
    """Arguments of the command line."""
    image = f"spark.kubernetes.container.image={IMAGE}"
    memory = "spark.executor.memory=480m"
    return ["--master", kubernetes.master, "--conf", image, "--conf", memory]


def variables(folder):
    """The environment: no account of the user who runs the tests."""
    return {"KUBECONFIG": str(folder / "none"), "SPARK_LOCAL_IP": "127.0.0.1"}


def wait_until(holds, pipeline):
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert pipeline.is_running, pipeline.last_words()
        assert time.monotonic() < deadline, pipeline.last_words()
        time.sleep(0.1)


def have_read(kubernetes):
    """The pods whose Python workers have had a part of the topic."""
    return [name for name in kubernetes.pods.started if READ in kubernetes.pods.log(name)]


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_pod_that_dies_is_replaced_and_every_record_is_there_once(kubernetes, topics, tmp_path):
    topic = topics.make(PARTITIONS, RECORDS)
    more = [*on_pods(kubernetes), "--set", f"batch_size={BATCH}"]
    pipeline = RunningPipeline(tmp_path, topics.bootstrap, topic, more, **variables(tmp_path))
    pipeline.start()
    try:
        wait_until(lambda: pipeline.batches and len(have_read(kubernetes)) == 2, pipeline)
        kubernetes.pods.kill(kubernetes.pods.started[0])
        pipeline.await_end(PATIENCE_S)
    finally:
        pipeline.kill()
    assert pipeline.exit_code == 0, pipeline.last_words()
    assert not [line for line in pipeline.lines if " ERROR " in line], "Spark's own log is quiet"
    assert len(have_read(kubernetes)) == 3, "the one that came in its place had work, too"
    assert_all_is_there_once(tmp_path / "lake")


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(2_700)
@pytest.mark.parametrize("name", ["fraud", "telemetry"])
def test_state_by_key_is_kept_in_pods_as_on_one_machine(kubernetes, showing_of, tmp_path, name):
    running = showing_of(name).run(tmp_path, on_pods(kubernetes), variables(tmp_path))
    assert running.exit_code == 0, running.last_words()
    assert len(have_read(kubernetes)) == 2, "both pods had work"
    showing_of(name).ensure_same(str(tmp_path / "lake"))


def assert_all_is_there_once(lake):
    silver = DeltaTable(f"{lake}/silver").to_pyarrow_table(columns=["value"])
    values = Counter(silver["value"].to_pylist())
    assert values == Counter(f"v{number}".encode() for number in range(RECORDS))
    assert reconcile(str(lake), {}, TABLES).differences == []
