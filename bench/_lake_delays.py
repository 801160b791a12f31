"""The parts of `bench.lake` that take their time: how soon records are where they go, and memory.

A thread writes at an even rate, and what Spark, its workers, the node and the state of queries take
in memory is looked at every few seconds.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from confluent_kafka import Consumer
from pyarrow import parquet

from bench.client_read import PARTITIONS, ask, linked, send
from bench.requests import framed
from bench.versus.meter import cpu_s, memory_mb
from moldau.errors import MoldauError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines import fraud
from moldau.programs.pipelines.errors import StoppedError
from moldau.programs.pipelines.events import Event, orders
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.payments import passing
from moldau.programs.pipelines.route import Route
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.records.builder import BatchBuilder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

__all__ = [
    "Beside",
    "Trickle",
    "against",
    "alerts",
    "endless_orders",
    "make_topic",
    "now_ms",
    "route_to",
    "say",
    "trickle",
]

PIECE = 20_000
TICK_S = 0.01
WARM_S = 30.0
"""Behind the first that arrives; code is compiled in it, and it does not count."""
FIRST_S = 600.0
"""So long may the first one take, on a machine that is busy."""
LOOK_S = 5.0
PATIENCE_S = 60.0
LAST_S = 5.0
"""Behind the end there is one more look for alerts, which takes so long."""
PAYMENTS, ALERTS = "payments", "alerts"
ID = re.compile(rb'"id": "p\d+"')
SAY_EVERY_S = 60.0
DELAY_GOALS_S, ALERT_GOAL_S = (1.0, 2.0), 3.0
"""What half of the records, and 99 of a hundred, may wait; and 99 of a hundred alerts."""
Topic = MetadataRequest.MetadataRequestTopic


def say(what: str) -> None:
    """What goes on, and when, beside the results."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def against(found: float, *, least: float | None = None, most: float | None = None) -> str:
    """The aim behind a figure, and whether it was met."""
    if least is not None:
        return f"  (aim: at least {least:,.0f}, {'met' if found >= least else 'missed'})"
    assert most is not None
    return f"  (aim: at most {most:g}, {'met' if found <= most else 'missed'})"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def make_topic(server: str, topic: str) -> None:
    """As a client makes one that asks for it."""
    with linked(server) as link:
        ask(link, framed(MetadataRequest(topics=[Topic(name=topic)]), 9))
    time.sleep(2)  # until it has leaders


def route_to(server: str, topic: str, folder: Path) -> Route:
    checkpoint = str(folder / "checkpoint")
    return Route(bootstrap=server, topic=topic, lake=str(folder), checkpoint=checkpoint)


class BenchError(MoldauError):
    """There is nothing that could be measured."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Spark is a child of this process, and so is the node; what is measured is Spark's."""

    node_pid: int

    def spent_s(self) -> float:
        return cpu_s(os.getpid()) - cpu_s(self.node_pid)

    def memory_mb(self) -> float:
        return memory_mb(os.getpid()) - memory_mb(self.node_pid)


@dataclass(slots=True)
class Trickle:
    """Writes events at an even rate, from a thread, until it is stopped."""

    server: str
    topic: str
    events: Iterator[Event]
    per_second: int
    written: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        each = max(round(self.per_second * TICK_S), 1)
        started = time.perf_counter()
        with linked(self.server) as link:
            for tick in count():
                batch = BatchBuilder()
                for event in islice(self.events, each):
                    batch.append(now_ms(), event.key, event.value)
                send(link, self.topic, tick % PARTITIONS, bytes(batch.build()))
                self.written += each
                ahead_s = started + self.written / self.per_second - time.perf_counter()
                if self._over.wait(max(ahead_s, 0)):
                    return

    def stop(self) -> None:
        self._over.set()


@dataclass(slots=True)
class Samples:
    """Memory and state, as they were every few seconds of a run."""

    beside: Beside
    spark: SparkSession
    began_s: float = math.inf
    columns: dict[str, list[float]] = field(default_factory=dict)

    def warm(self, has_begun: Callable[[], bool], is_over: Callable[[], bool]) -> None:
        """Until something has arrived, and a while behind that."""
        deadline_s = time.time() + FIRST_S
        while not has_begun() and not is_over():
            if time.time() > deadline_s:
                raise BenchError(f"nothing arrived in {FIRST_S:g} s: {self._queries()}")
            time.sleep(LOOK_S)
        say(f"the first has arrived; {WARM_S:g} s until it counts")
        time.sleep(WARM_S)

    def take(self, minutes: float, is_over: Callable[[], bool]) -> None:
        """Until the time is over, or nothing runs any more."""
        self.began_s = shown_s = time.time()
        while time.time() < self.began_s + minutes * 60 and not is_over():
            time.sleep(LOOK_S)
            if time.time() >= shown_s + SAY_EVERY_S:
                shown_s = time.time()
                say(f"minute {(shown_s - self.began_s) / 60:.0f} of {minutes:g}")
            self._look()

    def _queries(self) -> str:
        """What each does."""
        found = [f"{each.name} {each.status['message']}" for each in self.spark.streams.active]
        return "; ".join(found) or "no query runs"

    def _look(self) -> None:
        now = {
            "memory of Spark and its workers, MB": self.beside.memory_mb(),
            "memory of the node, MB": memory_mb(self.beside.node_pid),
        }
        for query in self.spark.streams.active:
            progress = query.lastProgress
            for state in progress["stateOperators"] if progress else ():
                now["rows of state"] = state["numRowsTotal"]
                now["memory of state, MB"] = state["memoryUsedBytes"] / 1e6
        for name, value in now.items():
            self.columns.setdefault(name, []).append(value)

    def tell(self) -> None:
        for name, column in self.columns.items():
            first, last, most = column[0], column[-1], max(column)
            print(f"  {name}: {first:,.0f} first, {last:,.0f} last, {most:,.0f} most", flush=True)


def trickle(
    spark: SparkSession,
    copying: Callable[[Path], StreamingQuery],
    source: Trickle,
    beside: Beside,
    minutes: float,
) -> None:
    """From a topic to a table, batch after batch."""
    say(f"trickle: {source.per_second:,} records a second for {minutes:g} minutes")
    folder = Path(tempfile.mkdtemp())
    thread = threading.Thread(target=source.run)
    query = copying(folder)
    thread.start()
    samples = Samples(beside, spark)
    try:
        samples.warm(lambda: query.lastProgress is not None, lambda: not query.isActive)
        samples.take(minutes, lambda: not query.isActive)
    finally:
        source.stop()
        thread.join()
    query.processAllAvailable()
    query.stop()
    print(f"trickle: {source.written:,} records in {minutes:g} minutes, batch after batch")
    waits = waits_s(folder / "copy", samples.began_s)
    tell_waits("timestamp to commit", waits, {0.5: DELAY_GOALS_S[0], 0.99: DELAY_GOALS_S[1]})
    samples.tell()
    shutil.rmtree(folder)


def endless_orders() -> Iterator[Event]:
    for seed in count(1):
        yield from orders(PIECE, seed, until_ms=now_ms())


def tell_waits(what: str, waits: np.ndarray, goals: Mapping[float, float]) -> None:
    if not len(waits):
        print(f"  from {what}: nothing arrived")
        return
    print(f"  from {what}, s ({len(waits):,}); slowest {waits.max():.2f}")
    for part in (0.5, 0.99):
        found = float(np.quantile(waits, part))
        goal = against(found, most=goals[part]) if part in goals else ""
        print(f"    p{part * 100:g} {found:.2f}{goal}", flush=True)


def waits_s(table: Path, since_s: float) -> np.ndarray:
    """For each record written after that: from its timestamp to the commit that has it."""
    found = []
    for log in sorted((table / "_delta_log").glob("*.json")):
        committed_s = log.stat().st_mtime_ns / 1e9
        for line in log.read_text().splitlines():
            path = json.loads(line).get("add", {}).get("path")
            if path is not None:
                column = parquet.read_table(table / path, columns=["timestamp"])["timestamp"]
                stamps = column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_numpy() / 1e6
                found.append(committed_s - stamps[stamps >= since_s])
    return np.concatenate(found) if found else np.array([])


def alerts(spark: SparkSession, server: str, beside: Beside, minutes: float, rate: int) -> None:
    """From a payment's writing until a reader of committed records has the alert about it."""
    say(f"alerts: {rate:,} payments a second for {minutes:g} minutes")
    folder = Path(tempfile.mkdtemp())
    for topic in (PAYMENTS, ALERTS):
        make_topic(server, topic)
    written, over = Written(rate), threading.Event()
    source = Trickle(server, PAYMENTS, written.events(), rate)
    watch = Watch(server, written.sent_s, over)
    job = Job(
        name="fraud",
        spark=spark,
        files=SystemFiles(),
        clock=SystemClock(),
        show=lambda line: None,
        route=route_to(server, PAYMENTS, folder),
        is_stopping=over.is_set,
    )
    threads = [threading.Thread(target=work) for work in (source.run, watch.run)]
    pipeline = threading.Thread(target=run_fraud, args=(job,))
    for thread in (*threads, pipeline):
        thread.start()
    samples = Samples(beside, spark)
    try:
        samples.warm(lambda: bool(watch.waits), lambda: not pipeline.is_alive())
        samples.take(minutes, lambda: not pipeline.is_alive())
        source.stop()
        for query in spark.streams.active:  # the slowest alerts count as well
            query.processAllAvailable()
    finally:
        source.stop()
        over.set()
        for thread in (*threads, pipeline):
            thread.join(PATIENCE_S)
    warm = [waited for sent, waited in watch.waits if sent >= samples.began_s]
    print(f"alerts: {source.written:,} payments in {minutes:g} minutes")
    tell_waits("payment to alert", np.array(warm), {0.99: ALERT_GOAL_S})
    written.tell(watch.alerted)
    samples.tell()
    shutil.rmtree(folder, ignore_errors=True)


def run_fraud(job: Job) -> None:
    settings = fraud.FraudSettings(alerts=ALERTS, model="seed:7")
    with suppress(StoppedError):
        fraud.run(job, settings)


@dataclass(slots=True)
class Written:
    """Payments without an end, numbered; when each was written, and which are planted fraud."""

    per_second: int
    sent_s: array[float] = field(default_factory=lambda: array("d"))
    marks: dict[int, str] = field(default_factory=dict)

    def events(self) -> Iterator[Event]:
        for event in passing(self.per_second, seed=1, from_ms=now_ms()):
            number = len(self.sent_s)
            if event.mark:
                self.marks[number] = event.mark
            value = ID.sub(b'"id": "%d"' % number, event.value or b"")
            self.sent_s.append(time.time())
            yield replace(event, value=value)

    def tell(self, alerted: Sequence[int]) -> None:
        """How many thefts an alert was about, and how many alerts were about one."""
        thefts = set(self.marks.values())
        found = {self.marks[number] for number in alerted if number in self.marks}
        right = sum(number in self.marks for number in alerted)
        doubled = len(alerted) - len(set(alerted))
        print(f"  thefts found: {len(found):,} of {len(thefts):,}")
        print(f"  alerts about a theft: {right:,} of {len(alerted):,}; twice: {doubled:,}")


@dataclass(slots=True)
class Watch:
    """Reads alerts as they are committed, and notes how long after its payment each came."""

    server: str
    sent_s: Sequence[float]
    over: threading.Event
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When the payment was written, and how long after that its alert was here."""
    alerted: list[int] = field(default_factory=list)
    """The payments' numbers."""

    def run(self) -> None:
        consumer = Consumer(
            {
                "bootstrap.servers": self.server,
                "group.id": "watch",
                "isolation.level": "read_committed",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
            }
        )
        consumer.subscribe([ALERTS])
        while (message := consumer.poll(LAST_S)) is not None or not self.over.is_set():
            if message is not None and message.error() is None:
                number = int(json.loads(message.value() or b"")["id"])
                sent_s = self.sent_s[number]
                self.waits.append((sent_s, time.time() - sent_s))
                self.alerted.append(number)
        consumer.close()
