"""Covers moldau.spark.pods."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from moldau.spark.pods import room_wanted, trouble_among
from tests.judges.java_for_spark import need_java
from tests.judges.kubernetes import Kubernetes

PROGRAM = """
import sys
import moldau.spark
from moldau.errors import MoldauError

settings = {"spark.scheduler.maxRegisteredResourcesWaitingTime": "1ms", "spark.log.level": "OFF"}
image = {"spark.kubernetes.container.image": "no-such-image"}
try:
    moldau.spark.session(sys.argv[1], spark_driver_memory="512m", **settings, **image)
except MoldauError as error:
    print(error)
"""


def pod(reason=None):
    """As py4j shows one: waiting for a reason, running, or not yet on a node."""
    waiting = SimpleNamespace(getReason=lambda: reason, getMessage=lambda: "not found")
    state = SimpleNamespace(getWaiting=lambda: waiting if reason else None)
    container = SimpleNamespace(getState=lambda: state, getImage=lambda: "image:1")
    return SimpleNamespace(
        getStatus=lambda: SimpleNamespace(getContainerStatuses=lambda: [container])
    )


def test_an_image_that_cannot_be_had_is_named():
    trouble = trouble_among([pod(), pod("ImagePullBackOff")])
    assert trouble is not None
    assert "the image image:1 cannot be had: ImagePullBackOff, not found" in trouble


@pytest.mark.parametrize("reason", [None, "ContainerCreating", "ErrImagePull"])
def test_what_may_yet_come_is_no_trouble(reason):
    assert trouble_among([pod(reason)]) is None


def test_a_pod_without_a_node_is_no_trouble():
    nowhere = SimpleNamespace(getContainerStatuses=lambda: None)
    assert trouble_among([SimpleNamespace(getStatus=lambda: nowhere)]) is None


def test_a_pod_that_no_node_has_room_for_is_reported():
    full = SimpleNamespace(
        getReason=lambda: "Unschedulable", getMessage=lambda: "0/1 nodes: 1 Insufficient cpu."
    )
    fine = SimpleNamespace(getReason=lambda: None)
    assert room_wanted([scheduled(None), scheduled([fine])]) is None
    wanted = room_wanted([scheduled(None), scheduled([fine, full])])
    assert wanted == (
        "executors wait for a node that has room for them: 0/1 nodes: 1 Insufficient cpu."
    )


def scheduled(conditions):
    return SimpleNamespace(getStatus=lambda: SimpleNamespace(getConditions=lambda: conditions))


@pytest.mark.judge
def test_a_session_whose_image_is_not_there_ends_with_a_sentence(tmp_path):
    need_java()
    cluster = Kubernetes(tmp_path, {})
    variables = os.environ | {"KUBECONFIG": str(tmp_path / "none"), "SPARK_LOCAL_IP": "127.0.0.1"}
    try:
        asked = [sys.executable, "-c", PROGRAM, cluster.master]
        done = subprocess.run(asked, env=variables, capture_output=True, text=True, timeout=100)
    finally:
        cluster.close()
    assert "the image no-such-image cannot be had" in done.stdout, done.stderr[-3000:]
    assert done.stdout.count("\n") == 1
    assert cluster.objects.select("pods", "default", {})[0] == [], (
        "what was asked for is taken back"
    )
