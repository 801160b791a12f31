"""`moldau cat -P`: what is piped into it becomes records."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from moldau import client as clients
from moldau.client import RecordMetadata, admin
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.platform.ports.files import read_whole
from moldau.programs.tools.cluster.cat_format import unescaped
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import refuse_absent
from moldau.programs.tools.kafka.clusters import connection_settings
from moldau.programs.tools.kafka.streams import write_bytes

__all__ = ["produce"]

FAILED = 1


def produce(options: Namespace, world: World, settings: dict[str, object]) -> int:
    failures: list[MoldauError] = []
    headers = [tuple(one.split("=", 1)) if "=" in one else (one, None) for one in options.headers]
    shared = tuple((name, None if value is None else value.encode()) for name, value in headers)

    def arrived(_metadata: RecordMetadata | None, error: ClientError | None) -> None:
        if error is not None:
            failures.append(error)

    is_empty = True
    refuse_absent(options.topic[0], settings)
    with clients.Producer(settings) as producer:
        for count, data in enumerate(_typed(options, world)):
            if options.count and count >= options.count:
                break
            is_empty = False
            key, value = _key_and_value(options, data)
            producer.send(
                options.topic[0],
                value,
                key=key,
                partition=None if options.partition < 0 else options.partition,
                headers=shared,
                on_delivery=arrived,
            )
            if options.tee:
                write_bytes(world.out, data + unescaped(options.delimiter))
    if is_empty:  # a server that cannot be reached has not been noticed yet
        with admin.Admin(connection_settings(settings)) as client:
            client.within(options.seconds).describe_cluster()
    for error in failures[:1]:
        world.errors.write(f"% ERROR: Failed to produce {len(failures)} records: {error}\n")
    return FAILED if failures else 0


def _typed(options: Namespace, world: World) -> Iterator[bytes]:
    """What stands between delimiters; of files, the whole of each unless -l is given."""
    delimiter = unescaped(options.delimiter)
    pieces: Iterator[bytes] = iter(world.typed)
    if options.topics:
        pieces = (bytes(read_whole(world.files, path)) for path in options.topics)
        if not options.lines:
            yield from pieces
            return
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(delimiter)
        yield from (one for one in whole if one)
    if rest:
        yield rest


def _key_and_value(options: Namespace, data: bytes) -> tuple[bytes | None, bytes | None]:
    key = None if options.key is None else options.key.encode()
    value: bytes | None = data
    if options.key_delimiter is not None:
        before, found, after = data.partition(unescaped(options.key_delimiter))
        if found:
            key, value = before, after
    if options.null:
        key, value = key or None, value or None
    return key, value
