"""How many records a second a client reads into Arrow columns, and what that costs.

Three million records of about 75 bytes in six partitions of a node in a process of its own, or of
any broker with `--server`. Shown are records a second by the clock on the wall, and the processor's
time of the reader and of the node for each record, as medians of the rounds:

    one after another     the partitions in turn, in one thread
    all at once           a thread for each
    value alone           as the first, but no other column is made
    read committed        as the first, for those who want no aborted transactions

    python -m bench.client_read [--records 3000000] [--rounds 3] [--codec zstd] [--server HOST:PORT]
"""

from __future__ import annotations

import argparse
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from struct import unpack
from typing import Any

import numpy as np
import pyarrow as pa

from bench.requests import framed, receive
from moldau.client import TopicPartition
from moldau.client.sync import Connection
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.records.arrow import straight, write_batches
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.compression import Codec

TOPIC = "read"
PARTITIONS = 6
BATCH_BYTES = 64 * 1024
PIECE_RECORDS = 50_000
KEY_SIZE, VALUE_SIZE = 8, 57
"""With what a batch says of each record, 75 bytes."""
TICKS_PER_SECOND = 100
Data = ProduceRequest.TopicProduceData
Topic = MetadataRequest.MetadataRequestTopic
Reader = Callable[[Connection, Sequence[TopicPartition]], int]


@contextmanager
def node() -> Iterator[tuple[str, int]]:
    """A node of ours: where it listens, and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "moldau", "start", "--port", "0", "--data", folder]
        command += ["--set", f"num.partitions={PARTITIONS}"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield process.stdout.readline().rpartition(" ")[2].strip(), process.pid
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def fill(server: str, topic: str, records: int, codec: Codec) -> None:
    """The same piece of records again and again, in every partition."""
    each = records // PARTITIONS
    piece = min(PIECE_RECORDS, each)
    pour(server, topic, pieces(piece, codec), each // piece)


def pour(server: str, topic: str, batches: Sequence[bytes], times: int) -> None:
    """Write all of them so many times into every partition of a topic that it makes."""
    with linked(server) as link:
        ask(link, framed(MetadataRequest(topics=[Topic(name=topic)]), 9))
        time.sleep(2)  # until it has leaders
        for partition in range(PARTITIONS):
            for _ in range(times):
                for batch in batches:
                    send(link, topic, partition, batch)


def linked(server: str) -> socket.socket:
    host, _, port = server.rpartition(":")
    return socket.create_connection((host, int(port)))


def send(link: socket.socket, topic: str, partition: int, batch: bytes) -> None:
    row = Data.PartitionProduceData(index=partition, records=batch)
    data = [Data(name=topic, partition_data=[row])]
    ask(link, framed(ProduceRequest(acks=1, timeout_ms=30_000, topic_data=data), 9))


def pieces(records: int, codec: Codec) -> list[bytes]:
    random = np.random.default_rng(1)
    words = random.integers(97, 123, (records, VALUE_SIZE), np.uint8)
    words[:, VALUE_SIZE // 2 :] = 32  # half of it is worth compressing
    table = pa.table(
        {
            "key": [b"%08d" % number for number in range(records)],
            "value": [row.tobytes() for row in words],
        }
    )
    fields = BatchFields(codec=codec)
    now_ms = time.time_ns() // 1_000_000  # older ones would be for retention
    made = write_batches(table, size_max=BATCH_BYTES, fields=fields, now_ms=now_ms)
    return [bytes(batch) for batch in made]


def ask(link: socket.socket, frame: bytes) -> bytes:
    link.sendall(frame)
    (size,) = unpack(">i", receive(link, 4))
    return receive(link, size)


def in_turn(connection: Connection, parts: Sequence[TopicPartition], **options: Any) -> int:  # noqa: ANN401  # as `read` takes it
    ends = connection.latest(parts)
    return sum(
        batch.num_rows
        for part in parts
        for batch in connection.read(part, 0, ends[part], **options)
    )


def at_once(connection: Connection, parts: Sequence[TopicPartition]) -> int:
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda part=part: counts.append(in_turn(connection, [part])))
        for part in parts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts)


READERS: dict[str, Reader] = {
    "one after another": in_turn,
    "all at once": at_once,
    "value alone": lambda connection, parts: in_turn(connection, parts, columns=("value",)),
    "read committed": lambda connection, parts: in_turn(
        connection, parts, isolation="read_committed"
    ),
}


def measure(server: str, pid: int | None, topic: str, rounds: int) -> None:
    with Connection({"bootstrap.servers": server}) as connection:
        parts = [TopicPartition(topic, index) for index in connection.partitions([topic])[topic]]
        for name, reader in READERS.items():
            reader(connection, parts)
            figures = [one_round(connection, parts, reader, pid) for _ in range(rounds)]
            rate, own_us, node_us = (
                statistics.median(column) for column in zip(*figures, strict=True)
            )
            print(
                f"{name:<20}{rate:12,.0f} a second {own_us:8.3f} us {node_us:8.3f} us of the node"
            )


def one_round(
    connection: Connection, parts: Sequence[TopicPartition], reader: Reader, pid: int | None
) -> tuple[float, float, float]:
    """Records a second, microseconds of the reader, microseconds of the node, each per record."""
    started, own, others = time.perf_counter(), own_seconds(), seconds_of(pid)
    count = reader(connection, parts)
    taken = time.perf_counter() - started
    own, others = own_seconds() - own, seconds_of(pid) - others
    return count / taken, own / count * 1e6, others / count * 1e6


def own_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def seconds_of(pid: int | None) -> float:
    """What another process has used; 0 where that is not known."""
    path = Path(f"/proc/{pid}/stat")
    if pid is None or not path.exists():
        return 0.0
    numbers = path.read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / TICKS_PER_SECOND


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast a client reads into Arrow columns.")
    parser.add_argument("--records", type=int, default=3_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--codec", default="none", choices=[codec.name.lower() for codec in Codec])
    parser.add_argument("--server", help="measure this broker instead of a node of ours")
    arguments = parser.parse_args()
    compiled = "compiled" if straight.SCANNER_IS_COMPILED else "plain"
    print(f"{arguments.records:,} records, codec {arguments.codec}, {compiled} scanner")
    codec = Codec[arguments.codec.upper()]
    if arguments.server:
        topic = f"{TOPIC}-{time.time_ns()}"
        fill(arguments.server, topic, arguments.records, codec)
        measure(arguments.server, None, topic, arguments.rounds)
        return
    with node() as (server, pid):
        fill(server, TOPIC, arguments.records, codec)
        measure(server, pid, TOPIC, arguments.rounds)


if __name__ == "__main__":
    main()
