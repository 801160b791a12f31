"""Our streams-groups beside Kafka's, while an application of Kafka Streams runs and afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.asking import until
from tests.interop.test_kafka_streams import SETTINGS, STREAMS_PROTOCOL, Counting
from tests.interop.tool_calls import masked
from tests.interop.tool_comparison import ours, unordered
from tests.judges.java_programs import compiled
from tests.judges.kafka_tools import KafkaTools, java

pytestmark = [pytest.mark.judge, pytest.mark.long]

TOOL = "streams-groups"
SHOWN = """
--list
--list --state
--list --state Stable,Empty
--describe --group GROUP
--describe --group GROUP --verbose
--describe --group GROUP --members
--describe --group GROUP --members --verbose
--describe --group GROUP --state
--describe --group GROUP --state --verbose
--reset-offsets --group GROUP --all-input-topics --to-earliest --dry-run
"""
REFUSED_WHILE_IT_RUNS = """
--delete --group GROUP
--delete-offsets --group GROUP --all-input-topics
--reset-offsets --group GROUP --all-input-topics --to-earliest --execute
"""
AFTERWARDS = """
--reset-offsets --group GROUP --input-topic GROUP-lines --to-latest --dry-run
--reset-offsets --group GROUP --input-topic GROUP-lines --to-offset 1 --dry-run --export
--reset-offsets --group GROUP --all-input-topics --to-latest --execute
--delete-offsets --group GROUP --input-topic GROUP-lines:0
--delete-offsets --group GROUP --input-topic nothing
"""


@pytest.fixture
def counting(
    tools: KafkaTools, topic: str, kafka_libs: Path, streams_libs: Path, tmp_path: Path
) -> Counting:
    places = {"bootstrap.servers": tools.bootstrap, "state.dir": f"{tmp_path}/state"}
    settings = {**SETTINGS, **STREAMS_PROTOCOL, **places, "application.id": topic}
    path = tmp_path / "streams.properties"
    lines = [f"{key}={value}\n" for key, value in settings.items() if value is not None]
    path.write_text("".join(lines))
    (tmp_path / "log4j2.properties").write_text("rootLogger.level=OFF\n")
    program = compiled(java(kafka_libs, tmp_path, streams_libs), "CountWords")
    return Counting(tools, topic, [*program, str(path)])


def difference(tools: KafkaTools, group: str, calls: str) -> list[object]:
    found: list[object] = []
    for line in calls.strip().splitlines():
        words = line.replace("GROUP", group)
        code, printed = tools.ask(TOOL, words)
        theirs = code, unordered(masked(printed))
        code, lines = ours(TOOL, words, tools.bootstrap)
        if theirs != (code, unordered(lines)):
            found.append((line, theirs, (code, unordered(lines))))
    return found


def is_at_rest(tools: KafkaTools, words: str) -> bool:
    """Whether all is read, or the group is empty."""
    rows = [line.split() for line in ours(TOOL, words, tools.bootstrap)[1][1:]]
    return bool(rows) and all(row[-1] == "0" for row in rows)


def test_groups_are_shown_and_changed_alike(counting: Counting):
    tools, group = counting.tools, counting.topic
    with counting.run():
        counting.say("one two three", "four")
        counting.counts(4)
        assert until(lambda: is_at_rest(tools, f"--describe --group {group}"))
        assert difference(tools, group, SHOWN + REFUSED_WHILE_IT_RUNS) == []
    assert until(lambda: "Empty" in str(ours(TOOL, "--list --state", tools.bootstrap)))
    assert difference(tools, group, SHOWN + AFTERWARDS) == []
    internal = f"{group}-counts-repartition"
    assert internal in tools.run("topics", "--list")
    code, printed = ours(
        TOOL, f"--delete --group {group} --delete-all-internal-topics", tools.bootstrap
    )
    assert (code, len(printed)) == (0, 2), printed
    assert internal not in tools.run("topics", "--list")
