"""Numbers of partitions in one pass agree with what each partition says of itself."""

from __future__ import annotations

from typing import Any

from moldau.broker.replica.partition import Partition
from moldau.broker.server.monitoring.figures.standing import Standing, Totals
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import with_partition

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16), bytes(16))}


NAMES = (
    *("is_under", "under_min_isr", "at_min_isr", "in_sync", "led_replicas", "lag_to_stable"),
    *("size", "start_offset", "end_offset", "high_watermark", "segments", "retention_percent"),
    *("leader", "replicas", "isr", "is_preferred"),
)


def standing(partition: Partition) -> dict[str, int]:
    found = Standing()
    found.add([partition])
    return {name: getattr(found, name)[0] for name in NAMES}


def test_a_partition_that_is_led_here_and_whole():
    def act(partition: Partition):
        partition.append(batch(0, (b"a", b"b")))
        return standing(partition), partition.log.size

    found, size = with_partition(act, **TWO)
    assert found == {
        "is_under": 0,
        "under_min_isr": 0,
        "at_min_isr": 0,
        "in_sync": 2,
        "led_replicas": 2,
        "lag_to_stable": 0,
        "size": size,
        "start_offset": 0,
        "end_offset": 2,
        "high_watermark": 0,
        "segments": 1,
        "retention_percent": 0,
        "leader": 1,
        "replicas": 2,
        "isr": 2,
        "is_preferred": 1,
    }
    assert size > 0


def test_a_partition_that_lacks_a_replica():
    def act(partition: Partition):
        partition.set_min_insync_replicas(1)
        one = standing(partition)
        partition.set_min_insync_replicas(2)
        return one, standing(partition)

    enough, too_few = with_partition(act, **TWO | {"isr": (1,)})
    assert (enough["is_under"], enough["at_min_isr"], enough["under_min_isr"]) == (1, 1, 0)
    assert (too_few["is_under"], too_few["at_min_isr"], too_few["under_min_isr"]) == (1, 0, 1)
    assert (too_few["in_sync"], too_few["isr"], too_few["led_replicas"]) == (1, 1, 2)


def test_of_a_partition_that_is_led_elsewhere_replicas_are_not_counted_as_its_own():
    found = with_partition(standing, **TWO | {"leader": 2})
    assert (found["leader"], found["is_preferred"], found["isr"], found["replicas"]) == (2, 0, 2, 2)
    assert (found["in_sync"], found["led_replicas"], found["at_min_isr"]) == (0, 0, 0)


def test_sums_are_over_all():
    def act(partition: Partition):
        partition.append(batch(0, (b"a",)))
        partition.damage["a place"] = None
        found = Totals(0, ())
        found.add([partition, partition])
        return found, partition

    found, partition = with_partition(act, **TWO | {"isr": (1,)})
    assert found.led == [partition, partition]
    assert (found.at_min_isr, found.under_min_isr, found.late, found.failed) == (2, 0, 0, 0)
    assert (found.damaged_places, found.size) == (2, 2 * partition.log.size)
