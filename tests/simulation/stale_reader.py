"""A consumer that asks a leader under the epoch of another one (KIP-320).

Metadata of clients are older than those of brokers, or newer: a consumer that knows epoch 7 may
still be connected to the leader of epoch 6, which does not know of its successor. Served there, it
would read a log that is cut soon, or have an error that its offset lies behind the end and begin
anew. So no node may answer a fetch under an epoch that another node leads.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest
from tests.simulation.asking import LostError
from tests.simulation.cluster_machines import Cluster

VERSION = 10
"""Of Fetch: the last whose readers no follower serves; it has the leader epoch since 9."""
EPOCHS_KEPT = 4

Ask = Callable[[int, FetchRequest, int], Awaitable[Any]]
"""A node, the request, its version; or `LostError`."""


class StaleReader:
    """Knows who led when, and asks who did not."""

    def __init__(self, cluster: Cluster, topic: str, ask: Ask, random: SeededRandom) -> None:
        self._cluster = cluster
        self._topic = topic
        self._ask = ask
        self._random = random
        self._leaders: dict[int, dict[int, int]] = {}
        """For each partition, the leader of each epoch."""

    def look(self, index: int) -> None:
        """Note who leads now."""
        state = self._cluster.state(self._topic, index)
        leaders = self._leaders.setdefault(index, {})
        if state.leader >= 0:
            leaders[state.leader_epoch] = state.leader
        for epoch in sorted(leaders)[:-EPOCHS_KEPT]:
            del leaders[epoch]

    async def ask(self, index: int) -> str | None:
        """What is wrong with the answer, if anything is."""
        leaders = self._leaders[index]
        epoch = self._random.choice(sorted(leaders))
        others = sorted({one for one in leaders.values() if one != leaders[epoch]})
        if not others:
            return None
        node_id = self._random.choice(others)
        try:
            answer = await self._ask(node_id, self._request(index, epoch), VERSION)
        except LostError:
            return None
        if answer.responses[0].partitions[0].error_code != 0:
            return None
        return f"{node_id} served partition {index} in epoch {epoch}, which {leaders[epoch]} leads"

    def _request(self, index: int, epoch: int) -> FetchRequest:
        topic = FetchRequest.FetchTopic
        one = topic.FetchPartition(
            partition=index, fetch_offset=0, partition_max_bytes=100, current_leader_epoch=epoch
        )
        return FetchRequest(
            max_wait_ms=0,
            min_bytes=0,
            session_epoch=-1,
            topics=[topic(topic=self._topic, partitions=[one])],
        )
