"""`moldau bench`: load for a topic, and a histogram of how long it takes to be acknowledged.

With `--rate`, a record's time begins when it was due, not when it was sent: if the brokers stand
still for a second, all records that were due meanwhile count with their wait.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import RecordMetadata
from moldau.client.errors import ClientError
from moldau.programs.tools.cluster.connecting import declare_cluster, settings_for
from moldau.programs.tools.cluster.histogram import Histogram
from moldau.programs.tools.cluster.tables import size_text, write_table
from moldau.programs.tools.command import World, declare_output
from moldau.programs.tools.kafka.absent_topics import refuse_absent
from moldau.programs.tools.kafka.clusters import cause_of
from moldau.programs.tools.kafka.producer_perf_test import random_letters
from moldau.programs.tools.numbers import whole_number

if TYPE_CHECKING:
    from moldau.client import Producer


FAILED = 1
NS_PER_US = 1000
NS_PER_SECOND = 1_000_000_000
US_PER_MS = 1000
SIZE_MAX = 16 * 1024 * 1024
COUNT_MAX = 10**12
SHARES = (0.5, 0.9, 0.99, 0.999)
HEADS = ("UP TO MS", "RECORDS", "")


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument("--topic", required=True, metavar="TOPIC", help="where the records go")
    parser.add_argument(
        "--records",
        type=whole_number(1, COUNT_MAX),
        metavar="N",
        help="how many (default: as many as come in --seconds)",
    )
    parser.add_argument(
        "--seconds",
        type=whole_number(1, COUNT_MAX),
        default=10,
        metavar="S",
        help="how long at most (default: %(default)s)",
    )
    parser.add_argument(
        "--rate", type=whole_number(1, COUNT_MAX), metavar="N", help="records a second at most"
    )
    parser.add_argument(
        "--size",
        type=whole_number(0, SIZE_MAX),
        default=100,
        metavar="BYTES",
        help="of each value (default: %(default)s)",
    )
    parser.add_argument(
        "--keys",
        type=whole_number(1, COUNT_MAX),
        metavar="N",
        help="give records one of so many keys (default: none)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    declare_output(parser)


def run(options: Namespace, world: World) -> int:
    load = _Load(options, world)
    settings = settings_for(options, world)
    refuse_absent(options.topic, settings)
    with clients.Producer(settings) as producer:
        producer.partitions(options.topic)
        load.run(producer)
    fields = load.fields()
    if options.json:
        print(json.dumps(fields), file=world.out)
    elif not world.takes([*fields], [[*fields.values()]]):
        load.show()
    return FAILED if load.failed else 0


class _Load:
    """Sends, and counts what is acknowledged."""

    def __init__(self, options: Namespace, world: World) -> None:
        self._options = options
        self._world = world
        self._now_ns = world.clock.monotonic_ns
        self._value = random_letters(world.random, options.size)
        self._latencies = Histogram()
        self._elapsed_ns = 1
        self.failed = 0
        self._cause = ""

    def run(self, producer: Producer) -> None:
        begun_ns = self._now_ns()
        end_ns = begun_ns + self._options.seconds * NS_PER_SECOND
        number = 0
        try:
            while number != self._options.records and self._now_ns() < end_ns:
                due_ns = self._now_ns()
                if self._options.rate:
                    due_ns = begun_ns + number * NS_PER_SECOND // self._options.rate
                    self._world.wait((due_ns - self._now_ns()) / NS_PER_SECOND)
                self._send(producer, number, due_ns)
                number += 1
        except KeyboardInterrupt:
            pass  # what was sent until then is what is shown
        producer.flush()
        self._elapsed_ns = max(1, self._now_ns() - begun_ns)

    def _send(self, producer: Producer, number: int, due_ns: int) -> None:
        def arrived(_metadata: RecordMetadata | None, error: ClientError | None) -> None:
            if error is None:
                self._latencies.add(max(0, self._now_ns() - due_ns) // NS_PER_US)
            else:
                self.failed += 1
                self._cause = cause_of(error)

        key = b"%d" % (number % self._options.keys) if self._options.keys else None
        producer.send(self._options.topic, self._value, key=key, on_delivery=arrived)

    def fields(self) -> dict[str, object]:
        seconds = self._elapsed_ns / NS_PER_SECOND
        found = self._latencies
        return {
            "records": found.count,
            "failed": self.failed,
            "seconds": seconds,
            "records_per_second": found.count / seconds,
            "bytes_per_second": found.count * self._options.size / seconds,
            "mean_ms": found.mean() / US_PER_MS,
            **{f"p{share * 100:g}_ms": found.percentile(share) / US_PER_MS for share in SHARES},
            "max_ms": found.most / US_PER_MS,
        }

    def show(self) -> None:
        seconds, found, out = self._elapsed_ns / NS_PER_SECOND, self._latencies, self._world.out
        rate = found.count / seconds
        print(
            f"{found.count} records in {seconds:.1f} s: {rate:.0f} records/s, "
            f"{size_text(rate * self._options.size)}/s",
            file=out,
        )
        if self.failed:
            print(f"{self.failed} records failed, the last: {self._cause}", file=out)
        if not found.count:
            return
        shown = [f"mean {found.mean() / US_PER_MS:.2f}"]
        shown += [f"{share * 100:g}% {found.percentile(share) / US_PER_MS:.2f}" for share in SHARES]
        print(f"latency in ms: {', '.join(shown)}, max {found.most / US_PER_MS:.2f}", file=out)
        rows = [(f"{edge / US_PER_MS:.3f}", count, bar) for edge, count, bar in found.bars()]
        write_table(HEADS, rows, out)
