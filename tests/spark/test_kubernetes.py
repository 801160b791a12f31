"""Covers moldau.spark.kubernetes, as far as it goes without Java."""

from __future__ import annotations

import socket

import pytest

from moldau.platform.system.pod import Pod
from moldau.platform.system.routes import outward_address
from moldau.spark.errors import SparkSetupError
from moldau.spark.kubernetes import DEEDS, api_server, is_kubernetes, sentence_about, settings_in
from tests.judges.kubernetes import ROLE, allowed_by_role

IMAGE = {"spark.kubernetes.container.image": "moldau-spark"}


class Complaint:
    """What Java throws, as py4j shows it."""

    def __init__(self, message, code=None, cause=None):
        self._message, self._cause = message, cause
        if code is not None:
            self.getCode = lambda: code
            self.getStatus = lambda: self if code else None

    def getCause(self):
        return self._cause

    def getMessage(self):
        return self._message


@pytest.fixture
def server():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"k8s://http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.parametrize(
    ("master", "found"),
    [
        ("k8s://https://host:6443", ("https://host:6443", "host", 6443)),
        ("k8s://host:6443", ("https://host:6443", "host", 6443)),
        ("k8s://https://kubernetes.default.svc", ("https://kubernetes.default.svc",) * 1),
        ("k8s://http://[::1]:8001", ("http://[::1]:8001", "::1", 8001)),
    ],
)
def test_a_master_says_where_the_api_server_is(master, found):
    assert is_kubernetes(master)
    assert api_server(master)[: len(found)] == found


def test_the_port_is_that_of_the_scheme_if_none_is_given():
    assert api_server("k8s://https://kubernetes.default.svc")[2] == 443


@pytest.mark.parametrize("master", ["k8s://", "k8s://ftp://host", "k8s://https://host:many"])
def test_a_master_that_names_no_server_is_refused(master):
    with pytest.raises(SparkSetupError, match="names no API server"):
        api_server(master)


def test_a_server_on_loopback_does_not_make_the_driver_one(server):
    settings = settings_in(server, IMAGE, None, {})
    assert settings["spark.driver.bindAddress"] == settings["spark.driver.host"]
    assert settings["spark.driver.host"] == outward_address()
    assert not [name for name in settings if name.startswith("spark.kubernetes")]


def test_who_sets_the_local_address_has_decided(server):
    settings = settings_in(server, IMAGE, None, {"SPARK_LOCAL_IP": "127.0.0.1"})
    assert settings["spark.driver.bindAddress"] == settings["spark.driver.host"] == "127.0.0.1"


def test_in_a_pod_executors_belong_to_it(server):
    settings = settings_in(server, IMAGE, Pod("streams", "etl-7"), {})
    assert settings["spark.kubernetes.namespace"] == "streams"
    assert settings["spark.kubernetes.driver.pod.name"] == "etl-7"


def test_in_another_namespace_they_cannot(server):
    elsewhere = {**IMAGE, "spark.kubernetes.namespace": "other"}
    settings = settings_in(server, elsewhere, Pod("streams", "etl-7"), {})
    assert "spark.kubernetes.driver.pod.name" not in settings


def test_without_an_image_the_setting_is_named(server):
    with pytest.raises(SparkSetupError, match=r"--conf spark\.kubernetes\.container\.image=IMAGE"):
        settings_in(server, {}, None, {})


def test_where_nothing_listens_the_address_is_named():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        master = f"k8s://https://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(SparkSetupError, match="cannot be reached: Connection refused"):
        settings_in(master, IMAGE, None, {})


@pytest.mark.parametrize(
    ("complaint", "sentence"),
    [
        (Complaint("Unauthorized", 401), "does not know these credentials"),
        (Complaint("pods is forbidden:  User x", 403), "refuses: pods is forbidden: User x (cred"),
        (Complaint("failed", 0, Complaint("PKIX path building\nfailed.")), "PKIX path building f"),
    ],
)
def test_what_the_server_has_against_us_is_one_sentence(complaint, sentence):
    reported = sentence_about(complaint, "k8s://https://host:6443")
    assert sentence in reported
    assert "\n" not in reported


def test_the_role_allows_all_that_is_asked_for():
    wanted = {(verb, resource) for resource, verbs in DEEDS.items() for verb in verbs}
    assert wanted <= allowed_by_role(ROLE.read_text())
