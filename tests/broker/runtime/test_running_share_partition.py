"""A share partition on its leader: stored changes, ended locks, fenced leader epochs."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement
from moldau.broker.coordinator.share.state import ShareKey
from moldau.broker.runtime.running_share_partition import refusal_of
from moldau.errors import KafkaError
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, run


async def led_with_records(cluster):
    await cluster.produce(10)
    member = await cluster.member("m")
    await member.fetch()
    return await cluster.node.broker.shares.get(ShareKey("g", cluster.topic_id, 0))


def test_what_was_acknowledged_is_stored_when_it_returns():
    async def main(cluster):
        led = await led_with_records(cluster)
        await led.acknowledge("m", [Acknowledgement(0, 4, [ACCEPT])])
        shards = cluster.node.broker.share_states.runtime
        kept = shards.running(shards.partition_for(led.key.text)).shard.table.kept[led.key]
        return led.share.start_offset, kept.state.start_offset, kept.state.state_batches

    start_offset, stored, state_batches = run(main)
    assert (start_offset, stored) == (5, 0)
    assert [tuple(one) for one in state_batches] == [(0, 4, 2, 1)]


def test_a_reset_by_another_ends_it():
    async def main(cluster):
        led = await led_with_records(cluster)
        form = InitializeShareGroupStateRequest.InitializeStateData
        part = form.PartitionData(partition=0, state_epoch=99, start_offset=3)
        topics = [form(topic_id=cluster.topic_id, partitions=[part])]
        request = InitializeShareGroupStateRequest(group_id="g", topics=topics)
        await cluster.node.broker.share_states.ask_with_retries(request)
        with pytest.raises(KafkaError) as refused:
            await led.acknowledge("m", [Acknowledgement(0, 4, [ACCEPT])])
        again = await cluster.node.broker.shares.get(led.key)
        return refused.value.code, led.is_current, led.share.start_offset, again.share.start_offset

    assert run(main) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, False, 0, 3)


@pytest.mark.parametrize(
    ("code", "answered"),
    [
        (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.NOT_LEADER_OR_FOLLOWER),
        (ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.GROUP_ID_NOT_FOUND),
        (ErrorCode.INVALID_REQUEST, ErrorCode.UNKNOWN_SERVER_ERROR),
        (ErrorCode.REQUEST_TIMED_OUT, ErrorCode.UNKNOWN_SERVER_ERROR),
    ],
)
def test_a_member_is_refused_in_terms_of_its_partition(code, answered):
    assert refusal_of(code, "why").code == answered


def test_ended_locks_are_stored():
    async def main(cluster):
        led = await led_with_records(cluster)
        await cluster.machine.tasks.sleep(30_100)
        shards = cluster.node.broker.share_states.runtime
        kept = shards.running(shards.partition_for(led.key.text)).shard.table.kept[led.key]
        return [tuple(one) for one in kept.state.state_batches]

    assert run(main) == [(0, 9, 0, 1)]


def test_a_log_that_was_cut_off_takes_the_start_along():
    async def main(cluster):
        led = await led_with_records(cluster)
        led.partition.log.advance_start_offset(6)
        led.follow_log()
        return led.share.start_offset

    assert run(main) == 6


def test_who_leads_no_more_ends_no_locks():
    async def main(cluster):
        led = await led_with_records(cluster)
        led.partition.leader_epoch += 1
        await cluster.machine.tasks.sleep(30_100)
        held = [run.member_id for run in led.share.runs]
        led.partition.leader_epoch -= 1
        return held

    assert run(main) == ["m"]
