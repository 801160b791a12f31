"""`moldau import`: records of a file of JSON lines or of Parquet are sent to a topic."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import RecordMetadata
from moldau.client.errors import ClientError
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import Files
from moldau.programs.tools.cluster.connecting import declare_cluster, settings_for
from moldau.programs.tools.cluster.export_topic import PARQUET, STANDARD_OUTPUT, parquet_module
from moldau.programs.tools.cluster.record_files import FileRecord, record_of_line
from moldau.programs.tools.cluster.tables import count_text
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import refuse_absent
from moldau.programs.tools.kafka.clusters import cause_of

if TYPE_CHECKING:
    from moldau.client import Producer


FAILED = 1
PIECE = 1024 * 1024
STANDARD_INPUT = STANDARD_OUTPUT


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument("--topic", required=True, metavar="TOPIC", help="where the records go")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="as moldau export writes it: .parquet, or JSON lines; - for standard input",
    )
    parser.add_argument(
        "--by-key",
        action="store_true",
        help="choose partitions by keys; without, records keep those that they had",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="only read the whole file, send nothing"
    )


def _count(options: Namespace, world: World) -> int:
    """How many records the file has, all of which can be sent."""
    if options.file.endswith(PARQUET):
        count: int = parquet_module().count(options.file)
        return count
    return sum(1 for _ in _records(options, world))


def run(options: Namespace, world: World) -> int:
    if options.file != STANDARD_INPUT and world.files.status(options.file) is None:
        raise FileMissingError(options.file, "there is no such file")
    if options.dry_run:
        count = _count(options, world)
        print(f"{count_text(count, 'record')} would be sent to {options.topic}.", file=world.out)
        return 0
    settings = settings_for(options, world)
    refuse_absent(options.topic, settings)
    with clients.Producer(settings) as producer:
        partitions = producer.partitions(options.topic)
        if options.file.endswith(PARQUET):
            count = parquet_module().import_into(
                producer, options.topic, options.file, by_key=options.by_key
            )
            print(f"{count_text(count, 'record')} sent to {options.topic}.", file=world.out)
            return 0
        _check(options, world, frozenset(partitions))
        sending = _Sending(options, world, partitions)
        try:
            for record in _records(options, world):
                sending.send(producer, record)
        finally:
            producer.flush()
            sending.show()
    return FAILED if sending.failed else 0


def _check(options: Namespace, world: World, partitions: Container[int]) -> None:
    """Read the whole file first, so that none of it is sent if a line of it cannot be.

    Standard input comes only once: what stands before a bad line has been sent by then.
    """
    if options.file != STANDARD_INPUT:
        for record in _records(options, world):
            _partition_of(record, options, partitions)


def _partition_of(record: FileRecord, options: Namespace, partitions: Container[int]) -> int | None:
    """Where it goes; None where its key decides."""
    partition = None if options.by_key else record.partition
    if partition is not None and partition not in partitions:
        raise MoldauError(
            f"topic {options.topic} has no partition {partition}: add partitions, or use --by-key"
        )
    return partition


def _records(options: Namespace, world: World) -> Iterator[FileRecord]:
    source = world.typed if options.file == STANDARD_INPUT else _lines(world.files, options.file)
    for number, line in enumerate(source, start=1):
        if line.strip():
            yield record_of_line(line, number)


def _lines(files: Files, path: str) -> Iterator[bytes]:
    file = files.open(path, read_only=True)
    try:
        rest, position = b"", 0
        size = file.size()
        while position < size:
            piece = file.read_at(position, min(PIECE, size - position))
            position += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
        yield rest
    finally:
        file.close()


class _Sending:
    """What was sent, what failed, and what got another offset than the file has."""

    def __init__(self, options: Namespace, world: World, partitions: list[int]) -> None:
        self._options = options
        self._world = world
        self._partitions = frozenset(partitions)
        self._sent = self._moved = 0
        self.failed = 0
        self._cause = ""

    def send(self, producer: Producer, record: FileRecord) -> None:
        partition = _partition_of(record, self._options, self._partitions)

        def arrived(metadata: RecordMetadata | None, error: ClientError | None) -> None:
            self._arrived(record, metadata, error)

        producer.send(
            self._options.topic,
            record.value,
            key=record.key,
            partition=partition,
            timestamp=record.timestamp,
            headers=record.headers,
            on_delivery=arrived,
        )

    def _arrived(
        self, record: FileRecord, metadata: RecordMetadata | None, error: ClientError | None
    ) -> None:
        if error is not None:
            self.failed += 1
            self._cause = cause_of(error)
        elif metadata is not None:
            self._sent += 1
            self._moved += record.offset not in (None, metadata.offset)

    def show(self) -> None:
        topic, out = self._options.topic, self._world.out
        print(f"{count_text(self._sent, 'record')} sent to {topic}.", file=out)
        if self._moved:
            print(f"{self._moved} of them have another offset than in the file.", file=out)
        if self.failed:
            print(f"{self.failed} failed, the last: {self._cause}", file=self._world.errors)
