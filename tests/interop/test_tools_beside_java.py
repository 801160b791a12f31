"""Our tools beside Kafka's: the same calls to the same node, the same lines and exit codes."""

from __future__ import annotations

import os
import shlex
from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import run_command
from tests.interop.tool_calls import ALLOWED, CALLS, UNORDERED, masked, steps
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

PREPARED = "one\ntwo\nthree\n"


def ours(tool: str, words: str, bootstrap: str) -> tuple[int, list[str]]:
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    code = run_command([tool, "--bootstrap-server", bootstrap, *shlex.split(words)], world)
    return code, masked(out.getvalue())


def compare(tool: str, tools: KafkaTools) -> list[str]:
    """What differs, and is not allowed to."""
    wrong = []
    for asked, words in steps(tool):
        if asked != tool or words not in CALLS[tool].splitlines():
            tools.ask(asked, words, PREPARED)
            continue
        code, printed = tools.ask(tool, words)
        theirs = code, masked(printed)
        found = ours(tool, words, tools.bootstrap)
        call = f"{tool} {words}"
        if call in UNORDERED:
            theirs, found = (code, sorted(theirs[1])), (found[0], sorted(found[1]))
        if theirs != found and call not in ALLOWED:
            wrong.append(f"{tool} {words}\n  Kafka's: {theirs}\n  ours:    {found}")
    return wrong


@pytest.mark.parametrize("tool", CALLS)
def test_a_tool_answers_as_kafkas_does(tools: KafkaTools, tool):
    assert not compare(tool, tools)


@pytest.mark.skipif("MOLDAU_LONG" not in os.environ, reason="MOLDAU_LONG=1 compares there too")
@pytest.mark.parametrize("tool", CALLS)
def test_a_tool_answers_as_kafkas_does_at_apache_kafka(kafka_libs, kafka_node, tmp_path, tool):
    with KafkaTools(kafka_libs, tmp_path, kafka_node.bootstrap) as tools:
        assert not compare(tool, tools)


@pytest.mark.parametrize("tool", KAFKA_TOOLS, ids=lambda tool: tool.name)
def test_the_example_of_a_tool_answers(place, tool):
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    words = shlex.split(tool.example.replace("localhost:9092", place))
    assert run_command([tool.name, *words], world) == 0, out.getvalue()
