"""Without the packages of the extra `spark` there is no lake to test."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("deltalake") and find_spec("pyspark") else ["test_*.py"]


@pytest.fixture
def table(tmp_path):
    """Version 0 has 1 and 2, version 1 a column more, and version 2 has added 3."""
    from tests.spark.lake.tables import add, batch, options_for

    path = tmp_path / "table"
    add(options_for(path), batch(1, 2))
    add(options_for(path), batch(3, name=["x"]))
    return path
