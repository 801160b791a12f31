"""Strimzi's own dashboards and alert rules, unmodified, find their series at a node.

They are not in this repository: MOLDAU_STRIMZI names the folder packaging/examples/metrics of a
copy of theirs. Prometheus scrapes a node with the labels that Kubernetes would add. What the files
ask of Kubernetes, of containers, volumes and its operator, these report, and no broker does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.devtools.test_prometheus import asked, found, wait_for, watched_node

FOLDER = os.environ.get("MOLDAU_STRIMZI", "")
pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        shutil.which("prometheus") is None,
        reason="Prometheus is not installed (Debian's package prometheus has it)",
    ),
    pytest.mark.skipif(not FOLDER, reason="MOLDAU_STRIMZI names no copy of Strimzi's files"),
]
DASHBOARDS = ("strimzi-kafka", "strimzi-kraft", "strimzi-kafka-exporter")
RULES = ("prometheus-kafka-rules", "prometheus-kafka-exporter-topic-rules-group")
LABELS = {
    "namespace": "shop",
    "strimzi_io_cluster": "orders",
    "strimzi_io_name": "orders-kafka",
    "kubernetes_pod_name": "orders-kafka-0",
    "pod": "orders-kafka-0",
    "container": "kafka",
}
CHOSEN = {
    "$kubernetes_namespace": "shop",
    "$strimzi_cluster_name": "orders",
    "$kafka_broker": "kafka-0",
    "$kraft_node": "kafka-0",
    "$kafka_topic": ".+",
    "$kafka_partition": ".+",
    "$consumergroup": ".+",
    "$topic": ".+",
}
"""What a person chooses above the panels."""
OF_KUBERNETES = re.compile(r"\b(?:container|kubelet|kube)_|\bup\{")
OF_A_VARIABLE = re.compile(r"(?:query_result|label_values)\((.*?\}?)(?:, *\w+)?\)$")
COMPARED = re.compile(r" *(?:>|!=|==) *\d+ *$")
"""What makes a rule fire is not so here; what it looks at has to be there."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("strimzi")
    rules = folder / "rules.yml"
    rules.write_text(yaml.safe_dump({"groups": groups()}))
    with watched_node(folder, rules, LABELS) as place:
        yield place


def groups() -> list[dict[str, Any]]:
    """As they stand in the resources of Kubernetes."""
    texts = (
        Path(FOLDER, "prometheus-install", "prometheus-rules", f"{name}.yaml").read_text()
        for name in RULES
    )
    return [
        group
        for text in texts
        for document in yaml.safe_load_all(text)
        for group in document["spec"]["groups"]
    ]


def queries_in(value: object) -> Iterator[str]:
    """Of panels, and of the choices above them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("expr", "query") and isinstance(inner, str):
                yield inner
            else:
                yield from queries_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from queries_in(inner)


def queries_of(dashboard: str) -> list[str]:
    text = Path(FOLDER, "grafana-dashboards", f"{dashboard}.json").read_text()
    for name, value in CHOSEN.items():
        text = text.replace(name, value)
    queries = {query.strip() for query in queries_in(json.loads(text))} - {"", "prometheus"}
    plain = sorted(OF_A_VARIABLE.sub(r"\1", query) for query in queries)
    return [query for query in plain if not OF_KUBERNETES.search(query)]


def missing(place: str, queries: list[str]) -> list[str]:
    """Once it has scraped for long enough that rates are known."""
    wait_for(lambda: all(found(place, query) for query in queries))
    return [query for query in queries if not found(place, query)]


@pytest.mark.parametrize("dashboard", DASHBOARDS)
def test_every_query_of_a_dashboard_returns_a_series(place, dashboard):
    queries = queries_of(dashboard)
    assert len(queries) > 10
    assert missing(place, queries) == []


def test_every_rule_is_evaluated_and_looks_at_series_that_are_there(place):
    rules = [rule for group in asked(place, "rules")["groups"] for rule in group["rules"]]
    assert {rule["health"] for rule in rules} == {"ok"}
    queries = [COMPARED.sub("", rule["query"]) for rule in rules]
    ours = [query for query in queries if not OF_KUBERNETES.search(query)]
    assert len(ours) > 5
    assert missing(place, ours) == []


def test_a_query_of_another_cluster_finds_nothing(place):
    name = "kafka_server_replicamanager_leadercount"
    assert missing(place, [f'{name}{{strimzi_io_cluster="orders"}}']) == []
    assert found(place, f'{name}{{strimzi_io_cluster="payments"}}') == []
