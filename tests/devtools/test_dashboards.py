"""Every query of a dashboard and of an alert finds its series at a running node."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

import pytest
import yaml
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from devtools.dashboards import DASHBOARDS, FOLDER
from devtools.grafana import dashboard_text
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import COMMANDS
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.moldau_node import MoldauNode

RULES = FOLDER.parent / "prometheus" / "rules.yml"
SELECTOR = re.compile(r"\b((?:kafka|moldau)_[a-z0-9_]+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|!=|=)"([^"]*)"')
SERIES = re.compile(r"^([a-z0-9_]+)(?:\{(.*)\})? ", re.MULTILINE)
COMMAND = re.compile(r"`moldau ([a-z-]+)")
WAIT_S = 30
QUERY = "etl-orders"
"""Commits as a query of Spark does, without a member."""
AGE = f'kafka_consumergroup_group_lag_seconds{{cluster_name="local",group="{QUERY}"'
SERVERS = ("--bootstrap-server",)
ASKED = ("--alter", "--name", "all", "--metrics", "*", "--interval", "100")
"""What clients are to push."""
KAFKA_NAMES = (
    'should not have "_count" suffix',
    'should not have "_sum" suffix',
    'counter metrics should have "_total" suffix',
    "should not contain abbreviated units",
    'should not have "_total" suffix',
)
"""Faults that dashboards for Kafka rely on."""
pytestmark = pytest.mark.judge

Series = tuple[str, dict[str, str]]


@pytest.fixture(scope="module")
def page(text) -> list[Series]:
    return [(name, labels_of(labels)) for name, labels in SERIES.findall(text)]


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> str:
    """What Prometheus finds at a node with records, a group, and a request that was refused."""
    (port,) = free_ports(1)
    node = MoldauNode(tmp_path_factory.mktemp("node"), start_with=("--metrics-port", str(port)))
    node.start()
    try:
        node.run("client-metrics", *SERVERS, node.bootstrap, *ASKED)
        use(node.bootstrap)
        with following(node.bootstrap) as burrow:
            return metrics_of(f"{HOST}:{port}") + metrics_of(burrow)
    finally:
        node.stop()


@contextmanager
def following(bootstrap: str) -> Iterator[str]:
    """Where `moldau burrow` serves, once it has the age of a record that waits."""
    (port,) = free_ports(1)
    place = f"{HOST}:{port}"
    command = [sys.executable, "-m", "moldau", "burrow", *SERVERS, bootstrap, "--listen", place]
    with subprocess.Popen([*command, "--refresh", "1"], stdout=subprocess.PIPE, text=True) as ran:
        try:
            assert ran.stdout is not None
            assert ran.stdout.readline().startswith("moldau: ready")
            end = time.monotonic() + WAIT_S
            while AGE not in metrics_of(place) and time.monotonic() < end:
                time.sleep(0.2)
            yield place
        finally:
            ran.terminate()


def metrics_of(place: str) -> str:
    with urlopen(f"http://{place}/metrics", timeout=WAIT_S) as answer:
        return str(answer.read().decode())


def use(bootstrap: str) -> None:
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic("orders", 1, 1)])["orders"].result(WAIT_S)
    with pytest.raises(KafkaException):
        admin.create_topics([NewTopic("orders", 1, 1)])["orders"].result(WAIT_S)
    producer = Producer({"bootstrap.servers": bootstrap})
    producer.produce("orders", b"x")
    assert producer.flush(WAIT_S) == 0
    reader = {"group.id": "readers", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    consumer = Consumer({"bootstrap.servers": bootstrap, **reader})
    consumer.subscribe(["orders"])
    assert consumer.poll(WAIT_S) is not None
    consumer.commit(offsets=[TopicPartition("orders", 0, 0)], asynchronous=False)
    consumer.close()  # and pushes its metrics
    del producer
    query = Consumer({"bootstrap.servers": bootstrap, "group.id": QUERY})
    query.commit(offsets=[TopicPartition("orders", 0, 0)], asynchronous=False)
    query.close()


def labels_of(text: str) -> dict[str, str]:
    return {name: value for name, _, value in MATCHER.findall(text)}


def is_found(selector: tuple[str, str], page: list[Series]) -> bool:
    name, matchers = selector
    wanted = [one for one in MATCHER.findall(matchers) if one[0] != "instance"]
    return any(name == found and fits(labels, wanted) for found, labels in page)


def fits(labels: dict[str, str], wanted: list[tuple[str, str, str]]) -> bool:
    return all((labels.get(name, "") == value) == (sign == "=") for name, sign, value in wanted)


def queries_of_dashboards() -> Iterator[str]:
    for dashboard in DASHBOARDS:
        for panel in (panel for row in dashboard.rows for panel in row):
            yield from (query for query, _ in panel.queries)


def alerts() -> list[dict[str, str]]:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    rules: list[dict[str, str]] = group["rules"]
    return rules


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.name)
def test_the_files_are_what_the_pages_say_today(dashboard):
    assert (FOLDER / f"{dashboard.name}.json").read_text() == dashboard_text(dashboard)


def test_every_query_of_a_dashboard_returns_a_series(page):
    queries = list(queries_of_dashboards())
    assert all(SELECTOR.search(query) for query in queries)
    missing = [query for query in queries if not asked_for(query, page)]
    assert missing == []


def test_every_alert_judges_series_that_are_there(page):
    rules = [rule["expr"] for rule in alerts() if "up{" not in rule["expr"]]
    assert [rule for rule in rules if not asked_for(rule, page)] == []


def asked_for(query: str, page: list[Series]) -> bool:
    return all(is_found(selector, page) for selector in SELECTOR.findall(query))


def test_a_query_of_another_label_finds_nothing(page):
    assert asked_for('kafka_log_log_size{topic="orders"}', page)
    assert not asked_for('kafka_log_log_size{topic="others"}', page)
    assert not asked_for("kafka_log_log_sizes", page)


def test_remedies_name_commands_that_exist():
    known = {command.name for command in (*COMMANDS, *KAFKA_TOOLS)}
    named = set(COMMAND.findall(RULES.read_text()))
    assert named
    assert named <= known


def test_prometheus_understands_the_page_and_finds_no_fault_but_with_names_of_kafka(text):
    ran = subprocess.run(
        [promtool(), "check", "metrics"], input=text, capture_output=True, text=True
    )
    found = [line for line in (ran.stdout + ran.stderr).splitlines() if line]
    assert [line for line in found if not any(of_kafka in line for of_kafka in KAFKA_NAMES)] == []


def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not installed (Debian's package prometheus has it)")
    return found


def test_prometheus_takes_the_rules_and_each_alert_fires_when_its_thing_is_broken():
    for check in (("check", "rules", "rules.yml"), ("test", "rules", "rules_test.yml")):
        ran = subprocess.run([promtool(), *check], cwd=RULES.parent, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
