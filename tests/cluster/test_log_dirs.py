"""One of two log directories of a node fails, and the others lead what lay there (KIP-858)."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka.admin import NewTopic

from tests.cluster.asking import TIMEOUT_S, admin, leaders, until
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
