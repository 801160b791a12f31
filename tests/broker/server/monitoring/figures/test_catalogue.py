"""All that is described is shown by a live node, and nothing is shown that is not described."""

from __future__ import annotations

import pytest

from devtools.reference import FOLDER
from moldau.broker.server.monitoring.families import table as families
from moldau.broker.server.monitoring.figures.catalogue import ABSENT, DOC, TABLES
from tests.broker.server.monitoring.figures.live_node import page

NEEDS_A_QUOTA = {
    "kafka_server_produce_byte_rate",
    "kafka_server_fetch_byte_rate",
    "kafka_server_request_request_time",
    "kafka_server_produce_throttle_time",
    "kafka_server_fetch_throttle_time",
    "kafka_server_request_throttle_time",
}
NEEDS_A_FOLLOWER = {"kafka_server_fetcherlagmetrics_consumerlag"}
NEEDS_AN_ERROR = {"kafka_network_requestmetrics_errors_total"}
NEEDS_A_SHARE_GROUP = {
    "kafka_server_sharepartitionmetrics_inflightmessagecount",
    "kafka_server_sharepartitionmetrics_inflightbatchcount",
    "kafka_server_sharepartitionmetrics_acquisitionlocktimeout_total",
    "kafka_server_sharepartitionmetrics_inflightbatchmessagecount",
    "kafka_server_sharepartitionmetrics_fetchlockratio",
    "kafka_server_sharepartitionmetrics_fetchlocktimems",
    "kafka_server_sharegroupmetrics_topicpartitionsacquiretimems",
    "kafka_server_sharegroupmetrics_requesttopicpartitionsfetchratio",
}
ANOTHER_NODE = NEEDS_A_QUOTA | NEEDS_AN_ERROR | NEEDS_A_FOLLOWER | NEEDS_A_SHARE_GROUP


def described():
    return set(DOC)


def shown():
    """Without the names of other exporters."""
    return on_the_page() - set(families.DOC)


def on_the_page():
    return {line.split()[2] for line in page().splitlines() if line.startswith("# TYPE")}


def test_a_live_node_shows_what_is_described_and_nothing_else():
    assert shown() - described() == set()
    assert described() - shown() <= ANOTHER_NODE


def test_the_page_says_what_each_metric_is():
    helps = [line.split(maxsplit=3) for line in page().splitlines() if line.startswith("# HELP")]
    assert {family for _, _, family, _ in helps} == on_the_page()
    known = families.DOC | DOC
    assert all(known[family] == sentence for _, _, family, sentence in helps)


def test_every_metric_is_in_the_documents():
    text = (FOLDER / "metrics.md").read_text()
    assert [name for name in sorted(described()) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("names", ABSENT)
def test_what_is_declared_absent_is(names):
    there = {row.name for table in TABLES for row in table.rows}
    assert there.isdisjoint(names.split(", "))


def test_no_name_is_reported_twice():
    samples = [line.rpartition(" ")[0] for line in page().splitlines() if line[0] != "#"]
    assert len(samples) == len(set(samples))
