"""One client that is given far more than it may hold, in a process of its own.

    python -m tests.client.memory_growth ROLE SERVER TOPIC BUFFER_MIB [PID]

Prints as JSON by how many MiB the process has grown at most since the client was warm, and how much
has gone through it. A producer stops the broker with this PID while it sends, and lets it go on.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

from moldau import AsyncProducer, Consumer, Producer
from moldau.client import BufferFullError

KIB = 1024
MIB = KIB * KIB
VALUE_BYTES = 1000
OFFERED = 12
"""So many times what the buffer holds is offered to a producer."""
REFUSALS = 3
"""Then it is taken for full."""
POLLS = 400
NAP_S = 0.005
BLOCK_MS = 500


def status_mib(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(field))
    return int(line.split()[1]) / KIB


class Growth:
    """From when it is made."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from now on
        self._before_mib = status_mib("VmRSS")

    def show(self, **counts: int) -> None:
        grown = status_mib("VmHWM") - self._before_mib
        print(json.dumps({"grown_mib": grown, **counts}))


def given(buffer_bytes: int) -> dict[str, object]:
    return {"buffer_memory": buffer_bytes, "max_block_ms": BLOCK_MS, "batch_size": 64 * KIB}


def value_of(number: int) -> bytes:
    """Another object each time: what is held shows."""
    return number.to_bytes(8, "big") * (VALUE_BYTES // 8)


def produce(server: str, topic: str, buffer_bytes: int, pid: int) -> None:
    taken = refused = 0
    with Producer(server, **given(buffer_bytes)) as producer:
        producer.send(topic, b"warm").result(30)
        growth = Growth()
        os.kill(pid, signal.SIGSTOP)
        try:
            for number in range(OFFERED * buffer_bytes // VALUE_BYTES):
                try:
                    producer.send(topic, value_of(number))
                    taken += 1
                except BufferFullError:
                    refused += 1
                    if refused == REFUSALS:
                        break
        finally:
            os.kill(pid, signal.SIGCONT)
        for number in range(2 * buffer_bytes // VALUE_BYTES):
            while True:
                try:
                    producer.send(topic, value_of(number))
                    break
                except BufferFullError:
                    continue
        producer.flush()
        growth.show(taken=taken, refused=refused)


async def produce_on_a_loop(server: str, topic: str, buffer_bytes: int, pid: int) -> None:
    taken = refused = 0
    async with AsyncProducer(server, **given(buffer_bytes)) as producer:
        await producer.send_and_wait(topic, b"warm")
        growth = Growth()
        os.kill(pid, signal.SIGSTOP)
        try:
            for number in range(OFFERED * buffer_bytes // VALUE_BYTES):
                try:
                    await producer.send(topic, value_of(number))
                    taken += 1
                except BufferFullError:
                    refused += 1
                    if refused == REFUSALS:
                        break
        finally:
            os.kill(pid, signal.SIGCONT)
        await producer.flush()
        growth.show(taken=taken, refused=refused)


def consume(server: str, topic: str, fetch_bytes: int, _pid: int) -> None:
    """Slower than the broker sends: a few records, and a nap."""
    settings = {"auto_offset_reset": "earliest", "fetch_max_bytes": fetch_bytes}
    settings |= {"max_partition_fetch_bytes": MIB, "max_poll_records": 100}
    seen = 0
    with Consumer(server, **settings) as consumer:
        consumer.assign(topic)
        while not seen:
            seen += len(consumer.poll(1))
        growth = Growth()
        for _ in range(POLLS):
            seen += len(consumer.poll(1))
            time.sleep(NAP_S)
        growth.show(taken=seen)


def main() -> None:
    role, server, topic, mib, pid = sys.argv[1:]
    arguments = (server, topic, int(float(mib) * MIB), int(pid))
    if role == "produce":
        produce(*arguments)
    elif role == "produce_on_a_loop":
        asyncio.run(produce_on_a_loop(*arguments))
    else:
        consume(*arguments)


if __name__ == "__main__":
    main()
