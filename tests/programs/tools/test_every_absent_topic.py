"""Every command that takes a topic, with one that does not exist, where none is created by itself.

It is named, the exit code is that of Kafka's tool (or 1), and nothing hangs. An exception would end
the test.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.main import COMMANDS, parser_for, tool_module_of
from tests.interop.running_node import running_node
from tests.programs.tools.test_bad_input import called

ABSENT = '"topic": "missing", "partition": 0'
FILES = {
    "soon.properties": "max.block.ms=300\n",
    "offsets.json": f'{{"partitions": [{{{ABSENT}, "offset": 0}}]}}',
    "parts.json": f'{{"partitions": [{{{ABSENT}}}]}}',
    "topics.json": '{"version": 1, "topics": [{"topic": "missing"}]}',
    "moves.json": f'{{"version": 1, "partitions": [{{{ABSENT}, "replicas": [1]}}]}}',
    "lines.jsonl": '{"partition": 0, "offset": 0, "timestamp": 1, "key": null, "value": "b25l"}\n',
}
SOON = "--command-config soon.properties"
RESET = "--group g --reset-offsets --to-earliest --dry-run"
ABORT = "transactions abort --topic missing --partition 0"
CALLS = {
    "topics --describe --topic missing": 1,
    "topics --alter --topic missing --partitions 3": 1,
    "topics --delete --topic missing": 1,
    "console-consumer --topic missing --timeout-ms 300": 0,
    "console-consumer --topic missing --partition 0 --timeout-ms 5000": 1,
    "console-share-consumer --topic missing --timeout-ms 300": 0,
    "consumer-groups --group g --delete-offsets --topic missing": 0,
    "share-groups --group g --delete-offsets --topic missing": 0,
    "streams-groups --group g --delete-offsets --input-topic missing": 0,
    "streams-application-reset --application-id g --input-topics missing --dry-run": 1,
    f"producer-perf-test {SOON} --topic missing --num-records 1 --record-size 9 --throughput -1": 1,
    "consumer-perf-test --topic missing --num-records 1 --timeout 300": 0,
    "share-consumer-perf-test --topic missing --num-records 1 --timeout 300": 0,
    "delete-records --offset-json-file offsets.json": 0,
    "leader-election --election-type preferred --topic missing --partition 0": 1,
    "leader-election --election-type preferred --path-to-json-file parts.json": 1,
    "transactions describe-producers --topic missing --partition 0": 1,
    f"{ABORT} --start-offset 0": 1,
    f"{ABORT} --producer-id 1 --producer-epoch 1 --coordinator-epoch 1": 1,
    "configs --describe --entity-type topics --entity-name missing": 0,
    "configs --alter --entity-type topics --entity-name missing --delete-config retention.ms": 1,
    "reassign-partitions --generate --topics-to-move-json-file topics.json --broker-list 1": 1,
    "reassign-partitions --execute --reassignment-json-file moves.json": 1,
    "reassign-partitions --verify --reassignment-json-file moves.json": 1,
    "cat -L -t missing": 0,
    "cat -C -t missing -e": 1,
    "cat -C -t missing -p 0": 1,
    "cat -Q -t missing:0:-1": 1,
    "cat -G g missing": 1,
    "cat -P -t missing lines.jsonl": 1,
    "export --topic missing -": 1,
    "import --topic missing lines.jsonl": 1,
    "bench --topic missing --records 1": 1,
}
"""With each its exit code; Kafka's own where it is Kafka's tool."""
WRITERS = ("bench", "cat", "import")
"""Ours; a producer would wait for a minute."""
NOT_NAMED = {
    "get-offsets --topic missing": "Could not match any topic-partitions",
    f"consumer-groups {RESET} --topic missing": "does not host this topic-partition",
    f"consumer-groups {RESET} --topic missing:0": "does not host this topic-partition",
    f"share-groups {RESET} --topic missing": "does not host this topic-partition",
    "replica-verification --topics-include missing": "No topics found",
    "transactions find-hanging --topic missing": "does not host this topic-partition",
}
"""Kafka's own sentences, which do not name the topic."""
OTHERWISE = {
    **dict.fromkeys(("log-dirs", "acls", "roles", "explain-access"), "asks for no topic itself"),
    **dict.fromkeys(("clone-group", "schema", "registry"), "knows topics by groups or subjects"),
    "console-producer": "reads what is typed",
    "e2e-latency": "creates the topic",
    **dict.fromkeys(
        ("verifiable-consumer", "verifiable-producer", "verifiable-share-consumer"),
        "goes on until it is ended",
    ),
    "probe": "creates the topic, and serves",
}
"""What takes a topic, and is not called here."""


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("strict")
    with running_node(folder, auto_create_topics_enable="false") as found:
        yield found


def outcome(words: str, bootstrap: str, folder: Path, monkeypatch) -> tuple[int, str]:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    name, *rest = shlex.split(words)
    server = {"cat": "-b", "replica-verification": "--broker-list"}
    out = StringIO()
    code, errors = called([name, server.get(name, "--bootstrap-server"), bootstrap, *rest], out)
    return code, out.getvalue() + errors


@pytest.mark.parametrize("words", CALLS)
def test_a_topic_that_does_not_exist_is_named(words, bootstrap, tmp_path, monkeypatch):
    code, text = outcome(words, bootstrap, tmp_path, monkeypatch)
    assert code == CALLS[words]
    assert "missing" in text


@pytest.mark.parametrize("words", [words for words in CALLS if words.split()[0] in WRITERS])
def test_one_that_nothing_creates_is_not_waited_for(words, bootstrap, tmp_path, monkeypatch):
    _, text = outcome(words, bootstrap, tmp_path, monkeypatch)
    is_written_to = "-P" in words or not words.startswith("cat")
    assert ("auto.create.topics.enable=false at the brokers: create it" in text) is is_written_to


@pytest.mark.parametrize("words", NOT_NAMED)
def test_where_kafka_does_not_name_it_the_sentence_is_kafkas(
    words, bootstrap, tmp_path, monkeypatch
):
    _, text = outcome(words, bootstrap, tmp_path, monkeypatch)
    assert NOT_NAMED[words] in text


@pytest.mark.parametrize("name", ["verifiable-consumer", "verifiable-share-consumer"])
def test_a_reader_that_goes_on_warns_of_it_and_waits(name, bootstrap):
    words = ["--bootstrap-server", bootstrap, "--topic", "missing", "--group-id", f"of-{name}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "moldau", name, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("WARN topic missing does not exist")
    process.terminate()
    _, more = process.communicate()
    assert (process.returncode, more) == (0, "")


def takes_topic(flags: set[str]) -> bool:
    return any(flag.lstrip("-").startswith(("topic", "input-topic")) for flag in flags)


def test_every_command_that_takes_a_topic_is_here():
    ours = {
        one.name
        for one in COMMANDS
        if takes_topic({flag for it in parser_for(one)._actions for flag in it.option_strings})
    }
    theirs = {
        tool.name
        for tool in KAFKA_TOOLS
        if takes_topic({flag.name for flag in tool_module_of(tool).FLAGS})
    }
    tried = {words.split()[0] for words in (*CALLS, *NOT_NAMED)}
    assert ours | theirs <= tried | OTHERWISE.keys()
