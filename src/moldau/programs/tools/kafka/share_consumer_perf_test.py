"""`moldau share-consumer-perf-test`: share consumers process records, and the speed is shown."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.absent_topics import AbsenceWarning
from moldau.programs.tools.kafka.console_flags import settings_given
from moldau.programs.tools.kafka.consumer_perf_test import (
    READING_FLAGS,
    record_size,
    warn_of_old_names,
)
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.perf_figures import (
    java_time,
    megabytes,
    per_second,
    warn_of_metrics,
)

if TYPE_CHECKING:
    from moldau.client import ShareConsumer

__all__ = ["FLAGS", "run"]

POLL_S = 0.1
COLUMNS = "data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms"

FLAGS = (
    *READING_FLAGS,
    Flag("group", "The share group.", Takes.TEXT, "GROUP", "perf-share-consumer"),
    Flag("threads", "How many share consumers.", Takes.INT, default="1"),
    Flag("show-consumer-stats", "Write a line for each consumer as well."),
)


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server", "topic")
    warn_of_old_names(given, world)
    if not given.has("hide-header"):
        first = "time" if given.has("show-detailed-stats") else "start.time, end.time"
        print(f"{first}, {COLUMNS}", file=world.out)
    members = [_Member(number) for number in range(max(1, given.number("threads") or 1))]
    with ExitStack() as stack:
        consumers = [
            stack.enter_context(clients.ShareConsumer(_settings(given, world, member.number)))
            for member in members
        ]
        for consumer in consumers:
            consumer.subscribe(given.text("topic") or "")
        _Sharing(given, world, members).run(consumers)
    if not any(member.count for member in members):
        settings = _settings(given, world, 0)
        AbsenceWarning(given.text("topic"), settings, world).at_silence()
    if given.has("print-metrics"):
        warn_of_metrics(world)
    return 0


def _settings(given: Given, world: World, number: int) -> dict[str, object]:
    files = ("consumer.config", "command-config")
    settings = settings_given(given, world, files, ("command-property",))
    settings["bootstrap.servers"] = given.text("bootstrap-server")
    settings["group.id"] = given.text("group")
    client = settings.get("client.id", "perf-share-consumer-client")
    settings["client.id"] = f"{client}-{number}"
    settings["max.partition.fetch.bytes"] = given.text("fetch-size")
    return settings


@dataclass(slots=True)
class _Member:
    """What one consumer has processed."""

    number: int
    count: int = 0
    size: int = 0


class _Sharing:
    """Polls all consumers in turn: they fetch meanwhile, each on a loop of its own."""

    def __init__(self, given: Given, world: World, members: list[_Member]) -> None:
        self._given = given
        self._world = world
        self._members = members
        self._most = given.number("num-records") or given.number("messages") or 0
        self._form = given.text("date-format") or ""
        self._start_ms = self._last_ms = world.clock.now_ms()
        self._before = 0, 0

    @property
    def _count(self) -> int:
        return sum(member.count for member in self._members)

    @property
    def _size(self) -> int:
        return sum(member.size for member in self._members)

    def run(self, consumers: list[ShareConsumer]) -> None:
        timeout_ms = self._given.number("timeout") or 0
        now_ms = self._world.clock.now_ms
        came_ms = now_ms()
        while self._count < self._most and now_ms() - came_ms <= timeout_ms:
            for member, consumer in zip(self._members, consumers, strict=True):
                records = consumer.poll(POLL_S / len(consumers))
                if records:
                    came_ms = now_ms()
                    member.count += len(records)
                    member.size += sum(map(record_size, records))
            self._report_window(now_ms())
        for consumer in consumers:
            consumer.commit()
        self._report(now_ms())

    def _report_window(self, now_ms: int) -> None:
        if now_ms - self._last_ms < (self._given.number("reporting-interval") or 0):
            return
        if self._given.has("show-detailed-stats"):
            count, size = self._before
            elapsed_ms = now_ms - self._last_ms
            rates = _rates(self._size - size, self._count - count, elapsed_ms)
            figures = f"{megabytes(self._size):.4f}, {rates}, {self._count}, {elapsed_ms}"
            print(f"{java_time(now_ms, self._form)}, {figures}", file=self._world.out, flush=True)
        self._last_ms, self._before = now_ms, (self._count, self._size)

    def _report(self, end_ms: int) -> None:
        out = self._world.out
        if self._count < self._most:
            print(
                "WARNING: Exiting before consuming the expected number of records: timeout "
                f"({self._given.text('timeout')} ms) exceeded. You can use the --timeout option "
                "to increase the timeout.",
                file=out,
            )
        if self._given.has("show-consumer-stats"):
            for one in self._members:
                line = self._line(end_ms, one.size, one.count)
                print(f"{line} for share consumer {one.number + 1}", file=out)
        if not self._given.has("show-detailed-stats"):
            print(self._line(end_ms, self._size, self._count), file=out)

    def _line(self, end_ms: int, size: int, count: int) -> str:
        start, end = (java_time(ms, self._form) for ms in (self._start_ms, end_ms))
        elapsed_ms = end_ms - self._start_ms
        rates = _rates(size, count, elapsed_ms)
        return f"{start}, {end}, {megabytes(size):.4f}, {rates}, {count}, {elapsed_ms}"


def _rates(size: int, count: int, elapsed_ms: int) -> str:
    rate = per_second(megabytes(size), elapsed_ms)
    return f"{rate:.4f}, {per_second(count, elapsed_ms):.4f}"
