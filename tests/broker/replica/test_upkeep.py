"""In the background logs are flushed, checkpointed, cut short, compacted and closed."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.upkeep import LOOKED_AT_AT_ONCE, Upkeep
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.simulated.disk_faults import Fault
from moldau.platform.simulated.tasks import SimulatedTasks
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker

NAME = TopicPartition("topic", 0)
DAY_MS = 86_400_000


def kept(broker: Broker, scenario: Any, **settings: str) -> Any:
    """Run a scenario with upkeep at work."""
    given = {name.replace("_", "."): value for name, value in settings.items()}

    async def act(manager: ReplicaManager, tasks: SimulatedTasks) -> Any:
        upkeep = Upkeep(manager, BrokerSettings(given))
        upkeep.start()
        try:
            return await scenario(manager, tasks, upkeep)
        finally:
            await upkeep.stop()

    return broker.run(act)


def fill(manager: ReplicaManager, count: int, timestamp: int, key: bytes = b"k") -> None:
    for number in range(count):
        manager.leader("topic", 0).append(batch(0, (b"v" * 100,), timestamp + number, key=key))


def names(broker: Broker, suffix: str) -> list[str]:
    return [name for name in broker.files.list("disk0/topic-0") if name.endswith(suffix)]


def with_topic(**settings: Any) -> Broker:
    broker = Broker()
    for name, value in {"segment_bytes": 500, "segment_index_bytes": 1200, **settings}.items():
        setattr(broker.settings, name, value)
    broker.add_topic(None)
    return broker


def test_high_watermarks_are_written_every_five_seconds():
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        fill(manager, 2, broker.clock.now_ms())
        await tasks.sleep(5_500)
        return manager.partition("topic", 0).directory.high_watermarks.read()

    assert kept(broker, scenario) == {NAME: 2}


def test_what_has_rolled_is_flushed_and_recovery_points_are_written():
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        fill(manager, 10, broker.clock.now_ms())
        await tasks.sleep(65_000)
        partition = manager.partition("topic", 0)
        written = partition.directory.recovery_points.read()
        return written, partition.log.state.active.base_offset, upkeep.flush_times.count

    written, base_offset, flushes = kept(broker, scenario)
    assert written == {NAME: base_offset}
    assert base_offset > 0
    assert flushes > 0


def test_old_segments_leave_and_are_removed_a_minute_later():
    broker = with_topic(retention_ms=DAY_MS)

    async def scenario(manager, tasks, upkeep):
        fill(manager, 10, broker.clock.now_ms() - 2 * DAY_MS)
        await upkeep.delete_expired()
        renamed = len(names(broker, ".deleted"))
        await tasks.sleep(62_000)
        start = manager.partition("topic", 0).log_start_offset
        return renamed > 0, names(broker, ".deleted"), start

    assert kept(broker, scenario) == (True, [], 10)


@pytest.mark.parametrize(("delay_ms", "start"), [("1000", 10), ("30000", 0)])
def test_retention_begins_a_while_after_the_start(delay_ms, start):
    broker = with_topic(retention_ms=DAY_MS)

    async def scenario(manager, tasks, upkeep):
        fill(manager, 10, broker.clock.now_ms() - 2 * DAY_MS)
        await tasks.sleep(2_000)
        return manager.partition("topic", 0).log_start_offset

    assert kept(broker, scenario, log_initial_task_delay_ms=delay_ms) == start


def test_a_compacted_log_keeps_the_last_value_of_each_key():
    broker = with_topic(cleanup_policy=("compact",))

    async def scenario(manager, tasks, upkeep):
        fill(manager, 12, broker.clock.now_ms())
        before = manager.partition("topic", 0).log.size
        await tasks.sleep(20_000)
        partition = manager.partition("topic", 0)
        cleaned = partition.directory.cleaner_offsets.read()
        return partition.log.size < before / 2, cleaned[NAME] > 0, partition.log_end_offset

    assert kept(broker, scenario) == (True, True, 12)


def test_a_log_that_cannot_be_compacted_is_left_alone():
    broker = with_topic(cleanup_policy=("compact",))

    async def scenario(manager, tasks, upkeep):
        fill(manager, 12, broker.clock.now_ms())
        file = broker.files.open("disk0/topic-0/00000000000000000000.log")
        file.write_at(70, b"\xff\xff\xff")
        await tasks.sleep(20_000)
        manager.partition("topic", 0).append(batch())
        return list(upkeep.cleaner.uncleanable)

    assert kept(broker, scenario) == [NAME]


def test_after_stopping_a_marked_directory_opens_without_recovery():
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        fill(manager, 10, broker.clock.now_ms())

    async def look(manager, tasks):
        partition = manager.partition("topic", 0)
        return partition.log.recovery_point, partition.high_watermark

    kept(broker, scenario)
    for path in broker.paths:
        broker.mark_clean(path)
    assert broker.run(look) == (10, 10)


def disk_fails(broker: Broker) -> list[str]:
    """Who is notified when the disk of the topic's log has failed."""

    async def act(manager, tasks):
        noticed: list[str] = []
        upkeep = Upkeep(
            manager, BrokerSettings(), on_offline=lambda directory: noticed.append(directory.path)
        )
        upkeep.start()
        fill(manager, 10, broker.clock.now_ms())
        broker.files.faults.add(Fault("sync", "*.log"))
        await tasks.sleep(3_000)
        await upkeep.stop()
        return noticed

    return broker.run(act)


def test_a_failed_disk_is_noticed_once():
    assert disk_fails(with_topic()) == ["disk0"]


def test_a_topic_that_is_deleted_during_a_round_harms_nothing():
    broker = with_topic(cleanup_policy=("compact",))
    topic_id = next(iter(broker.image.topics.by_id))

    async def scenario(manager, tasks, upkeep):
        fill(manager, 12, broker.clock.now_ms())
        partition = manager.partition("topic", 0)
        await upkeep.tick()
        found = upkeep.cleaner.dirtiest([partition])
        assert found is not None

        async def delete() -> None:
            broker.delete_topic(manager, topic_id)
            await manager.settled()

        await upkeep.cleaner.clean(*found, delete)
        return partition.directory.is_online

    assert kept(broker, scenario)


def test_silent_producers_are_forgotten():
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        partition = manager.leader("topic", 0)
        partition.append(batch(0, (b"a",), broker.clock.now_ms(), producer=(9, 0, 0)))
        await tasks.sleep(DAY_MS + 700_000)
        return len(partition.log.producers)

    assert kept(broker, scenario) == 0


@pytest.mark.parametrize("start", [0, 2])
def test_log_starts_within_a_segment_are_written(start):
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        fill(manager, 3, broker.clock.now_ms())
        manager.partition("topic", 0).log.advance_start_offset(start)
        await tasks.sleep(65_000)
        return manager.partition("topic", 0).directory.log_start_offsets.read()

    assert kept(broker, scenario) == ({NAME: 2} if start else {})


def test_checkpoints_forget_a_partition_as_soon_as_it_has_left():
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        fill(manager, 2, broker.clock.now_ms())
        await tasks.sleep(61_000)
        directory = manager.partition("topic", 0).directory
        before = directory.recovery_points.read()
        broker.delete_topic(manager, manager.partition("topic", 0).topic_id)
        await tasks.sleep(2_500)
        return before, directory.recovery_points.read(), directory.high_watermarks.read()

    assert kept(broker, scenario) == ({NAME: 0}, {}, {})


def test_what_readers_have_found_wrong_is_logged_with_the_next_retention(caplog):
    broker = with_topic()

    async def scenario(manager, tasks, upkeep):
        log = manager.partition("topic", 0).log
        log.segments.active.indexes.refuse(".index", "is damaged")
        log.state.gaps[3] = 5
        await upkeep.delete_expired()

    kept(broker, scenario)
    lines = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert len(lines) == 2
    assert lines[0].endswith(".index is damaged: rebuilt")
    assert lines[1].endswith("no segment has offsets 3 to 4, which a reader asked for")


def turns_of_others(broker: Broker, work: Any) -> int:
    """How often others went on meanwhile."""

    async def scenario(manager, tasks, upkeep):
        turns: list[None] = []

        async def others() -> None:
            while True:
                turns.append(None)
                await tasks.turn()

        task = tasks.spawn("others", others())
        await tasks.turn()
        before = len(turns)
        await work(upkeep)
        task.cancel()
        return len(turns) - before

    count: int = kept(broker, scenario)
    return count


def test_a_look_at_many_logs_lets_others_go_on():
    broker = Broker()
    for number in range(2 * LOOKED_AT_AT_ONCE):
        broker.add_topic(None, f"topic-{number}")
    assert turns_of_others(broker, Upkeep.delete_expired) >= 2


def test_a_glance_at_very_many_logs_lets_others_go_on(monkeypatch):
    monkeypatch.setattr("moldau.broker.replica.upkeep.GLANCED_AT_AT_ONCE", 2)
    broker = Broker()
    for number in range(50):
        broker.add_topic(None, f"topic-{number}")
    assert turns_of_others(broker, Upkeep.tick) >= 24


@pytest.mark.parametrize(("enabled", "dead"), [("true", 1), ("false", 0)])
def test_a_cleaner_that_has_ended_while_the_node_runs_is_counted(enabled, dead):
    async def scenario(manager, tasks, upkeep):
        before = upkeep.dead_cleaner_count
        if upkeep._cleaning is not None:
            upkeep._running.remove(upkeep._cleaning)
            upkeep._cleaning.cancel()
        await tasks.sleep(1)
        return before, upkeep.dead_cleaner_count

    assert kept(with_topic(), scenario, log_cleaner_enable=enabled) == (0, dead)


def test_a_cleaner_that_ends_with_the_node_is_not_dead():
    async def scenario(manager, tasks, upkeep):
        return upkeep

    assert kept(with_topic(), scenario).dead_cleaner_count == 0
