"""Partitions whose replicas move from node to node while they are written.

Each partition has two replicas of three nodes, and both must have what is acknowledged. Every few
hundred milliseconds another pair is asked for; a move that is not over is replaced by the next one,
or cancelled. Now and then a node is killed, stopped or cut off meanwhile, for less than a session.
Producers may be refused only with what a client repeats, and nothing acknowledged may be lost.

Clients, promises and what is looked at are those of `cluster_scenario`.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from tests.simulation.asking import LostError
from tests.simulation.cluster_scenario import NODES, PARTITIONS, TOPIC, ClusterScenario, Result

REPLICAS = 2
STORM_MS = 8_000
MOVES_MS_MAX = 600
"""The longest time between two moves: many are asked for before the one before them is over."""
CANCELS = 0.2
TROUBLES = 0.15
"""How often a node is in trouble beside a move."""
KINDS = ("kill", "stop", "cut")
OUTAGE_MS_MAX = 1_500
ORDERS = list(permutations(range(1, NODES + 1), REPLICAS))


def run_with_moving_replicas(seed: int) -> Result:
    """What happens with this seed."""
    clock = SimulatedClock()
    return run(lambda tasks: MovingReplicas(seed, clock, tasks).run(1), clock)


class MovingReplicas(ClusterScenario):
    """One move after the other, and a trouble beside some."""

    replicas = REPLICAS

    async def storm(self) -> None:
        begun_ms = self._clock.now_ms()
        while self._clock.now_ms() - begun_ms < STORM_MS:
            await self._tasks.sleep(self._random.randrange(1, MOVES_MS_MAX))
            index = self._random.randrange(0, PARTITIONS)
            order = None if self._random.random() < CANCELS else self._random.choice(ORDERS)
            with suppress(LostError):
                await self._move(index, order)
            if self._random.random() < TROUBLES:
                await self._trouble_for(
                    self._random.choice(KINDS),
                    self._random.randrange(1, NODES + 1),
                    self._random.randrange(1, OUTAGE_MS_MAX),
                )

    async def _move(self, index: int, order: tuple[int, ...] | None) -> None:
        """None ends a move that is under way, and goes back."""
        self._note("move", index, order)
        topic = AlterPartitionReassignmentsRequest.ReassignableTopic
        moved = topic.ReassignablePartition(
            partition_index=index, replicas=None if order is None else list(order)
        )
        request = AlterPartitionReassignmentsRequest(
            timeout_ms=1_000, topics=[topic(name=TOPIC, partitions=[moved])]
        )
        await self._client("mover of replicas", self._random.randrange(1, NODES + 1)).ask(
            request, 0
        )
