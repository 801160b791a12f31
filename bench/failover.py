"""How long clients of three nodes go without an acknowledgement when one of them fails.

Three nodes, each broker and controller, a topic with six partitions of three replicas and
`min.insync.replicas` 2, and librdkafka's producer with its default settings (so `acks=all`), which
sends a record to each partition every 50 ms. Then the leader of a partition is

    killed       SIGKILL, while another node is the active controller
    controller   SIGKILL of the active controller, which leads partitions, too
    paused       SIGSTOP for 15 s
    noticed      the same, with a producer that asks for metadata every 250 ms
    restarted    stopped in order, and started again

and the gap is the longest time between two acknowledgements of a partition that follow each other:
of those that the node led, and of the others. Each round has a producer of its own. A gap that has
not ended when the round does is shown with a `>`. A paused node's connections stay open: a client
that waits for an answer on one of them looks for another leader when its request has timed out, or
when it asks for metadata anyway. Both clusters are measured on the same machine, one after the
other, with their default settings.

    python -m bench.failover [--rounds 3] [--ours | --apache] [--only killed]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from confluent_kafka import ElectionType, Message, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.judges.kafka_jars import find_kafka_libs

TOPIC = "gaps"
PARTITIONS = 6
EVERY_S = 0.05
CALM_S = 3.0
WATCHED_S: Mapping[str, float] = {
    "killed": 12, "controller": 12, "paused": 15, "noticed": 15, "restarted": 6,
}  # fmt: skip
MORE_SETTINGS: Mapping[str, Mapping[str, str]] = {
    "noticed": {"topic.metadata.refresh.interval.ms": "250"},
}
"""What the producer gets beside its defaults."""
PAUSED = ("paused", "noticed")
SETTLED_S = 60.0
TIMEOUT_S = 60


class Gap(NamedTuple):
    """The longest silence of some partitions, in one round."""

    ms: float
    is_open: bool
    """It had not ended."""


class Round(NamedTuple):
    led: Gap
    others: Gap
    failed: int
    """Records that the producer gave up."""


class Load:
    """A producer in a thread, and when what it sent was acknowledged."""

    def __init__(self, bootstrap: str, settings: Mapping[str, str] | None = None) -> None:
        self.times: dict[int, list[float]] = {index: [] for index in range(PARTITIONS)}
        self.failed = 0
        self._producer = Producer(
            {"bootstrap.servers": bootstrap, "log_level": 0, **(settings or {})}
        )
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    @contextmanager
    def going_on(self) -> Iterator[Load]:
        self._thread.start()
        try:
            yield self
        finally:
            self._is_over.set()
            self._thread.join()

    def _send(self) -> None:
        while not self._is_over.is_set():
            for index in range(PARTITIONS):
                self._producer.produce(TOPIC, b"x", partition=index, on_delivery=self._delivered)
            until_s = time.monotonic() + EVERY_S
            while (left_s := until_s - time.monotonic()) > 0:
                self._producer.poll(left_s)
        self._producer.flush(TIMEOUT_S)

    def _delivered(self, error: object, message: Message) -> None:
        index = message.partition()
        if error is not None or index is None:
            self.failed += 1
        else:
            self.times[index].append(time.monotonic())

    def gap(self, partitions: list[int], since_s: float, until_s: float) -> Gap:
        """From the last acknowledgement before the failure on."""
        return max(
            (self._gap(index, since_s, until_s) for index in partitions), default=Gap(0, False)
        )

    def _gap(self, index: int, since_s: float, until_s: float) -> Gap:
        times = [one for one in self.times[index] if one < until_s]
        before = [one for one in times if one < since_s][-1:]
        seen = [*before, *(one for one in times if one >= since_s), until_s]
        waits = [later - sooner for sooner, later in pairwise(seen)]
        longest = max(waits, default=0)
        return Gap(longest * 1e3, bool(waits) and longest == waits[-1])


def leaders_of(bootstrap: str) -> dict[int, int]:
    found = AdminClient({"bootstrap.servers": bootstrap}).list_topics(TOPIC, timeout=TIMEOUT_S)
    return {index: part.leader for index, part in found.topics[TOPIC].partitions.items()}


def active_controller(folder: Path) -> int:
    """As the nodes have it on their disks."""
    states = [json.loads(path.read_text()) for path in folder.glob("**/quorum-state")]
    newest = max(states, key=lambda state: (state["leaderEpoch"], state["leaderId"]))
    return int(newest["leaderId"])


def settle(nodes: Nodes) -> None:
    """All replicas in sync, and each partition led by its preferred replica."""
    admin = AdminClient({"bootstrap.servers": nodes.bootstrap})
    until_s = time.monotonic() + SETTLED_S
    while time.monotonic() < until_s:
        parts = admin.list_topics(TOPIC, timeout=TIMEOUT_S).topics[TOPIC].partitions.values()
        if all(len(part.isrs) == len(nodes) for part in parts):
            if all(part.leader == part.replicas[0] for part in parts):
                return
            admin.elect_leaders(ElectionType.PREFERRED, None).result(TIMEOUT_S)
        time.sleep(0.5)
    raise SystemExit("the replicas do not come back into sync")


def fail(nodes: Nodes, how: str, victim: int) -> None:
    node = nodes[victim]
    if how in PAUSED:
        node.pause()
    elif how == "restarted":
        node.stop()
        node.start()
    else:
        node.kill()


def mend(nodes: Nodes, how: str, victim: int) -> None:
    if how in PAUSED:
        nodes[victim].resume()
    elif how != "restarted":
        nodes[victim].start()


def play(nodes: Nodes, folder: Path, how: str, number: int) -> Round:
    settle(nodes)
    leaders, controller = leaders_of(nodes.bootstrap), active_controller(folder)
    others = sorted({1, 2, 3} - {controller})
    victim = controller if how == "controller" else others[number % len(others)]
    led = [index for index, leader in leaders.items() if leader == victim]
    rest = [index for index in leaders if index not in led]
    with Load(nodes.bootstrap, MORE_SETTINGS.get(how)).going_on() as load:
        time.sleep(CALM_S)
        since_s = time.monotonic()
        fail(nodes, how, victim)
        time.sleep(max(since_s + WATCHED_S[how] - time.monotonic(), CALM_S))
        until_s = time.monotonic()
        mend(nodes, how, victim)
        found = load.gap(led, since_s, until_s), load.gap(rest, since_s, until_s)
    return Round(*found, load.failed)


def shown(gaps: list[Gap]) -> str:
    values = [gap.ms for gap in gaps]
    mark = ">" if any(gap.is_open for gap in gaps) else ""
    return f"{statistics.median(values):7,.0f} ({min(values):,.0f} to {mark}{max(values):,.0f})"


def measure(kind: str, rounds: int, hows: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        libs = find_kafka_libs() if kind == APACHE else None
        with Nodes(folder, kinds=[kind] * 3, libs=libs) as nodes:
            admin = AdminClient({"bootstrap.servers": nodes.bootstrap})
            admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)])[TOPIC].result(TIMEOUT_S)
            for how in hows:
                found = [play(nodes, folder, how, number) for number in range(rounds)]
                led, others = (
                    shown([one.led for one in found]),
                    shown([one.others for one in found]),
                )
                failed = sum(one.failed for one in found)
                print(f"{kind:8} {how:11} {led:>26} {others:>26} {failed:7}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=list(WATCHED_S), action="append")
    side = parser.add_mutually_exclusive_group()
    side.add_argument("--ours", action="store_const", const=[OURS], dest="kinds")
    side.add_argument("--apache", action="store_const", const=[APACHE], dest="kinds")
    options = parser.parse_args()
    print(f"gaps in ms, median of {options.rounds} rounds (least to most)")
    print(f"{'nodes':8} {'failure':11} {'of partitions it led':>26} {'of the others':>26} failed")
    for kind in options.kinds or [OURS, APACHE]:
        measure(kind, options.rounds, options.only or list(WATCHED_S))


if __name__ == "__main__":
    main()
