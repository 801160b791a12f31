"""A partition whose leaders fall as soon as they lead, and lead again before all is settled.

What goes wrong with leader epochs (KIP-101, KIP-279) needs two or three leaders in a row that each
wrote something which no other replica has. Storms at drawn moments seldom bring that. So here
replicas are put into another order, and the first of them made the leader, every few hundred
milliseconds; and what strikes a new leader does so while its first records are on their way. One
node at a time is away, so the others go on without it.

Clients, promises and what is looked at are those of `cluster_scenario`.
"""

from __future__ import annotations

from contextlib import suppress

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from tests.simulation.asking import LostError
from tests.simulation.cluster_machines import host_of
from tests.simulation.cluster_scenario import (
    NODES,
    PARTITIONS,
    PREFERRED,
    TOPIC,
    ClusterScenario,
    Result,
)

STORM_MS = 6_000
LEADS_MS_MAX = 40
"""How long a leader that will fall leads at most: some ways to a follower and back."""
TURNS, TURN_MS_MAX = 3, 200
"""Two that cannot reach each other stay in sync for so long."""
KINDS = ("kill", "cut", "part")
OUTAGES_MS = (60, 400, 1_500)
"""How long at most it is away."""
MOVES_MS_MAX = 300
"""The longest time between two elections."""
FALLS = 0.4
"""How often a new leader falls."""
LOOK_MS = 1


def run_with_falling_leaders(seed: int) -> Result:
    """What happens with this seed."""
    clock = SimulatedClock()
    return run(lambda tasks: FallingLeaders(seed, clock, tasks).run(1), clock)


class FallingLeaders(ClusterScenario):
    """Elections all the time, and one trouble after another for who was elected."""

    _storms = False

    async def storm(self) -> None:
        self._storms = True
        begun_ms = self._clock.now_ms()
        known = self._epochs()
        while self._clock.now_ms() - begun_ms < STORM_MS:
            await self._tasks.sleep(LOOK_MS)
            epochs = self._epochs()
            fresh = [index for index in range(PARTITIONS) if epochs[index] != known[index]]
            known = epochs
            if fresh and self._random.random() < FALLS:
                await self._fall(fresh[0])
                known = self._epochs()
        self._storms = False

    def _epochs(self) -> list[int]:
        return [self._cluster.state(TOPIC, index).leader_epoch for index in range(PARTITIONS)]

    async def _fall(self, index: int) -> None:
        victim = self._cluster.state(TOPIC, index).leader
        if victim < 0:
            return
        random = self._random
        kind = random.choice(KINDS)
        away_ms = random.randrange(1, random.choice(OUTAGES_MS))
        await self._tasks.sleep(random.randrange(0, LEADS_MS_MAX))
        self._note(kind, victim, index, away_ms)
        if kind == "kill":
            machine = self._cluster.machines[victim]
            await machine.kill()
            await self._tasks.sleep(away_ms)
            await machine.start()
        elif kind == "cut":
            await self._isolate(victim, away_ms)
        else:
            await self._part(index, victim)

    async def _isolate(self, victim: int, lasts_ms: int) -> None:
        """From the other nodes; clients reach it."""
        others = [one for one in range(1, NODES + 1) if one != victim]
        ways = [way for other in others for way in _ways(victim, other)]
        self._cut_all(ways)
        await self._tasks.sleep(lasts_ms)
        self._heal_all(ways)

    async def _part(self, index: int, first: int) -> None:
        """Two lead in turn that do not reach each other, so each keeps what it wrote."""
        random = self._random
        second = random.choice([one for one in range(1, NODES + 1) if one != first])
        (third,) = {1, 2, 3} - {first, second}
        ways = _ways(first, second)
        self._cut_all(ways)
        for turn in range(TURNS):
            await self._tasks.sleep(random.randrange(1, TURN_MS_MAX))
            pair = [first, second] if turn % 2 else [second, first]
            with suppress(LostError):
                await self._elect("parter", third, index, [*pair, third])
        await self._tasks.sleep(random.randrange(1, TURN_MS_MAX))
        self._heal_all(ways)

    def _cut_all(self, ways: list[tuple[str, str]]) -> None:
        for way in ways:
            self._cluster.network.cut(*way)

    def _heal_all(self, ways: list[tuple[str, str]]) -> None:
        for way in ways:
            self._cluster.network.heal(*way)

    async def move_leaders(self) -> None:
        """Another replica comes first, and is elected."""
        while not self._is_over:
            await self._tasks.sleep(self._random.randrange(1, MOVES_MS_MAX))
            if self._storms:
                order = sorted(range(1, NODES + 1), key=lambda _: self._random.random())
                asked = self._random.randrange(1, NODES + 1)
                index = self._random.randrange(0, PARTITIONS)
                with suppress(LostError):
                    await self._elect("mover", asked, index, order)

    async def _elect(self, client: str, asked: int, index: int, order: list[int]) -> None:
        topic = AlterPartitionReassignmentsRequest.ReassignableTopic
        ordered = topic.ReassignablePartition(partition_index=index, replicas=order)
        request = AlterPartitionReassignmentsRequest(
            timeout_ms=1_000, topics=[topic(name=TOPIC, partitions=[ordered])]
        )
        asking = self._client(client, asked)
        await asking.ask(request, 0)
        of_topic = ElectLeadersRequest.TopicPartitions(topic=TOPIC, partitions=[index])
        elects = ElectLeadersRequest(
            election_type=PREFERRED, topic_partitions=[of_topic], timeout_ms=1_000
        )
        await asking.ask(elects, 2)


def _ways(one: int, other: int) -> list[tuple[str, str]]:
    return [(host_of(one), host_of(other)), (host_of(other), host_of(one))]
