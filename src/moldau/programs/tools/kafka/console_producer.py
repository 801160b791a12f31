"""`moldau console-producer`: each line of standard input becomes a record of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import RecordMetadata
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, check_addresses
from moldau.programs.tools.kafka.console_flags import (
    only_one_spelling,
    settings_given,
    warn_of_old_spellings,
)
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.line_records import Line, LineReader
from moldau.programs.tools.kafka.streams import lines_typed

if TYPE_CHECKING:
    from moldau.client import Producer
    from moldau.client.sync.producer import SyncDelivery

__all__ = ["FLAGS", "Deliveries", "run"]

FAILED = 1
OLD_BATCH_SIZE = Flag("max-partition-memory-bytes", "", Takes.INT, instead="batch-size")
"""It may stand beside the flag that has taken its place."""
GONE_IN_5 = (
    "Warning: --max-partition-memory-bytes is deprecated and will be removed in Apache Kafka 5.0. "
    "Use --batch-size instead."
)
LINE_READER = "org.apache.kafka.tools.LineMessageReader"
SETTINGS = {
    "timeout": "linger.ms",
    "request-required-acks": "acks",
    "request-timeout-ms": "request.timeout.ms",
    "message-send-max-retries": "retries",
    "metadata-expiry-ms": "metadata.max.age.ms",
    "retry-backoff-ms": "retry.backoff.ms",
    "max-memory-bytes": "buffer.memory",
    "batch-size": "batch.size",
    "max-block-ms": "max.block.ms",
}
"""Which setting of a producer a flag is."""

FLAGS = (
    BOOTSTRAP,
    Flag("topic", "The topic. Required.", Takes.TEXT, "TOPIC"),
    Flag("command-config", "A file with settings of the producer.", Takes.TEXT, "FILE"),
    Flag("command-property", "A setting of the producer; wins.", Takes.TEXT, "KEY=VALUE"),
    Flag("reader-config", "A file with properties of the reader.", Takes.TEXT, "FILE"),
    Flag(
        "reader-property",
        "How a line is read: parse.key, parse.headers, key.separator, headers.delimiter, "
        "headers.separator, headers.key.separator, null.marker, ignore.error.",
        Takes.TEXT,
        "KEY=VALUE",
    ),
    Flag("line-reader", "The class that reads lines.", Takes.TEXT, "CLASS", LINE_READER),
    Flag("sync", "Wait for each record to arrive before the next is sent."),
    Flag(
        "compression-codec", "none, gzip, snappy, lz4 or zstd; gzip without.", Takes.MAYBE, "CODEC"
    ),
    Flag("batch-size", "Bytes with which a batch leaves.", Takes.INT, default="16384"),
    Flag("timeout", "How long a batch waits for more records (ms).", Takes.LONG, default="1000"),
    Flag("request-required-acks", "Who has to have it: 0, 1, -1.", Takes.TEXT, "ACKS", "-1"),
    Flag("request-timeout-ms", "How long an answer may take.", Takes.INT, default="1500"),
    Flag("message-send-max-retries", "How often it is sent again.", Takes.INT, default="3"),
    Flag("retry-backoff-ms", "How long before it is.", Takes.LONG, default="100"),
    Flag("metadata-expiry-ms", "When to ask anew who leads.", Takes.LONG, default="300000"),
    Flag("max-block-ms", "How long sending waits for room.", Takes.LONG, default="60000"),
    Flag("max-memory-bytes", "Bytes that may wait.", Takes.LONG, default="33554432"),
    Flag("socket-buffer-size", "Without effect here.", Takes.INT, default="102400"),
    OLD_BATCH_SIZE,
    Flag("producer-property", "", Takes.TEXT, "KEY=VALUE", instead="command-property"),
    Flag("producer.config", "", Takes.TEXT, "FILE", instead="command-config"),
    Flag("property", "", Takes.TEXT, "KEY=VALUE", instead="reader-property"),
)


class Deliveries:
    """Which records did not arrive; it is called in the background."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.failed = 0

    def arrived(self, metadata: RecordMetadata | None, error: ClientError | None) -> None:
        if error is not None:
            self.failed += 1
            self._world.errors.write(f"A record was not sent: {cause_of(error)}\n")


def run(given: Given, world: World) -> int:
    given.need("topic")
    only_one_spelling(
        given, [flag for flag in FLAGS if flag is not OLD_BATCH_SIZE], newer_first=True
    )
    if not given.has("bootstrap-server"):
        raise WrongUsageError("Error while validating the bootstrap address\n")
    check_addresses(given)
    warn_of_old_spellings(
        given, [one for one in FLAGS if one is not OLD_BATCH_SIZE], world, "Warning:"
    )
    if given.has(OLD_BATCH_SIZE.name):
        print(GONE_IN_5, file=world.out)
    if given.text("line-reader") != LINE_READER:
        raise MoldauError(f"--line-reader: there is no class but {LINE_READER} here")
    for flag in FLAGS:
        if flag.takes in (Takes.INT, Takes.LONG) and given.has(flag.name):
            given.number(flag.name)
    return _send_all(given, world)


def _send_all(given: Given, world: World) -> int:
    topic = given.text("topic") or ""
    named = settings_given(given, world, ("reader-config",), ("property", "reader-property"))
    reader = LineReader({name: str(value) for name, value in named.items()})
    deliveries = Deliveries(world)
    with clients.Producer(_settings(given, world)) as producer:
        for number, text in enumerate(lines_typed(world), start=1):
            line = reader.read(text, number)
            if given.has("sync"):
                _send(producer, topic, line, None).result()
            else:
                _send(producer, topic, line, deliveries)
    return FAILED if deliveries.failed else 0


def _send(
    producer: Producer, topic: str, line: Line, deliveries: Deliveries | None
) -> SyncDelivery:
    return producer.send(
        topic,
        line.value,
        key=line.key,
        headers=line.headers,
        on_delivery=None if deliveries is None else deliveries.arrived,
    )


def _settings(given: Given, world: World) -> dict[str, object]:
    """A flag that is given wins over files and properties, and these over its default."""
    files = ("producer.config", "command-config")
    properties = ("producer-property", "command-property")
    settings = settings_given(given, world, files, properties)
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings.setdefault("client.id", "console-producer")
    for flag, setting in SETTINGS.items():
        if given.has(flag) or setting not in settings:
            settings[setting] = given.text(flag)
    if given.has(OLD_BATCH_SIZE.name):
        settings["batch.size"] = given.text(OLD_BATCH_SIZE.name)
    if given.has("compression-codec"):
        settings["compression.type"] = given.text("compression-codec") or "gzip"
    return settings
