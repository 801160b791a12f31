"""Produces as fast as librdkafka can: BOOTSTRAP TOPIC COUNT RECORD_BYTES [KEY=VALUE ...]."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable

from confluent_kafka import KafkaError, Message, Producer

Delivered = Callable[[KafkaError | None, Message], None]

TIMED_EACH = 100
"""A callback for every record would measure Python: each hundredth record is timed."""
POLL_EACH = 1000
RENAMED = {"max.request.size": "message.max.bytes"}
QUEUE = {"queue.buffering.max.messages": 1_000_000, "queue.buffering.max.kbytes": 32 * 1024}
"""As much as Java's client queues by default, so that both wait behind as many bytes."""


def main() -> None:
    bootstrap, topic, count, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    given = dict(word.split("=", 1) for word in sys.argv[5:])
    settings = {RENAMED.get(key, key): value for key, value in given.items()}
    producer = Producer({"bootstrap.servers": bootstrap, **QUEUE, **settings})
    times_ms: list[float] = []
    value = os.urandom(size)
    began_s = time.perf_counter()
    for number in range(count):
        timed = stopwatch(times_ms) if number % TIMED_EACH == 0 else None
        while not is_taken(producer, topic, value, timed):
            producer.poll(0.01)
        if number % POLL_EACH == 0:
            producer.poll(0)
    left = producer.flush(120)
    seconds = time.perf_counter() - began_s
    assert not left, f"{left} records were not acknowledged"
    times_ms.sort()
    found = {
        "records_per_s": count / seconds,
        "p50_ms": times_ms[len(times_ms) // 2],
        "p99_ms": times_ms[int(len(times_ms) * 0.99)],
    }
    print(json.dumps(found))


def stopwatch(times_ms: list[float]) -> Delivered:
    began_s = time.perf_counter()

    def delivered(error: KafkaError | None, _message: Message) -> None:
        assert error is None, error
        times_ms.append((time.perf_counter() - began_s) * 1e3)

    return delivered


def is_taken(producer: Producer, topic: str, value: bytes, timed: Delivered | None) -> bool:
    try:
        producer.produce(topic, value, on_delivery=timed)
    except BufferError:  # its queue is full
        return False
    return True


if __name__ == "__main__":
    main()
