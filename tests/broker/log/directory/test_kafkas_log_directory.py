"""A log directory that Apache Kafka 4.3.1 left behind: we read all of it, and write the same bytes.

It holds idempotent and transactional producers, aborts, and a topic that Kafka has compacted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.broker.log.directory.clean_shutdown import FILE_NAME as CLEAN_SHUTDOWN
from moldau.broker.log.directory.clean_shutdown import take_clean_shutdown, write_clean_shutdown
from moldau.broker.log.directory.directory import open_directory
from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.log.directory.offset_checkpoint import FILE_NAMES, OffsetCheckpoint
from moldau.broker.log.directory.partition_metadata import read_partition_metadata
from moldau.broker.log.epoch_checkpoint import FILE_NAME as EPOCHS
from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.producers.end_marker import read_end_marker
from moldau.broker.log.producers.java_hash_map import in_map_order, table_size
from moldau.broker.log.producers.snapshot import decode_snapshot, encode_snapshot
from moldau.broker.log.producers.snapshot_files import snapshot_offset
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.segment.transaction_index import TransactionIndex
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.batch import read_header

KAFKAS = Path(__file__).parents[3] / "vectors" / "log_directory"
PARTITIONS = sorted(path for path in KAFKAS.iterdir() if path.is_dir())
SNAPSHOTS = sorted(KAFKAS.glob("*/*.snapshot"))
names = lambda path: f"{path.parent.name}/{path.name}"  # noqa: E731


@pytest.fixture
def files() -> SimulatedFiles:
    """A disk with the directory on it."""
    files = SimulatedFiles()
    for path in (path for path in KAFKAS.rglob("*") if path.is_file()):
        target = path.relative_to(KAFKAS.parent).as_posix()
        files.make_directory(target.rpartition("/")[0])
        file = files.open(target, create=True)
        file.append(path.read_bytes())
        file.close()
    return files


def contents(files: SimulatedFiles, path: str) -> bytes:
    file = files.open(path)
    data = file.read_at(0, file.size())
    file.close()
    return data


def test_the_directory_opens(files):
    directory = open_directory(
        files, "log_directory", cluster_id="bW9sZGF1LWFuY2hvci0wMQ", node_id=1
    )
    assert directory.take_clean_shutdown() == 12
    listing = directory.list_partitions()
    assert len(listing.partitions) == len(PARTITIONS)
    assert listing.unknown == ()


def test_identity_and_clean_stop_are_written_as_kafka_does(files):
    properties = read_meta_properties(files, "log_directory")
    assert properties is not None
    original = (KAFKAS / "meta.properties").read_bytes()
    date = original.split(b"\n")[1][1:].decode()
    assert properties.encode(date) == original
    write_clean_shutdown(files, "log_directory", take_clean_shutdown(files, "log_directory") or 0)
    path = f"log_directory/{CLEAN_SHUTDOWN}"
    assert contents(files, path) == (KAFKAS / CLEAN_SHUTDOWN).read_bytes()


@pytest.mark.parametrize("name", FILE_NAMES)
def test_checkpoints_are_written_as_kafka_does(files, name):
    checkpoint = OffsetCheckpoint(files, f"log_directory/{name}")
    offsets = checkpoint.read()
    checkpoint.write(offsets)
    assert contents(files, checkpoint.path) == (KAFKAS / name).read_bytes()


@pytest.mark.parametrize("partition", PARTITIONS, ids=lambda path: path.name)
def test_epochs_and_topic_ids_are_written_as_kafka_does(files, partition):
    path = f"log_directory/{partition.name}"
    metadata = read_partition_metadata(files, path)
    assert metadata is not None
    assert metadata.encode() == (partition / "partition.metadata").read_bytes()
    epochs = EpochCache(files, f"{path}/{EPOCHS}")
    epochs.flush()
    assert contents(files, f"{path}/{EPOCHS}") == (partition / EPOCHS).read_bytes()


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=names)
def test_snapshots_are_written_as_kafka_does(snapshot):
    original = snapshot.read_bytes()
    assert encode_snapshot(decode_snapshot(original, snapshot.name)) == original


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=names)
def test_the_log_leads_to_the_same_state_of_producers_as_in_kafka(snapshot):
    states = ProducerStates(SystemFiles(), str(KAFKAS / "nowhere"))
    end_offset = snapshot_offset(snapshot.name)
    assert end_offset is not None
    for path in sorted(snapshot.parent.glob("*.log")):
        apply_all(states, path.read_bytes(), end_offset)
    active = states.active()
    ordered = in_map_order(active, lambda entry: entry.producer_id, table_size(len(active)))
    assert encode_snapshot(ordered) == snapshot.read_bytes()


def test_the_log_leads_to_the_same_aborted_transactions_as_in_kafka():
    states = ProducerStates(SystemFiles(), str(KAFKAS / "nowhere"))
    log = (KAFKAS / "txn-0" / "00000000000000000000.log").read_bytes()
    completed = apply_all(states, log, 2**62)
    index = TransactionIndex(SystemFiles(), str(KAFKAS / "txn-0" / "00000000000000000000.txnindex"))
    aborted = [transaction.as_aborted() for transaction in completed if transaction.is_aborted]
    assert aborted == list(index.entries())
    index.close()


def apply_all(states: ProducerStates, log: bytes, end_offset: int):
    completed, position = [], 0
    while position + 61 <= len(log):
        header = read_header(log, position)
        if header.base_offset >= end_offset:
            break
        is_marker = header.is_control and header.has_producer and header.record_count
        marker = read_end_marker(log, position) if is_marker else None
        transaction = states.apply(header, marker)
        completed += [] if transaction is None else [transaction]
        position += header.size
    return completed
