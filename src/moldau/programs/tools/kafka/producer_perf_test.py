"""`moldau producer-perf-test`: records are sent as fast as wished, and their latencies shown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import RecordMetadata
from moldau.client.errors import ClientError
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import read_whole
from moldau.platform.ports.randomness import Random
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.console_flags import settings_given
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.perf_figures import Latencies, percentiles, warn_of_metrics
from moldau.protocol.wire.uuids import new_uuid, uuid_text

if TYPE_CHECKING:
    from moldau.client import Producer

__all__ = ["FLAGS", "payload_of", "random_letters", "run", "throughput_of"]

FAILED = 1
SHARES = (0.5, 0.95, 0.99, 0.999)
NS_PER_MS = 1_000_000
NS_PER_SECOND = 1_000_000_000
TRANSACTION_MS = 3000
KINDS = ("record-size", "payload-file", "payload-monotonic")
WHO = "kafka-producer-perf-test: error: "
CONFIG_FLAGS = ("command-property", "producer-props", "producer.config", "command-config")
Payload = Callable[[], bytes]

FLAGS = (
    Flag("bootstrap-server", "The brokers to begin at.", Takes.TEXT, "HOST:PORT,..."),
    Flag("topic", "The topic. Required.", Takes.TEXT, "TOPIC"),
    Flag("num-records", "How many records to send. Required.", Takes.LONG),
    Flag("throughput", "Records per second at most; -1 for no limit. Required.", Takes.TEXT, "N"),
    Flag("record-size", "Bytes of each record's value.", Takes.INT),
    Flag("payload-file", "A file of values, drawn at random.", Takes.TEXT, "FILE"),
    Flag("payload-monotonic", "Values are whole numbers, each one more than the last."),
    Flag("payload-delimiter", "What stands between values of the file.", Takes.TEXT, "", "\\n"),
    Flag("command-property", "Settings of the producer; win.", Takes.MANY, "KEY=VALUE ..."),
    Flag("command-config", "A file with settings of the producer.", Takes.TEXT, "FILE"),
    Flag("transactional-id", "Send in transactions under this id.", Takes.TEXT, "ID"),
    Flag("transaction-duration-ms", "How long a transaction lasts.", Takes.LONG),
    Flag("warmup-records", "Records at the beginning to be counted apart.", Takes.LONG),
    Flag("reporting-interval", "Milliseconds between two lines.", Takes.LONG, default="5000"),
    Flag("print-metrics", "Kafka's shows the metrics of its client; ours has none."),
    Flag("producer-props", "", Takes.MANY, "KEY=VALUE ...", instead="command-property"),
    Flag("producer.config", "", Takes.TEXT, "FILE", instead="command-config"),
)


def run(given: Given, world: World) -> int:
    _check(given)
    for flag in FLAGS:
        if flag.instead is not None and given.has(flag.name):
            print(
                f"Option --{flag.name} has been deprecated and will be removed in a future "
                f"version. Use --{flag.instead} instead.",
                file=world.out,
            )
    settings = _settings(given, world)
    sending = _Sending(given, world, payload_of(given, world))
    with clients.Producer(settings) as producer:
        sending.run(producer, "transactional.id" in settings)
    sending.report()
    if given.has("print-metrics"):
        warn_of_metrics(world)
    return FAILED if sending.failed else 0


def _check(given: Given) -> None:
    for name in ("topic", "num-records", "throughput"):
        if not given.has(name):
            raise WrongUsageError(f"{WHO}argument --{name} is required")
    kinds = [name for name in KINDS if given.has(name)]
    if not kinds:
        names = " ".join(f"--{name}" for name in KINDS)
        raise WrongUsageError(f"{WHO}one of the arguments {names} is required")
    if len(kinds) > 1:
        raise WrongUsageError(f"{WHO}argument --{kinds[1]}: not allowed with argument --{kinds[0]}")
    _check_numbers(given)
    if not given.has("bootstrap-server") and not any(map(given.has, CONFIG_FLAGS)):
        raise WrongUsageError(
            f"{WHO}At least one of --bootstrap-server, --command-property, --producer-props, "
            "--producer.config or --command-config must be specified."
        )


def _check_numbers(given: Given) -> None:
    for name in ("num-records", "record-size", "transaction-duration-ms", "reporting-interval"):
        number = given.number(name)
        if number is not None and number <= 0:
            raise WrongUsageError(f"{WHO}--{name} should be greater than zero.")
    if (given.number("warmup-records") or 0) >= (given.number("num-records") or 0):
        raise WrongUsageError(
            f"{WHO}The value for --warmup-records must be strictly fewer than the number of "
            "records in the test, --num-records."
        )
    throughput_of(given)


def throughput_of(given: Given) -> float:
    """Records a second; below zero for no limit."""
    text = given.text("throughput") or "-1"
    try:
        number = float(text)
    except ValueError:
        raise WrongUsageError(
            f"{WHO}argument --throughput: could not convert '{text}' to Double"
        ) from None
    if number == 0:
        raise WrongUsageError(f"{WHO}--throughput 0 would send nothing; -1 has no limit")
    return number


def payload_of(given: Given, world: World) -> Payload:
    """Where the value of each record comes from."""
    size = given.number("record-size")
    if size is not None:
        letters = random_letters(world.random, size)
        return lambda: letters
    path = given.text("payload-file")
    if path is None:
        numbers = count()
        return lambda: b"%d" % next(numbers)
    values = _values_of(given, world, path)
    return lambda: values[world.random.randrange(0, len(values))]


def _values_of(given: Given, world: World, path: str) -> list[bytes]:
    print(f"Reading payloads from: {path}", file=world.out)
    status = world.files.status(path)
    if status is None or status.is_directory or not status.size:
        raise FileMissingError(path, "the file of payloads is missing or empty")
    delimiter = (given.text("payload-delimiter") or "").replace("\\n", "\n").encode()
    values = bytes(read_whole(world.files, path)).split(delimiter)
    if not values[-1]:
        values.pop()
    print(f"Number of records read: {len(values)}", file=world.out)
    return values


def random_letters(random: Random, size: int) -> bytes:
    """Capital letters, as many."""
    return bytes(65 + byte % 26 for byte in random.randbytes(size))


def _settings(given: Given, world: World) -> dict[str, object]:
    settings = settings_given(
        given,
        world,
        ("producer.config", "command-config"),
        ("producer-props", "command-property"),
    )
    if given.has("bootstrap-server"):
        settings["bootstrap.servers"] = given.text("bootstrap-server")
    if given.has("transactional-id"):
        settings["transactional.id"] = given.text("transactional-id")
    elif given.has("transaction-duration-ms"):
        unique = f"performance-producer-{uuid_text(new_uuid(world.random))}"
        settings.setdefault("transactional.id", unique)
    settings.setdefault("client.id", "perf-producer-client")
    return settings


class _Sending:
    """Sends, counts what arrives, and writes a line at times and at the end."""

    def __init__(self, given: Given, world: World, payload: Payload) -> None:
        self._given = given
        self._world = world
        self._payload = payload
        self._topic = given.text("topic") or ""
        self._records = given.number("num-records") or 0
        self._warmup = given.number("warmup-records") or 0
        self._interval_ms = given.number("reporting-interval") or 0
        self._all = Latencies()
        self._steady = Latencies()
        self._window = Latencies()
        self._start_ms = self._window_ms = self._steady_ms = self._now_ms()
        self.failed = 0

    def _now_ms(self) -> int:
        return self._world.clock.monotonic_ns() // NS_PER_MS

    def run(self, producer: Producer, transactional: bool) -> None:
        if self._warmup:
            print(
                f"Warmup first {self._warmup} records. Steady state results will print after the "
                "complete test summary.",
                file=self._world.out,
            )
        self._start_ms = self._window_ms = self._steady_ms = self._now_ms()
        throughput = throughput_of(self._given)
        limit_ms = (self._given.number("transaction-duration-ms") or TRANSACTION_MS) * 1.0
        begun_ms = self._start_ms
        for number in range(self._records):
            if transactional and (number == 0 or self._now_ms() - begun_ms >= limit_ms):
                if number:
                    producer.commit_transaction()
                producer.begin_transaction()
                begun_ms = self._now_ms()
            self._send(producer, number)
            if throughput > 0:
                due_ms = self._start_ms + (number + 1) * 1000 / throughput
                self._world.wait((due_ms - self._now_ms()) / 1000)
        if transactional:
            producer.commit_transaction()
        producer.flush()

    def _send(self, producer: Producer, number: int) -> None:
        value = self._payload()
        size = len(value)
        sent_ms = self._now_ms()
        if number == self._warmup:
            self._steady_ms = sent_ms

        def arrived(_metadata: RecordMetadata | None, error: ClientError | None) -> None:
            self._arrived(number, sent_ms, size, error)

        producer.send(self._topic, value, on_delivery=arrived)

    def _arrived(self, number: int, sent_ms: int, size: int, error: ClientError | None) -> None:
        """It is called in the background, by one thread."""
        if error is not None:
            self.failed += 1
            self._world.errors.write(f"A record was not sent: {cause_of(error)}\n")
            return
        now_ms = self._now_ms()
        self._all.add(now_ms - sent_ms, size)
        self._window.add(now_ms - sent_ms, size)
        if number >= self._warmup:
            self._steady.add(now_ms - sent_ms, size)
        if now_ms - self._window_ms >= self._interval_ms:
            self._report_window(now_ms)

    def _report_window(self, now_ms: int) -> None:
        window = self._window
        rate, megabytes = window.rates(now_ms - self._window_ms)
        steady = self._warmup and len(self._all.values) > self._warmup
        print(
            f"{'In steady state. ' if steady else ''}{len(window.values)} records sent, "
            f"{rate:.1f} records/sec ({megabytes:.2f} MB/sec), {window.mean():.1f} ms avg latency, "
            f"{float(window.most()):.1f} ms max latency.",
            file=self._world.out,
            flush=True,
        )
        self._window, self._window_ms = Latencies(), now_ms

    def report(self) -> None:
        now_ms = self._now_ms()
        self._report_all(self._all, "", now_ms - self._start_ms)
        if self._warmup:
            self._report_all(self._steady, " steady state", now_ms - self._steady_ms)

    def _report_all(self, found: Latencies, kind: str, elapsed_ms: int) -> None:
        if not found.values:
            raise MoldauError("no record arrived")
        rate, megabytes = found.rates(elapsed_ms)
        half, most, nearly, last = percentiles(sorted(found.values), SHARES)
        print(
            f"{len(found.values)}{kind} records sent, {rate:f} records/sec "
            f"({megabytes:.2f} MB/sec), {found.mean():.2f} ms avg latency, "
            f"{float(found.most()):.2f} ms max latency, {half} ms 50th, {most} ms 95th, "
            f"{nearly} ms 99th, {last} ms 99.9th.",
            file=self._world.out,
        )
