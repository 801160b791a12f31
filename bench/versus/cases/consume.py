"""Consuming a topic of 64 KiB batches from its start, as fast as the client can.

Warm, the bytes are in the system's page cache, as they are for a consumer that keeps up. Cold,
the topic's segments are synced and then dropped from the cache with posix_fadvise before each
turn, on both sides alike; it needs no rights, and drops no other file's pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from bench.versus.cases.produce import GB, MB, PARTITIONS, Produce
from bench.versus.floors import sent
from bench.versus.goals import CONSUME_CPU
from bench.versus.load import CONSUMER, PRODUCER, LoadFailedError, run_program
from bench.versus.model import Case, Sample, Turn
from bench.versus.performance_tools import consumed
from bench.versus.sides import Side

MEGABYTES = 600
RECORD_BYTES = 1000
FILL = Produce(megabytes=MEGABYTES, record_bytes=RECORD_BYTES)
Consume = Callable[[Side, Turn, int], Sample]


def fill(side: Side, turn: Turn) -> None:
    """By the load of `produce-64k`, into the topic that stays."""
    side.create_topic(turn.kept_topic, PARTITIONS)
    arguments = list(FILL.arguments(side, turn))
    arguments[arguments.index(turn.topic)] = turn.kept_topic
    turn.java.run(PRODUCER, *arguments)


def run(side: Side, turn: Turn, *, consume: Consume, cold: bool = False) -> Sample:
    count = turn.scaled(MEGABYTES * MB // RECORD_BYTES)
    if cold:
        drop_from_cache(side, turn.kept_topic)
    with side.metered() as spent:
        found = consume(side, turn, count)
    cpu = {"cpu_s_per_gb": spent.cpu_s / (count * RECORD_BYTES / GB)}
    return {**cpu, **found, "memory_mb": side.memory_mb()}


def by_java(side: Side, turn: Turn, count: int) -> Sample:
    place = ("--bootstrap-server", side.bootstrap, "--topic", turn.kept_topic)
    printed = turn.java.run(CONSUMER, *place, "--num-records", count, "--group", turn.topic)
    found = consumed(printed)
    if found.records < count:
        raise LoadFailedError(f"{side.name} gave {found.records} of {count} records.")
    return {"mb_per_s": found.mb_per_s}


def by_librdkafka(side: Side, turn: Turn, count: int) -> Sample:
    place = (side.bootstrap, turn.kept_topic, turn.topic)
    return run_program("bench.versus.clients.consume", *place, count)


def drop_from_cache(side: Side, topic: str) -> None:
    for path in side.segments(topic):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def floor(side: Side, turn: Turn) -> Sample:
    gigabytes = turn.scaled(MEGABYTES * MB // RECORD_BYTES) * RECORD_BYTES / GB
    return {"cpu_s_per_gb": sent(side, turn) / gigabytes}


def case(name: str, says: str, consume: Consume, *, cold: bool = False) -> Case:
    asked = partial(run, consume=consume, cold=cold)
    return Case(name, says, asked, (CONSUME_CPU,), prepare=fill, floor=None if cold else floor)


CASES = (
    case("consume-warm", "from the page cache", by_java),
    case("consume-cold", "from the disk", by_java, cold=True),
    case("consume-librdkafka", "from the page cache, by librdkafka", by_librdkafka),
)
