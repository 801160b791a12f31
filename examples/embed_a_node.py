"""A whole Kafka node inside a program: it takes a free port, and leaves nothing behind.

    python examples/embed_a_node.py

prints

    a node listens on 127.0.0.1:…
    partition 0, offset 0: b'the first order'
    its directory is gone: True
"""

from __future__ import annotations

from pathlib import Path

from confluent_kafka import Consumer, Producer

import moldau.testing


def main() -> None:
    with moldau.testing.Node() as node:
        print("a node listens on", node.bootstrap)
        produce(node.bootstrap)
        consume(node.bootstrap)
    print("its directory is gone:", not Path(node.data_directory).exists())


def produce(bootstrap: str) -> None:
    producer = Producer({"bootstrap.servers": bootstrap})
    producer.produce("orders", b"the first order")
    producer.flush()


def consume(bootstrap: str) -> None:
    consumer = Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "readers", "auto.offset.reset": "earliest"}
    )
    consumer.subscribe(["orders"])
    message = consumer.poll(30)
    assert message is not None, "no record within 30 s"
    print(f"partition {message.partition()}, offset {message.offset()}: {message.value()!r}")
    consumer.close()


if __name__ == "__main__":
    main()
