"""Covers moldau.spark.gateway."""

from __future__ import annotations

import subprocess
import sys

import pytest

from moldau.spark.gateway import reason_in
from tests.judges.java_for_spark import need_java

PROGRAM = """
import moldau.spark
from moldau.spark.errors import SparkSetupError
try:
    moldau.spark.session("local[1]", quiet=True, spark_driver_memory="1k")
except SparkSetupError as refused:
    print(refused)
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("WARNING: Using incubator\nError: no heap\nError: ended\n", "Error: no heap"),
        ("26/11/22 16:34:41 WARN Utils: Set it\na.b.SparkException: no URL 'x'\n", "no URL 'x'"),
        ('Setting Spark log level to "ERROR"\n26/11/22 16:34:41 ERROR Disk: full\n', "full"),
        ("Using Spark's default log4j profile: x\n\n", "it ended without a word"),
    ],
)
def test_the_reason_is_the_first_line_that_is_no_noise(text, reason):
    assert reason_in(text) == reason


@pytest.mark.judge
def test_a_java_that_does_not_start_is_one_sentence():
    need_java()
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=100
    )
    sentence = "Spark's Java process did not start: Too small maximum heap\n"
    assert (ended.stdout, ended.stderr) == (sentence, "")
