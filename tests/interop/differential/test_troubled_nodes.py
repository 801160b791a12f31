"""Judge: nodes stop, die, stand still and come back, and both kinds of clusters answer alike.

Node 1 is the only controller, so that any of the brokers may go. What is asked is what operators
ask in trouble, and what clients meet meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from moldau.protocol.messages.cluster.alter_replica_log_dirs import AlterReplicaLogDirsRequest
from moldau.protocol.messages.cluster.describe_cluster import DescribeClusterRequest
from moldau.protocol.messages.cluster.describe_log_dirs import DescribeLogDirsRequest
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from tests.cluster.nodes import APACHE, BOTH, Nodes
from tests.interop.differential.cluster_changes import counted, deletion
from tests.interop.differential.dialogues import Step, known
from tests.interop.differential.feature_dialogues import WHO_I_AM, feature_dialogues
from tests.interop.differential.trouble_requests import (
    ALL,
    BROKER,
    DEBUGGER,
    EARLIEST,
    LATEST,
    LEADER,
    PREFERRED,
    TIMEOUT_MS,
    TOPIC,
    UNCLEAN,
    brokers,
    creation,
    election,
    end_of_epoch,
    fetched,
    growth,
    move,
    moves,
    offset_at,
    removal,
    setting,
    settings,
    written,
)
from tests.interop.differential.troubled_clusters import (
    TroubledClusters,
    described,
    is_led_by,
    is_whole,
    is_without,
    seen,
)

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(900)]

ROLES = (BOTH, "broker", "broker")
TWO_DISKS = {"log.dirs": "{folder}/data,{folder}/more", "metadata.log.dir": "{folder}/data"}
OWN = (
    {"broker.rack": "rack-1"},
    {"broker.rack": "rack-2", **TWO_DISKS},
    {"broker.rack": "rack-3"},
)
SETTINGS = {
    "auto.leader.rebalance.enable": "false",
    "broker.session.timeout.ms": "4000",
    "broker.heartbeat.interval.ms": "500",
    "unclean.leader.election.interval.ms": "1000",
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
    "log.retention.ms": "-1",
    "offsets.topic.replication.factor": "1",
    "replica.high.watermark.checkpoint.interval.ms": "500",
    "log.flush.offset.checkpoint.interval.ms": "500",
    "log.flush.start.offset.checkpoint.interval.ms": "500",
}
"""A session is short, and a failed directory is seen by the next checkpoint."""
SINCE_RACKS, NAMED_UNTIL = 11, 12
"""Versions of Fetch."""


@pytest.fixture(scope="module")
def troubled(tmp_path_factory, kafka_libs):
    made = partial(Nodes, roles=ROLES, settings=SETTINGS, own=OWN)
    with made(tmp_path_factory.mktemp("ours")) as ours:  # its ports are taken
        folder, kinds = tmp_path_factory.mktemp("kafka"), [APACHE] * len(ROLES)
        with made(folder, kinds=kinds, libs=kafka_libs) as theirs:
            yield TroubledClusters(ours, theirs)


@pytest.fixture(autouse=True)
def all_are_back(troubled):
    yield
    troubled.start(1, 2, 3)
    troubled.verdict()


def agree(troubled):
    outcome = troubled.verdict()
    assert sum(outcome.exchanges.values())
    assert not outcome.kinds, outcome.report()


def test_what_is_made_changed_and_deleted_while_a_broker_is_down(troubled):
    names = ("away", "again", "grown", "tuned")
    for name, places in zip(names, ([3, 1], [3, 1], [1, 3], [3, 1]), strict=True):
        troubled.both(1, iter([creation(name, places)]))
    troubled.until(1, described(*names, until=is_whole))
    for name in ("away", "again", "tuned"):
        troubled.both(3, iter([written(name, count=3)]))
    troubled.stop(3)
    troubled.until(1, described(*names, until=is_without(3)))
    troubled.both(1, iter(changed_while_away()))
    troubled.until(1, described("again", "made", "grown", "tuned", until=is_led_by(1)))
    agree(troubled)
    troubled.start(3)
    troubled.until(3, described("again", "made", "grown", "tuned", until=is_whole))
    later = [
        *(seen(name) for name in ("away", *names[1:], "made")),
        *(fetched(name) for name in names),
        *(offset_at(name, LATEST, replica_id=DEBUGGER) for name in names),
        settings(TOPIC, "tuned", "max.message.bytes", "segment.bytes"),
        settings(BROKER, "3", "log.cleaner.threads"),
        *(election(name, PREFERRED) for name in ("away", *names[1:], "made")),
    ]
    troubled.both(3, iter(later))
    troubled.until(1, described("again", "made", "grown", "tuned"))
    agree(troubled)


def changed_while_away():
    return [
        Step(deletion("away", 6), 6),
        Step(deletion("again", 6), 6),
        creation("again", [1, 3]),
        creation("made", [3, 1], [1, 3]),
        creation("away-only", [3]),
        growth("grown", 3, [[3, 1], [1, 3]]),
        growth("grown", 4, [[3]]),
        setting(TOPIC, "tuned", "max.message.bytes", "900000"),
        setting(BROKER, "3", "log.cleaner.threads", "2"),
        setting(BROKER, "9", "log.cleaner.threads", "2"),
        settings(BROKER, "3", "log.cleaner.threads"),
        settings(BROKER, "9", "log.cleaner.threads"),
        settings(TOPIC, "tuned", "max.message.bytes"),
        *(written(name) for name in ("again", "made", "grown", "tuned", "away", "away-only")),
        described("away", "away-only"),
        Step(deletion("away-only", 6), 6),
    ]


def test_records_are_deleted_while_a_follower_is_down_and_while_it_stands_still(troubled):
    troubled.both(1, iter([creation("cut", [1, 3])]))
    troubled.until(1, described("cut", until=is_whole))
    troubled.both(1, iter([written("cut", count=5), written("cut", count=5)]))
    troubled.stop(3)
    troubled.until(1, described("cut", until=is_without(3)))
    cuts = [removal("cut", 4), removal("cut", 2), removal("cut", 11), removal("cut", -1)]
    looks = [offset_at("cut", EARLIEST), offset_at("cut", LATEST), fetched("cut", offset=4)]
    troubled.both(1, iter([*cuts[:3], *looks]))
    troubled.start(3)
    troubled.until(1, described("cut", until=is_whole))
    troubled.until(3, offset_at("cut", EARLIEST, replica_id=DEBUGGER))
    troubled.both(1, iter([written("cut", count=3)]))
    troubled.pause(3)
    try:
        troubled.both(1, iter([removal("cut", 7, timeout_ms=300), *looks]))
    finally:
        troubled.resume(3)
    troubled.until(1, described("cut", until=is_whole))
    troubled.both(1, iter([cuts[3], *looks]))
    agree(troubled)


def has_moved(part):
    """The move to node 1, which could not be given up, has gone on with the broker that is back."""
    return part.replica_nodes == [1]


def has_forgotten(part):
    """A broker that was moved away while eligible, and comes back unclean, is eligible no more."""
    return has_moved(part) and not part.eligible_leader_replicas


LOST = ("elr", "clean", "single")


def test_partitions_whose_replicas_have_all_died(troubled):
    troubled.both(
        1,
        iter(
            [
                creation("elr", [2, 3], min_insync_replicas="2"),
                creation("clean", [2, 3], min_insync_replicas="1"),
                creation("single", [2], min_insync_replicas="1"),
            ]
        ),
    )
    troubled.until(1, described(*LOST, until=is_whole))
    troubled.both(2, iter([written(name, count=3) for name in LOST]))
    troubled.stop(3)
    troubled.until(1, described("elr", "clean", until=is_without(3)))
    troubled.both(2, iter([written("clean"), written("elr"), written("elr", acks=LEADER)]))
    troubled.kill(2)
    troubled.until(1, described(*LOST, until=is_led_by(-1)))
    troubled.both(1, iter(asked_of_the_lost()))
    agree(troubled)
    troubled.start(3)
    troubled.until(3, described("elr", until=has_moved))
    troubled.both(
        3,
        iter(
            [
                described(*LOST),
                seen(*LOST),
                *(written(name) for name in LOST),
                fetched("single"),
                *(election(name, PREFERRED) for name in LOST),
                *(election(name, UNCLEAN) for name in LOST),
            ]
        ),
    )
    troubled.until(1, described("clean", until=has_moved))
    troubled.both(1, iter([written("clean"), fetched("clean"), end_of_epoch("clean", 0)]))
    agree(troubled)
    troubled.start(2)
    troubled.until(1, described("elr", until=has_forgotten))
    troubled.until(1, described(*LOST, until=is_whole))
    agree(troubled)


def asked_of_the_lost():
    for name in LOST:
        yield seen(name)
        for acks in (ALL, LEADER):
            yield written(name, acks=acks)
        yield fetched(name)
        yield offset_at(name, LATEST)
        yield end_of_epoch(name, 0)
        yield removal(name, 1)
        for kind in (PREFERRED, UNCLEAN):
            yield election(name, kind)
        yield move(name, [1, 2])
        yield moves(name)
        yield described(name)
        yield move(name, None)
        yield moves(name)
        yield move(name, [1])
        yield moves(name)
        yield described(name)
        yield move(name, None)
        yield growth(name, 2, [[1, 2]])
        yield described(name)
    for factor in (1, 2, 3):
        yield Step(placed_by_count(f"counted-{factor}", factor), 7)
    request = DescribeClusterRequest(
        include_cluster_authorized_operations=False, include_fenced_brokers=True
    )
    yield Step(request, 2, shows=brokers)


def placed_by_count(name, factor):
    return CreateTopicsRequest(
        topics=[counted(name, factor)], timeout_ms=TIMEOUT_MS, validate_only=True
    )


def test_a_follower_that_comes_back_to_no_leader_serves_what_it_knew_to_be_replicated(troubled):
    leave_a_follower_behind(troubled, "lonely")
    troubled.both(3, iter([held_back("lonely"), offset_at("lonely", LATEST, replica_id=DEBUGGER)]))
    agree(troubled)


def leave_a_follower_behind(troubled, name):
    """Node 2 leads and dies with five records; node 3 is back, has three, and may not lead."""
    troubled.both(1, iter([creation(name, [2, 3], min_insync_replicas="1")]))
    troubled.until(1, described(name, until=is_whole))
    troubled.both(2, iter([written(name, count=3)]))
    troubled.until(3, held_back(name, until=3))
    troubled.stop(3)
    troubled.until(1, described(name, until=is_without(3)))
    troubled.both(2, iter([written(name)]))
    troubled.kill(2)
    troubled.until(1, described(name, until=is_led_by(-1)))
    troubled.start(3)


def held_back(name, until=0):
    """What a consumer reads of this very replica, once so many records are replicated."""
    step = fetched(name, rack="rack-3")
    return replace(
        step, until=lambda answer: answer.responses[0].partitions[0].high_watermark >= until
    )


def test_an_unclean_leader_comes_when_the_setting_allows_it(troubled):
    leave_a_follower_behind(troubled, "risky")
    name = "unclean.leader.election.enable"
    troubled.both(1, iter([described("risky"), setting(TOPIC, "risky", name, "true")]))
    troubled.until(1, described("risky", until=is_led_by(3)))
    troubled.both(3, iter([written("risky"), fetched("risky"), offset_at("risky", LATEST)]))
    troubled.both(1, iter([setting(TOPIC, "risky", name, None), settings(TOPIC, "risky", name)]))
    troubled.start(2)
    troubled.until(1, described("risky", until=is_whole))
    troubled.both(2, iter([fetched("risky"), end_of_epoch("risky", 0), end_of_epoch("risky", 1)]))
    agree(troubled)


def test_a_dead_broker_is_unregistered_and_comes_back(troubled):
    troubled.both(1, iter([creation("left", [3, 1]), creation("alone", [3])]))
    troubled.until(1, described("left", "alone", until=is_whole))
    troubled.stop(3)
    troubled.until(1, described("left", until=is_without(3)))
    cluster = [
        Step(
            DescribeClusterRequest(
                include_cluster_authorized_operations=False, include_fenced_brokers=fenced
            ),
            2,
            shows=brokers,
        )
        for fenced in (False, True)
    ]
    gone = Step(UnregisterBrokerRequest(broker_id=3), 0)
    troubled.both(
        1,
        iter(
            [
                *cluster,
                gone,
                gone,
                *cluster,
                described("left", "alone"),
                seen("left", "alone"),
                move("left", [1, 3]),
                move("left", [2, 3]),
                move("alone", [1]),
                moves("alone"),
                move("alone", None),
                election("alone", UNCLEAN),
                creation("late", [3, 1]),
                creation("late", [1, 3]),
                growth("left", 2, [[1, 3]]),
                setting(BROKER, "3", "log.cleaner.threads", "3"),
                settings(BROKER, "3", "log.cleaner.threads"),
                *(Step(placed_by_count(f"counted-{factor}", factor), 7) for factor in (2, 3)),
            ]
        ),
    )
    agree(troubled)
    troubled.start(3)
    troubled.until(1, described("alone", until=has_moved))
    troubled.until(1, described("left", until=is_whole))
    troubled.both(1, iter([*cluster, moves("left", "alone"), election("left", PREFERRED)]))
    agree(troubled)


def test_moves_to_a_broker_that_is_down_are_seen_changed_and_given_up(troubled):
    troubled.both(1, iter([creation("half", [1, 2], [2, 1]), creation("other", [1])]))
    troubled.until(1, described("half", "other", until=is_whole))
    troubled.both(1, iter([written("half", count=3), written("other")]))
    troubled.stop(3)
    troubled.both(1, iter(half_done()))
    agree(troubled)
    troubled.start(3)
    troubled.until(1, described("half", until=is_whole))
    troubled.both(1, iter([moves("half", "other"), described("half", "other")]))
    agree(troubled)


def half_done():
    yield move("half", [1, 3])
    yield moves("half")
    yield described("half")
    yield seen("half")
    yield written("half")
    yield move("half", [2, 3])
    yield moves("half")
    yield described("half")
    yield move("half", [3])
    yield described("half")
    yield move("half", [3], index=1)
    yield moves("half", "other")
    yield election("half", PREFERRED, 0, 1)
    yield election("half", UNCLEAN, 0, 1)
    yield growth("half", 3, [[1, 2]])
    yield removal("half", 1)
    yield move("half", None)
    yield move("half", None)
    yield moves("half")
    yield described("half")
    yield move("half", [2, 1, 3])
    yield moves("half")
    yield move("half", [1, 3, 2])
    yield described("half")
    yield move("half", None)
    yield described("half")
    yield move("other", [3])
    yield Step(deletion("other", 6), 6)
    yield moves("half", "other")
    yield move("other", None)
    yield move("half", None, index=1)
    yield creation("other", [1])
    yield move("half", [1, 3])


def test_consumers_are_sent_to_the_replica_of_their_rack(troubled):
    troubled.both(1, iter([creation("racks", [1, 2, 3])]))
    troubled.until(1, described("racks", until=is_whole))
    troubled.both(1, iter([written("racks", count=3)]))
    for node_id in (2, 3):
        troubled.until(node_id, offset_at("racks", LATEST, replica_id=DEBUGGER))
    ask_of_racks(troubled, 1, 2, 3)
    troubled.stop(3)
    troubled.until(1, described("racks", until=is_without(3)))
    ask_of_racks(troubled, 1, 2)
    agree(troubled)


def ask_of_racks(troubled, *node_ids):
    for node_id in node_ids:
        troubled.both(
            node_id,
            iter(
                [
                    fetched("racks", version=version, rack=rack, offset=offset)
                    for version in (SINCE_RACKS, NAMED_UNTIL)
                    for rack in ("", "rack-1", "rack-2", "rack-3", "nowhere")
                    for offset in (0, 2, 3, 4, 99)
                ]
            ),
        )


def test_features_go_up_and_down_while_a_broker_is_down(troubled):
    troubled.stop(3)
    for dialogue in feature_dialogues():
        troubled.both(1, dialogue)
    troubled.start(3)
    levels = Step(WHO_I_AM, 4, shows=lambda tree: tree["finalized_features"])
    for node_id in (1, 3):
        troubled.both(node_id, iter([levels]))
    agree(troubled)


def test_a_directory_of_a_broker_fails_and_is_repaired(troubled):
    homes = [node.data.parent for node in troubled.nodes(2)]
    troubled.learn("data", [str(home / "data") for home in homes])
    troubled.learn("more", [str(home / "more") for home in homes])
    troubled.both(1, iter([creation("disks", [2, 1], [2, 1])]))
    troubled.until(1, described("disks", until=is_whole))
    troubled.both(2, iter([placed_in("data", 0), placed_in("more", 1)]))
    troubled.until(2, directories("disks", until=lies_apart))
    troubled.both(2, iter([written("disks", index, count=3) for index in (0, 1)]))
    for home in homes:
        (home / "more").rename(home / "taken-away")
        (home / "more").write_text("no directory")
    troubled.until(
        1, described("disks", until=lambda part: part.leader_id == 2 - part.partition_index)
    )
    troubled.both(2, iter(asked_without_the_directory()))
    troubled.until(1, described("disks-late", until=is_whole))
    troubled.both(2, iter([directories("disks", "disks-late")]))
    agree(troubled)
    troubled.stop(2)
    for home in homes:
        (home / "more").unlink()
        (home / "taken-away").rename(home / "more")
    troubled.start(2)
    troubled.until(1, described("disks", "disks-late", until=is_whole))
    troubled.until(2, directories("disks", until=lies_apart))
    troubled.both(2, iter([fetched("disks", 1), election("disks", PREFERRED, 0, 1)]))
    agree(troubled)


def placed_in(directory, index):
    of = AlterReplicaLogDirsRequest.AlterReplicaLogDir
    topics = [of.AlterReplicaLogDirTopic(name="disks", partitions=[index])]
    path = directory if directory.startswith("/") else known(directory)
    return Step(AlterReplicaLogDirsRequest(dirs=[of(path=path, topics=topics)]), 2)


def directories(*names, until=lambda answer: True):
    of = DescribeLogDirsRequest.DescribableLogDirTopic
    topics = [of(topic=name, partitions=[0, 1]) for name in names]
    return Step(DescribeLogDirsRequest(topics=topics), 5, until=until)


def lies_apart(answer):
    """Partition 0 is in the first directory and partition 1 in the other."""
    found = {
        (one.log_dir.rpartition("/")[2], part.partition_index, part.is_future_key)
        for one in answer.results
        for topic in one.topics
        for part in topic.partitions
    }
    return found == {("data", 0, False), ("more", 1, False)}


def asked_without_the_directory():
    yield directories("disks")
    yield seen("disks")
    for index in (0, 1):
        yield written("disks", index)
        yield fetched("disks", index)
        yield offset_at("disks", LATEST, index)
        yield placed_in("more", index)
        yield placed_in("data", index)
        yield placed_in("/nowhere", index)
    yield election("disks", PREFERRED, 0, 1)
    yield growth("disks", 3, [[2, 1]])
    yield creation("disks-late", [2, 1])
