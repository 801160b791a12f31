"""`moldau consumer-perf-test`: records are read as fast as they come, and the speed is shown."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, RebalanceListener, TopicPartition
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning
from moldau.programs.tools.kafka.clusters import BOOTSTRAP
from moldau.programs.tools.kafka.console_consumer import IDLE_CLOSE_S
from moldau.programs.tools.kafka.console_flags import settings_given
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError, only_one_of
from moldau.programs.tools.kafka.perf_figures import (
    java_time,
    megabytes,
    per_second,
    warn_of_metrics,
)
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.uuids import new_uuid

if TYPE_CHECKING:
    from moldau.client import Consumer

__all__ = ["FLAGS", "READING_FLAGS", "record_size", "run", "warn_of_old_names"]

AT_ONCE = 5000
GROUPS = 100_000
OLD_NAMES = {
    "messages": "--messages is deprecated. Use --num-records instead.",
    "consumer.config": "--consumer.config is deprecated. Use --command-config instead.",
}
COLUMNS = "data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec"
MORE_COLUMNS = "rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec"

READING_FLAGS = (
    BOOTSTRAP,
    Flag("num-records", "How many records to read. Required.", Takes.LONG),
    Flag("messages", "", Takes.LONG, instead="num-records"),
    Flag("topic", "The topic.", Takes.TEXT, "TOPIC"),
    Flag("command-config", "A file with settings of the consumer.", Takes.TEXT, "FILE"),
    Flag("consumer.config", "", Takes.TEXT, "FILE", instead="command-config"),
    Flag("command-property", "A setting of the consumer; wins.", Takes.TEXT, "KEY=VALUE"),
    Flag("fetch-size", "Bytes of a partition in one fetch.", Takes.INT, default="1048576"),
    Flag("socket-buffer-size", "Without effect here.", Takes.INT, default="2097152"),
    Flag("timeout", "End when no record comes for so long (ms).", Takes.LONG, default="10000"),
    Flag("reporting-interval", "Milliseconds between two lines.", Takes.LONG, default="5000"),
    Flag("show-detailed-stats", "Write a line at each interval instead of one at the end."),
    Flag("hide-header", "Leave out the line of names."),
    Flag(
        "date-format",
        "How times are shown, by letters of Java's SimpleDateFormat.",
        Takes.TEXT,
        "FORM",
        "yyyy-MM-dd HH:mm:ss:SSS",
    ),
    Flag("print-metrics", "Kafka's shows the metrics of its client; ours has none."),
)
FLAGS = (
    *READING_FLAGS,
    Flag("include", "Topics by a regular expression.", Takes.TEXT, "REGEX"),
    Flag("group", "The group; without, one of its own.", Takes.TEXT, "GROUP"),
    Flag("from-latest", "Begin with what comes from now on where no offset is kept."),
)


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server")
    only_one_of(
        given,
        ("topic", "include"),
        "Exactly one of the following arguments is required: [topic], [include]",
    )
    warn_of_old_names(given, world)
    if (given.number("reporting-interval") or 0) <= 0:
        raise ToolFailedError("Reporting interval must be greater than 0.")
    java_time(0, given.text("date-format") or "")
    reading = _Reading(given, world)
    settings = _settings(given, world)
    with clients.Consumer(settings) as consumer:
        reading.run(consumer)
        if not reading.count:
            AbsenceWarning(given.text("topic"), settings, world).at_silence()
            consumer.close(IDLE_CLOSE_S)
    if not given.has("show-detailed-stats"):
        reading.report()
    if given.has("print-metrics"):
        warn_of_metrics(world)
    return 0


def warn_of_old_names(given: Given, world: World) -> None:
    only_one_of(
        given,
        ("messages", "num-records"),
        "Exactly one of the following arguments is required: [messages], [num-records]",
    )
    if given.has("consumer.config") and given.has("command-config"):
        raise WrongUsageError(
            "Options --consumer.config and --command-config cannot be specified together."
        )
    for name, text in OLD_NAMES.items():
        if given.has(name):
            print(f"Warning: {text}", file=world.out)


def record_size(record: ConsumerRecord) -> int:
    return len(record.key or b"") + len(record.value or b"")


def _settings(given: Given, world: World) -> dict[str, object]:
    files = ("consumer.config", "command-config")
    settings = settings_given(given, world, files, ("command-property",))
    number = int.from_bytes(new_uuid(world.random)[:4], "big") % GROUPS
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings["group.id"] = given.text("group") or f"perf-consumer-{number}"
    settings["max.partition.fetch.bytes"] = given.text("fetch-size")
    settings["auto.offset.reset"] = "latest" if given.has("from-latest") else "earliest"
    settings.setdefault("client.id", "perf-consumer-client")
    return settings


class _Joining(RebalanceListener):
    """How long there were no partitions."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._since_ms = world.clock.now_ms()
        self.total_ms = 0

    def on_assigned(self, parts: Collection[TopicPartition]) -> None:
        self.total_ms += self._world.clock.now_ms() - self._since_ms

    def on_revoked(self, parts: Collection[TopicPartition]) -> None:
        self._since_ms = self._world.clock.now_ms()


class _Reading:
    """Reads, counts, and writes a line at times or at the end."""

    def __init__(self, given: Given, world: World) -> None:
        self._given = given
        self._world = world
        self._out = world.out
        self._most = given.number("num-records") or given.number("messages") or 0
        self._form = given.text("date-format") or ""
        self._interval_ms = given.number("reporting-interval") or 0
        self._detailed = given.has("show-detailed-stats")
        self._start_ms = self._last_ms = self._end_ms = 0
        self._count = self._size = 0
        self._before = (0, 0, 0)
        self._joining = _Joining(world)

    @property
    def count(self) -> int:
        """Of records that were read."""
        return self._count

    def run(self, consumer: Consumer) -> None:
        if not self._given.has("hide-header"):
            first = "time, threadId" if self._detailed else "start.time, end.time"
            print(f"{first}, {COLUMNS}, {MORE_COLUMNS}", file=self._out)
        timeout_s = (self._given.number("timeout") or 0) / 1000
        self._joining = _Joining(self._world)
        include = self._given.text("include")
        topics = self._given.text("topic") if include is None else re.compile(f"(?:{include})$")
        consumer.subscribe(topics, listener=self._joining)
        self._start_ms = self._last_ms = self._world.clock.now_ms()
        while self._count < self._most:
            records = consumer.consume(min(AT_ONCE, self._most - self._count), timeout_s)
            if not records:
                break
            self._count += len(records)
            self._size += sum(map(record_size, records))
            self._report_window()
        self._end_ms = self._world.clock.now_ms()
        if self._count < self._most:
            print(
                "WARNING: Exiting before consuming the expected number of records: timeout "
                f"({self._given.text('timeout')} ms) exceeded. You can use the --timeout option "
                "to increase the timeout.",
                file=self._out,
            )

    def _report_window(self) -> None:
        now_ms = self._world.clock.now_ms()
        if now_ms - self._last_ms < self._interval_ms:
            return
        if self._detailed:
            count, size, joined_ms = self._before
            elapsed_ms = now_ms - self._last_ms
            figures = self._figures(self._size - size, self._count - count, elapsed_ms, joined_ms)
            print(f"{java_time(now_ms, self._form)}, 0, {figures}", file=self._out, flush=True)
        self._last_ms = now_ms
        self._before = self._count, self._size, self._joining.total_ms

    def _figures(self, size: int, count: int, elapsed_ms: int, joined_ms: int) -> str:
        """What all of it is, and how fast this part of it came."""
        join_ms = self._joining.total_ms - joined_ms
        fetch_ms = elapsed_ms - join_ms
        return (
            f"{megabytes(self._size):.4f}, {per_second(megabytes(size), elapsed_ms):.4f}, "
            f"{self._count}, {per_second(count, elapsed_ms):.4f}, {join_ms}, {fetch_ms}, "
            f"{per_second(megabytes(size), fetch_ms):.4f}, {per_second(count, fetch_ms):.4f}"
        )

    def report(self) -> None:
        elapsed_ms = self._end_ms - self._start_ms
        figures = self._figures(self._size, self._count, elapsed_ms, 0)
        start, end = (java_time(ms, self._form) for ms in (self._start_ms, self._end_ms))
        print(f"{start}, {end}, {figures}", file=self._out)
