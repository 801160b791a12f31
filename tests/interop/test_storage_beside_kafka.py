"""`moldau storage` beside kafka-storage: the same lines and exit codes, but for ids."""

from __future__ import annotations

import re
import shlex
from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

# Directories are formatted in the order of a HashSet, and so by no order: those lines are sorted.
CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
PROPERTIES = """
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=localhost:9093
log.dirs={folder}/a,{folder}/b
"""
CALLS = """
version-mapping
version-mapping --release-version 4.0
version-mapping -r 3.3-IV3
feature-dependencies -f transaction.version=2 -f eligible.leader.replicas.version=1
feature-dependencies --feature frob=1
feature-dependencies --feature group.version=5
feature-dependencies --feature group.version
feature-dependencies --feature metadata.version=20 --feature metadata.version=99
info -c {file}
format -c {file} -t {cluster} --standalone
info --config {file}
format -c {file} -t {cluster} --standalone -g
"""
NOISE = "Bootstrap metadata: "
"""Kafka's shows its own objects as Java does; nothing reads that."""
IDS = re.compile(r"directory\.id=\S{22}")


def asked(tools: KafkaTools, words: list[str]) -> tuple[int, str]:
    """Of Kafka's, which needs no brokers."""
    return tools._ask_host("storage", ["kafka.tools.StorageTool", "", *words])


def ours(words: list[str]) -> tuple[int, str]:
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    return run_command(["storage", *words], world), out.getvalue()


def test_storage_answers_as_kafkas_does(tools: KafkaTools, tmp_path):
    wrong = []
    for line in CALLS.strip().splitlines():
        found = []
        for place, ask in (("theirs", lambda words: asked(tools, words)), ("ours", ours)):
            folder = tmp_path / place
            folder.mkdir(exist_ok=True)
            (folder / "server.properties").write_text(PROPERTIES.format(folder=folder))
            words = line.format(file=folder / "server.properties", cluster=CLUSTER)
            code, printed = ask(shlex.split(words))
            text = IDS.sub("directory.id=ID", printed.replace(str(folder), "FOLDER"))
            lines = [one for one in text.strip().splitlines() if not one.startswith(NOISE)]
            found.append((code, sorted(lines) if line.startswith("format") else lines))
        if found[0] != found[1]:
            wrong.append(f"{line}\n  Kafka's: {found[0]}\n  ours:    {found[1]}")
    assert not wrong, "\n".join(wrong)
