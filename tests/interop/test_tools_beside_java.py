"""Our tools beside Kafka's: the same calls to the same node, the same lines and exit codes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from io import StringIO

import pytest
from _pytest.mark import ParameterSet

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import KafkaTool
from moldau.programs.tools.main import run_command
from moldau.testing import Node
from tests.interop.running_node import running_node
from tests.interop.tool_calls import CALLS, CHAPTERS, tool_of
from tests.interop.tool_comparison import compare
from tests.judges.kafka_node import KafkaNode
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

GUARD = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": "User:ANONYMOUS",
}
GUARDED = {"acls"}
"""Tools that have nothing to say at a node that judges no access."""
OF_EXAMPLES = {"alice.properties": "", "offsets.json": '{"partitions": []}'}
"""Files that examples name."""
NEED_A_LOGIN = {"delegation-tokens": "UnsupportedByAuthenticationException"}
"""Tools whose examples are refused where clients do not log in, and how."""
AT_LENGTH = {
    "acls",
    "configs",
    "console-consumer",
    "delete-records",
    "share-groups",
    "streams-application-reset",
    "streams-groups",
}
"""Tools with so many calls, or with so much waiting, that only the long check compares them."""
WAITING = {"console-consumer", "console-share-consumer", "share-consumer-perf-test"}
"""Tools whose examples end by a time-out."""
METRICS = "localhost:9404"
"""Where examples read metrics."""
ENDLESS = {"replica-verification"}
"""Tools that end when they are interrupted; here where they would rest."""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory) -> Iterator[str]:
    """A node that judges access."""
    with running_node(tmp_path_factory.mktemp("guarded"), **GUARD) as bootstrap:
        yield bootstrap


@pytest.fixture
def asking(tools: KafkaTools, tool, request) -> Iterator[KafkaTools]:
    """Kafka's tools, asking the node that the tool needs."""
    usual = tools.bootstrap
    if tool in GUARDED:
        tools.bootstrap = request.getfixturevalue("guarded")
    yield tools
    tools.bootstrap = usual


def judged(tools: Iterable[KafkaTool | str], at_length: Container[str]) -> list[ParameterSet]:
    """The tools as parameters; some of them in the long check alone."""
    names = [(tool if isinstance(tool, str) else tool.name, tool) for tool in tools]
    return [
        pytest.param(tool, id=name, marks=[pytest.mark.long] if name in at_length else [])
        for name, tool in names
    ]


@pytest.mark.parametrize("tool", judged(CALLS, AT_LENGTH))
def test_a_tool_answers_as_kafkas_does(asking, tmp_path, tool):
    assert compare(tool, asking, tmp_path) == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("tool", "calls"),
    [pytest.param(tool_of(name), calls, id=name) for name, calls in CHAPTERS.items()],
)
def test_more_calls_are_answered_as_kafkas_tool_does(asking, tmp_path, tool, calls):
    wrong = compare(tool, asking, tmp_path, calls)
    assert not wrong, wrong


@pytest.fixture(scope="module")
def apache(new_kafka_node, kafka_node) -> tuple[KafkaNode, KafkaNode]:
    """One of Apache's that judges no access, and one that does."""
    judging = new_kafka_node({key.replace("_", "."): value for key, value in GUARD.items()})
    judging.start()
    return kafka_node, judging


@pytest.mark.skipif("MOLDAU_LONG" not in os.environ, reason="MOLDAU_LONG=1 compares there too")
@pytest.mark.parametrize("tool", CALLS)
def test_a_tool_answers_as_kafkas_does_at_apache_kafka(kafka_libs, apache, tmp_path, tool):
    with KafkaTools(kafka_libs, tmp_path, apache[tool in GUARDED].bootstrap) as tools:
        assert compare(tool, tools, tmp_path) == ""


@pytest.fixture
def page_of_metrics() -> Iterator[str]:
    with Node(metrics_port=0) as node:
        yield str(node.node.metrics_address)


def interrupt(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("tool", judged(KAFKA_TOOLS, WAITING | GUARDED))
def test_the_example_of_a_tool_answers(place, tool, tmp_path, monkeypatch, request):
    if tool.name in GUARDED:
        place = request.getfixturevalue("guarded")
    monkeypatch.chdir(tmp_path)
    for name, text in OF_EXAMPLES.items():
        (tmp_path / name).write_text(text)
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    if tool.name in ENDLESS:
        world = replace(world, wait=interrupt)
    if tool.name not in GUARDED:
        orders = ["--create", "--if-not-exists", "--topic", "orders"]
        assert run_command(["topics", "--bootstrap-server", place, *orders], world) == 0
    example = tool.example.replace("localhost:9092", place)
    if METRICS in example:
        example = example.replace(METRICS, request.getfixturevalue("page_of_metrics"))
    words = shlex.split(example)
    refused = NEED_A_LOGIN.get(tool.name, "")
    assert run_command([tool.name, *words], world) == bool(refused), out.getvalue()
    assert refused in out.getvalue()
