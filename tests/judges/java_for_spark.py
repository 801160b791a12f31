"""The Java that Spark runs on, for tests that start Spark."""

from __future__ import annotations

import pytest

from moldau.spark.errors import SparkSetupError
from moldau.spark.session import ensure_java

SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""A plain compiler and collector: short queries are over before the better ones have paid."""


def need_java() -> None:
    """Skip the test, with the sentence that a user would get, where there is none."""
    try:
        ensure_java()
    except SparkSetupError as missing:
        pytest.skip(str(missing))
