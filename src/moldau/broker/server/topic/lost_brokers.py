"""Brokers whose process has just ended, as Metadata shows them.

    killed ──► connection lost ──► fenced, leaders elected ──────────────► left out of Metadata
               │ Metadata waits    │ Metadata has the new leaders,
               │ for what comes    │ and lists a broker that led longer

A client whose leader is killed asks another broker for Metadata within a millisecond; the election
takes some more. A client that is answered between the two has nothing new, and asks again when its
own timers say so: librdkafka after a second. So while the connection to a broker is lost, answers
wait until the metadata show that it is fenced, or its listeners accept connections again; at most
`WAIT_MS`, for an answer that is old is better than none.

The system closes the connections of a process that ends one after the other, so a client may know
before this broker does. A client that asks for Metadata after a while in which it did not may be
such a one: its answer waits for `MOMENT_MS`, in which the other connections end, too.

A broker that is fenced leaves the list of brokers at once. Apache Kafka takes as long as a session
lasts to notice a killed broker, so its clients never see a leader move and its broker go in one
answer, and librdkafka loses track of the partitions if they do, for a second again. So the broker
stays in the list for as long as it would there, if its process has ended. It leads nothing
meanwhile, and is shown as offline among the replicas. A broker that led nothing when it was fenced
has none of these clients: as with Apache Kafka, it is gone at once. So is one that left in order:
it had handed over what it led before, or had nothing to hand over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.server.call import Call
from moldau.broker.server.probing import all_refuse
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Promise, Tasks

__all__ = ["LostBrokers"]

WAIT_MS = 500
"""Several times as long as fencing and election take; other requests of the client wait, too."""
MOMENT_MS = 25
"""A process's connections end within one or two; where processors are scarce it takes more."""
WHILE_NS = 1_000_000_000
"""A client that has asked within that time asks for another reason, or does nothing but ask."""
BEGUN = 8
"""A client with a smaller correlation id has just begun: it asks since it knows nothing yet."""
CONNECTIONS_MAX = 10_000
"""So many are remembered; a client that is forgotten waits a moment too often."""


class LostBrokers:
    """As one broker sees them."""

    def __init__(
        self, network: Network, tasks: Tasks, image: Callable[[], Image], listed_ms: int
    ) -> None:
        self.changes = 0
        """Counts how often the list has changed; answers that are kept hold until it does."""
        self._network = network
        self._tasks = tasks
        self._image = image
        self._listed_ms = listed_ms
        self._lost: dict[int, list[Promise[None]]] = {}
        """Requests that wait until it is clear what has become of the broker."""
        self._fenced: dict[int, BrokerState] = {}
        self._asked_ns: dict[int, int] = {}
        """When a connection brought a request for Metadata after a while without one."""

    def __repr__(self) -> str:
        return f"LostBrokers({sorted(self._lost)} lost, {sorted(self._fenced)} fenced lately)"

    @property
    def are_unsettled(self) -> bool:
        """Whether a connection is lost, and not yet clear why."""
        return bool(self._lost)

    def has_asked_lately(self, connection_id: int, now_ns: int) -> bool:
        """Whether this is not the first request for Metadata in a while."""
        asked_ns = self._asked_ns.get(connection_id)
        return asked_ns is not None and now_ns - asked_ns < WHILE_NS

    def may_come_first(self, call: Call) -> bool:
        """Whether a broker may have ended that this client has missed, and this broker has not."""
        if self.has_asked_lately(call.connection_id, call.received_ns):
            return False
        if len(self._asked_ns) >= CONNECTIONS_MAX:
            self._asked_ns.clear()
        self._asked_ns[call.connection_id] = call.received_ns
        return call.correlation_id >= BEGUN

    async def settled(self) -> None:
        """Return when that is clear, or has taken too long.

        What is lost meanwhile is not waited for: a broker that is never reached would be for ever.
        """
        promises: list[Promise[None]] = []
        for waiting in self._lost.values():
            promises.append(self._tasks.promise())
            waiting.append(promises[-1])
        for promise in promises:
            await promise.wait()

    async def settled_soon(self) -> None:
        """The same, after a moment in which a connection may turn out to be lost."""
        if not self._lost:
            await self._tasks.sleep(MOMENT_MS)
        await self.settled()

    def connection_lost(self, broker_id: int) -> None:
        """The connection by which its records were fetched has been ended from there."""
        broker = self._image().cluster.brokers.get(broker_id)
        if broker is None or broker.fenced or broker_id in self._lost:
            return
        self._lost[broker_id] = []
        self._tasks.after(WAIT_MS, lambda: self._settle(broker_id))
        self._tasks.spawn(f"look for broker {broker_id}", self._look(broker))

    def fenced_lately(self, image: Image, listener: str) -> Iterator[BrokerState]:
        """Those that are still listed."""
        for broker_id, state in self._fenced.items():
            now = image.cluster.brokers.get(broker_id)
            is_same = now is not None and now.fenced and now.epoch == state.epoch
            if is_same and listener in state.endpoints:
                yield state

    def follow(self, delta: Delta, image: Image) -> None:
        """One change of the metadata."""
        before = delta.image.cluster
        if image.cluster is before:
            return
        for broker_id, broker in image.cluster.brokers.items():
            was = before.brokers.get(broker_id)
            if was is not None and broker.fenced and not was.fenced:
                self._settle(broker_id)
                if not broker.in_controlled_shutdown and _has_lost_leaders(delta, broker_id):
                    self._list(broker)

    def _list(self, broker: BrokerState) -> None:
        self._fenced[broker.broker_id] = broker
        self.changes += 1
        self._tasks.after(self._listed_ms, lambda: self._unlist(broker))
        self._tasks.spawn(f"look for fenced broker {broker.broker_id}", self._look_again(broker))

    def _unlist(self, broker: BrokerState) -> None:
        if self._fenced.get(broker.broker_id) is broker:
            del self._fenced[broker.broker_id]
            self.changes += 1

    async def _look(self, broker: BrokerState) -> None:
        """A broker that still listens has lost a connection, no more."""
        if not await all_refuse(self._network, self._tasks, broker):
            self._settle(broker.broker_id)

    async def _look_again(self, broker: BrokerState) -> None:
        """A broker that stands still accepts connections and answers nothing: it is not listed."""
        if not await all_refuse(self._network, self._tasks, broker):
            self._unlist(broker)

    def _settle(self, broker_id: int) -> None:
        for promise in self._lost.pop(broker_id, ()):
            promise.keep(None)


def _has_lost_leaders(delta: Delta, broker_id: int) -> bool:
    """Whether a partition that this broker led has another leader now, or none."""
    topics = delta.image.topics.by_id
    for topic_id, index in delta.topics.changed_partitions:
        topic = topics.get(topic_id)
        before = None if topic is None else topic.partitions.get(index)
        if before is not None and before.leader == broker_id:
            return True
    return False
