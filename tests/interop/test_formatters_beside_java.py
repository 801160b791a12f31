"""Formatters of Kafka's own topics: our console consumer prints of them what Java's prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from io import StringIO

import pytest

from moldau.client import Producer
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.interop.running_node import running_node
from tests.judges.kafka_tools import KafkaTools, placed

pytestmark = pytest.mark.judge

ONE_PARTITION = {
    f"{topic}_num_partitions": "1"
    for topic in ("offsets_topic", "transaction_state_log", "share_coordinator_state_topic")
}
CALLS = (
    ("topics", "--create --topic read --partitions 1"),
    ("consumer-groups", "--reset-offsets --group moved --topic read --to-earliest --execute"),
    ("console-consumer", "--topic read --group classic --from-beginning --max-messages 1"),
    ("console-share-consumer", "--topic read --group shared --timeout-ms 500"),
    ("share-groups", "--reset-offsets --group shared --topic read --to-earliest --execute"),
    ("share-groups", "--delete-offsets --group shared --topic read"),
)
CONSUMER = "org.apache.kafka.tools.consumer"
FORMATTERS = (
    ("__consumer_offsets", "OffsetsMessageFormatter", "commitTimestamp"),
    ("__consumer_offsets", "GroupMetadataMessageFormatter", "members"),
    ("__consumer_offsets", "ShareGroupMessageFormatter", "initializedTopics"),
    ("__transaction_state", "TransactionLogMessageFormatter", "transactionStatus"),
    ("__share_group_state", "group.share.ShareGroupStateMessageFormatter", "snapshotEpoch"),
    ("read", "OffsetsMessageFormatter", ""),
)
"""Where each is used, and a word that shows that there was something to be shown."""


def ours(tool: str, words: str, bootstrap: str) -> tuple[int, str]:
    out, errors = StringIO(), StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=errors
    )
    return run_command([tool, *placed(tool, words, bootstrap)], world), out.getvalue()


@pytest.fixture(scope="module")
def node_tools(kafka_libs, tmp_path_factory) -> Iterator[KafkaTools]:
    """Kafka's tools at a node whose own topics have something to show."""
    with running_node(tmp_path_factory.mktemp("shown"), **ONE_PARTITION) as bootstrap:
        create, *others = CALLS
        assert ours(*create, bootstrap)[0] == 0
        with Producer(bootstrap, transactional_id="writer") as producer:
            producer.begin_transaction()
            producer.send("read", b"one")
            producer.commit_transaction()
        for call in others:
            assert ours(*call, bootstrap)[0] == 0, shlex.join(call)
        with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), bootstrap) as tools:
            yield tools


@pytest.mark.parametrize(("topic", "formatter", "word"), FORMATTERS)
def test_a_formatter_shows_what_javas_shows(node_tools: KafkaTools, topic, formatter, word):
    end = int(node_tools.run("get-offsets", f"--topic {topic}").strip().rpartition(":")[2])
    most = 1 if topic == "read" else end
    words = f"--topic {topic} --partition 0 --offset 0 --max-messages {most} --timeout-ms 5000"
    words += f" --formatter {CONSUMER}.{formatter}"
    code, printed = ours("console-consumer", words, node_tools.bootstrap)
    theirs, _, _ = node_tools.run("console-consumer", words).partition("Processed a total of")
    assert (code, printed) == (0, theirs)
    assert word in printed
