"""Producing as fast as the client can: Kafka's ProducerPerformance, and librdkafka.

Six partitions, one producer, no throttle, so what the client waits for is the broker and its own
queue (32 MB in Java). What is not named is the client's default, but for idempotence: it is off
unless the case asks for it. A GB is of records' values, before they are compressed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.versus.floors import received
from bench.versus.goals import (
    LOADED_MEMORY,
    LOADED_P99,
    PRODUCE_CPU,
    PRODUCE_THROUGHPUT,
    UNBATCHED_CPU,
)
from bench.versus.load import PRODUCER, LoadFailedError, run_program
from bench.versus.model import Case, Goal, Sample, Turn
from bench.versus.performance_tools import produced
from bench.versus.sides import Side

PARTITIONS = 6
KIB, MIB, MB, GB = 1024, 1024 * 1024, 10**6, 10**9
PAYLOADS = 2_000
"""Different values for a compressed load, and no more: the tool keeps them all in memory."""


@dataclass(frozen=True, slots=True)
class Produce:
    """A load, and how to put it on a side."""

    megabytes: int = 300
    record_bytes: int = 1000
    batch_bytes: int = 64 * KIB
    acks: str = "1"
    compression: str = "none"
    idempotent: bool = False
    transaction_ms: int = 0
    per_record: bool = False

    def __call__(self, side: Side, turn: Turn) -> Sample:
        side.create_topic(turn.topic, PARTITIONS)
        with side.metered() as spent:
            printed = turn.java.run(PRODUCER, *self.arguments(side, turn))
        found = produced(printed)
        if found.records != self.count(turn):
            raise LoadFailedError(
                f"{side.name} took {found.records} of {self.count(turn)} records."
            )
        return {
            **self.price(spent.cpu_s, turn),
            **self.speed(found.records_per_s),
            "p50_ms": found.p50_ms,
            "p99_ms": found.p99_ms,
            "memory_mb": side.memory_mb(),
        }

    def floor(self, side: Side, turn: Turn) -> Sample:
        return self.price(received(side, turn), turn)

    def price(self, cpu_s: float, turn: Turn) -> Sample:
        if self.per_record:
            return {"cpu_us_per_record": cpu_s / self.count(turn) * 1e6}
        return {"cpu_s_per_gb": cpu_s / (self.count(turn) * self.record_bytes / GB)}

    def speed(self, records_per_s: float) -> Sample:
        if self.per_record:
            return {"records_per_s": records_per_s}
        return {"mb_per_s": records_per_s * self.record_bytes / MB}

    def count(self, turn: Turn) -> int:
        return turn.scaled(self.megabytes * MB // self.record_bytes)

    def arguments(self, side: Side, turn: Turn) -> Iterable[object]:
        yield from ("--bootstrap-server", side.bootstrap, "--topic", turn.topic)
        yield from ("--num-records", self.count(turn), "--throughput", -1)
        if self.compression == "none":
            yield from ("--record-size", self.record_bytes)
        else:
            yield from ("--payload-file", write_payloads(turn.folder, self.record_bytes))
        if self.transaction_ms:
            yield from ("--transactional-id", turn.topic)
            yield from ("--transaction-duration-ms", self.transaction_ms)
        yield "--command-property"
        yield from (f"{key}={value}" for key, value in self.properties().items())

    def properties(self) -> dict[str, object]:
        settings: dict[str, object] = {
            "acks": self.acks,
            "batch.size": self.batch_bytes,
            "compression.type": self.compression,
            "enable.idempotence": str(self.idempotent).lower(),
        }
        if self.batch_bytes >= MIB:
            settings["max.request.size"] = 2 * self.batch_bytes
        if not self.batch_bytes:
            settings["linger.ms"] = 0
        return settings


def write_payloads(folder: Path, size: int) -> Path:
    """Lines of JSON as an application might log them, one record each, always the same."""
    draw = random.Random(1)
    path = folder / "payloads"
    path.write_text("".join(payload(draw, size) + "\n" for _ in range(PAYLOADS)))
    return path


def payload(draw: random.Random, size: int) -> str:
    words = ("accepted", "cart", "checkout", "delivery", "invoice", "order", "pending", "refund")
    text = ""
    while len(text) < size:
        event = {
            "id": draw.getrandbits(64),
            "at": draw.randrange(10**12),
            "user": f"user-{draw.randrange(10**6)}",
            "what": draw.choice(words),
            "amount": draw.randrange(10**5) / 100,
        }
        text += json.dumps(event)
    return text[:size]


@dataclass(frozen=True, slots=True)
class ProduceByLibrdkafka(Produce):
    """The same load from librdkafka, by confluent-kafka, in a process of its own."""

    def __call__(self, side: Side, turn: Turn) -> Sample:
        side.create_topic(turn.topic, PARTITIONS)
        settings = [f"{key}={value}" for key, value in self.properties().items()]
        load = (side.bootstrap, turn.topic, self.count(turn), self.record_bytes)
        with side.metered() as spent:
            found = run_program("bench.versus.clients.produce", *load, *settings)
        speed = self.speed(found.pop("records_per_s"))
        return {**self.price(spent.cpu_s, turn), **speed, **found, "memory_mb": side.memory_mb()}


def case(name: str, says: str, load: Produce, *goals: Goal) -> Case:
    return Case(name, says, load, goals, floor=load.floor)


CASES = (
    case(
        "produce-64k",
        "batches of 64 KiB, records of 1 KB, acks 1",
        Produce(),
        *(PRODUCE_CPU, PRODUCE_THROUGHPUT, LOADED_P99, LOADED_MEMORY),
    ),
    case("produce-16k", "batches of 16 KiB, as is Java's default", Produce(batch_bytes=16 * KIB)),
    case(
        "produce-1m",
        "batches of 1 MiB",
        Produce(batch_bytes=MIB),
        *(PRODUCE_CPU, PRODUCE_THROUGHPUT, LOADED_P99),
    ),
    case(
        "produce-unbatched",
        "records of 100 B, batching off",
        Produce(megabytes=6, record_bytes=100, batch_bytes=0, per_record=True),
        UNBATCHED_CPU,
    ),
    case("produce-100b", "records of 100 B in 64 KiB", Produce(100, record_bytes=100), PRODUCE_CPU),
    case("produce-10k", "records of 10 KB in 64 KiB", Produce(record_bytes=10_000), PRODUCE_CPU),
    case("produce-lz4", "64 KiB, lz4, JSON", Produce(compression="lz4"), PRODUCE_CPU),
    case("produce-zstd", "64 KiB, zstd, JSON", Produce(compression="zstd"), PRODUCE_CPU),
    case("produce-all", "64 KiB, acks all", Produce(acks="all"), PRODUCE_CPU),
    case(
        "produce-idempotent",
        "64 KiB, acks all, idempotent",
        Produce(acks="all", idempotent=True),
        PRODUCE_CPU,
    ),
    case(
        "produce-transactional",
        "64 KiB, a transaction each 100 ms",
        Produce(acks="all", idempotent=True, transaction_ms=100),
        PRODUCE_CPU,
    ),
    case(
        "produce-librdkafka",
        "64 KiB, acks 1, by librdkafka",
        ProduceByLibrdkafka(),
        *(PRODUCE_CPU, PRODUCE_THROUGHPUT, LOADED_P99),
    ),
)
