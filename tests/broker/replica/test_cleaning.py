"""The cleaner takes the dirtiest log first and remembers how far it came."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from moldau.broker.log.compaction.key_offsets import ENTRY_BYTES
from moldau.broker.replica.cleaning import Cleaner, CleanerLimits
from moldau.config.broker.settings import BrokerSettings
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker

BUFFER_BYTES = 1 << 20
KEYS_MAX = 4


async def nothing() -> None:
    """No checkpoints in these scenarios."""


def cleaned(scenario, *counts: int):
    """A scenario with a cleaner and topics of so many batches."""
    broker = Broker()
    broker.settings.segment_bytes, broker.settings.segment_index_bytes = 500, 1200
    broker.settings.cleanup_policy = ("compact",)

    async def act(manager, tasks):
        for number, count in enumerate(counts):
            broker.add_topic(manager, f"topic{number}")
            await manager.settled()
            partition = manager.leader(f"topic{number}", 0)
            for _ in range(count):
                partition.append(batch(0, (b"v" * 100,), broker.clock.now_ms()))
            partition.log.flush()
        cleaner = Cleaner(
            broker.clock, tasks, manager, manager.leaving, CleanerLimits(BUFFER_BYTES)
        )
        return await scenario(cleaner, list(manager), manager)

    return broker.run(act)


def test_a_log_of_one_segment_is_not_due():
    async def scenario(cleaner, partitions, manager):
        return cleaner.dirtiest(partitions)

    assert cleaned(scenario, 1) is None


def test_the_dirtiest_log_comes_first_and_a_clean_one_not_at_all():
    async def scenario(cleaner, partitions, manager):
        order = []
        while (found := cleaner.dirtiest(partitions)) is not None:
            order.append(found[0].topic)
            await cleaner.clean(*found, nothing)
        return sorted(order)

    assert cleaned(scenario, 12, 1, 8) == ["topic0", "topic2"]


def test_the_next_cleaner_goes_on_where_the_last_one_ended():
    async def scenario(cleaner, partitions, manager):
        await cleaner.clean(*cleaner.dirtiest(partitions), nothing)
        other = Cleaner(
            manager.world.clock,
            manager.tasks,
            manager,
            manager.leaving,
            CleanerLimits(BUFFER_BYTES),
        )
        return other.dirtiest(partitions)

    assert cleaned(scenario, 12) is None


def test_a_cleaner_that_is_to_stop_leaves_the_log_as_it_was():
    async def scenario(cleaner, partitions, manager):
        cleaner.is_stopping = True
        found = cleaner.dirtiest(partitions)
        await cleaner.clean(*found, nothing)
        return cleaner.dirtiest(partitions) is not None, cleaner.uncleanable

    assert cleaned(scenario, 12) == (True, {})


@pytest.mark.parametrize("topics", [1, 2])
def test_replaced_segments_wait_to_be_removed(topics):
    async def scenario(cleaner, partitions, manager):
        while (found := cleaner.dirtiest(partitions)) is not None:
            await cleaner.clean(*found, nothing)
        return len(manager.leaving) >= topics

    assert cleaned(scenario, *[12] * topics)


def test_a_round_is_remembered_with_how_dirty_its_log_was():
    async def scenario(cleaner, partitions, manager):
        before = cleaner.last_round_ms
        found = cleaner.dirtiest(partitions)
        dirty_percent = cleaner.max_dirty_percent
        await cleaner.clean(*found, nothing)
        cleaner.dirtiest(partitions)
        now_ms = manager.world.clock.now_ms()
        return before, dirty_percent > 0, cleaner.last_round_ms == now_ms, cleaner.max_dirty_percent

    assert cleaned(scenario, 12) == (None, True, True, 0)


def test_a_round_leaves_its_figures():
    async def scenario(cleaner, partitions, manager):
        cleaner.limits = CleanerLimits(KEYS_MAX * ENTRY_BYTES, 100)
        before, began_ms = cleaner.last_round, manager.world.clock.now_ms()
        size = cleaner.cleanable_bytes(partitions[0])
        await cleaner.clean(*cleaner.dirtiest(partitions), nothing)
        took_ms = manager.world.clock.now_ms() - began_ms
        seconds, recopied_percent, buffer_percent = cleaner.last_round
        assert seconds == took_ms // 1000 > 0
        assert size > cleaner.cleanable_bytes(partitions[0]) == 0
        return tuple(before), 0 < recopied_percent < 100, buffer_percent

    assert cleaned(scenario, 12) == ((0, 0, 0), True, 100 // KEYS_MAX)


def test_how_long_a_record_is_overdue_is_known_while_it_is():
    async def scenario(cleaner, partitions, manager):
        log = partitions[0].log
        log.settings = replace(log.settings, max_compaction_lag_ms=10)
        await manager.tasks.sleep(5_010)
        found = cleaner.dirtiest(partitions)
        before = cleaner.max_delay_ms
        await cleaner.clean(*found, nothing)
        cleaner.dirtiest(partitions)
        return before >= 5_000, cleaner.max_delay_ms

    assert cleaned(scenario, 12) == (True, 0)


def test_a_round_takes_as_long_as_its_bytes_may_take():
    def round_of(bytes_per_second):
        async def scenario(cleaner, partitions, manager):
            cleaner.limits = CleanerLimits(BUFFER_BYTES, bytes_per_second)
            before_ms, size = manager.world.clock.now_ms(), partitions[0].log.size
            await cleaner.clean(*cleaner.dirtiest(partitions), nothing)
            return manager.world.clock.now_ms() - before_ms, size

        return cleaned(scenario, 12)

    assert round_of(inf)[0] == 0
    took_ms, size = round_of(100)
    assert took_ms > 1000 * (size / 2) / 100


def test_a_round_that_waits_ends_soon_when_the_node_stops():
    async def scenario(cleaner, partitions, manager):
        cleaner.limits = CleanerLimits(BUFFER_BYTES, 0)
        manager.tasks.after(1_500, lambda: setattr(cleaner, "is_stopping", True))
        before_ms = manager.world.clock.now_ms()
        await cleaner.clean(*cleaner.dirtiest(partitions), nothing)
        return manager.world.clock.now_ms() - before_ms

    assert cleaned(scenario, 12) <= 3_000


def test_the_limits_are_those_of_the_settings():
    settings = BrokerSettings(
        {
            "log.cleaner.dedupe.buffer.size": "2000000",
            "log.cleaner.io.buffer.load.factor": "0.5",
            "log.cleaner.io.max.bytes.per.second": "7",
        }
    )
    assert CleanerLimits.of(settings) == (1_000_000, 7.0)
