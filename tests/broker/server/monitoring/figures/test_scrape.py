"""What is found once for one reading of the metrics, and what the next one finds again."""

from types import SimpleNamespace
from typing import Any

from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.monitoring.figures.remembered import Remembered
from moldau.broker.server.monitoring.figures.replicas import MANAGER
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.platform.simulated.clock import SimulatedClock
from tests.broker.replica.broker_world import Broker

NONE: Any = None
TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16), bytes(16))}


def scrape_of(broker: Broker, manager: ReplicaManager, remembered: Remembered) -> Scrape:
    for topic in broker.image.topics.by_id.values():
        for state in topic.partitions.values():
            vars(state).update(adding_replicas=(), removing_replicas=())
    node: Any = SimpleNamespace(
        node_id=1,
        replicas=manager,
        clock=SimulatedClock(),
        settings=SimpleNamespace(transaction_max_timeout_ms=1000),
        metadata=SimpleNamespace(image=broker.image),
    )
    scrape = Scrape(node, NONE, None, NONE, remembered=remembered)
    list(scrape.look_at_partitions())
    return scrape


def offline(scrape: Scrape) -> float:
    (row,) = (row for row in MANAGER.rows if row.name == "OfflineReplicaCount")
    return row.read(scrape)  # type: ignore[union-attr,return-value]


def test_those_that_are_led_elsewhere_are_shown_and_not_among_the_led():
    broker, known = Broker(), Remembered(1)
    broker.add_topic(None, "a", **TWO | {"leader": 2})
    broker.add_topic(None, "b", **TWO)

    async def main(manager, _tasks):
        scrape = scrape_of(broker, manager, known)
        assert scrape.places == (("a", "0"), ("b", "0"))
        assert scrape.led_places == (("b", "0"),)
        assert (scrape.shown.leader, scrape.led_shown.leader) == ([2, 1], [1])
        assert [one.topic for one in scrape.totals.led] == ["b"]

    broker.run(main)


def test_what_is_as_it_was_is_named_by_the_same_objects():
    broker, known = Broker(), Remembered(1)
    broker.add_topic(None, "a", **TWO | {"leader": 2})
    second = broker.add_topic(None, "b", **TWO)

    async def main(manager, _tasks):
        first, again = (scrape_of(broker, manager, known) for _ in range(2))
        assert again.places is first.places
        assert again.led_places is first.led_places
        broker.delete_topic(manager, second)
        await manager.settled()
        third = scrape_of(broker, manager, known)
        assert (third.places, third.led_places) == ((("a", "0"),), ())
        assert first.places == (("a", "0"), ("b", "0"))

    broker.run(main)


def test_where_all_are_led_here_both_are_one():
    broker, known = Broker(), Remembered(1)
    broker.add_topic(None)

    async def main(manager, _tasks):
        scrape = scrape_of(broker, manager, known)
        assert scrape.led_places is scrape.places
        assert scrape.led_shown is scrape.shown

    broker.run(main)


def test_a_replica_that_belongs_here_and_is_not_counts_as_offline():
    broker, known = Broker(), Remembered(1)
    broker.add_topic(None, "a")

    async def main(manager, _tasks):
        assert offline(scrape_of(broker, manager, known)) == 0
        broker.add_topic(None, "b")  # which the manager does not know of
        assert offline(scrape_of(broker, manager, Remembered(1))) == 1
        manager.partition("a", 0).log.state.failure = OSError("the disk is gone")
        assert offline(scrape_of(broker, manager, Remembered(1))) == 2

    broker.run(main)


class Group:
    """One whose members are counted whenever they are looked at."""

    group_id, group_type, state_name = "g", "classic", "Stable"

    def __init__(self):
        self.looks = 0

    @property
    def members(self):
        self.looks += 1
        return {}


class Runtime(ShardRuntime):
    """Of one shard with these groups."""

    indexes = property(lambda self: [0])

    def __init__(self, *groups):
        offsets = SimpleNamespace(group_ids=tuple)
        by_id = dict(enumerate(groups))
        self.shard = SimpleNamespace(groups=SimpleNamespace(by_id=by_id, offsets=offsets))

    def find(self, index):
        return SimpleNamespace(shard=self.shard)


def test_what_members_have_is_looked_up_once_for_a_reading():
    group = Group()
    broker: Any = SimpleNamespace(
        groups=Runtime(group), clock=SimulatedClock(), node_id=1, metadata=SimpleNamespace(image=0)
    )
    scrape = Scrape(broker, NONE, None, NONE)
    for _ in scrape.look_at_members():
        pass
    before = group.looks
    for _ in scrape.look_at_members():
        pass
    assert [name for name, _ in scrape.members] == ["g"]
    assert group.looks == before
