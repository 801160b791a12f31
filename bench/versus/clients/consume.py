"""Consumes COUNT records from the start as fast as librdkafka can: BOOTSTRAP TOPIC GROUP COUNT.

The clock runs from the first record to the last: joining a group is measured elsewhere.
"""

from __future__ import annotations

import json
import sys
import time

from confluent_kafka import Consumer

AT_ONCE = 10_000
PATIENCE_S = 30.0


def main() -> None:
    bootstrap, topic, group, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    consumer = Consumer(
        {"bootstrap.servers": bootstrap, "group.id": group, "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    first = consumer.consume(1, PATIENCE_S)
    began_s = time.perf_counter()
    seen, size = len(first), 0
    while seen < count:
        messages = consumer.consume(min(AT_ONCE, count - seen), PATIENCE_S)
        assert messages, f"nothing came for {PATIENCE_S} s, after {seen} of {count} records"
        assert not messages[0].error(), messages[0].error()
        seen += len(messages)
        size += sum(map(len, messages))
    seconds = time.perf_counter() - began_s
    consumer.close()
    print(json.dumps({"mb_per_s": size / seconds / 1e6}))


if __name__ == "__main__":
    main()
