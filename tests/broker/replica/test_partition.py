"""A partition moves its high watermark, refuses who is wrong here, and wakes who waits."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.replica.partition import Partition
from moldau.errors import CorruptRecordError, KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Assigned, with_partition

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16), bytes(16))}


def refusal(call, *arguments, **named) -> int:
    with pytest.raises(KafkaError) as caught:
        call(*arguments, **named)
    return caught.value.code


def test_what_the_only_replica_writes_is_replicated_at_once():
    def act(partition: Partition):
        partition.append(batch(0, (b"a", b"b")))
        return partition.high_watermark, partition.log_end_offset

    assert with_partition(act) == (2, 2)


def test_with_a_follower_the_high_watermark_waits_for_it():
    def act(partition: Partition):
        partition.append(batch(0, (b"a", b"b")))
        before = partition.high_watermark
        partition.followers[2].log_end_offset = 2
        partition.advance_high_watermark()
        return before, partition.high_watermark

    assert with_partition(act, **TWO) == (0, 2)


def test_a_small_isr_refuses_writes_that_want_all_and_takes_the_others():
    def act(partition: Partition):
        partition.set_min_insync_replicas(2)
        code = refusal(partition.append, batch(0, (b"a",)), required_acks=-1)
        partition.append(batch(0, (b"a",)), required_acks=1)
        return code, partition.log_end_offset, partition.high_watermark

    alone = {**TWO, "isr": (1,)}
    assert with_partition(act, **alone) == (ErrorCode.NOT_ENOUGH_REPLICAS, 1, 0)


def test_min_insync_replicas_asks_no_more_than_there_are():
    def act(partition: Partition):
        partition.set_min_insync_replicas(3)
        return partition.append(batch(0, (b"a",))).last_offset

    assert with_partition(act) == 0


def test_a_commit_is_reported_at_once_where_it_has_happened():
    def act(partition: Partition):
        notified: list[object] = []
        partition.append(batch(0, (b"a",)))
        partition.when_committed(1, notified.append)
        return notified

    assert with_partition(act) == [None]


def test_a_commit_that_waits_is_reported_in_the_order_of_offsets():
    def act(partition: Partition):
        notified: list[int] = []
        for _ in range(2):
            partition.append(batch(0, (b"a",)))
        partition.when_committed(2, lambda error: notified.append(2))
        partition.when_committed(1, lambda error: notified.append(1))
        partition.followers[2].log_end_offset = 2
        partition.advance_high_watermark()
        return notified

    assert with_partition(act, **TWO) == [1, 2]


def test_who_waits_for_a_commit_is_notified_that_the_leader_is_another_one():
    def act(partition: Partition):
        errors: list[KafkaError | None] = []
        partition.append(batch(0, (b"a",)))
        partition.when_committed(1, errors.append)
        partition.follow(Assigned(leader=2, leader_epoch=1, **TWO))
        return [error and error.code for error in errors]

    assert with_partition(act, **TWO) == [ErrorCode.NOT_LEADER_OR_FOLLOWER]


def test_appends_wake_watchers_until_they_unwatch():
    def act(partition: Partition):
        woken: list[int] = []

        def watcher(partition: Partition) -> None:
            woken.append(partition.high_watermark)
            partition.unwatch(watcher)

        partition.watch(watcher)
        for _ in range(2):
            partition.append(batch(0, (b"a",)))
        return woken

    assert with_partition(act) == [1]


@pytest.mark.parametrize(
    ("asked", "code"),
    [(4, ErrorCode.FENCED_LEADER_EPOCH), (6, ErrorCode.UNKNOWN_LEADER_EPOCH)],
)
def test_another_leader_epoch_is_refused(asked, code):
    assert (
        with_partition(lambda partition: refusal(partition.check_leader, asked), leader_epoch=5)
        == code
    )


def test_a_follower_takes_no_appends():
    def act(partition: Partition):
        return refusal(partition.append, batch(0, (b"a",)), origin=AppendOrigin.COORDINATOR)

    assert with_partition(act, **{**TWO, "leader": 2}) == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_a_partition_on_a_failed_disk_is_offline_though_another_leads_it():
    def act(partition: Partition):
        partition.directory.take_offline("the disk is broken")
        return refusal(partition.append, batch(0, (b"a",)))

    assert with_partition(act, **{**TWO, "leader": 2}) == ErrorCode.KAFKA_STORAGE_ERROR


def test_a_failing_disk_takes_the_directory_offline_and_keeps_what_was_acknowledged():
    def act(partition: Partition):
        partition.append(batch(0, (b"a",)))
        partition.log.state.files.faults.room = 0  # type: ignore[attr-defined]
        code = refusal(partition.append, batch(0, (b"b",)))
        return code, partition.directory.is_online, partition.high_watermark

    assert with_partition(act) == (ErrorCode.KAFKA_STORAGE_ERROR, False, 1)


def test_a_damaged_place_is_logged_once_and_the_records_behind_it_are_read(caplog):
    def act(partition: Partition):
        for value in (b"a", b"b", b"c"):
            partition.append(batch(0, (value,)))
        segment = partition.log.segments.active
        position = [at for at, _ in segment.batches()][1]
        segment.log.write_at(position + 8, b"\x7f")  # the length of the second batch
        for _ in range(3):
            with pytest.raises(CorruptRecordError):
                partition.read(1, 100)
        return position, partition.read(2, 100).base_offset, list(partition.damage)

    position, offset, places = with_partition(act)
    assert offset == 2
    assert len(places) == 1
    (line,) = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert f"at byte {position} a batch claims" in line
