"""All fetchers of a broker: which partition is fetched from whom.

The metadata have the leader; `ReplicaManager` reports every partition that follows, and every one
that does no longer. Partitions of one leader are spread over `num.replica.fetchers` fetchers, each
always to the same. A fetcher lives as long as it has partitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from moldau.broker.replica.assignment import NO_LEADER
from moldau.broker.replica.partition import Partition
from moldau.broker.runtime.replication.fetcher import Fetcher
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.runtime.replication.ports import FollowerWorld
from moldau.broker.runtime.replication.taking import Taking
from moldau.platform.ports.tasks import Task
from moldau.platform.quick_dataclass import dataclass

__all__ = ["ReplicaFetchers"]

Name = tuple[str, int]
Place = tuple[int, int]
"""A leader, and the number of one of its fetchers."""


@dataclass(slots=True)
class _Placed:
    """One partition, and its fetcher."""

    followed: Followed
    place: Place


class ReplicaFetchers:
    """Follows what is to be followed."""

    def __init__(self, world: FollowerWorld) -> None:
        self._world = world
        self._taking = Taking(world)
        self._fetchers: dict[Place, Fetcher] = {}
        self._placed: dict[Name, _Placed] = {}
        self._tasks: dict[Task, Place] = {}
        self._count = world.settings().num_replica_fetchers
        self._is_stopping = False

    def __repr__(self) -> str:
        return f"ReplicaFetchers({len(self._placed)} partitions, {len(self._fetchers)} fetchers)"

    def __iter__(self) -> Iterator[Fetcher]:
        return iter(self._fetchers.values())

    def __len__(self) -> int:
        return len(self._fetchers)

    # What is counted.

    @property
    def bytes_taken(self) -> int:
        """Of leaders' records, appended here since the start."""
        return self._taking.bytes_taken

    @property
    def bytes_reassigned(self) -> int:
        """Of them, those of replicas that a reassignment adds here."""
        return self._taking.bytes_reassigned

    @property
    def dead_count(self) -> int:
        """Fetchers that have partitions and do not run any more."""
        running = {place for task, place in self._tasks.items() if not task.done()}
        return len(self._fetchers.keys() - running)

    def lags(self) -> Iterator[tuple[Place, Name, int]]:
        """The fetcher of each partition, and what its log lacks."""
        for name, placed in self._placed.items():
            yield placed.place, name, placed.followed.lag

    # What the metadata say.

    def follow(self, partition: Partition) -> None:
        """It follows, from now on or still."""
        known = self._placed.get(partition.name)
        place = self._place_of(partition)
        if known is not None:
            followed = known.followed
            is_same = followed.partition is partition and known.place == place
            if is_same and followed.leader_epoch == partition.leader_epoch:
                return
            self.unfollow(partition)
        if partition.leader in (NO_LEADER, self._world.replicas.node_id) or self._is_stopping:
            return
        followed = Followed(partition)
        self._placed[partition.name] = _Placed(followed, place)
        self._fetcher(place).follow(followed)

    def unfollow(self, partition: Partition) -> None:
        """It leads, has no leader, or is gone."""
        placed = self._placed.pop(partition.name, None)
        if placed is None:
            return
        fetcher = self._fetchers[placed.place]
        fetcher.unfollow(placed.followed.key)
        if not len(fetcher):
            fetcher.stop()
            del self._fetchers[placed.place]

    def ask_again(self) -> None:
        """This broker may be taken into the in-sync replicas again: leaders look at its fetches."""
        for fetcher in self._fetchers.values():
            fetcher.ask_again()

    def take_settings(self) -> None:
        """Spread anew if there shall be more or fewer fetchers of each leader."""
        if self._world.settings().num_replica_fetchers == self._count:
            return
        self._count = self._world.settings().num_replica_fetchers
        for placed in list(self._placed.values()):
            self.follow(placed.followed.partition)

    async def stop(self) -> None:
        """Fetch nothing any more; return when nothing is under way."""
        self._is_stopping = True
        for fetcher in self._fetchers.values():
            fetcher.stop()
        for task in list(self._tasks):
            await task
        self._fetchers.clear()
        self._placed.clear()

    # Fetchers.

    def _place_of(self, partition: Partition) -> Place:
        number = (crc32(partition.topic.encode()) + partition.index) % self._count
        return partition.leader, number

    def _fetcher(self, place: Place) -> Fetcher:
        known = self._fetchers.get(place)
        if known is not None:
            return known
        leader_id, number = place
        fetcher = self._fetchers[place] = Fetcher(leader_id, self._world, self._taking)
        name = f"replica fetcher {number} from {leader_id}"
        self._tasks = {task: its for task, its in self._tasks.items() if not task.done()}
        self._tasks[self._world.tasks.spawn(name, fetcher.run())] = place
        return fetcher
