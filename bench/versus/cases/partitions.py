"""What partitions cost when nothing happens: to make, to keep, and to start again with.

A node that was never started before makes the topics, is left alone, measured, stopped in order,
and started again. It has made them, or is back, when it answers for every partition. With one
partition it is the idle node.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

from bench.versus.generators.serving import await_served
from bench.versus.goals import IDLE_MEMORY, MANY_PARTITIONS_MEMORY, MANY_PARTITIONS_RESTART
from bench.versus.model import Case, Goal, Run, Sample, Turn
from bench.versus.processes import SetupError
from bench.versus.sides import Side

PER_TOPIC_MAX = 1_000
"""Kafka's controller refuses requests that would take more than 10,000 records."""
HANDLES_PER_PARTITION = 1.5
"""Each has a log that is open; the rest is for everything else."""
HANDLES_LEAST = 1_000
QUIET_S = 2.0
"""Between the last request and the first look, for what was begun to end."""
IDLE_S = 3.0
BUDGETS_S = {1: 45.0, 100: 20.0, 1_000: 30.0, 10_000: 150.0}
"""Making ten thousand partitions and deleting their files takes both sides most of theirs."""
LEAST_ROUNDS_OF = {1: 2}
"""The node starts twice in each; what these cases look at hardly differs from round to round."""
GOALS: dict[int, tuple[Goal, ...]] = {
    1: (IDLE_MEMORY,),
    10_000: (MANY_PARTITIONS_MEMORY, MANY_PARTITIONS_RESTART),
}


def keeping(partitions: int) -> Run:
    """The turn with so many."""

    def run(side: Side, turn: Turn) -> Sample:
        topics = topic_sizes(turn.topic, turn.scaled(partitions))
        raise_handle_limit(sum(topics.values()))
        side.start()
        began_s = time.monotonic()
        for name, count in topics.items():
            side.create_topic(name, count)
        await_served(side.port, topics)
        created_s = time.monotonic() - began_s
        time.sleep(QUIET_S)
        with side.metered() as spent:
            time.sleep(IDLE_S * turn.scale)
        memory_mb = side.memory_mb()
        side.stop()
        return {
            "seconds": created_s,
            "memory_mb": memory_mb,
            "cpu_percent": spent.cpu_s / spent.seconds * 100,
            "restart_s": restart_s(side, topics),
        }

    return run


def restart_s(side: Side, topics: dict[str, int]) -> float:
    """Start a node that is down; the seconds until it serves every partition."""
    began_s = time.monotonic()
    side.start()
    await_served(side.port, topics)
    return time.monotonic() - began_s


def topic_sizes(name: str, partitions: int) -> dict[str, int]:
    """So many partitions as topics, each of PER_TOPIC_MAX at the most."""
    starts = range(0, partitions, PER_TOPIC_MAX)
    return {f"{name}-{start}": min(PER_TOPIC_MAX, partitions - start) for start in starts}


def raise_handle_limit(partitions: int) -> None:
    """For the nodes that are started from now on: as many open files as the system allows us."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = HANDLES_LEAST + int(partitions * HANDLES_PER_PARTITION)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise SetupError(
            f"{partitions} partitions need {needed} open files, and this shell may have {hard}: "
            "raise it with `ulimit -Hn`."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _cases() -> Iterator[Case]:
    for partitions in BUDGETS_S:
        yield Case(
            f"partitions-{partitions}",
            f"a node with {partitions} idle partition{'s' * (partitions > 1)}",
            keeping(partitions),
            goals=GOALS.get(partitions, ()),
            fresh=True,
            warm_turns=0,
            budget_s=BUDGETS_S[partitions],
            least_rounds=LEAST_ROUNDS_OF.get(partitions, 1),
        )


CASES = tuple(_cases())
