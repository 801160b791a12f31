"""`moldau export`: a topic as a file of JSON lines or of Parquet, with all its records have."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from moldau import client as clients
from moldau.client import TopicPartition, UnknownTopicError
from moldau.errors import MissingExtraError, MoldauError
from moldau.platform.ports.files import File, Files
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster, settings_for
from moldau.programs.tools.cluster.record_files import record_line
from moldau.programs.tools.cluster.tables import count_text
from moldau.programs.tools.command import World

if TYPE_CHECKING:
    from moldau.client import Consumer

__all__ = ["PARQUET", "STANDARD_OUTPUT", "ExistsError", "declare", "parquet_module", "run"]

PARQUET = ".parquet"
AT_ONCE = 5000
POLL_S = 1.0
STANDARD_OUTPUT = "-"
PARTIAL = ".part"


class ExistsError(MoldauError):
    """A file that is there already stays as it is."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} exists: remove it, or name another file")


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument("--topic", required=True, metavar="TOPIC", help="what is exported")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="where to: Parquet if it ends in .parquet, else JSON lines; - for standard output",
    )
    parser.add_argument(
        "--partition", type=int, action="append", metavar="N", help="only this; may be repeated"
    )
    parser.add_argument(
        "--isolation-level",
        choices=("read_committed", "read_uncommitted"),
        default="read_committed",
        help="whether open and aborted transactions are left out (default: %(default)s)",
    )


def run(options: Namespace, world: World) -> int:
    """All that is there when it begins; what comes later is left out."""
    settings = settings_for(
        options,
        world,
        enable_auto_commit="false",
        isolation_level=options.isolation_level,
        auto_offset_reset="earliest",
        allow_auto_create_topics="false",
    )
    if options.file != STANDARD_OUTPUT and world.files.status(options.file) is not None:
        raise ExistsError(options.file)
    parts = _partitions(options, world)
    with clients.Consumer(settings) as consumer:
        reading = _Reading(consumer, parts)
        if options.file == STANDARD_OUTPUT:
            return _quietly(reading.lines(lambda text: world.out.write(text)))
        count = _to_file(reading, options.file, world.files)
    print(
        f"{count_text(count, 'record')} of {options.topic} exported to {options.file}.",
        file=world.out,
    )
    return 0


def _quietly(_count: int) -> int:
    """Standard output has the records, and nothing else."""
    return 0


def _to_file(reading: _Reading, path: str, files: Files) -> int:
    """Under another name until it is whole: a file of half a topic looks like a file."""
    partial = f"{path}{PARTIAL}"
    _forget(partial, files)  # of an export that was killed
    try:
        if path.endswith(PARQUET):
            count: int = parquet_module().export(reading.consumer, reading.ends, partial)
        else:
            count = _to_lines(reading, files.open(partial, create=True))
        files.rename(partial, path)
    except BaseException:
        _forget(partial, files)
        raise
    return count


def _forget(path: str, files: Files) -> None:
    if files.status(path) is not None:
        files.remove(path)


def _to_lines(reading: _Reading, file: File) -> int:
    try:
        count = reading.lines(lambda text: file.append(text.encode("utf-8", "surrogatepass")))
        file.sync()
        return count
    finally:
        file.close()


def _partitions(options: Namespace, world: World) -> list[TopicPartition]:
    with admin_for(options, world) as admin:
        view = admin.describe_topics(options.topic)[options.topic]
    numbers = [part.partition for part in view.partitions]
    for number in options.partition or ():
        if number not in numbers:
            raise UnknownTopicError(options.topic, f"has no partition {number}")
    return [TopicPartition(options.topic, number) for number in options.partition or numbers]


class _Reading:
    """All records of partitions up to where these end now."""

    def __init__(self, consumer: Consumer, parts: list[TopicPartition]) -> None:
        self.consumer = consumer
        begins, ends = consumer.beginning_offsets(parts), consumer.end_offsets(parts)
        self.ends = {part: ends[part] for part in sorted(parts) if ends[part] > begins[part]}
        consumer.assign(list(self.ends))
        consumer.seek_to_beginning(list(self.ends))

    def lines(self, write: Callable[[str], object]) -> int:
        """How many were written."""
        count = 0
        while any(self.consumer.position(part) < end for part, end in self.ends.items()):
            for record in self.consumer.consume(AT_ONCE, POLL_S):
                if record.offset < self.ends[TopicPartition(record.topic, record.partition)]:
                    write(record_line(record) + "\n")
                    count += 1
        return count


def parquet_module() -> Any:  # noqa: ANN401 - it needs an extra
    """What reads and writes Parquet, or a sentence that names what to install."""
    try:
        return import_module("moldau.programs.tools.cluster.parquet_files")
    except ImportError:
        raise MissingExtraError(
            "Parquet needs pyarrow: pip install 'moldau[arrow]', or export lines of JSON"
        ) from None
