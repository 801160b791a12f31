"""A Spark session for all tests of a process, and a node of ours with topics to read.

- `spark` is a session on two cores that knows our formats; tests that take it need Java.
- `broker` is a node of ours in a process of its own.
- `running_kafka` is a node of Apache Kafka, or the test is skipped.
- `topics` makes topics on our node and writes numbered records into them.

`tests/conftest.py` loads this file as a plugin, so each is made once in a process, whichever folder
asks for it. Nothing imports them: an imported fixture is another one, with another node.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from moldau.spark.session import session
from tests.judges.java_for_spark import SHORT_LIVED, need_java
from tests.judges.kafka_node import KafkaNode
from tests.judges.moldau_node import MoldauNode
from tests.spark.topics import Topics

HEAP = "512m"


@pytest.fixture(scope="session")
def spark():
    need_java()
    os.environ["PYTHONWARNINGS"] = "ignore"  # Spark's own workers are not ours to mend
    settings: dict[str, Any] = {"spark.driver.extraJavaOptions": SHORT_LIVED}
    spark = session("local[2]", spark_driver_memory=HEAP, **settings)
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("broker"))
    node.start()
    yield node
    node.stop()


@pytest.fixture(scope="session")
def running_kafka(kafka_libs, tmp_path_factory):
    node = KafkaNode(kafka_libs, tmp_path_factory.mktemp("kafka"), settings={})
    node.start()
    yield node
    node.stop()


@pytest.fixture(scope="session")
def topics(broker):
    made = Topics(broker.bootstrap)
    yield made
    made.close()
