"""The fixtures, as another project uses them."""

from __future__ import annotations

import subprocess
import sys

TESTS = """
import confluent_kafka
import pytest

from moldau import Admin
from moldau.client.admin import NewTopic, OffsetPlace


def test_any_client_works(kafka_node, kafka_topic, kafka_consumer):
    producer = confluent_kafka.Producer({"bootstrap.servers": kafka_node.bootstrap})
    producer.produce(kafka_topic, b"from librdkafka")
    producer.flush(30)
    found = []
    while not found:
        found = kafka_consumer.poll(1.0)
    assert found[0].value == b"from librdkafka"


def test_each_test_has_its_own_topic(kafka_topic, kafka_producer, kafka_consumer):
    kafka_producer.send(kafka_topic, b"mine").result(30)
    found = []
    while not found:
        found = kafka_consumer.poll(1.0)
    assert [record.value for record in found] == [b"mine"]


def test_time_is_moved_past_retention(fresh_kafka_node):
    with Admin(fresh_kafka_node.bootstrap) as admin:
        admin.create_topics(NewTopic("old", 1, configs={"retention.ms": "3600000"})).all()
        producer = confluent_kafka.Producer({"bootstrap.servers": fresh_kafka_node.bootstrap})
        producer.produce("old", b"gone")
        producer.flush(30)
        fresh_kafka_node.travel(hours=2)
        for _ in range(300):
            start = admin.list_offsets({("old", 0): OffsetPlace.EARLIEST}).all()
            if [view.offset for view in start.values()] == [1]:
                return
            import time
            time.sleep(0.1)
    pytest.fail("retention has not deleted it")
"""


def test_a_project_takes_them_by_one_line(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["moldau.testing.fixtures"]\n')
    (tmp_path / "test_theirs.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_theirs.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


def test_nothing_runs_before_a_test_asks_for_it(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["moldau.testing.fixtures"]\n')
    (tmp_path / "test_theirs.py").write_text("def test_nothing(): ...\n")
    command = [sys.executable, "-m", "pytest", "-q", "--setup-show", "test_theirs.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "SETUP    S kafka" not in done.stdout
