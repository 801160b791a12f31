"""Judge 3: Apache Kafka and our log package agree about what lies in a data directory.

One real node and we take turns with the same directory: the one closes it, the other opens
it, and what readers of the one saw is what readers of the other see: records, lookups by time,
aborted transactions, the bytes of every fetch, the state of producers.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed: no client to ask")

from moldau.broker.log.epoch_checkpoint import FILE_NAME as EPOCHS
from tests.judges.judged_topics import KINDS
from tests.judges.kafka_calls import produce
from tests.judges.kafka_node import KafkaNode
from tests.judges.kafka_view import view_of_node, wait_for_transactions
from tests.judges.kafka_writer import OURS, THEIRS, KafkaWriter
from tests.judges.log_view import View, view_of_log
from tests.judges.log_writer import LogWriter
from tests.judges.our_directory import OurDirectory, opened

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

Views = dict[str, View]
TRIMMED = 45
"""Records, fewer than a round has; within a batch as a rule."""
OUT_OF_ORDER_SEQUENCE_NUMBER = 45
DUMP_LOG = "org.apache.kafka.tools.DumpLogSegments"
COMPLAINTS = ("Mismatches", "mismatch", "out of order", "not found", "invalid", "corrupt", "rror")


def views_of_node(node: KafkaNode, owner: str, open_count: int = 0) -> Views:
    views = {}
    for kind in KINDS:
        topic = f"{owner}-{kind}"
        wait_for_transactions(node, topic, open_count if kind == "transactions" else 0)
        views[topic] = view_of_node(node, topic)
    return views


def views_of_directory(ours: OurDirectory, owner: str) -> Views:
    return {f"{owner}-{kind}": view_of_log(ours.log(f"{owner}-{kind}")) for kind in KINDS}


def assert_same(ours: Views, theirs: Views) -> None:
    """Field by field, so that a difference is named before it is shown."""
    for topic, view in theirs.items():
        for field in View._fields:
            assert getattr(ours[topic], field) == getattr(view, field), f"{field} of {topic}"


def epochs_of(node: KafkaNode, topic: str) -> list[int]:
    """The leader epochs that a partition of a node that is down has had."""
    lines = (node.data / f"{topic}-0" / EPOCHS).read_text().splitlines()
    return [int(line.split()[0]) for line in lines[2:]]


def write_by_kafka(writer: KafkaWriter, name: str) -> None:
    writer.write_round(THEIRS, name, leave_open=True)
    writer.wait_for_compaction("theirs-compacted")


def write_by_us(writer: LogWriter, ours: OurDirectory) -> None:
    for kind in ("codecs", "appended", "trimmed"):
        writer.write_plain(ours.log(f"{OURS}-{kind}"))
    writer.write_transactions(ours.log(f"{OURS}-transactions"))
    writer.begin(ours.log(f"{OURS}-transactions"))
    compacted = ours.log(f"{OURS}-compacted")
    writer.write_plain(compacted, keyless=False)
    writer.write_transactions(compacted, keyless=False)
    assert writer.compact(compacted) > 0
    ours.log(f"{OURS}-trimmed").advance_start_offset(TRIMMED)


@pytest.fixture
def node(new_kafka_node, seed):
    """A node that is down, with all topics and nothing in them."""
    node = new_kafka_node()
    node.start()
    KafkaWriter(node, Random(seed)).create_topics()
    node.stop()
    yield node
    node.kill()


def test_each_reads_what_the_other_wrote(node, seed):
    node.start()
    write_by_kafka(KafkaWriter(node, Random(seed)), "first")
    theirs = views_of_node(node, THEIRS, open_count=1)
    assert_worth_seeing(theirs)
    node.stop()
    writer = LogWriter(Random(seed))
    with opened(node.data) as directory:
        assert directory.was_clean
        assert_same(views_of_directory(directory, THEIRS), theirs)
        write_by_us(writer, directory)
        ours = views_of_directory(directory, OURS)
    assert_kafka_has_no_complaints(node)
    node.start()
    assert_same(views_of_node(node, OURS, open_count=1), ours)
    assert_same(views_of_node(node, THEIRS, open_count=1), theirs)
    for topic, view in ours.items():
        assert_as_meant(writer, topic, view)


@pytest.mark.long
def test_every_leader_epoch_of_kafka_is_read(node, seed):
    writer = KafkaWriter(node, Random(seed))
    for number in range(1, 6):
        node.start()
        write_by_kafka(writer, f"round{number}")
        writer.trim("theirs-trimmed", number * TRIMMED)
        theirs = views_of_node(node, THEIRS, open_count=number)
        node.stop()
        with opened(node.data) as directory:
            assert_same(views_of_directory(directory, THEIRS), theirs)
    assert len(epochs_of(node, "theirs-codecs")) == 5
    assert theirs["theirs-trimmed"].start == 5 * TRIMMED


@pytest.mark.long
def test_what_a_killed_kafka_leaves_is_recovered_alike(node, seed, tmp_path):
    writer = KafkaWriter(node, Random(seed))
    node.start()
    write_by_kafka(writer, "before")
    node.stop()
    node.start()
    write_by_kafka(writer, "after")
    served = views_of_node(node, THEIRS, open_count=2)
    node.kill()
    recovered = recovered_by_both(node, tmp_path / "copy", THEIRS, open_count=2)
    for topic, view in served.items():
        assert recovered[topic].uncommitted == view.uncommitted
        assert recovered[topic].committed == view.committed


@pytest.mark.long
def test_what_we_leave_without_closing_is_recovered_alike(node, seed, tmp_path):
    writer = LogWriter(Random(seed))
    with opened(node.data, closes=False) as directory:
        write_by_us(writer, directory)
    recovered = recovered_by_both(node, tmp_path / "copy", OURS, open_count=1)
    for topic, view in recovered.items():
        assert_as_meant(writer, topic, view)


def recovered_by_both(node: KafkaNode, copy: Path, owner: str, open_count: int) -> Views:
    """What we find in a copy of a directory that was not closed, as Kafka does in the original."""
    shutil.copytree(node.data, copy)
    with opened(copy) as directory:
        assert not directory.was_clean
        ours = views_of_directory(directory, owner)
    node.start()
    assert_same(ours, views_of_node(node, owner, open_count))
    return ours


@pytest.mark.long
def test_kafka_and_we_append_in_turns(node, seed):
    kafka, writer = KafkaWriter(node, Random(seed)), LogWriter(Random(seed))
    with opened(node.data) as directory:
        write_by_us(writer, directory)
    for number in range(1, 4):
        node.start()
        kafka.write_round(OURS, f"turn{number}")
        theirs = views_of_node(node, OURS, open_count=1)
        node.stop()
        with opened(node.data) as directory:
            assert_same(views_of_directory(directory, OURS), theirs)
            writer.write_plain(directory.log("ours-codecs"))
            writer.end_open(directory.log("ours-transactions"), commit=number % 2 == 0)
            writer.begin(directory.log("ours-transactions"))
            ours = views_of_directory(directory, OURS)
        node.start()
        assert_same(views_of_node(node, OURS, open_count=1), ours)
        node.stop()


@pytest.mark.long
def test_kafka_knows_the_sequences_of_our_producers(node, seed):
    writer = LogWriter(Random(seed))
    with opened(node.data) as directory:
        write_by_us(writer, directory)
        log = directory.log("ours-codecs")
        following, too_early = writer.batch_behind(log), writer.batch_behind(log, gap=7)
        end = log.log_end_offset
    node.start()
    wait_for_transactions(node, "ours-codecs")
    sent = [
        produce(node.client_port, "ours-codecs", batch) for batch in (too_early, *2 * [following])
    ]
    assert sent == [(OUT_OF_ORDER_SEQUENCE_NUMBER, -1), (0, end), (0, end)]


def assert_worth_seeing(views: Views) -> None:
    """There are aborts, something undecided, compaction and log-append time to be seen."""
    transactions, compacted = views["theirs-transactions"], views["theirs-compacted"]
    assert transactions.last_stable_offset < transactions.end
    assert len(transactions.committed) < len(transactions.uncommitted)
    assert any(committed.aborted for _, committed in transactions.fetches)
    assert len(compacted.uncommitted) < compacted.end * 3 / 4
    assert all(record.is_log_append_time for record in views["theirs-appended"].committed)


def assert_kafka_has_no_complaints(node: KafkaNode) -> None:
    """Kafka's dump-log reads every record, and every entry of every index."""
    files = [
        str(path)
        for path in sorted(node.data.glob(f"{OURS}-*/*"))
        if path.suffix in (".log", ".index", ".timeindex", ".txnindex", ".snapshot")
    ]
    assert {Path(file).suffix for file in files} >= {".txnindex", ".snapshot"}
    deep = node.run(DUMP_LOG, "--deep-iteration", "--print-data-log", "--files", ",".join(files))
    assert "isvalid: true" in deep
    for printed in (deep, node.run(DUMP_LOG, "--index-sanity-check", "--files", ",".join(files))):
        assert [word for word in COMPLAINTS if word in printed] == []


def assert_as_meant(writer: LogWriter, topic: str, view: View) -> None:
    """Every record that Kafka serves is one that we meant, and no committed one is missing."""
    written, aborted = writer.written[topic], writer.aborted.get(topic, set())
    for seen in view.uncommitted:
        meant = written[seen.offset]
        assert (seen.key, seen.value, seen.headers) == tuple(meant[2:5])
        assert seen.is_log_append_time or seen.timestamp == meant.timestamp
    offsets = {seen.offset for seen in view.committed}
    assert not offsets & aborted
    wanted = {one for one in written if view.start <= one < view.last_stable_offset} - aborted
    if topic.endswith("compacted"):
        wanted = set({written[offset].key: offset for offset in sorted(wanted)}.values())
    assert wanted <= offsets
    assert topic.endswith("compacted") or wanted == offsets
