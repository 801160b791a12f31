"""The end of a transaction reaches its partitions."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.coordinator.transaction.markers import COMPLETE_AGAIN_MS
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import Stage, partitions


def ending(*indexes):
    """A stage with a commit whose markers are still to be written."""
    stage = Stage()
    who = stage.init()
    stage.add(who, *indexes)
    stage.end(who)
    return stage, stage.effects.pop()


def test_a_transaction_is_complete_with_its_last_marker():
    stage, markers = ending(0, 1)
    stage.carry_out(stage.shard.markers_written(markers, partitions("orders", 0), 0))
    assert stage.state() == "PrepareCommit"
    stage.carry_out(stage.shard.markers_written(markers, partitions("orders", 1), 0))
    assert stage.state() == "CompleteCommit"


def test_news_of_another_transaction_change_nothing():
    stage, markers = ending(0)
    for other in (
        replace(markers, producer_epoch=markers.producer_epoch - 1),
        replace(markers, producer_id=1),
        replace(markers, transactional_id="else"),
    ):
        assert not stage.shard.markers_written(other, other.partitions, 0).records
    assert stage.state() == "PrepareCommit"


def test_news_that_come_twice_complete_once():
    stage, markers = ending(0)
    first = stage.shard.markers_written(markers, markers.partitions, 0)
    stage.carry_out(first)
    assert not stage.shard.markers_written(markers, markers.partitions, 0).records


def test_a_coordinator_that_takes_over_has_the_markers_written_again():
    stage, markers = ending(0, 1)
    stage.reload()
    assert stage.effects == [markers]
    stage.finish()
    assert stage.state() == "CompleteCommit"


def test_completing_is_tried_again_when_it_could_not_be_written():
    stage, markers = ending(0)
    decision = stage.shard.markers_written(markers, markers.partitions, stage.now_ms)
    assert decision.failed(ErrorCode.COORDINATOR_NOT_AVAILABLE) == []
    stage.pass_time(COMPLETE_AGAIN_MS - 1)
    assert stage.state() == "PrepareCommit"
    stage.pass_time(1)
    assert stage.state() == "CompleteCommit"
