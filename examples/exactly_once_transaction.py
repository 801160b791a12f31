"""Read, work, write, exactly once: offsets and results are committed in one transaction.

    moldau start
    python examples/exactly_once_transaction.py localhost:9092

writes four payments, and adds them up in two steps of two. The second step is aborted once, as if
the worker had died in the middle, and then repeated. It prints

    step 1 writes total 30: committed
    step 2 writes total 100: aborted
    step 2 writes total 100: committed
    read_committed shows totals 30, 100
    read_uncommitted shows totals 30, 100, 100
"""

from __future__ import annotations

import sys
import uuid

from confluent_kafka import Consumer, Message, Producer

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
RUN = uuid.uuid4().hex[:8]
PAYMENTS, TOTALS = f"payments-{RUN}", f"totals-{RUN}"
"""Topics of this run, so that it can be repeated."""
AMOUNTS = [10, 20, 30, 40]
STEP = 2
TIMEOUT_S = 30


def new_consumer(group: str, isolation: str) -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": BOOTSTRAP,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "isolation.level": isolation,
        }
    )


def write_payments() -> None:
    producer = Producer({"bootstrap.servers": BOOTSTRAP})
    for amount in AMOUNTS:
        producer.produce(PAYMENTS, str(amount), partition=0)
    producer.flush(TIMEOUT_S)


def add_up() -> None:
    consumer = new_consumer(f"adders-{RUN}", "read_committed")
    consumer.subscribe([PAYMENTS])
    producer = Producer({"bootstrap.servers": BOOTSTRAP, "transactional.id": f"adder-{RUN}"})
    producer.init_transactions(TIMEOUT_S)
    total = 0
    for number in range(1, len(AMOUNTS) // STEP + 1):
        payments = read(consumer, STEP)
        total += sum(int(payment.value() or 0) for payment in payments)
        if number > 1:
            write_total(producer, consumer, total)
            producer.abort_transaction(TIMEOUT_S)
            print(f"step {number} writes total {total}: aborted")
        write_total(producer, consumer, total)
        producer.commit_transaction(TIMEOUT_S)
        print(f"step {number} writes total {total}: committed")
    consumer.close()


def write_total(producer: Producer, consumer: Consumer, total: int) -> None:
    """The result, and how far the input is read, in one transaction that is left open."""
    producer.begin_transaction()
    producer.produce(TOTALS, str(total), partition=0)
    positions = consumer.position(consumer.assignment())
    producer.flush(TIMEOUT_S)  # an abort would drop what was not sent yet
    producer.send_offsets_to_transaction(positions, consumer.consumer_group_metadata(), TIMEOUT_S)


def show_totals(isolation: str, count: int) -> None:
    consumer = new_consumer(f"viewers-{isolation}-{RUN}", isolation)
    consumer.subscribe([TOTALS])
    totals = [(message.value() or b"").decode() for message in read(consumer, count)]
    print(f"{isolation} shows totals {', '.join(totals)}")
    consumer.close()


def read(consumer: Consumer, count: int) -> list[Message]:
    messages: list[Message] = consumer.consume(count, TIMEOUT_S)
    assert len(messages) == count, f"{len(messages)} of {count} records came in {TIMEOUT_S} s"
    return messages


if __name__ == "__main__":
    write_payments()
    add_up()
    show_totals("read_committed", 2)
    show_totals("read_uncommitted", 3)
