"""What a shard remembers beside its records."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import Stage, partitions


def test_an_empty_id_is_refused_and_an_unknown_one_has_no_producer():
    book = Stage().shard.book
    with pytest.raises(KafkaError) as empty:
        book.find("")
    with pytest.raises(KafkaError) as unknown:
        book.get("unknown")
    assert empty.value.code == ErrorCode.INVALID_REQUEST
    assert unknown.value.code == ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_a_step_that_was_not_written_leaves_no_lineage():
    stage = Stage()
    stage.init()
    book, before = stage.shard.book, stage.transaction()
    book.step(before, before.step(producer_epoch=1), last_epoch=0)
    assert book.lineage(before).last_epoch == -1


def test_a_step_that_is_not_allowed_is_our_own_bug():
    stage = Stage()
    stage.init()
    empty = stage.transaction()
    with pytest.raises(AssertionError):
        stage.shard.book.step(empty, empty.step(state=empty.state.PREPARE_COMMIT))


def test_markers_are_waited_for_partition_by_partition():
    stage = Stage()
    who = stage.init()
    stage.add(who, 0, 1)
    stage.end(who)
    book, ending = stage.shard.book, stage.transaction()
    assert not book.mark(ending, partitions("orders", 1))
    assert list(book.unmarked(ending)) == partitions("orders", 0)
    assert book.mark(ending, partitions("orders", 0))


def test_what_is_open_is_known_without_looking_at_every_id():
    stage = Stage()
    who = stage.init("a")
    stage.init("b")
    assert not stage.shard.book.has_open
    stage.add(who, name="a")
    assert [one.transactional_id for one in stage.shard.book.open] == ["a"]
    stage.end(who, name="a")
    assert not stage.shard.book.has_open


def test_a_forgotten_id_leaves_nothing_behind():
    stage = Stage()
    stage.add(stage.init())
    stage.shard.book.forget("t")
    assert stage.shard.book.find("t") is None
    assert not stage.shard.book.has_open
