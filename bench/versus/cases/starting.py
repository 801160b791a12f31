"""How soon a node serves: started for the first time, and after it was killed with a large log.

After SIGKILL both sides read again what they cannot know to be whole: with segments of 1 GB, all
that was written to the last segment of each partition.
"""

from __future__ import annotations

import time

from bench.versus.cases.partitions import restart_s
from bench.versus.generators.running import generate
from bench.versus.goals import IDLE_MEMORY, LOADED_MEMORY, START
from bench.versus.model import Case, Sample, Turn
from bench.versus.sides import Side

PARTITIONS = 6
MEGABYTES = 1_000
IDLE_S = 1.0


def cold(side: Side, turn: Turn) -> Sample:
    """To the answer to ApiVersions, and to the Metadata that names a broker."""
    began_s = time.monotonic()
    answered_s = side.start()
    named_s = time.monotonic() - began_s
    cpu_s = side.cpu_s()
    time.sleep(IDLE_S)
    return {
        "start_s": answered_s,
        "metadata_s": named_s,
        "cpu_s": cpu_s,
        "memory_mb": side.memory_mb(),
    }


def killed(side: Side, turn: Turn) -> Sample:
    side.start()
    side.create_topic(turn.topic, PARTITIONS)
    megabytes = turn.scaled(MEGABYTES)
    with side.metered() as spent:
        options = ("--partitions", PARTITIONS, "--megabytes", megabytes)
        written = generate("bulk", side.port, turn.topic, *options)
    memory_mb = side.memory_mb()
    side.kill()
    seconds = restart_s(side, {turn.topic: PARTITIONS})
    return {
        "restart_s": seconds,
        "memory_mb": memory_mb,
        "mb_per_s": written["bytes"] / written["seconds"] / 1e6,
        "cpu_s_per_gb": spent.cpu_s / written["bytes"] * 1e9,
    }


CASES = (
    Case(
        "start",
        "a formatted node starts for the first time",
        cold,
        goals=(START, IDLE_MEMORY),
        fresh=True,
        budget_s=30.0,
    ),
    Case(
        "restart-killed",
        "1 GB in 6 partitions, then SIGKILL and another start",
        killed,
        goals=(LOADED_MEMORY,),
        fresh=True,
        warm_turns=0,
        budget_s=60.0,
        least_rounds=2,
    ),
)
