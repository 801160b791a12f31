"""Tests of pipelines are there where the extra is."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("deltalake") and find_spec("pyspark") else ["test_*.py"]
