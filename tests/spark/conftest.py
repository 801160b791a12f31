"""A Spark session for all tests of a process, and a node of ours with topics to read.

- `spark` is a session on two cores that knows our formats; tests that take it need Java.
- `broker` is a node of ours in a process of its own.
- `written(topic, partitions)` makes a topic and writes numbered records into it.
"""

from __future__ import annotations

import os

import pytest

from moldau.spark.session import session
from tests.judges.java_for_spark import need_java
from tests.judges.moldau_node import MoldauNode
from tests.spark.topics import Topics

HEAP = "512m"


@pytest.fixture(scope="session")
def spark():
    need_java()
    os.environ["PYTHONWARNINGS"] = "ignore"  # Spark's own workers are not ours to mend
    spark = session("local[2]", spark_driver_memory=HEAP)
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("broker"))
    node.start()
    yield node
    node.stop()


@pytest.fixture(scope="session")
def topics(broker):
    made = Topics(broker.bootstrap)
    yield made
    made.close()
