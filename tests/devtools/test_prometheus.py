"""Prometheus itself scrapes a node: every query of every dashboard returns a series."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.devtools.test_dashboards import (
    ASKED,
    RULES,
    SERVERS,
    following,
    queries_of_dashboards,
    use,
)
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.moldau_node import MoldauNode

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        shutil.which("prometheus") is None,
        reason="Prometheus is not installed (Debian's package prometheus has it)",
    ),
]
CONFIG = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: kafka
    static_configs: [{{targets: ["{node}", "{burrow}"], labels: {labels}}}]
"""
PATIENCE_S = 120


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with watched_node(tmp_path_factory.mktemp("prometheus"), RULES, {}) as place:
        yield place


@contextmanager
def watched_node(folder: Path, rules: Path, labels: Mapping[str, str]) -> Iterator[str]:
    """Where Prometheus answers, with a node that clients use; it adds the labels."""
    metrics, web = free_ports(2)
    node = MoldauNode(folder, start_with=("--metrics-port", str(metrics)))
    node.start()
    try:
        node.run("client-metrics", *SERVERS, node.bootstrap, *ASKED)
        use(node.bootstrap)
        with following(node.bootstrap) as burrow:
            given = {"node": f"{HOST}:{metrics}", "burrow": burrow, "labels": json.dumps(labels)}
            config = CONFIG.format(rules=rules, **given)
            with scraping(config, folder, web):
                yield f"{HOST}:{web}"
    finally:
        node.stop()


@contextmanager
def scraping(text: str, folder: Path, web: int) -> Iterator[None]:
    config = folder / "prometheus.yml"
    config.write_text(text)
    listen = f"--web.listen-address={HOST}:{web}"
    storage = f"--storage.tsdb.path={folder}/series"
    with (folder / "prometheus.log").open("w") as log:
        command = ["prometheus", f"--config.file={config}", listen, storage]
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(lambda: found(f"{HOST}:{web}", 'up{job="kafka"} == 1'))
        yield
    finally:
        process.terminate()
        process.wait()


def asked(place: str, path: str) -> Any:
    with urlopen(f"http://{place}/api/v1/{path}", timeout=PATIENCE_S) as answer:
        return json.load(answer)["data"]


def found(place: str, query: str) -> list[object]:
    shown = query.replace("$instance", ".*").replace("$__rate_interval", "1m")
    try:
        series: list[object] = asked(place, f"query?{urlencode({'query': shown})}")["result"]
    except URLError:
        return []  # it starts
    return series


def wait_for(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so() and time.monotonic() < end:
        time.sleep(0.5)


def test_every_query_of_a_dashboard_returns_a_series_in_prometheus(place):
    def missing() -> list[str]:
        return [query for query in queries_of_dashboards() if not found(place, query)]

    wait_for(lambda: not missing())
    assert missing() == []


def test_every_rule_is_evaluated_and_none_fires_at_a_node_that_is_well(place):
    (group,) = asked(place, "rules")["groups"]
    assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"}
    assert [rule["name"] for rule in group["rules"] if rule["state"] == "firing"] == []
