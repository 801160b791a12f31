"""Covers moldau.spark.errors."""

from __future__ import annotations

from moldau.spark.errors import OptionError, sentence_of

FROM_SPARK = """[PYTHON_DATA_SOURCE_ERROR] Failed: Traceback (most recent call last):
  File "source.py", line 36, in reader
moldau.spark.errors.OptionError: subscribe names no topic: say topics
 SQLSTATE: 38000"""


def test_of_an_error_of_ours_inside_an_error_of_sparks_the_sentence_is_shown():
    assert sentence_of(RuntimeError(FROM_SPARK)) == "subscribe names no topic: say topics"


def test_an_error_of_ours_is_its_own_sentence():
    assert sentence_of(OptionError("say one topic")) == "say one topic"


FROM_JAVA = """An error occurred while calling o1.start.
: org.apache.spark.SparkException: it failed
\tat org.apache.spark.Some.method
Caused by: java.io.IOException: no room
\tat java.base/java.io"""


def test_of_an_exception_of_java_the_innermost_cause_is_shown():
    assert sentence_of(RuntimeError(FROM_JAVA)) == "no room"


def test_of_any_other_error_the_first_line_is_shown():
    assert sentence_of(RuntimeError("Path does not exist\n at java.lang")) == "Path does not exist"
