"""Covers moldau.spark.worker_python, and the script beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from moldau.spark.worker_python import LAUNCHER, name_worker_python

ZIPS = "/spark/python/lib/pyspark.zip:/spark/python/lib/py4j-0.10.9.9-src.zip"
SHOW = "import os, sys; print([os.environ['PYTHONPATH'], *sys.argv[1:]])"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "MOLDAU_WORKER_PYTHON", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (ZIPS, ""),
        (f"{ZIPS}:/of the user:/more", "/of the user:/more"),
        (f"/first:{ZIPS}", "/first"),
        ("/of/a/pyspark.zip.d", "/of/a/pyspark.zip.d"),
        ("", ""),
    ],
)
def test_the_script_is_the_interpreter_without_the_sources_of_spark(path, kept):
    variables = {**os.environ, "PYTHONPATH": path, "MOLDAU_WORKER_PYTHON": sys.executable}
    command = [LAUNCHER, "-c", SHOW, "an argument", "*"]
    shown = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == str([kept, "an argument", "*"])


def test_a_local_session_has_the_script_and_a_cluster_the_interpreter():
    name_worker_python(is_local=True)
    assert os.environ["PYSPARK_PYTHON"] == LAUNCHER
    assert os.environ["MOLDAU_WORKER_PYTHON"] == sys.executable
    assert os.environ["PYSPARK_DRIVER_PYTHON"] == sys.executable
    name_worker_python(is_local=False)
    assert os.environ["PYSPARK_PYTHON"] == sys.executable


def test_what_the_user_has_named_stays(environment):
    environment.setenv("PYSPARK_PYTHON", "/usr/bin/python3")
    name_worker_python(is_local=True)
    assert os.environ["PYSPARK_PYTHON"] == "/usr/bin/python3"


def test_another_spark_than_the_installed_one_brings_its_own_sources(environment, tmp_path):
    environment.setenv("SPARK_HOME", str(tmp_path))
    name_worker_python(is_local=True)
    assert os.environ["PYSPARK_PYTHON"] == sys.executable
    environment.delenv("PYSPARK_PYTHON")
    environment.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
    name_worker_python(is_local=True)
    assert os.environ["PYSPARK_PYTHON"] == LAUNCHER
