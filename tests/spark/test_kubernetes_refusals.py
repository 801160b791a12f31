"""What the API server has against a session is reported before Spark starts, in one sentence.

Spark's own client asks a stand-in for the API server, in the Java that the tests have already.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from moldau.spark.errors import SparkSetupError
from moldau.spark.kubernetes import CREDENTIALS, DRIVER_POD, ask
from tests.judges.kubernetes import Kubernetes
from tests.judges.kubernetes_objects import Refused
from tests.judges.kubernetes_rules import check

TOKEN = "a-token"
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "driver", "labels": {"role": "driver"}},
    "spec": {"containers": [{"name": "spark", "image": "none-such"}], "restartPolicy": "Never"},
}


@pytest.fixture
def kubernetes(tmp_path):
    cluster = Kubernetes(tmp_path, {}, token=TOKEN)
    yield cluster
    cluster.close()


@pytest.fixture
def asked(spark, kubernetes):
    """Asks as a session would."""
    from pyspark import SparkConf

    def asking(token=TOKEN, **more):
        conf = SparkConf(loadDefaults=False).set(f"{CREDENTIALS}.oauthToken", token)
        ask(kubernetes.master, conf.setAll(list(more.items())))

    return asking


@pytest.mark.judge
def test_an_account_with_the_role_is_let_in(asked):
    asked()


@pytest.mark.judge
def test_unknown_credentials_are_one_sentence(asked):
    with pytest.raises(SparkSetupError, match="does not know these credentials"):
        asked(token="another")


@pytest.mark.judge
def test_no_credentials_are_one_sentence(asked):
    with pytest.raises(SparkSetupError, match=r'refuses: forbidden: User "system:anonymous"') as no:
        asked(token="")
    assert "\n" not in str(no.value)


@pytest.mark.judge
def test_what_the_account_may_not_do_is_named(asked, kubernetes):
    kubernetes.allowed -= {("create", "pods"), ("watch", "pods")}
    with pytest.raises(SparkSetupError, match="may not create, watch pods in the namespace defa"):
        asked()


@pytest.mark.judge
def test_a_driver_that_is_no_pod_of_the_namespace_is_named(asked, kubernetes):
    with pytest.raises(SparkSetupError, match="no pod driver in the namespace default"):
        asked(**{DRIVER_POD: "driver"})
    kubernetes.objects.add("pods", "default", POD)
    asked(**{DRIVER_POD: "driver"})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("metadata", "name"), "Driver_1"),
        (("metadata", "labels"), {"role": "a driver"}),
        (("spec", "containers", 0, "image"), ""),
        (("spec", "containers", 0, "name"), "a.b"),
        (("spec", "containers", 0, "ports"), [{"containerPort": 0}]),
        (("spec", "containers", 0, "volumeMounts"), [{"name": "lost", "mountPath": "/x"}]),
        (("spec", "containers", 0, "resources"), {"limits": {"memory": "1 GB"}}),
        (("spec", "restartPolicy"), "Sometimes"),
    ],
)
def test_the_stand_in_refuses_what_an_api_server_would(path, value):
    pod = deepcopy(POD)
    check("pods", pod)
    place: Any = pod
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(Refused, match="is invalid"):
        check("pods", pod)
