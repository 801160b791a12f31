"""Kafka's command-line tools, unmodified, asking whatever listens at a place.

    with KafkaTools(libs, folder, "127.0.0.1:9092") as tools:
        tools.run("topics", "--create --topic queue")       what it printed; its exit must be 0
        tools.refusal("topics", "--create --topic queue")   likewise; its exit must not be 0
        tools.ask("topics", "...")                          its exit and what it printed
        tools.events("verifiable-producer", "...")          the JSON lines that it printed

        tools.started("verifiable-consumer", "...")         a process that goes on, to be ended

They run in one virtual machine (`tests/interop/java/RunTools.java`), one at a time: that takes
milliseconds for most, where a machine of their own would take seconds. The verifiable clients say
their last words when their machine ends, and so they get one of their own. What a tool reads from
its standard input is `typed`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from base64 import b64decode, b64encode
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Timer
from typing import Any

from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path
from tests.judges.kafka_node import JVM, LOGGING

HEAP = "192m"
TIMEOUT_S = 100
"""Less than a test may take, so that it is the tool that is named."""
FOLLOWING = "appender.c.follow=true\n"
"""What a tool logs is part of what it prints."""
PACKAGE = "org.apache.kafka.tools"
TOOLS = {
    "acls": f"{PACKAGE}.AclCommand",
    "broker-api-versions": f"{PACKAGE}.BrokerApiVersionsCommand",
    "client-compatibility": f"{PACKAGE}.ClientCompatibilityTest",
    "client-metrics": f"{PACKAGE}.ClientMetricsCommand",
    "cluster": f"{PACKAGE}.ClusterTool",
    "configs": "kafka.admin.ConfigCommand",
    "console-consumer": f"{PACKAGE}.consumer.ConsoleConsumer",
    "console-producer": f"{PACKAGE}.ConsoleProducer",
    "console-share-consumer": f"{PACKAGE}.consumer.ConsoleShareConsumer",
    "consumer-groups": f"{PACKAGE}.consumer.group.ConsumerGroupCommand",
    "consumer-perf": f"{PACKAGE}.ConsumerPerformance",
    "delegation-tokens": f"{PACKAGE}.DelegationTokenCommand",
    "delete-records": f"{PACKAGE}.DeleteRecordsCommand",
    "e2e-latency": f"{PACKAGE}.EndToEndLatency",
    "features": f"{PACKAGE}.FeatureCommand",
    "get-offsets": f"{PACKAGE}.GetOffsetShell",
    "groups": f"{PACKAGE}.GroupsCommand",
    "leader-election": f"{PACKAGE}.LeaderElectionCommand",
    "log-compaction": f"{PACKAGE}.LogCompactionTester",
    "log-dirs": f"{PACKAGE}.LogDirsCommand",
    "metadata-quorum": f"{PACKAGE}.MetadataQuorumCommand",
    "producer-perf": f"{PACKAGE}.ProducerPerformance",
    "reassign-partitions": f"{PACKAGE}.reassign.ReassignPartitionsCommand",
    "replica-verification": f"{PACKAGE}.ReplicaVerificationTool",
    "share-consumer-perf": f"{PACKAGE}.ShareConsumerPerformance",
    "share-groups": f"{PACKAGE}.consumer.group.ShareGroupCommand",
    "streams-application-reset": f"{PACKAGE}.StreamsResetter",
    "streams-groups": f"{PACKAGE}.streams.StreamsGroupCommand",
    "topics": f"{PACKAGE}.TopicCommand",
    "transactional-copier": f"{PACKAGE}.TransactionalMessageCopier",
    "transactions": f"{PACKAGE}.TransactionsCommand",
    "verifiable-consumer": f"{PACKAGE}.VerifiableConsumer",
    "verifiable-producer": f"{PACKAGE}.VerifiableProducer",
    "verifiable-share-consumer": f"{PACKAGE}.VerifiableShareConsumer",
}
PLACES = {"replica-verification": "--broker-list", "transactional-copier": "--broker-list"}
"""The option for the brokers, where it is not `--bootstrap-server`."""
WORD_FIRST = {"cluster"}
"""Tools whose command comes before the address."""


ALONE = {"verifiable-consumer", "verifiable-producer", "verifiable-share-consumer"}


class ToolFailedError(Exception):
    """A tool left with another status than expected; what it printed is inside."""


class KafkaTools(AbstractContextManager["KafkaTools"]):
    """See the head of the file."""

    def __init__(self, libs: Path, folder: Path, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self._alone = java(libs, folder)
        (folder / "log4j2.properties").write_text(LOGGING + FOLLOWING)
        self._complaints = (folder / "tools.log").open("w")
        self._process = subprocess.Popen(
            compiled(self._alone, "RunTools"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
        )

    def __exit__(self, *_why: object) -> None:
        self._process.communicate(timeout=TIMEOUT_S)
        self._complaints.close()

    def run(self, tool: str, words: str, typed: str = "") -> str:
        status, printed = self._ask(tool, words, typed)
        if status:
            raise ToolFailedError(f"{tool} {words} left with {status}: {printed}")
        return printed

    def refusal(self, tool: str, words: str) -> str:
        status, printed = self._ask(tool, words, "")
        if not status:
            raise ToolFailedError(f"{tool} {words} was not refused: {printed}")
        return printed

    def attempt(self, tool: str, words: str) -> str:
        """What it printed, whether it was refused or not."""
        return self._ask(tool, words, "")[1]

    def events(self, tool: str, words: str) -> list[dict[str, Any]]:
        return events(self.run(tool, words))

    def alone(self, tool: str, words: str) -> list[str]:
        """The command that runs it in a virtual machine of its own."""
        return [*self._alone, TOOLS[tool], *self._arguments(tool, words)]

    def started(self, tool: str, words: str) -> subprocess.Popen[str]:
        """With what it prints as `stdout`."""
        command = self.alone(tool, words)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._complaints, text=True)

    def ask(self, tool: str, words: str, typed: str = "") -> tuple[int, str]:
        """Its exit, whatever it is, and what it printed."""
        return self._ask(tool, words, typed)

    def _ask(self, tool: str, words: str, typed: str) -> tuple[int, str]:
        if tool in ALONE:
            with self.started(tool, words) as process:
                printed, _ = process.communicate(timeout=TIMEOUT_S)
            return process.returncode, printed
        return self._ask_host(
            f"{tool} {words}", [TOOLS[tool], typed, *self._arguments(tool, words)]
        )

    def _arguments(self, tool: str, words: str) -> list[str]:
        return placed(tool, words, self.bootstrap)

    def _ask_host(self, name: str, words: list[str]) -> tuple[int, str]:
        call = " ".join(b64encode(word.encode()).decode() for word in words)
        patience = Timer(TIMEOUT_S, self._process.kill)
        patience.start()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(call + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        patience.cancel()
        if not answer:
            raise ToolFailedError(f"{name} took more than {TIMEOUT_S} s.")
        status, _, printed = answer.rstrip("\n").partition(" ")
        return int(status), b64decode(printed).decode()


def placed(tool: str, words: str, bootstrap: str) -> list[str]:
    """The words of a call, and where it goes."""
    given = shlex.split(words)
    place = [PLACES.get(tool, "--bootstrap-server"), bootstrap]
    return [*given[:1], *place, *given[1:]] if tool in WORD_FIRST else [*place, *given]


def java(libs: Path, folder: Path, *more_libs: Path) -> list[str]:
    """A small virtual machine that logs its warnings, and needs a class or a source file.

    Without the archive of classes that nodes start from: with it Java lists methods in another
    order, and the verifiable tools print their fields in that order.
    """
    logging = f"-Dlog4j2.configurationFile={folder / 'log4j2.properties'}"
    path = ":".join([*(f"{one}/*" for one in more_libs), class_path(libs)])
    return ["java", f"-Xmx{HEAP}", *JVM, logging, "-cp", path]


def events(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
