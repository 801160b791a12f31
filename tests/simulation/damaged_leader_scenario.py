"""A leader whose disk has turned a bit in what a follower does not have yet.

A follower is away while producers go on; then a bit turns in a batch that it lacks, on the leader's
disk, and it comes back. The batch was not read since, so its checksum is all that shows the
damage: if the follower took it without a look, it would be wrong on two replicas of three, and the
next election could make it what all have. The follower must stop before that batch, and have it
from the other replica as soon as that one leads.
"""

from __future__ import annotations

from contextlib import suppress

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.records.batch import CRC_START
from moldau.protocol.records.checksum import crc32c
from tests.simulation.asking import LostError
from tests.simulation.cluster_scenario import (
    HEALTHY_MS_MAX,
    NODES,
    PAUSE_MS,
    PREFERRED,
    TOPIC,
    ClusterScenario,
    Result,
    log_of,
)
from tests.simulation.truth import Cell, cells_of

INDEX = 0
AWAY_MS = 2_000
"""How long the follower lacks what is written; the producers write some hundred batches."""
REFUSING_MS = 5_000
"""How long it asks a leader that has nothing else for it."""


def run_with_damaged_leader(seed: int) -> Result:
    """What happens with this seed."""
    clock = SimulatedClock()
    return run(lambda tasks: DamagedLeader(seed, clock, tasks).run(1), clock)


class DamagedLeader(ClusterScenario):
    """The trouble is one turned bit; nothing else goes wrong."""

    async def move_leaders(self) -> None:
        """They stay where they are until the scenario moves them."""

    async def storm(self) -> None:
        leader = self._cluster.state(TOPIC, INDEX).leader
        others = [one for one in range(1, NODES + 1) if one != leader]
        away = self._random.choice(others)
        (sound,) = {*others} - {away}
        machine = self._cluster.machines[away]
        await machine.stop()
        had = len(self._cells(leader))
        await self._tasks.sleep(AWAY_MS)
        place = self._choose_bit(leader, had)
        self._turn(leader, place)
        await machine.start()
        await self._tasks.sleep(REFUSING_MS)
        self._look_at_checksums(away)
        await self._lead(sound, [sound, away, leader])
        await self._caught_up(away)
        self._look_at_checksums(away)
        self._turn(leader, place)  # in the end all replicas must be the same again

    def _cells(self, node_id: int) -> list[Cell]:
        return cells_of(log_of(self._cluster.machines[node_id].node, INDEX))

    def _choose_bit(self, leader: int, from_cell: int) -> tuple[int, int]:
        """Byte and bit, behind the checksum of a batch that the consumer has long had."""
        cells = self._cells(leader)
        number = self._random.randrange(from_cell, (from_cell + len(cells)) // 2)
        before = sum(len(cell.data) for cell in cells[:number])
        at = self._random.randrange(CRC_START, len(cells[number].data))
        self._note("damaged", leader, cells[number], at)
        return before + at, self._random.randrange(0, 8)

    def _turn(self, leader: int, place: tuple[int, int]) -> None:
        path = f"/data/{TOPIC}-{INDEX}/{0:020}.log"
        self._cluster.machines[leader].turn_bit(path, *place)

    def _look_at_checksums(self, node_id: int) -> None:
        self._result.broken += [
            f"{node_id} has taken {cell}, which is corrupt"
            for cell in self._cells(node_id)
            if crc32c(cell.data[CRC_START:]) != cell.header.crc
        ]

    async def _lead(self, node_id: int, order: list[int]) -> None:
        topic = AlterPartitionReassignmentsRequest.ReassignableTopic
        ordered = topic.ReassignablePartition(partition_index=INDEX, replicas=order)
        moves = AlterPartitionReassignmentsRequest(
            timeout_ms=1_000, topics=[topic(name=TOPIC, partitions=[ordered])]
        )
        of_topic = ElectLeadersRequest.TopicPartitions(topic=TOPIC, partitions=[INDEX])
        elects = ElectLeadersRequest(
            election_type=PREFERRED, topic_partitions=[of_topic], timeout_ms=1_000
        )
        while self._cluster.state(TOPIC, INDEX).leader != node_id:
            with suppress(LostError):
                await self._client("parter", node_id).ask(moves, 0)
                await self._client("parter", node_id).ask(elects, 2)
            await self._tasks.sleep(PAUSE_MS)

    async def _caught_up(self, node_id: int) -> None:
        for _ in range(HEALTHY_MS_MAX // PAUSE_MS):
            if node_id in self._cluster.state(TOPIC, INDEX).isr:
                return
            await self._tasks.sleep(PAUSE_MS)
        self._result.broken.append(f"{node_id} never had from the sound replica what it lacked")
