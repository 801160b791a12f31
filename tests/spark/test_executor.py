"""Covers moldau.spark.executor."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from moldau.spark.errors import SparkSetupError
from moldau.spark.executor import MAIN_CLASS, command_for, executor_command

VARIABLES = {
    "SPARK_DRIVER_URL": "spark://CoarseGrainedScheduler@10.0.0.1:7078",
    "SPARK_EXECUTOR_ID": "3",
    "SPARK_EXECUTOR_CORES": "2",
    "SPARK_EXECUTOR_MEMORY": "480m",
    "SPARK_APPLICATION_ID": "spark-1",
    "SPARK_EXECUTOR_POD_IP": "10.0.0.7",
    "SPARK_EXECUTOR_POD_NAME": "moldau-exec-3",
    "SPARK_RESOURCE_PROFILE_ID": "0",
}


def test_what_spark_sets_in_the_pod_becomes_options_of_the_executor():
    command = executor_command(VARIABLES, "/jars")
    java, options = command[: command.index(MAIN_CLASS)], command[command.index(MAIN_CLASS) + 1 :]
    assert java == ["java", "-Xmx480m", "-cp", "/jars/*"]
    assert dict(zip(options[::2], options[1::2], strict=True)) == {
        "--driver-url": "spark://CoarseGrainedScheduler@10.0.0.1:7078",
        "--executor-id": "3",
        "--cores": "2",
        "--app-id": "spark-1",
        "--hostname": "10.0.0.7",
        "--resourceProfileId": "0",
        "--podName": "moldau-exec-3",
    }


def test_options_of_java_keep_the_order_of_their_numbers():
    options = {f"SPARK_JAVA_OPT_{number}": f"-Dn={number}" for number in (10, 9, 0)}
    command = executor_command(VARIABLES | options | {"SPARK_JAVA_OPT_S": "none"}, "/jars")
    assert command[1:4] == ["-Dn=0", "-Dn=9", "-Dn=10"]


def test_the_class_path_begins_with_what_the_pod_was_given():
    paths = {"SPARK_CONF_DIR": "/conf", "SPARK_CLASSPATH": "/a:/b", "HADOOP_CONF_DIR": "/hadoop"}
    command = executor_command(VARIABLES | paths | {"JAVA_HOME": "/java"}, "/jars")
    assert command[0] == "/java/bin/java"
    assert command[command.index("-cp") + 1] == "/conf:/a:/b:/jars/*:/hadoop"


def test_an_executor_that_spark_did_not_start_says_so():
    with pytest.raises(SparkSetupError, match="has SPARK_EXECUTOR_ID, SPARK_EXECUTOR_MEMORY"):
        executor_command(
            VARIABLES | {"SPARK_EXECUTOR_ID": "", "SPARK_EXECUTOR_MEMORY": ""}, "/jars"
        )


def test_any_other_program_runs_as_it_stands():
    assert command_for(["moldau", "pipeline", "list"], {}) == ["moldau", "pipeline", "list"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [([], "say what to run"), (["driver", "--class", "x"], "no driver for Spark's cluster mode")],
)
def test_what_the_image_cannot_run_is_one_sentence(arguments, sentence):
    with pytest.raises(SparkSetupError, match=sentence):
        command_for(arguments, {})


def test_the_process_becomes_the_java_that_was_found(tmp_path):
    pytest.importorskip("pyspark", reason="moldau[spark] is not installed")
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text('#!/bin/sh\necho "$$ $@"\n')
    java.chmod(0o755)
    asked = [sys.executable, "-m", "moldau.spark.executor", "executor"]
    variables = (
        os.environ | VARIABLES | {"JAVA_HOME": str(tmp_path), "SPARK_JAVA_OPT_0": "-Dname=a b"}
    )
    with subprocess.Popen(asked, env=variables, stdout=subprocess.PIPE, text=True) as started:
        printed = started.communicate()[0]
    assert printed.startswith(f"{started.pid} -Dname=a b -Xmx480m -cp ")
    assert "pyspark/jars/*" in printed
