"""A word count with Kafka Streams, unmodified, counts every word exactly once on a node of ours."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.judges.java_programs import compiled
from tests.judges.kafka_tools import KafkaTools, java

pytestmark = pytest.mark.judge

STRING = "org.apache.kafka.common.serialization.Serdes$StringSerde"
LONG = "org.apache.kafka.common.serialization.LongDeserializer"
SECONDS_MAX = 60
SETTINGS = {
    "default.key.serde": STRING,
    "default.value.serde": STRING,
    "auto.offset.reset": "earliest",
    "commit.interval.ms": "200",
    "statestore.cache.max.bytes": "0",
    "num.stream.threads": "2",
    "heartbeat.interval.ms": "1000",
    "session.timeout.ms": "6000",
}
"""Streams does not leave its group when it stops: a restart waits for its session to end."""


class Counting:
    """A running word count from `TOPIC-lines` to `TOPIC-counts`, and those who talk with it."""

    def __init__(self, tools: KafkaTools, topic: str, command: list[str]) -> None:
        self.tools = tools
        self.topic = topic
        self.command = command
        for name in ("lines", "counts"):
            tools.run("topics", f"--create --topic {topic}-{name} --partitions 2")

    @contextmanager
    def run(self) -> Iterator[None]:
        """Until it has left in order; within, it has been assigned its tasks."""
        arguments = [f"{self.topic}-lines", f"{self.topic}-counts"]
        with subprocess.Popen(
            [*self.command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append(line.strip())
                if line.strip() in ("state RUNNING", "state ERROR"):
                    break
            assert lines[-1:] == ["state RUNNING"], lines
            yield
            process.stdin.close()
            assert "closed true" in process.stdout.read()

    def say(self, *lines: str) -> None:
        self.tools.run("console-producer", f"--topic {self.topic}-lines", typed="\n".join(lines))

    def counts(self, total: int) -> list[tuple[str, int]]:
        """All updates, in order for each word, when there are `total`; or what there is."""
        words = (
            f"--topic {self.topic}-counts --from-beginning --timeout-ms 3000 "
            f"--isolation-level read_committed --formatter-property print.key=true "
            f"--formatter-property key.separator== --value-deserializer {LONG}"
        )
        found: list[tuple[str, int]] = []
        deadline = time.monotonic() + SECONDS_MAX
        while len(found) < total and time.monotonic() < deadline:
            lines = self.tools.run("console-consumer", words).splitlines()
            pairs = [line.split("=") for line in lines if line.partition("=")[2].isdecimal()]
            found = [(word, int(count)) for word, count in pairs]
        return sorted(found)


@pytest.fixture
def counting(tools, topic, kafka_libs: Path, streams_libs: Path, tmp_path: Path, request):
    return made_counting(tools, topic, [kafka_libs, streams_libs], tmp_path, request.param)


def made_counting(
    tools: KafkaTools,
    topic: str,
    libs: list[Path],
    folder: Path,
    more: Mapping[str, str | None],
) -> Counting:
    """`libs` are Kafka's, and those of Streams; the state is kept in `folder`."""
    settings = {
        **SETTINGS,
        **more,
        "application.id": topic,
        "bootstrap.servers": tools.bootstrap,
        "state.dir": f"{folder}/state",
    }
    path = folder / "streams.properties"
    given = {key: value for key, value in settings.items() if value is not None}
    path.write_text("".join(f"{key}={value}\n" for key, value in given.items()))
    (folder / "log4j2.properties").write_text("rootLogger.level=OFF\n")
    program = compiled(java(libs[0], folder, *libs[1:]), "CountWords")
    return Counting(tools, topic, [*program, str(path)])


EXACTLY_ONCE = {"processing.guarantee": "exactly_once_v2"}
STREAMS_PROTOCOL = {
    "group.protocol": "streams",
    "heartbeat.interval.ms": None,
    "session.timeout.ms": None,
}
"""KIP-1071: the broker gives out the tasks, and says when to send heartbeats."""
FIRST = sorted(
    [
        *((word, count) for word in ("every", "word") for count in (1, 2)),
        ("is", 1),
        ("counted", 1),
        ("once", 1),
    ]
)
NEXT = {("and", 1), ("on", 1), ("once", 2), ("more", 1), ("every", 3), ("word", 3)}


@pytest.mark.parametrize("counting", [EXACTLY_ONCE, STREAMS_PROTOCOL], indirect=True)
def test_every_word_is_counted_exactly_once(counting: Counting):
    with counting.run():
        counting.say("every word is counted", "every word once")
        assert counting.counts(len(FIRST)) == FIRST


@pytest.mark.long
@pytest.mark.parametrize("counting", [{}, EXACTLY_ONCE], indirect=True)
def test_counts_go_on_after_a_restart(counting: Counting):
    with counting.run():
        counting.say("every word is counted", "every word once")
        assert counting.counts(len(FIRST)) == FIRST
    with counting.run():
        counting.say("and on")
        counting.say("once more every word")
        assert counting.counts(len(FIRST) + len(NEXT)) == sorted([*FIRST, *NEXT])
