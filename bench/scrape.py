"""How long a request waits while metrics are read: the longest, with scrapes and without.

    ./dev bench scrape [--rounds 10] [--seconds 20] [--partitions 1000] [--publish]

One node with a thousand partitions; a process of its own sends it one small Produce after the
other over a bare socket, and notes when each began and how long it took. By turns nothing else is
asked for some seconds, and /metrics is read once a second. A machine has pauses of its own, so the
same windows of time are compared: from where a scrape begins, as long as it takes, and as many
windows of that length in the seconds without. Of each window the longest wait counts:

    middle    the median of these longest waits
    p90       that of nine in ten windows
    longest   of all windows
    all       p50, p99 and the longest of all requests, in windows and outside

The aim is that a scrape delays no request by more than 5 ms: the difference of the two rows.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from bench._published import publish, where
from bench.console_size import make_topics, metrics_page, node
from bench.search import OTHERS
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.builder import BatchBuilder
from tests.broker.server.asking import frame_of, sized

TOPIC_PARTITIONS = 10
EVERY_S = 1.0
AIM_MS = 5.0
VERSION = 9


class Sent(NamedTuple):
    """One request: when it began, and how long its answer took."""

    began_s: float
    took_ms: float


class Phase(NamedTuple):
    """Some seconds, in order of time, and the windows of them that count."""

    sent: Sequence[Sent]
    windows: Sequence[tuple[float, float]]

    def longest(self) -> list[float]:
        """The longest wait of each window that a request falls into."""
        starts = [one.began_s for one in self.sent]
        found = []
        for begin, end in self.windows:
            # One request at a time: the one before the window may end in it.
            first = max(bisect_left(starts, begin) - 1, 0)
            inside = self.sent[first : bisect_right(starts, end)]
            if inside:
                found.append(max(one.took_ms for one in inside))
        return found


def produce_frame() -> bytes:
    builder = BatchBuilder()
    builder.append(time.time_ns() // 1_000_000, None, b"one")
    data = ProduceRequest.TopicProduceData
    partition = data.PartitionProduceData(index=0, records=bytes(builder.build()))
    topic = data(name=OTHERS, partition_data=[partition])
    request = ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=[topic])
    return bytes(sized(frame_of(request, VERSION)))


def send(place: str, asked: Connection) -> None:
    """In a process of its own: until it is asked for an end, and for what there is each time."""
    host, _, port = place.rpartition(":")
    frame, sent = produce_frame(), []
    with socket.create_connection((host, int(port))) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            began_s = time.monotonic()
            link.sendall(frame)
            size = int.from_bytes(link.recv(4, socket.MSG_WAITALL), "big")
            link.recv(size, socket.MSG_WAITALL)
            sent.append(Sent(began_s, (time.monotonic() - began_s) * 1000))
            if asked.poll():
                if not asked.recv():
                    return
                asked.send(sent)
                sent = []


@contextmanager
def sending(place: str) -> Iterator[Connection]:
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=send, args=(place, there))
    process.start()
    try:
        yield here
    finally:
        here.send(False)  # no more
        process.join()


def taken(asked: Connection) -> list[Sent]:
    """Since this was asked last."""
    asked.send(True)  # more
    found: list[Sent] = asked.recv()
    return found


def beside(asked: Connection, ask: Callable[[], object], seconds: float) -> Phase:
    """With a window for each time that something else is asked for."""
    taken(asked)
    windows = []
    for _ in range(int(seconds)):
        begin = time.monotonic()
        ask()
        windows.append((begin, time.monotonic()))
        time.sleep(max(begin + EVERY_S - time.monotonic(), 0))
    return Phase(taken(asked), windows)


def alone(asked: Connection, windows: Sequence[tuple[float, float]], seconds: float) -> Phase:
    """With as many windows, each as long as that of a scrape."""
    taken(asked)
    begin = time.monotonic()
    time.sleep(seconds)
    placed = [
        (begin + number * EVERY_S, begin + number * EVERY_S + end - start)
        for number, (start, end) in enumerate(windows)
    ]
    return Phase(taken(asked), placed)


def row(name: str, phases: Sequence[Phase]) -> tuple[str, list[float]]:
    longest = [one for phase in phases for one in phase.longest()]
    waits = [one.took_ms for phase in phases for one in phase.sent]
    cuts, all_cuts = statistics.quantiles(longest, n=10), statistics.quantiles(waits, n=100)
    figures = [statistics.median(longest), cuts[8], max(longest)]
    return name, [*figures, all_cuts[49], all_cuts[98], max(waits)]


def table(rows: Sequence[tuple[str, list[float]]], scrape_ms: float) -> list[str]:
    """As the page has it, and a person reads it."""
    (_, without), (_, beside) = rows
    added = [two - one for one, two in zip(without, beside, strict=True)]
    heads = ("longest wait of a window, ms", "middle", "p90", "longest", "all: p50", "p99")
    return [
        f"| {' | '.join([*heads, 'longest'])} |",
        "| --- | --: | --: | --: | --: | --: | --: |",
        *(f"| {name} | {' | '.join(f'{one:.2f}' for one in found)} |" for name, found in rows),
        f"| added | {' | '.join(f'{one:+.2f}' for one in added)} |",
        "",
        f"A scrape took {scrape_ms:.0f} ms from its request to its answer. Aim: {AIM_MS:.0f} ms "
        f"added at most; of the windows {added[0]:+.2f} in the middle, {added[1]:+.2f} at p90.",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--partitions", type=int, default=1000)
    parser.add_argument("--publish", action="store_true", help="write it into docs/performance.md")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with_them: list[Phase] = []
    without: list[Phase] = []
    with tempfile.TemporaryDirectory() as folder, node(Path(folder) / "data") as place:
        make_topics(place.bootstrap, options.partitions // TOPIC_PARTITIONS, TOPIC_PARTITIONS)
        with sending(place.bootstrap) as asked:
            scrape = partial(metrics_page, place.metrics)
            beside(asked, scrape, 3)  # what is imported for the first
            for _ in range(options.rounds):
                with_them.append(beside(asked, scrape, options.seconds))
                without.append(alone(asked, with_them[-1].windows, options.seconds))
    took = statistics.median(
        (end - begin) * 1000 for one in with_them for begin, end in one.windows
    )
    lines = table([row("without scrapes", without), row("one a second", with_them)], took)
    lines = [f"{options.partitions:,} partitions, {where(load)}", "", *lines]
    print("\n".join(lines))
    if options.publish:
        publish("scrape", lines)


if __name__ == "__main__":
    main()
