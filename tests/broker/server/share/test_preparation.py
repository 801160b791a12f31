"""A share group and its share coordinators agree about what there is."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.server.share.preparation import carry_out, forget_group
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from tests.broker.server.share_cluster import run


def group_of(cluster):
    group = cluster.node.broker.groups.running(0).shard.groups.by_id["g"]
    assert isinstance(group, ShareGroup)
    return group


def kept(cluster):
    runtime = cluster.node.broker.share_states.runtime
    return sum(len(runtime.running(index).shard.table.kept) for index in runtime.indexes)


def test_what_a_group_wants_is_made_and_confirmed():
    async def main(cluster):
        await cluster.member("m")
        prepared = group_of(cluster).prepared
        return prepared.asked, prepared.ready[cluster.topic_id].partitions, kept(cluster)

    assert run(main, partitions=2) == ({}, {0, 1}, 2)


def test_with_a_group_its_state_is_deleted():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        answer = await cluster.ask(DeleteGroupsRequest(groups_names=["g"]), 2)
        return answer.results[0].error_code, kept(cluster)

    assert run(main) == (0, 0)


def test_a_group_that_is_deleted_leaves_as_many_records_as_in_kafka():
    """That its state is to be gone, then tombstones of its assignment, its state and itself."""

    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        partition = cluster.node.broker.replicas.partition("__consumer_offsets", 0)
        before = partition.log_end_offset
        await cluster.ask(DeleteGroupsRequest(groups_names=["g"]), 2)
        return partition.log_end_offset - before

    assert run(main) == 4


def test_a_group_that_is_not_deleted_after_all_has_its_state_made_again():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        await forget_group(cluster.node.broker, "g")
        leaving, gone = list(group_of(cluster).prepared.leaving.values()), kept(cluster)
        await cluster.member("m")
        return leaving, gone, group_of(cluster).prepared.leaving, kept(cluster)

    assert run(main) == (["t"], 0, {}, 1)


def test_a_group_that_is_not_there_has_nothing_to_forget():
    async def main(cluster):
        await cluster.member("m")
        await forget_group(cluster.node.broker, "stranger")
        carry_out(cluster.node.broker, "an effect of another kind")
        return kept(cluster)

    assert run(main) == 1
