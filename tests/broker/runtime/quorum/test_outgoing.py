"""Quorums that ask each other, in the bytes of the protocol."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from moldau.broker.runtime.quorum.snapshotting import SnapshotSettings
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.quorum.fetch_snapshot import (
    FetchSnapshotRequest,
    FetchSnapshotResponse,
)
from tests.broker.runtime.quorum_cluster import Cluster
from tests.broker.runtime.quorum_world import CALL, topics

IDLE_MS = 10_000
EMPTY_PIECES_MAX = 600
"""In ten seconds: each try waits 20 ms, and without a pause there would be thousands."""
PIECE_BYTES, PIECE_MS = 50, 500
SHORT_LOG = 12
"""More than a node has that was stopped before the first topic."""


def test_three_voters_elect_one_and_all_commit_the_same():
    async def scene(cluster):
        leader = await cluster.leader()
        await leader.ask(topics("orders"), CALL)
        await cluster.agreed()
        images = [quorum.image for quorum in cluster.quorums.values()]
        return [set(image.topics.by_name) for image in images]

    assert Cluster(3).run(scene) == [{"orders"}] * 3


def test_an_observer_follows_without_a_vote():
    async def scene(cluster):
        leader = await cluster.leader()
        await leader.ask(topics("orders"), CALL)
        await cluster.agreed()
        watcher = cluster.quorums[2]
        return watcher.leader_id, set(watcher.image.topics.by_name), watcher.is_active

    assert Cluster(1, observers=1).run(scene) == (1, {"orders"}, False)


def test_an_idle_quorum_fetches_once_for_each_noop():
    async def scene(cluster):
        await cluster.leader()
        await cluster.agreed()
        before = cluster.asked[FetchRequest]
        await cluster.tasks.sleep(IDLE_MS)
        return cluster.asked[FetchRequest] - before

    cluster = Cluster(5)
    followers, noops = 4, IDLE_MS // cluster.settings.max_idle_ms
    asked = cluster.run(scene)
    assert followers * (noops - 1) <= asked <= followers * (noops + 1)


def test_when_the_leader_stops_another_one_goes_on():
    async def scene(cluster):
        first = await cluster.leader()
        await first.ask(topics("before"), CALL)
        await cluster.stop(first.node.key.node_id)
        second = await cluster.leader()
        await second.ask(topics("after"), CALL)
        return second.leader_epoch > first.leader_epoch, set(second.image.topics.by_name)

    assert Cluster(3).run(scene) == (True, {"before", "after"})


def test_a_leader_that_is_cut_off_is_followed_by_another_and_comes_back_as_a_follower():
    async def scene(cluster):
        first = await cluster.leader()
        cluster.cut = {first.node.key.node_id}
        second = await cluster.leader()
        await second.ask(topics("after"), CALL)
        cluster.cut = set()
        await cluster.agreed()
        return first.is_active, first.leader_id == second.leader_id, set(first.image.topics.by_name)

    assert Cluster(3).run(scene) == (False, True, {"after"})


def far_behind() -> Cluster:
    """Snapshots come soon, and the log before them goes."""
    cluster = Cluster(3)
    snapshots = SnapshotSettings(interval_ms=2000, retention_bytes=1)
    cluster.settings = replace(cluster.settings, snapshots=snapshots)
    return cluster


async def missed(cluster: Cluster) -> int:
    """A follower that is stopped while so much happens that the leader's log has it no more."""
    leader = await cluster.leader()
    late = next(one for one in cluster.node_ids if one != leader.node.key.node_id)
    await cluster.stop(late)
    for number in range(10):
        await leader.ask(topics(f"topic-{number}"), CALL)
        await cluster.tasks.sleep(1000)
    assert leader.node.log.start_offset > SHORT_LOG
    return late


def test_who_is_far_behind_loads_a_snapshot_instead_of_the_log():
    async def scene(cluster):
        late = await missed(cluster)
        await cluster.start(late)
        await cluster.agreed()
        return len(cluster.quorums[late].image.topics.by_name)

    assert far_behind().run(scene) == 10


def test_a_snapshot_that_takes_long_is_loaded_once_though_no_other_voter_is_left():
    pieces: Counter[tuple[int, int]] = Counter()

    def count(request):
        if isinstance(request, FetchSnapshotRequest):
            piece = request.topics[0].partitions[0]
            pieces[piece.snapshot_id.end_offset, piece.position] += 1

    async def scene(cluster):
        late = await missed(cluster)
        leader = await cluster.leader()
        leader_id, epoch = leader.node.key.node_id, leader.leader_epoch
        await cluster.stop(next(one for one in cluster.node_ids if one not in (late, leader_id)))
        await cluster.start(late)
        await cluster.agreed()
        return leader.leader_epoch == epoch

    cluster = far_behind()
    cluster.settings = replace(cluster.settings, piece_bytes_max=PIECE_BYTES)
    cluster.delays_ms[FetchSnapshotRequest] = PIECE_MS
    cluster.look_at = count
    assert cluster.run(scene)
    assert set(pieces.values()) == {1}
    assert len(pieces) * PIECE_MS > 2 * cluster.settings.quorum.fetch_timeout_ms


def test_pieces_of_a_snapshot_that_have_no_bytes_are_not_asked_for_without_a_pause():
    def empty(response):
        if isinstance(response, FetchSnapshotResponse):
            response.topics[0].partitions[0].unaligned_records = b""

    async def scene(cluster):
        late = await missed(cluster)
        cluster.spoil = empty
        await cluster.start(late)
        await cluster.tasks.sleep(IDLE_MS)
        asked = cluster.asked[FetchSnapshotRequest]
        cluster.spoil = lambda response: None
        await cluster.agreed()
        return asked

    assert 1 <= far_behind().run(scene) <= EMPTY_PIECES_MAX


def test_versions_that_do_not_tell_what_is_committed_learn_it_with_the_next_record():
    async def scene(cluster):
        leader = await cluster.leader()
        await leader.ask(topics("orders"), CALL)
        await cluster.tasks.sleep(2000)
        return [set(quorum.image.topics.by_name) for quorum in cluster.quorums.values()]

    cluster = Cluster(3)
    cluster.version_max = 17
    assert cluster.run(scene) == [{"orders"}] * 3


def test_the_active_controller_notices_who_fetches():
    async def scene(cluster):
        await cluster.agreed()
        leader = await cluster.leader()
        return leader.node.key.node_id, set(cluster.controllers[-1].fetched)

    leader_id, fetched = Cluster(3, observers=1).run(scene)
    assert fetched == {1, 2, 3, 4} - {leader_id}


def test_a_node_that_reaches_no_other_says_what_it_waited_for(caplog):
    async def scene(cluster):
        await cluster.leader()
        cluster.cut = set(cluster.node_ids)
        await cluster.tasks.sleep(IDLE_MS * 2)

    Cluster(3).run(scene)
    lines = [line for line in caplog.messages if "no leader" in line]
    assert len(lines) == 3
    assert all("node:900" in line and "no answer within 2,000 ms" in line for line in lines)
