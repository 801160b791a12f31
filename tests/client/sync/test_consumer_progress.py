"""What of the records that were returned counts as done, and what comes again; blocking and on a
loop, with a node of ours and with Apache Kafka.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from moldau import Admin, AsyncConsumer, Consumer, Producer, TopicPartition
from moldau.client import (
    ClientError,
    CommittedOffset,
    ConcurrentUseError,
    DeserializationError,
    LogTruncatedError,
)
from moldau.client.admin import NewTopic

COUNT = 10
BAD = 5
POLLS_MAX = 200
CANCELS = 60
LEAVE_S = 60


@pytest.fixture
def filled(broker: str, topic: str) -> str:
    """With ten records in one batch, of which one is no JSON."""
    with Admin(broker) as admin:
        admin.create_topics(NewTopic(topic, 1)).all()
    with Producer(broker, linger_ms=200) as producer:
        for number in range(COUNT):
            producer.send(topic, b"{" if number == BAD else b"%d" % number, partition=0)
    return topic


def member(broker: str, group: str, **settings: object) -> Consumer:
    made = Consumer(broker, group_id=group, auto_offset_reset="earliest", **settings)
    made.subscribe(group)
    return made


def kept(broker: str, group: str) -> int | None:
    with Consumer(broker, group_id=group) as reader:
        return reader.committed([(group, 0)])[TopicPartition(group, 0)]


def read_on(reader: Consumer, found: list[Any]) -> None:
    for _ in range(POLLS_MAX):
        found += [record.value for record in reader.poll(0.1)]


def test_a_record_that_cannot_be_read_holds_up_what_is_behind_it_and_nothing_is_lost(
    broker, filled
):
    found: list[int] = []
    with member(broker, filled, value_deserializer="json") as reader:
        for _ in range(2):
            with pytest.raises(DeserializationError) as poison:
                read_on(reader, found)
        assert found == list(range(BAD))
        assert reader.position((filled, 0)) == poison.value.offset == BAD
        reader.seek(poison.value.part, poison.value.offset + 1)
        while len(found) < COUNT - 1:
            found += [record.value for record in reader.poll()]
    assert found == [number for number in range(COUNT) if number != BAD]


def test_an_iteration_is_held_up_in_the_same_way(broker, filled):
    found: list[int] = []
    with member(broker, filled, value_deserializer="json") as reader:
        while len(found) < COUNT - 1:
            try:
                for record in reader:
                    found.append(record.offset)
                    if len(found) == COUNT - 1:
                        break
            except DeserializationError as poison:
                reader.seek(poison.part, poison.offset + 1)
    assert found == [number for number in range(COUNT) if number != BAD]


def test_a_commit_during_an_iteration_goes_as_far_as_the_iteration(broker, filled):
    with member(broker, filled, enable_auto_commit=False) as reader:
        for record in reader:
            if record.offset == 2:
                reader.commit()
                assert reader.position((filled, 0)) == 3
            if record.offset == 4:
                break
        assert [record.offset for record in reader.consume(3)] == [5, 6, 7]
    assert kept(broker, filled) == 3


def test_a_seek_during_an_iteration_holds_for_its_next_record(broker, filled):
    found = []
    with member(broker, filled) as reader:
        for record in reader:
            found.append(record.offset)
            if record.offset == 2:
                reader.seek((filled, 0), 8)
            if record.offset == COUNT - 1:
                break
    assert found == [0, 1, 2, 8, 9]


def fail_at(reader: Consumer, offset: int) -> None:
    with reader:
        for record in reader:
            if record.offset == offset:
                raise KeyError(offset)


def test_a_record_whose_processing_fails_comes_again_and_those_before_do_not(broker, filled):
    with pytest.raises(KeyError):
        fail_at(member(broker, filled), 3)
    assert kept(broker, filled) == 3
    with member(broker, filled) as reader:
        assert next(iter(reader)).offset == 3


def iterate(reader: Consumer) -> None:
    with reader:
        for _ in reader:
            pass


def test_an_iteration_that_fails_at_the_first_record_of_a_poll_has_passed_none(broker, filled):
    with pytest.raises(DeserializationError):
        iterate(member(broker, filled, value_deserializer="json", max_poll_records=BAD))
    assert kept(broker, filled) == BAD


def fail_after(reader: Consumer, count: int) -> None:
    with reader:
        while not reader.consume(count):
            pass
        raise KeyError(count)


def test_after_a_failure_what_was_returned_last_comes_again(broker, filled):
    with member(broker, filled) as reader:
        while not reader.consume(2):
            pass
    with pytest.raises(KeyError):
        fail_after(member(broker, filled), 4)
    assert kept(broker, filled) == 2


def fail_while_asking(reader: Consumer) -> None:
    with reader:
        found: list[Any] = []
        while len(found) < COUNT:
            found += reader.poll()
        reader.poll(0.1)
        raise KeyboardInterrupt


def test_an_interrupted_wait_for_more_takes_back_nothing(broker, filled):
    with pytest.raises(KeyboardInterrupt):
        fail_while_asking(member(broker, filled))
    assert kept(broker, filled) == COUNT


def fail_after_commit(reader: Consumer) -> None:
    with reader:
        while not reader.consume(4):
            pass
        reader.commit()
        raise KeyError


def test_a_failure_takes_back_nothing_that_the_program_committed(broker, filled):
    with pytest.raises(KeyError):
        fail_after_commit(member(broker, filled))
    assert kept(broker, filled) == 4


def test_records_and_tables_may_be_asked_for_in_turn(broker, filled):
    with member(broker, filled) as reader:
        while not (found := [record.offset for record in reader.consume(2)]):
            pass
        table = next(iter(reader.arrow(timeout=5.0)))
        found += table.column("offset").to_pylist()
        assert reader.position((filled, 0)) == COUNT
    assert found == list(range(COUNT))


def test_of_two_threads_that_ask_one_consumer_for_records_one_is_refused(around, topic):
    around.make(topic)
    errors: list[ClientError] = []
    with Consumer(around.bootstrap) as reader:
        reader.assign(topic)

        def ask() -> None:
            try:
                while not errors:
                    reader.poll(0.1)
            except ConcurrentUseError as error:
                errors.append(error)

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LEAVE_S)
        assert "another thread or task" in str(errors[0])
        assert reader.poll(0.1) == []


async def each(broker: str, topic: str, turns: int) -> list[int]:
    """What is read where waits are cancelled after more and more turns of the loop."""
    found: list[int] = []
    settings = {"auto_offset_reset": "earliest", "max_poll_records": 3}
    async with AsyncConsumer(broker, group_id=f"{topic}-{turns}", **settings) as reader:
        await reader.subscribe(topic)
        for number in range(CANCELS):
            task = asyncio.get_running_loop().create_task(reader.poll(LEAVE_S))
            for _ in range(turns * (number + 1)):
                await asyncio.sleep(0)
            task.cancel()
            try:
                found += [record.offset for record in await task]
            except asyncio.CancelledError:
                await asyncio.sleep(0.005 if number % 2 else 0)
        while len(found) < COUNT:
            found += [record.offset for record in await reader.poll()]
        assert await reader.poll(0.05) == []
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return found


@pytest.mark.parametrize("turns", [1, 3])
def test_a_poll_that_is_cancelled_at_any_await_loses_nothing(broker, filled, turns):
    assert asyncio.run(each(broker, filled, turns)) == list(range(COUNT))


def test_tables_that_are_cancelled_lose_nothing_either(broker, filled):
    async def first(reader: AsyncConsumer) -> list[int]:
        async for table in reader.arrow(timeout=LEAVE_S):
            offsets: list[int] = table.column("offset").to_pylist()
            return offsets
        return []

    async def read() -> list[int]:
        found: list[int] = []
        async with AsyncConsumer(broker, auto_offset_reset="earliest") as reader:
            await reader.assign(filled)
            for turns in range(CANCELS):
                task = asyncio.get_running_loop().create_task(first(reader))
                for _ in range(turns):
                    await asyncio.sleep(0)
                task.cancel()
                try:
                    found += await task
                except asyncio.CancelledError:
                    await asyncio.sleep(0.005)
            return found or await first(reader)

    assert asyncio.run(read()) == list(range(COUNT))


def test_an_iteration_on_a_loop_counts_record_by_record_too(broker, filled):
    async def fail() -> None:
        settings = {"group_id": filled, "auto_offset_reset": "earliest"}
        async with AsyncConsumer(broker, **settings) as reader:
            await reader.subscribe(filled)
            async for record in reader:
                if record.offset == 4:
                    raise KeyError(record.offset)

    with pytest.raises(KeyError):
        asyncio.run(fail())
    assert kept(broker, filled) == 4


def test_a_commit_may_keep_a_text_beside_its_offsets(broker, filled):
    with member(broker, filled, enable_auto_commit=False) as reader:
        while not reader.poll():
            pass
        reader.commit({(filled, 0): 3}, metadata="after the third")
    with Admin(broker) as admin:
        offsets = admin.list_consumer_group_offsets(filled)[filled]
    kept_there = offsets[TopicPartition(filled, 0)]
    assert kept_there is not None
    assert (kept_there.offset, kept_there.metadata) == (3, "after the third")


def test_commits_that_are_not_waited_for_keep_their_order_and_report_in_turn(broker, filled):
    place, ended = TopicPartition(filled, 0), []

    def note(offsets, error):
        ended.append((offsets[place], error, threading.current_thread()))

    with member(broker, filled, enable_auto_commit=False) as reader:
        while not reader.poll():
            pass
        for offset in (5, 3, 4):
            reader.commit_async({place: offset}, on_commit=note)
        reader.commit({place: 2})
        assert kept(broker, filled) == 2
        assert ended == [(offset, None, threading.current_thread()) for offset in (5, 3, 4)]
        reader.commit_async(on_commit=note)  # what was returned, as it is closed
    assert ended[3][:2] == (COUNT, None)
    assert kept(broker, filled) == COUNT


def test_a_commit_that_fails_in_the_background_says_why(broker, filled):
    ended: list[Any] = []
    with member(broker, filled, default_api_timeout_ms=500) as reader:
        place = TopicPartition(f"{filled}-none", 0)
        reader.commit_async({place: 1}, on_commit=lambda *seen: ended.append(seen))
        while not ended:
            reader.poll(0.1)
        assert [offsets for offsets, _ in ended] == [{place: 1}]
        assert isinstance(ended[0][1], ClientError)


def test_commits_that_are_not_waited_for_on_a_loop(broker, filled):
    place, ended = TopicPartition(filled, 0), []

    async def note(offsets, error):
        ended.append((offsets[place], error))

    async def main():
        given = {"group_id": filled, "auto_offset_reset": "earliest", "enable_auto_commit": False}
        async with AsyncConsumer(broker, **given) as reader:
            await reader.subscribe(filled)
            while not await reader.poll():
                pass
            reader.commit_async({place: 7}, on_commit=note)
            reader.commit_async({place: 6}, on_commit=note)
            await reader.commit({place: 5})
            assert ended == [(7, None), (6, None)]
            reader.commit_async({place: 4}, on_commit=note)

    asyncio.run(main())
    assert ended[2] == (4, None)
    assert kept(broker, filled) == 4


def test_a_commit_keeps_the_leader_epoch_of_what_was_read(broker, filled):
    part = TopicPartition(filled, 0)
    with member(broker, filled) as reader:
        while not reader.poll():
            pass
        reader.commit()
    with Admin(broker) as admin:
        assert admin.list_consumer_group_offsets(filled)[filled][part] == CommittedOffset(COUNT, 0)


def test_offsets_that_a_program_gives_are_kept_with_their_leader_epoch_and_metadata(broker, filled):
    part = TopicPartition(filled, 0)

    def listed(admin: Admin) -> CommittedOffset | None:
        return admin.list_consumer_group_offsets(filled, require_stable=True)[filled][part]

    given = {"transactional_id": filled}
    with Admin(broker) as admin, member(broker, filled) as reader, Producer(broker, **given) as one:
        while not (records := reader.poll()):
            pass
        reader.commit({part: CommittedOffset.after(records[3], "half")})
        assert listed(admin) == CommittedOffset(4, 0, "half")
        reader.commit_async({part: CommittedOffset(5, 0)}, "by the way")
        reader.commit({part: 5})
        assert listed(admin) == CommittedOffset(5)
        with one.transaction():
            one.send_offsets({part: CommittedOffset(6, 0, "in one")}, reader)
        assert listed(admin) == CommittedOffset(6, 0, "in one")
        reader.commit_async({part: CommittedOffset(7, 0)}, "by the way")
    with Admin(broker) as admin:
        assert listed(admin) == CommittedOffset(COUNT, 0), "what was returned, as it closed"


@pytest.mark.parametrize(("epoch", "place"), [(0, COUNT), (None, 0)])
def test_an_offset_that_the_log_has_lost_is_noticed_by_the_epoch_of_a_seek(
    broker, filled, epoch, place
):
    part = TopicPartition(filled, 0)
    with Consumer(broker, auto_offset_reset="earliest") as reader:
        reader.assign([part])
        reader.seek(part, CommittedOffset(COUNT + 90, epoch))
        for _ in range(POLLS_MAX):
            found = reader.poll(0.1)
            at = found[0].offset if found else reader.position(part)
            if at != COUNT + 90:
                break
    assert at == place


def test_a_seek_with_the_epoch_that_the_log_has_goes_on_there(broker, filled):
    part = TopicPartition(filled, 0)
    with Consumer(broker, auto_offset_reset="none") as reader:
        reader.assign([part])
        reader.seek(part, CommittedOffset(7, 0))
        while not (found := reader.poll()):
            pass
        assert found[0].offset == 7
        reader.seek(part, CommittedOffset(COUNT + 90, 0))
        with pytest.raises(LogTruncatedError, match=f"from {COUNT} to {COUNT + 89}"):
            read_on(reader, [])


@pytest.mark.parametrize(("epoch", "place"), [(0, COUNT), (None, 0)])
def test_a_group_that_had_read_what_the_log_has_lost_goes_on_where_they_part(
    broker, filled, epoch, place
):
    """Only by the epoch it is seen; without one the offset is merely beyond the end."""
    with Admin(broker) as admin:
        lost = {(filled, 0): CommittedOffset(COUNT + 90, epoch)}
        admin.alter_consumer_group_offsets(filled, lost).all()
    with Consumer(broker, group_id=filled, auto_offset_reset="earliest") as reader:
        reader.assign(filled)
        for _ in range(POLLS_MAX):
            found = reader.poll(0.1)
            at = found[0].offset if found else reader.position((filled, 0))
            if at != COUNT + 90:
                break
    assert at == place


def test_without_a_policy_a_lost_record_is_an_error(broker, filled):
    with Admin(broker) as admin:
        lost = {(filled, 0): CommittedOffset(COUNT + 90, 0)}
        admin.alter_consumer_group_offsets(filled, lost).all()
    with Consumer(broker, group_id=filled, auto_offset_reset="none") as reader:
        reader.assign(filled)
        with pytest.raises(LogTruncatedError, match=f"from {COUNT} to {COUNT + 89}"):
            read_on(reader, [])
