"""Nodes with two log directories each: replicas move between them (KIP-113), and one of them fails.

Of a failed one the other nodes lead what lay there (KIP-858).
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from confluent_kafka.admin import NewTopic

from moldau.broker.replica.refusals import code_of
from moldau.client.admin import Admin, Replica
from moldau.protocol.wire.error_codes import ErrorCode
from tests.cluster.asking import TIMEOUT_S, admin, leaders, make_topic, until
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict

pytestmark = [pytest.mark.long, pytest.mark.timeout(200)]

PARTITIONS = 6
OFTEN = "500"
SETTINGS = {
    "replica.high.watermark.checkpoint.interval.ms": OFTEN,
    "log.flush.offset.checkpoint.interval.ms": OFTEN,
    "log.flush.start.offset.checkpoint.interval.ms": OFTEN,
    "min.insync.replicas": "1",
}
NEVER_AGAIN: dict[str, str | int | bool] = {
    "enable.idempotence": False,
    "acks": "all",
    "retries": 0,
}
TWO_DISKS = {"log.dirs": "{folder}/data,{folder}/more", "metadata.log.dir": "{folder}/data"}


@pytest.mark.parametrize("kind", [OURS, pytest.param(APACHE, marks=pytest.mark.judge)])
def test_leaders_leave_a_failed_directory_and_stay_in_the_other(tmp_path, kafka_libs, kind):
    own = [{}, TWO_DISKS, {}]
    with Nodes(tmp_path, kinds=[kind] * 3, libs=kafka_libs, settings=SETTINGS, own=own) as nodes:
        made: Any = NewTopic(
            "kept", PARTITIONS, replica_assignment=[[2, 1 + n % 2 * 2] for n in range(6)]
        )
        asking = admin(nodes.bootstrap)
        asking.create_topics([made])["kept"].result(TIMEOUT_S)
        until(lambda: leaders(nodes.bootstrap, "kept") == [2] * PARTITIONS)
        lost = tmp_path / "node-2" / "more"
        until(lambda: len(placed(lost)) == PARTITIONS // 2)
        there = placed(lost)
        with SteadyLoad(nodes.bootstrap, "kept", PARTITIONS) as load:
            load.more()
            lost.rename(tmp_path / "taken-away")
            lost.write_text("no directory")
            until(lambda: moved(nodes) == there)
            load.more()
        assert load.verdict() == Verdict()
        assert nodes[2].is_up


def placed(folder) -> set[int]:
    """The partitions that lie there."""
    return {int(one.name.rpartition("-")[2]) for one in folder.glob("kept-*")}


def moved(nodes: Nodes) -> set[int]:
    """The partitions that node 2 leads no more."""
    return {index for index, leader in enumerate(leaders(nodes.bootstrap, "kept")) if leader != 2}


def test_replicas_begin_where_they_were_sent_and_move_while_a_producer_never_retries(
    tmp_path, seed
):
    draw = Random(seed)
    first = {node_id: draw.choice(("data", "more")) for node_id in (1, 2, 3)}
    second = {node_id: "more" if name == "data" else "data" for node_id, name in first.items()}
    with Nodes(tmp_path, settings=SETTINGS, own=[TWO_DISKS] * 3) as nodes:
        with Admin(nodes.bootstrap) as asking:
            early = asking.alter_replica_log_dirs(paths(tmp_path, first)).errors
            assert {code_of(error) for error in early.values()} == {
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            }
            make_topic(nodes.bootstrap, "kept", 1, 3)
            until(lambda: all(lies_in(tmp_path, first)))
            asking.alter_replica_log_dirs(paths(tmp_path, second)).all()
            until(lambda: all(lies_in(tmp_path, second)))
            with SteadyLoad(nodes.bootstrap, "kept", 1, NEVER_AGAIN) as load:
                load.more()
                asking.alter_replica_log_dirs(paths(tmp_path, first)).all()
                until(lambda: all(lies_in(tmp_path, first)))
                load.more()
        assert load.verdict() == Verdict()


def paths(folder: Path, names: dict[int, str]) -> dict[Replica, str]:
    return {
        Replica("kept", 0, node_id): str(folder / f"node-{node_id}" / name)
        for node_id, name in names.items()
    }


def lies_in(folder: Path, names: dict[int, str]) -> list[bool]:
    """Whether each node has its replica there, and nowhere else; what was left is removed later."""
    return [
        {one.parent.name for one in (folder / f"node-{node_id}").glob("*/kept-0")} == {name}
        for node_id, name in names.items()
    ]
