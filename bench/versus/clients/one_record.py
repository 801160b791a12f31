"""Produces COUNT records, each when the last was acknowledged: BOOTSTRAP TOPIC COUNT BYTES.

From the call of `produce` to the callback, in one thread; no lingering, no Nagle's algorithm.
"""

from __future__ import annotations

import json
import sys
import time

from confluent_kafka import KafkaError, Message, Producer

SETTINGS = {"acks": 1, "linger.ms": 0, "socket.nagle.disable": True}
PATIENCE_S = 60.0


def main() -> None:
    bootstrap, topic, count, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    producer = Producer({"bootstrap.servers": bootstrap, **SETTINGS})
    value = bytes(size)
    times_ms = []
    acknowledged: list[Message] = []

    def delivered(error: KafkaError | None, message: Message) -> None:
        assert error is None, error
        acknowledged.append(message)

    for number in range(1, count + 1):
        began_s = time.perf_counter()
        producer.produce(topic, value, on_delivery=delivered)
        while len(acknowledged) < number:
            producer.poll(PATIENCE_S)
        times_ms.append((time.perf_counter() - began_s) * 1e3)
    times_ms.sort()
    at = {"p50_ms": 0.5, "p99_ms": 0.99, "p999_ms": 0.999}
    found = {name: times_ms[min(count - 1, int(count * part))] for name, part in at.items()}
    print(json.dumps({**found, "slowest_ms": times_ms[-1]}))


if __name__ == "__main__":
    main()
