"""What a record costs in each client for Python: ours beside three others, in turns.

Records of 100 bytes and of 1 KB without keys, four partitions, one node of ours in a process of its
own, or any broker with `--server`, or Apache Kafka with `--kafka`. Each client runs in a process of
its own, warms up, and measures the processor time of that process alone, so that what else runs on
the machine matters little. Batches of 64 KiB, 5 ms of linger and acks=all for all of them; the
awaited sends are one after another, without linger, 5,000 a round, so that 50 are above p99.
Printed are medians of the rounds with the least and the most, and the goals.

    python -m bench.clients [--rounds 3] [--task consume] [--client moldau] [--size 100]
                            [--kafka | --both]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from bench.clients.goals import CLIENTS, judged
from moldau import Admin, Producer
from moldau.client.admin import NewTopic
from tests.interop.running_node import running_node
from tests.judges.kafka_jars import find_kafka_libs
from tests.judges.kafka_node import KafkaNode

PARTITIONS = 4
SIZES = (100, 1000)
RECORDS = {"consume": 400_000, "produce": 200_000, "send": 5_000}
ARROW_FACTOR = 5
"""So many more records for Arrow: a short run would measure its beginning."""
PIECE = 20_000
TIMEOUT_S = 300
FIGURES = {
    "consume": ("cpu_ns", "wall_ns", "peak_mib"),
    "produce": ("cpu_ns", "wall_ns", "peak_mib"),
    "send": ("p50_us", "p99_us", "cpu_ns"),
}

Rounds = dict[str, list[Mapping[str, float]]]


@contextmanager
def broker(arguments: argparse.Namespace, *, is_kafka: bool) -> Iterator[str]:
    if arguments.server:
        yield arguments.server
        return
    with tempfile.TemporaryDirectory() as name:
        if not is_kafka:
            with running_node(Path(name)) as bootstrap:
                yield bootstrap
            return
        libs = find_kafka_libs()
        assert libs is not None, "Apache Kafka's jars are not here"
        node = KafkaNode(libs, Path(name), settings={})
        node.start()
        try:
            yield node.bootstrap
        finally:
            node.kill()


def made_topic(server: str, what: str) -> str:
    topic = f"{what}-{time.time_ns()}"
    with Admin(server) as admin:
        admin.create_topics(NewTopic(topic, PARTITIONS)).all()
    return topic


def filled_topic(server: str, count: int, size: int) -> str:
    topic = made_topic(server, f"filled-{size}")
    table = pa.table({"value": [b"v" * size] * PIECE})
    with Producer(server, batch_size=65536) as producer:
        for _ in range(0, count, PIECE):
            producer.send_arrow(topic, table).result()
    return topic


def one_run(client: tuple[str, str], words: Sequence[object]) -> Mapping[str, float]:
    command = [sys.executable, "-m", "bench.clients.load", *client, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, f"{' '.join(command)} failed: {done.stderr[-2000:]}"
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(server: str, task: str, size: int, arguments: argparse.Namespace) -> Rounds:
    """In turns, so that each client has its share of whatever else the machine does."""
    count = RECORDS[task] // (4 if size > min(SIZES) and task != "send" else 1)
    filled = filled_topic(server, count * ARROW_FACTOR, size) if task == "consume" else ""
    found: Rounds = defaultdict(list)
    for _ in range(arguments.rounds):
        for name, client in CLIENTS[task].items():
            if not arguments.client or name in arguments.client:
                topic = filled or made_topic(server, f"{task}-{size}")
                many = count * (ARROW_FACTOR if "Arrow" in name else 1)
                found[name].append(one_run(client, (server, topic, many, size)))
    return found


def show(task: str, size: int, found: Rounds) -> None:
    medians = {}
    names = FIGURES[task]
    print(f"\n{task}, records of {size} bytes{''.join(f'{name:>29}' for name in names)}")
    for client, rounds in found.items():
        columns = {name: sorted(one[name] for one in rounds) for name in rounds[0]}
        medians[client] = {name: statistics.median(column) for name, column in columns.items()}
        cells = "".join(shown(columns[name]) for name in names)
        print(f"  {client:<26}{cells}", flush=True)
    for line in judged(task, medians):
        print(f"  {line}")


def shown(figures: Sequence[float]) -> str:
    """The median of what is sorted, with the least and the most."""
    around = f"({figures[0]:,.0f}-{figures[-1]:,.0f})"
    return f"{statistics.median(figures):>12,.0f} {around:>16}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task", action="append", choices=list(CLIENTS))
    parser.add_argument("--client", action="append", help="only this client, such as moldau")
    parser.add_argument("--size", action="append", type=int, help="bytes of a record")
    parser.add_argument("--server", help="measure with this broker")
    parser.add_argument("--kafka", action="store_true", help="measure with Apache Kafka")
    parser.add_argument("--both", action="store_true", help="measure with ours, and then with that")
    arguments = parser.parse_args()
    for is_kafka in (False, True) if arguments.both else (arguments.kafka,):
        print(f"\nwith {'Apache Kafka' if is_kafka else arguments.server or 'a node of ours'}:")
        with broker(arguments, is_kafka=is_kafka) as server:
            for task in arguments.task or CLIENTS:
                for size in arguments.size or SIZES:
                    show(task, size, measured(server, task, size, arguments))


if __name__ == "__main__":
    main()
