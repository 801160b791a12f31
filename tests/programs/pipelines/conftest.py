"""Pipelines run on the session that the tests of Spark have."""

from __future__ import annotations

from importlib.util import find_spec

from tests.spark.conftest import broker, spark, topics

__all__ = ["broker", "spark", "topics"]

collect_ignore_glob = [] if find_spec("deltalake") and find_spec("pyspark") else ["test_*.py"]
