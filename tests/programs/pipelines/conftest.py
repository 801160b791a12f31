"""Tests of pipelines are there where the extra is.

`showing_of(NAME)` is a pipeline with its events in a topic. It is made once in a process, and so is
its run on one machine, with which its runs elsewhere are compared.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("deltalake") and find_spec("pyspark") else ["test_*.py"]


@pytest.fixture(scope="session")
def showing_of(topics, tmp_path_factory):
    from tests.programs.pipelines.shown import Showing

    return cache(lambda name: Showing(name, topics, tmp_path_factory.mktemp(name)))
