"""`moldau replica-verification`: whether the replicas of partitions hold the same batches.

It reads each replica where it lies, compares checksums up to the high watermark, and goes on with
what comes, until it is interrupted. A line comes for each difference, and now and then one about
the partition whose replicas are furthest behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.client import TopicPartition
from moldau.client import admin as clients
from moldau.client.admin import OffsetPlace
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.perf_figures import java_time
from moldau.programs.tools.kafka.replica_comparison import Comparison, OffsetMismatchError
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.programs.tools.kafka.topic_names import TopicFilter

if TYPE_CHECKING:
    from moldau.client.admin import Admin, PartitionView

__all__ = ["FLAGS", "run"]

FAILED = 1
MS_PER_SECOND = 1000
IDLE_S = 1.0
"""Between two rounds that found nothing, as long as Kafka's fetchers rest."""
OLD = "WARN This tool is deprecated and may be removed in a future major release."
TIME_FORM = "yyyy-MM-dd HH:mm:ss,SSS"
BROKERS = "broker-list"
TOPICS = "topics-include"
FETCH_SIZE = Flag("fetch-size", "How much is fetched at once (bytes).", Takes.INT, "", "1048576")
WAIT = Flag("max-wait-ms", "How long a fetch may wait for records.", Takes.INT, "", "1000")
TIMEOUT = Flag("timeout", "How long a call may take (ms).", Takes.LONG, default="30000")
INTERVAL = Flag("report-interval-ms", "How long between reports.", Takes.LONG, "", "30000")
FLAGS = (
    Flag(BROKERS, "The brokers to begin at. Required.", Takes.TEXT, "HOST:PORT,..."),
    Flag(TOPICS, "Topics: a regular expression.", Takes.TEXT, "REGEX", ".*"),
    Flag(
        "time",
        "Where to begin: -1 at the end, -2 at the beginning, or at a time (ms since 1970).",
        Takes.LONG,
        "TIME",
        "-1",
    ),
    FETCH_SIZE,
    WAIT,
    INTERVAL,
    TIMEOUT,
)


def run(given: Given, world: World) -> int:
    given.need(BROKERS)
    numbers = [given.number(flag.name) or 0 for flag in (FETCH_SIZE, WAIT, INTERVAL)]
    size, wait_ms, interval_ms = numbers
    time = given.number("time") or 0
    wanted = TopicFilter(given.text(TOPICS) or ".*")
    world.errors.write(f"{OLD}\n")
    timeout_ms = given.number(TIMEOUT.name) or 0
    with clients.Admin(given.text(BROKERS)) as whole:
        admin = whole.within(timeout_ms / MS_PER_SECOND)
        comparison = _comparison(admin, wanted, time)
        _print(world, "verification process is started")
        try:
            return _compare(admin, comparison, world, (size, wait_ms, interval_ms))
        except KeyboardInterrupt:
            return 0


def _comparison(admin: Admin, wanted: TopicFilter, time: int) -> Comparison:
    topics = wanted.of(admin.list_topics(internal=True))
    if not topics:
        raise ToolFailedError(
            f"No topics found. --{TOPICS} if specified, is either filtering out all topics or "
            "there is no topic."
        )
    parts: dict[TopicPartition, PartitionView] = {
        TopicPartition(name, part.partition): part
        for name, view in sorted(admin.describe_topics(topics).all().items())
        for part in view.partitions
    }
    place = OffsetPlace(time) if time in tuple(OffsetPlace) else time
    starts = admin.list_offsets(dict.fromkeys(parts, place)).all()
    return Comparison(
        {part: view.replicas for part, view in parts.items()},
        {part: view.offset or 0 for part, view in starts.items()},
    )


def _compare(
    admin: Admin, comparison: Comparison, world: World, numbers: tuple[int, int, int]
) -> int:
    size, wait_ms, interval_ms = numbers
    reported_ms = world.clock.now_ms()
    while True:
        found = admin.read_replicas(comparison.wanted(), max_bytes=size, max_wait_ms=wait_ms)
        try:
            for line in comparison.compare(found):
                _print(world, line)
        except OffsetMismatchError as error:
            _print(world, str(error))
            return FAILED
        if world.clock.now_ms() - reported_ms > interval_ms:
            _print(world, comparison.report)
            reported_ms = world.clock.now_ms()
        if not any(one.headers for parts in found.values() for one in parts.values()):
            world.wait(IDLE_S)


def _print(world: World, line: str) -> None:
    print(f"{java_time(world.clock.now_ms(), TIME_FORM)}: {line}", file=world.out, flush=True)
