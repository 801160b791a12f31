"""Access rules at three nodes that judge access: Kafka's tool and ours, call by call.

A rule is known to one node after the other, and a tool may ask any of them. So lists are asked for
until both tools have the same, and what a change lists of itself afterwards is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.tool_calls import ALLOWED, CALLS, CHAPTERS, THEIRS, masked, steps
from tests.interop.tool_calls import OURS as NAME_OF_OURS
from tests.interop.tool_comparison import ours, unordered
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.long, pytest.mark.judge, pytest.mark.timeout(400)]

GUARD = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
LISTED_AFTERWARDS = "Current ACLs for "
AGREED_S_MAX = 20
Answer = tuple[int, list[str]]


@pytest.fixture(scope="module", params=[APACHE, OURS])
def tools(request, kafka_libs, tmp_path_factory) -> Iterator[KafkaTools]:
    folder = tmp_path_factory.mktemp("nodes")
    with (
        Nodes(folder, kinds=[request.param] * 3, libs=kafka_libs, settings=GUARD) as nodes,
        KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), nodes.bootstrap) as running,
    ):
        yield running


def shown(answer: Answer, line: str) -> Answer:
    """What is the same whichever node is asked."""
    code, lines = answer
    if "--list" not in line.split():
        heads = (at for at, text in enumerate(lines) if text.startswith(LISTED_AFTERWARDS))
        lines = lines[: next(heads, len(lines))]
    return code, unordered(lines)


def difference(line: str, folder: Path, tools: KafkaTools) -> str:
    deadline = monotonic() + AGREED_S_MAX
    words = line.replace("@", f"{folder}/")
    while True:
        code, printed = tools.ask("acls", words.replace("%", THEIRS))
        theirs = shown((code, masked(printed)), line)
        found = shown(ours("acls", words.replace("%", NAME_OF_OURS), tools.bootstrap), line)
        if theirs == found or f"acls {line}" in ALLOWED:
            return ""
        if "--list" not in line.split() or monotonic() > deadline:
            return f"{line}\n  Kafka's: {theirs}\n  ours:    {found}"
        sleep(0.2)


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param(CALLS["acls"], id="acls"),
        *(pytest.param(CHAPTERS[name], id=name) for name in CHAPTERS if name.startswith("acls,")),
    ],
)
def test_rules_are_changed_and_listed_alike(tools, tmp_path, calls):
    asked = [line for _, line, is_compared in steps("acls", tmp_path, calls) if is_compared]
    wrong = [found for line in asked if (found := difference(line, tmp_path, tools))]
    assert not wrong, "\n".join(wrong)
