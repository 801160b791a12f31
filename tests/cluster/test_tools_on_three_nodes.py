"""Our tools beside Kafka's at three nodes, of Apache Kafka and of ours: lines and exit codes.

All calls that are compared at one node (`tests/interop/tool_calls`) are compared here too, and with
them what only several nodes have: replicas elsewhere, moves, elections, and a node that is down.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.tool_calls import CALLS, CHAPTERS, tool_of
from tests.interop.tool_calls_replicas import CALLS as REPLICAS_CALLS
from tests.interop.tool_calls_replicas import CALLS_WITHOUT_A_NODE
from tests.interop.tool_comparison import compare, settle
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.long
ONE_NODE = {"acls", "reassign-partitions"}
"""Tools whose calls mean one node alone: several learn a rule one after the other, for instance."""
PLACED_AT_RANDOM = {
    "topics, odd calls": ("--describe --topic nw%", "--describe --topic nw% --if-exists")
}
"""Calls of chapters that show where a cluster has put replicas by itself."""


@pytest.fixture(scope="module", params=[APACHE, OURS])
def nodes(request, kafka_libs, tmp_path_factory) -> Iterator[Nodes]:
    folder, kinds = tmp_path_factory.mktemp("nodes"), [request.param] * 3
    with Nodes(folder, kinds=kinds, libs=kafka_libs) as started:
        yield started


@pytest.fixture(scope="module")
def tools(kafka_libs, nodes, tmp_path_factory) -> Iterator[KafkaTools]:
    folder = tmp_path_factory.mktemp("tools")
    with KafkaTools(kafka_libs, folder, nodes[1].bootstrap) as running:
        yield running


@pytest.mark.parametrize("tool", sorted(CALLS.keys() - ONE_NODE))
def test_calls_for_one_node_have_the_same_answers(tools, tmp_path, tool):
    wrong = compare(tool, tools, tmp_path)
    assert not wrong, wrong


@pytest.mark.parametrize("chapter", [name for name in CHAPTERS if tool_of(name) not in ONE_NODE])
def test_more_calls_have_the_same_answers(tools, tmp_path, chapter):
    left_out = PLACED_AT_RANDOM.get(chapter, ())
    calls = [line for line in CHAPTERS[chapter].splitlines() if line not in left_out]
    wrong = compare(tool_of(chapter), tools, tmp_path, "\n".join(calls))
    assert not wrong, wrong


@pytest.mark.parametrize("tool", REPLICAS_CALLS)
def test_calls_about_replicas_have_the_same_answers(tools, tmp_path, tool):
    wrong = compare(tool, tools, tmp_path, REPLICAS_CALLS[tool])
    assert not wrong, wrong


@pytest.fixture
def lacking(nodes, tools) -> Iterator[KafkaTools]:
    """Node 3 is down, and with it the only replica of a partition."""
    tools.run("topics", "--create --topic lacking --replica-assignment 1:2:3,3:1:2")
    tools.run("topics", "--create --topic lonely --replica-assignment 3")
    settle(tools.bootstrap)
    nodes[3].stop()
    yield tools
    nodes[3].start()


@pytest.mark.timeout(400)
def test_calls_without_a_node_have_the_same_answers(lacking, tmp_path):
    """All of them at once: tests come in any order, and the others need three nodes."""
    found = (
        compare(tool, lacking, tmp_path, calls, is_whole=False)
        for tool, calls in CALLS_WITHOUT_A_NODE.items()
    )
    wrong = [differences for differences in found if differences]
    assert not wrong, "\n".join(wrong)
