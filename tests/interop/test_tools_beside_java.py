"""Our tools beside Kafka's: the same calls to the same node, the same lines and exit codes."""

from __future__ import annotations

import os
import shlex
from io import StringIO
from time import monotonic, sleep

import pytest

from moldau.client.admin import Admin
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import run_command
from tests.interop.tool_calls import ALLOWED, CALLS, UNORDERED, masked, steps
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

OF_A_CLUSTER = {"__consumer_offsets", "__transaction_state"}
SETTLED_S_MAX = 60
PREPARED = "one\ntwo\nthree\n"


def ours(tool: str, words: str, bootstrap: str) -> tuple[int, list[str]]:
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    code = run_command([tool, "--bootstrap-server", bootstrap, *shlex.split(words)], world)
    return code, masked(out.getvalue())


def settle(bootstrap: str) -> None:
    """Make the topics that a cluster makes of itself, and wait until no partition changes.

    A call that names no topic shows them too, and so they must not come between two calls.
    """
    with Admin(bootstrap) as admin:
        admin.describe_consumer_groups(["settled"])
        admin.describe_transactions(["settled"])
        deadline = monotonic() + SETTLED_S_MAX
        while not is_settled(admin):
            assert monotonic() < deadline, "a partition has no leader, or lacks a replica"
            sleep(0.1)


def is_settled(admin: Admin) -> bool:
    views = admin.describe_topics(admin.list_topics(internal=True))
    return (
        not views.errors
        and views.values.keys() >= OF_A_CLUSTER
        and all(
            part.leader is not None and set(part.isr) == set(part.replicas)
            for view in views.values.values()
            for part in view.partitions
        )
    )


def compare(tool: str, tools: KafkaTools) -> list[str]:
    """What differs, and is not allowed to."""
    settle(tools.bootstrap)
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
