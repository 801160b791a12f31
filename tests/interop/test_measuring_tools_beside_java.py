"""Our performance tools and share consumer beside Kafka's: the same lines but for the numbers."""

from __future__ import annotations

import re
import shlex
from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.waiting import wait_seconds
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[Ee]-?\d+)?")
SHOWN = "--formatter-property print.delivery=true --formatter-property print.offset=true"


def ours(tool: str, words: str, bootstrap: str) -> tuple[int, list[str]]:
    out = StringIO()
    world = World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=out,
        errors=out,
        wait=wait_seconds,
    )
    code = run_command([tool, "--bootstrap-server", bootstrap, *shlex.split(words)], world)
    return code, out.getvalue().splitlines()


def form(lines: list[str]) -> list[str]:
    """The lines with each number as its kind: how many digits stand after the point."""

    def kind(found: re.Match[str]) -> str:
        return f"#.{len(found[0].partition('.')[2])}" if "." in found[0] else "#"

    return [NUMBER.sub(kind, line) for line in lines if line and not line.startswith("[20")]


@pytest.mark.parametrize(
    ("theirs", "tool", "words"),
    [
        ("producer-perf", "producer-perf-test", "--record-size 100 --throughput -1"),
        (
            "producer-perf",
            "producer-perf-test",
            "--payload-monotonic --throughput -1 --warmup-records 5 --producer-props acks=1",
        ),
        ("consumer-perf", "consumer-perf-test", ""),
        ("consumer-perf", "consumer-perf-test", "--hide-header --date-format HH.mm"),
    ],
)
def test_figures_have_kafkas_form(tools: KafkaTools, topic, theirs, tool, words):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    sent = f"--topic {topic} --num-records 100 --record-size 10 --throughput -1"
    assert ours("producer-perf-test", sent, tools.bootstrap)[0] == 0
    asked = f"--topic {topic} --num-records 100 {words}"
    code, printed = ours(tool, asked, tools.bootstrap)
    assert (code, form(printed)) == (0, form(tools.run(theirs, asked).splitlines()))


def test_latencies_from_end_to_end_have_kafkas_form(tools: KafkaTools, topic):
    words = f"--topic {topic} --num-records 20 --producer-acks all --record-size 10"
    code, printed = ours("e2e-latency", words, tools.bootstrap)
    assert code == 0
    assert printed.pop(0).startswith(f'Topic "{topic}" does not exist. Will create topic with 1')
    shown = form(tools.run("e2e-latency", words).splitlines())
    assert [re.sub(r"#\.\d+$", "#", line) for line in form(printed)] == [
        re.sub(r"#\.\d+$", "#", line) for line in shown
    ]


def prepare_sharing(tools: KafkaTools, topic) -> None:
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="one\ntwo\nthree\n")
    tools.run("configs", f"--alter --group {topic} --add-config share.auto.offset.reset=earliest")


@pytest.mark.long
def test_a_share_consumer_shows_how_often_records_were_delivered(tools: KafkaTools, topic):
    prepare_sharing(tools, topic)
    words = f"--topic {topic} --group {topic} --max-messages 2 {SHOWN}"
    code, printed = ours("console-share-consumer", words, tools.bootstrap)
    assert code == 0
    assert printed == [
        "Offset:0\tDelivery:1\tone",
        "Offset:1\tDelivery:1\ttwo",
        "Processed a total of 2 messages",
    ]


@pytest.mark.long
def test_records_are_released_rejected_and_accepted(tools: KafkaTools, topic):
    prepare_sharing(tools, topic)
    words = f"--topic {topic} --group {topic} --max-messages 1 {SHOWN}"
    _, printed = ours("console-share-consumer", f"{words} --release", tools.bootstrap)
    assert printed[0] == "Offset:0\tDelivery:1\tone"
    _, printed = ours("console-share-consumer", f"{words} --reject", tools.bootstrap)
    assert printed[0] == "Offset:0\tDelivery:2\tone"
    asked = f"--topic {topic} --group {topic} --num-records 2 --timeout 20000 --hide-header"
    _, printed = ours("share-consumer-perf-test", asked, tools.bootstrap)
    assert printed[0].split(", ")[5] == "2"


@pytest.mark.long
def test_kafkas_share_consumers_go_on_where_ours_ended(tools: KafkaTools, topic):
    prepare_sharing(tools, topic)
    words = f"--topic {topic} --group {topic} --max-messages 1 {SHOWN}"
    assert ours("console-share-consumer", words, tools.bootstrap)[1][0].endswith("one")
    lines = tools.run("console-share-consumer", f"{words} --release").splitlines()
    assert "Offset:1\tDelivery:2\ttwo" in lines
    asked = f"--topic {topic} --group {topic} --num-records 2 --timeout 20000"
    shown = form(tools.run("share-consumer-perf", asked).splitlines())
    tools.run("console-producer", f"--topic {topic}", typed="four\nfive\n")
    assert form(ours("share-consumer-perf-test", asked, tools.bootstrap)[1]) == shown
