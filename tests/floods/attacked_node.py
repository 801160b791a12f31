"""A node that is attacked, and a bystander who notices.

`attacked` gives a node of ours as people run it, with a bystander at work: a client that goes on
writing a record and reading it back. When the block ends the node must live, must have met no bug,
must not have grown beyond what the test grants it, and the bystander must have been served all
the time and be served still.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records
from tests.interop.differential.side import Side
from tests.judges.moldau_node import MoldauNode

TOPIC = "bystander"
BYSTANDER_JOIN_S = 60
PAUSE_S = 0.01
ROUNDS_LEAST = 3
MIB = 1024 * 1024
NS_PER_MS = 1_000_000
SETTINGS = {
    "offsets.topic.num.partitions": "2",
    "transaction.state.log.num.partitions": "2",
    "share.coordinator.state.topic.num.partitions": "2",
}


class Bystander:
    """Writes a record and reads it back, again and again; the first failure is kept."""

    def __init__(self, port: int) -> None:
        self.rounds = 0
        self.failure: BaseException | None = None
        self._side = Side("the node", port)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        create_topic(self._side, TOPIC)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(BYSTANDER_JOIN_S)
        assert not self._thread.is_alive(), "the bystander hangs"
        self._side.close()
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            while not self._stopping.wait(PAUSE_S):
                self._round()
                self.rounds += 1
        except BaseException as error:  # noqa: BLE001  # for the test, which raises it
            self.failure = error

    def _round(self) -> None:
        value = f"round {self.rounds}".encode()
        offset = produce(self._side, TOPIC, [value])
        assert offset == self.rounds, "records of another client, or some are lost"
        assert fetch(self._side, TOPIC, offset) == [value]


@contextmanager
def attacked(
    folder: Path,
    *,
    growth_mib: int | None = None,
    ports: Sequence[int] | None = None,
    **settings: str,
) -> Iterator[MoldauNode]:
    """See the head of the file; settings have `_` for Kafka's dots."""
    own = {key.replace("_", "."): value for key, value in settings.items()}
    node = MoldauNode(folder, settings={**SETTINGS, **own}, ports=ports)
    node.start()
    try:
        bystander = Bystander(node.client_port)
        bystander.start()
        served(bystander)
        before = resident_bytes(node)
        yield node
        assert node.is_up, node.last_words()
        grown = resident_bytes(node) - before
        served(bystander)
        bystander.stop()
        assert node.stop() == 0, node.last_words()
    finally:
        node.kill()
    assert_no_bugs(folder)
    if growth_mib is not None:
        assert grown < growth_mib * MIB, f"it grew by {grown / MIB:.1f} MiB"


def served(bystander: Bystander) -> None:
    """Return when it has been served some times more, or has failed."""
    rounds = bystander.rounds
    while bystander.failure is None and bystander.rounds < rounds + ROUNDS_LEAST:
        time.sleep(PAUSE_S)


def assert_no_bugs(folder: Path) -> None:
    """Nothing unforeseen in the node's log."""
    lines = (folder / "moldau.broker.log").read_text(errors="replace").splitlines()
    for index, line in enumerate(lines):
        if line.startswith("Traceback") or "A bug met" in line:
            raise AssertionError("\n".join(lines[max(index - 2, 0) : index + 60]))


def resident_bytes(node: MoldauNode) -> int:
    """What the process has in memory now."""
    status = Path(f"/proc/{node.process_id}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def create_topic(side: Side, name: str, **configs: str) -> None:
    topic = CreateTopicsRequest.CreatableTopic
    config = topic.CreatableTopicConfig
    made = topic(
        name=name,
        num_partitions=1,
        replication_factor=1,
        assignments=[],
        configs=[config(name=key.replace("_", "."), value=value) for key, value in configs.items()],
    )
    answer = side.ask(CreateTopicsRequest(topics=[made], timeout_ms=10_000), 5)
    assert answer.topics[0].error_code == 0, answer


def produce(side: Side, topic: str, values: list[bytes]) -> int:
    """The offset of the first of these records."""
    row = try_to_produce(side, topic, values)
    assert row.error_code == 0, row
    return int(row.base_offset)


def try_to_produce(side: Side, topic: str, values: list[bytes]) -> Any:
    """What the answer says of the partition."""
    return try_to_send(side, topic, batch_of(values))


def batch_of(values: list[bytes], codec: Codec = Codec.NONE) -> bytes:
    builder = BatchBuilder(BatchFields(codec=codec))
    for value in values:
        builder.append(time.time_ns() // NS_PER_MS, None, value)
    return bytes(builder.build())


def try_to_send(side: Side, topic: str, batch: bytes) -> Any:
    """The same for a batch that is there."""
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=0, records=batch)
    asked = ProduceRequest(
        acks=-1, timeout_ms=10_000, topic_data=[data(name=topic, partition_data=[one])]
    )
    return side.ask(asked, 9).responses[0].partition_responses[0]


def fetch_request(topic: str, offset: int, bytes_max: int = MIB) -> FetchRequest:
    named = FetchRequest.FetchTopic
    one = named.FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=bytes_max)
    return FetchRequest(
        max_wait_ms=500,
        min_bytes=1,
        max_bytes=bytes_max,
        session_epoch=-1,
        topics=[named(topic=topic, partitions=[one])],
    )


def fetch(side: Side, topic: str, offset: int) -> list[bytes]:
    """The values from this offset on, as many as come at a time."""
    row = side.ask(fetch_request(topic, offset), 11).responses[0].partitions[0]
    assert row.error_code == 0, row
    return [
        bytes(record.value or b"")
        for batch in iterate_batches(bytes(row.records or b""))
        for record in iterate_records(batch)
        if record.offset >= offset
    ]
